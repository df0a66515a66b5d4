// What a matrix block is made of, read off its function, types, bindings and B.FPATR; nothing is judged here.
#include "exec/tile/matrix.h"

namespace pto::exec {

using numeric::MatrixParameter;
using state::FixedPointAttributes;
using state::TileLayout;

namespace {

const FixedPointAttributes& post(const Bundle& bundle) { return bundle.block().fixed_point_attributes; }

constexpr numeric::TypeSet microscaled_types =
    numeric::TypeSet::of("FP16, BF16, E4M3, E5M2, E2M1X2 or E1M2X2",
                         {ElementType::FP16, ElementType::BF16, ElementType::E4M3, ElementType::E5M2,
                          ElementType::E2M1X2, ElementType::E1M2X2});
constexpr numeric::TypeSet later_microscaled_types =
    numeric::TypeSet::of("FP16, BF16, E4M3, E5M2, E2M1X2, E1M2X2 or HiF4X2",
                         {ElementType::FP16, ElementType::BF16, ElementType::E4M3, ElementType::E5M2,
                          ElementType::E2M1X2, ElementType::E1M2X2, ElementType::HiF4X2});
constexpr numeric::TypeSet plain_types = numeric::TypeSet::of(
    "a floating type of at most 32 bits or an integer of at most 16",
    {ElementType::FP32, ElementType::TF32, ElementType::HF32, ElementType::FP16, ElementType::BF16,
     ElementType::HiF8, ElementType::E4M3, ElementType::E5M2, ElementType::E3M2, ElementType::E2M3,
     ElementType::E2M1X2, ElementType::E1M2X2, ElementType::S16, ElementType::S8, ElementType::S4X2,
     ElementType::U16, ElementType::U8, ElementType::U4X2});

constexpr bool same_class(ElementType left, ElementType right) {
  return numeric::is_float(left) == numeric::is_float(right) &&
         numeric::is_signed(left) == numeric::is_signed(right);
}
constexpr bool needs_scales(ElementType type) {
  return type != ElementType::FP16 && type != ElementType::BF16;
}
std::uint32_t cube_dimension(const Bundle& bundle, unsigned number) {
  if (!bundle.dimension_present(number)) return 1;
  return bundle.dimension(number) <= dimension_limit ? static_cast<std::uint32_t>(bundle.dimension(number))
                                                     : 0;
}

// What makes a function of the CUBE family.
bool is_vector(unsigned function) { return (function & 16) != 0; }
bool is_microscaled(unsigned function) { return (function & 4) != 0; }
bool is_biased(unsigned function) { return (function & 3) == 1; }
bool is_accumulating(unsigned function) { return (function & 3) == 2; }

// How many of the open block's Local sources come before those of B.FPATR.
unsigned mathematical_sources(const Bundle& bundle, const MatrixForm& form) {
  const unsigned function = bundle.function();
  const bool supplement = is_biased(function) || is_accumulating(function);
  const bool scaled = is_microscaled(function) && form.left_type && form.right_type;
  const unsigned scales =
      scaled ? (needs_scales(*form.left_type) ? 1u : 0u) + (needs_scales(*form.right_type) ? 1u : 0u) : 0u;
  return 2 + scales + (supplement ? 1 : 0);
}

// Numbers the Local sources in the order B.IOT binds them, or a direct call names them. A call names both
// scales of a microscaled function, needed or not, and leaves what B.FPATR reads to the open block.
void number_sources(MatrixForm& form, const Bundle& bundle) {
  const FixedPointAttributes& attributes = post(bundle);
  const bool called = bundle.call() != nullptr;
  unsigned next = 0;
  const auto take = [&](unsigned& source, bool present) {
    if (present) source = next++;
  };
  const auto take_scale = [&](unsigned& source, bool shared, bool scaled) {
    if (scaled && !shared) source = next;
    if ((scaled && !shared) || (called && form.microscaled)) ++next;
  };
  take(form.accumulator, form.accumulates);
  take(form.left, !form.left_shared);
  take_scale(form.left_scale, form.left_shared, form.left_scaled);
  take(form.right, !form.right_shared);
  take_scale(form.right_scale, form.right_shared, form.right_scaled);
  take(form.bias, form.biased);
  take(form.accumulator_scale, attributes.c_scale_en && !called);
  if (called) next = bundle.sources() + mathematical_sources(bundle, form);
  take(form.row_maximum, attributes.row_max_en && attributes.row_max_init);
  take(form.output_scales, form.output != nullptr && form.output->parameter == MatrixParameter::Vector);
  take(form.slopes, form.activation == 3);
  form.sources = next;
  form.destinations = 1 + (attributes.row_max_en ? 1 : 0) + (attributes.group_max_en ? 1 : 0);
}

// The rows of a cooperative product that the executing PE computes.
void take_rows(MatrixForm& form, unsigned pe) {
  const std::uint32_t share = rows_per_pe(form.group_m);
  form.first_row = pe * share;
  form.m = form.group_m > form.first_row ? std::min(form.group_m - form.first_row, share) : 0;
}

}  // namespace

const numeric::TypeSet& matrix_types(Release release, bool microscaled) {
  if (!microscaled) return plain_types;
  return release == Release::v0_58_3 ? microscaled_types : later_microscaled_types;
}

MatrixForm::MatrixForm(const Bundle& bundle) {
  const bool called = bundle.call() != nullptr;
  const unsigned function = called ? bundle.operation()->function : bundle.function();
  vector = is_vector(function);
  microscaled = is_microscaled(function);
  biased = is_biased(function);
  accumulates = is_accumulating(function);
  left_type = bundle.operation_type();
  right_type = bundle.attributes_present() ? element_type_of_code(bundle.attributes().data_type) : left_type;
  if (left_type && right_type) {
    const numeric::TypeSet& types = matrix_types(bundle.release(), microscaled);
    types_legal = types.has(*left_type) && types.has(*right_type) &&
                  (microscaled || same_class(*left_type, *right_type));
    if (!microscaled && !numeric::is_float(*left_type))
      sum_type = numeric::is_signed(*left_type) ? ElementType::S32 : ElementType::U32;
    left_scaled = microscaled && needs_scales(*left_type);
    right_scaled = microscaled && needs_scales(*right_type);
  }
  left_tiles = left_scaled ? 2 : 1;
  right_tiles = right_scaled ? 2 : 1;
  const unsigned shared = called ? 0 : bundle.shared_bindings();
  shared_count_legal =
      shared == 0 || (!vector && (shared == right_tiles || shared == left_tiles + right_tiles));
  right_shared = shared != 0;
  left_shared = shared != 0 && shared != right_tiles;
  if (post(bundle).valid) {
    output = numeric::find_matrix_output_mode(post(bundle).pre_quant_mode);
    activation = post(bundle).relu_mode;
  }
  scalar_scale = output != nullptr && output->parameter == MatrixParameter::Scalar;
  scalar_slope = activation == 2;
  number_sources(*this, bundle);
  group_m = m = called ? bundle.source(left).valid_rows : cube_dimension(bundle, 0);
  cooperative = right_shared && bundle.release() != Release::v0_58_3;
  if (cooperative) take_rows(*this, bundle.machine().current_memory_agent);
  n = called ? bundle.source(right).valid_columns : cube_dimension(bundle, 1);
  k = called ? bundle.source(left).valid_columns : cube_dimension(bundle, 2);
  if (!left_shared) {
    layout = bundle.source(left).layout;
  } else if (accumulates) {
    layout = bundle.source(accumulator).layout;
  } else if (m <= 32) {
    layout = m <= 16 ? TileLayout::CUBE_M16 : TileLayout::CUBE_M32;
  }
}

std::uint32_t group_columns(unsigned code) {
  constexpr std::uint8_t columns[16] = {0, 8, 16, 32, 48, 64, 80, 96, 112, 128};
  return columns[code % 16u];
}

}  // namespace pto::exec
