// The judgement of matrix blocks (PTO-CUBE-LOCAL-MATRIX-001, PTO-CUBE-ACCUMULATOR-OUTPUT-001,
// PTO-B-FPATR-MATRIX-POSTPROCESS-001), as release 0.58.3 has it.
//
// A is CUBE_M16 or CUBE_M32, B is CUBE_N8, the result takes A's layout. Either the right operand or both may
// be Shared tiles, which are row-major.
#include "exec/tile/matrix.h"

#include <bit>

#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/shared.h"

namespace pto::exec {

using numeric::MatrixParameter;
using state::FixedPointAttributes;
using state::Tile;
using state::TileLayout;

namespace {

const FixedPointAttributes& post(const Bundle& bundle) { return bundle.block().fixed_point_attributes; }

constexpr numeric::TypeSet microscaled_types =
    numeric::TypeSet::of("FP16, BF16, E4M3, E5M2, E2M1X2 or E1M2X2",
                         {ElementType::FP16, ElementType::BF16, ElementType::E4M3, ElementType::E5M2,
                          ElementType::E2M1X2, ElementType::E1M2X2});
constexpr numeric::TypeSet plain_types = numeric::TypeSet::of(
    "a floating type of at most 32 bits or an integer of at most 16",
    {ElementType::FP32, ElementType::TF32, ElementType::HF32, ElementType::FP16, ElementType::BF16,
     ElementType::HiF8, ElementType::E4M3, ElementType::E5M2, ElementType::E3M2, ElementType::E2M3,
     ElementType::E2M1X2, ElementType::E1M2X2, ElementType::S16, ElementType::S8, ElementType::S4X2,
     ElementType::U16, ElementType::U8, ElementType::U4X2});

// Elements a product called directly may have.
constexpr Word largest_product = 32768;

constexpr bool same_class(ElementType left, ElementType right) {
  return numeric::is_float(left) == numeric::is_float(right) &&
         numeric::is_signed(left) == numeric::is_signed(right);
}
constexpr bool needs_scales(ElementType type) {
  return type != ElementType::FP16 && type != ElementType::BF16;
}
constexpr bool m_layout_legal(TileLayout layout, std::uint32_t m) {
  return (layout == TileLayout::CUBE_M16 && m <= 16) || (layout == TileLayout::CUBE_M32 && m <= 32);
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
  if (called) next = bundle.sources() + mathematical_sources(bundle, form);
  take(form.row_maximum, attributes.row_max_en && attributes.row_max_init);
  take(form.output_scales, form.output != nullptr && form.output->parameter == MatrixParameter::Vector);
  take(form.slopes, form.activation == 3);
  form.sources = next;
  form.destinations = 1 + (attributes.row_max_en ? 1 : 0) + (attributes.group_max_en ? 1 : 0);
}

}  // namespace

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
    const numeric::TypeSet& types = microscaled ? microscaled_types : plain_types;
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
  m = called ? bundle.source(left).valid_rows : cube_dimension(bundle, 0);
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

namespace {

Check fpatr_required(const Bundle& bundle) {
  if (post(bundle).valid) return passed;
  return reject(rules::fpatr_required, bundle.pc(), "no B.FPATR with {}", bundle.operation()->name);
}

Check need_types(const Bundle& bundle, const MatrixForm& form) {
  if (form.types_legal) return passed;
  const auto name = [](std::optional<ElementType> type) { return type ? name_of(*type) : "no type"; };
  return reject(rules::matrix_types, bundle.pc(), "{} by {}: each must be {}, and of one class",
                name(form.left_type), name(form.right_type),
                (form.microscaled ? microscaled_types : plain_types).description);
}

Check need_bindings(const Bundle& bundle, const MatrixForm& form) {
  if (!form.shared_count_legal)
    return reject(rules::matrix_shared, bundle.pc(), "{} B.IOS with {}", bundle.shared_bindings(),
                  bundle.operation()->name);
  if (bundle.sources() != form.sources || bundle.destinations() != form.destinations)
    return reject(rules::binding_pattern, bundle.pc(), "{} sources and {} destinations: must be {} and {}",
                  bundle.sources(), bundle.destinations(), form.sources, form.destinations);
  return checks::stream_terminated(bundle);
}

Check need_scalars(const Bundle& bundle, const MatrixForm& form) {
  const state::ScalarBinding& bound = bundle.scalars();
  if (!bound.valid) return passed;
  const unsigned inputs = (form.scalar_scale ? 1 : 0) + (form.scalar_slope ? 1 : 0);
  const unsigned registers[] = {bound.source0, bound.source1, bound.source2};
  for (unsigned slot = inputs; slot < 3; ++slot) {
    if (registers[slot] != 0)
      return reject(rules::scalar_value, bundle.pc(), "RegSrc{} is {}; B.FPATR uses {} of the three", slot,
                    registers[slot], inputs);
  }
  if (bound.destination != 0)
    return reject(rules::scalar_value, bundle.pc(), "RegDst is {}", bound.destination);
  if (form.scalar_scale && !numeric::matrix_scale_word_legal(*form.output, bundle.scalar(0)))
    return reject(rules::matrix_parameter, bundle.pc(), "the scale word is {:#x}", bundle.scalar(0));
  const unsigned slope = form.scalar_scale ? 1 : 0;
  if (form.scalar_slope && !numeric::matrix_slope_word_legal(bundle.scalar(slope)))
    return reject(rules::matrix_parameter, bundle.pc(), "the slope word is {:#x}", bundle.scalar(slope));
  return passed;
}

Check need_attributes(const Bundle& bundle) {
  if (!bundle.attributes_present()) return passed;
  const state::DataAttributes& given = bundle.attributes();
  if (given.data_layout == 0 && given.pad_value == 0 && given.comparison_mode == 0 && !given.canonicalize)
    return passed;
  return reject(rules::datr_field, bundle.pc(), "a matrix block uses DataType, RMode and Sat only");
}

Check need_dimensions(const Bundle& bundle, const MatrixForm& form) {
  const std::uint32_t values[] = {form.m, form.n, form.k};
  for (unsigned number = 0; number < 3; ++number) {
    if (values[number] == 0 || (form.right_shared && !std::has_single_bit(values[number])))
      return reject(rules::dimension_value, bundle.pc(), "{} is {}{}", "MNK"[number],
                    bundle.dimension(number),
                    form.right_shared ? ": Shared operands need powers of two" : "");
  }
  return passed;
}

Check need_masks(const Bundle& bundle) {
  if (Check broken = checks::masks_equal(bundle)) return broken;
  for (const state::SharedBinding& bound : bundle.block().shared_bindings) {
    if (bound.valid && bound.pe_mask != bundle.binding(bundle.destination_binding(0)).pe_mask)
      return reject(rules::masks_equal, bundle.pc(), "B.IOS names PEs {:#06b}", bound.pe_mask);
  }
  return passed;
}

// Shared operand `number` as a row-major matrix.
Check need_shared(const Bundle& bundle, unsigned number, std::uint32_t rows, std::uint32_t columns,
                  ElementType type) {
  const state::SharedBinding& bound = bundle.block().shared_bindings[number];
  const state::SharedTile& shared = bundle.machine().shared_tiles[bound.shared_id];
  const Tile& tile = shared.tile;
  const bool ready = bound.size_code == 0 && shared_descriptor_legal(bundle, shared) &&
                     shared.allocation_mask == 0xf && shared.initialized_mask == 0xf && shared.published &&
                     tile.contents_defined;
  if (ready && tile.columns == columns && rows <= tile.valid_rows && columns <= tile.valid_columns &&
      tile.data_type == type && tile.layout == TileLayout::RowMajor)
    return passed;
  return reject(rules::matrix_shared, bundle.pc(), "s{} is not a published {}x{} row-major matrix of {}",
                bound.shared_id, rows, columns, name_of(type));
}

Check need_shared_operands(const Bundle& bundle, const MatrixForm& form) {
  const FixedPointAttributes& attributes = post(bundle);
  if ((attributes.trans_a && !form.left_shared) || (attributes.trans_b && !form.right_shared))
    return reject(rules::matrix_shared, bundle.pc(), "only a Shared operand can be transposed");
  unsigned number = 0;
  const auto matrix = [&](bool transposed, std::uint32_t rows, std::uint32_t columns, ElementType type) {
    return transposed ? need_shared(bundle, number++, columns, rows, type)
                      : need_shared(bundle, number++, rows, columns, type);
  };
  if (form.left_shared) {
    if (Check broken = matrix(attributes.trans_a, form.m, form.k, *form.left_type)) return broken;
    if (form.left_scaled) {
      if (Check broken = matrix(false, form.m, form.scale_blocks(), ElementType::E8M0)) return broken;
    }
  }
  if (form.right_shared) {
    if (Check broken = matrix(attributes.trans_b, form.k, form.n, *form.right_type)) return broken;
    if (form.right_scaled) return matrix(false, form.scale_blocks(), form.n, ElementType::E8M0);
  }
  return passed;
}

// A defined row-major source of this shape; `anywhere`: its location must not be prescribed.
Check need_row_major(const Bundle& bundle, unsigned number, std::uint32_t rows, std::uint32_t columns,
                     ElementType type, bool anywhere) {
  const Tile& tile = bundle.source(number);
  if (Check broken = need_defined(bundle, tile, operand_name(bundle, number))) return broken;
  if (tile.valid_rows == rows && tile.valid_columns == columns && tile.data_type == type &&
      tile.layout == TileLayout::RowMajor && (!anywhere || tile.location == state::TileLocation::Any))
    return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} must be a row-major {}x{} of {}",
                operand_name(bundle, number), rows, columns, name_of(type));
}

template <class Legal>
Check need_words(const Bundle& bundle, unsigned number, Legal legal) {
  const Tile& tile = bundle.source(number);
  for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
    const Word word = tile.element(state::storage_index(tile, 0, column));
    if (!legal(word))
      return reject(rules::matrix_parameter, bundle.pc(), "{} holds {:#x} at column {}",
                    operand_name(bundle, number), word, column);
  }
  return passed;
}

Check need_output_operands(const Bundle& bundle, const MatrixForm& form) {
  if (form.output != nullptr && form.output->accumulator != form.sum_type)
    return reject(rules::matrix_parameter, bundle.pc(), "PreQuantMode {} converts from {}, the sums are {}",
                  form.output->code, name_of(form.output->accumulator), name_of(form.sum_type));
  if (form.row_maximum != MatrixForm::absent) {
    if (Check broken = need_row_major(bundle, form.row_maximum, form.m, 1, form.sum_type, true))
      return broken;
  }
  if (form.output_scales != MatrixForm::absent) {
    if (Check broken = need_row_major(bundle, form.output_scales, 1, form.n, ElementType::U64, true))
      return broken;
    const auto legal = [&](Word word) { return numeric::matrix_scale_word_legal(*form.output, word); };
    if (Check broken = need_words(bundle, form.output_scales, legal)) return broken;
  }
  if (form.slopes == MatrixForm::absent) return passed;
  if (Check broken = need_row_major(bundle, form.slopes, 1, form.n, ElementType::U64, true)) return broken;
  return need_words(bundle, form.slopes, numeric::matrix_slope_word_legal);
}

Check need_cube_matrix(const Bundle& bundle, unsigned number, std::uint32_t rows, std::uint32_t columns,
                       ElementType type, TileLayout layout) {
  const Tile& tile = bundle.source(number);
  if (Check broken = need_cube(bundle, tile, operand_name(bundle, number))) return broken;
  if (!tile.contents_defined)
    return reject(rules::tile_defined, bundle.pc(), "{} is not defined", operand_name(bundle, number));
  if (tile.valid_rows == rows && tile.valid_columns == columns && tile.data_type == type &&
      tile.layout == layout)
    return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} must be a {} {}x{} of {}", operand_name(bundle, number),
                name_of(layout), rows, columns, name_of(type));
}

// `capacity` is the result's.
Check need_accumulator(const Bundle& bundle, const MatrixForm& form, std::uint32_t capacity) {
  if (Check broken = need_cube_matrix(bundle, form.accumulator, form.m, form.n, form.sum_type, form.layout))
    return broken;
  const Tile& tile = bundle.source(form.accumulator);
  if (form.output != nullptr || tile.capacity_bytes == capacity) return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} has {} bytes, the result {}",
                operand_name(bundle, form.accumulator), tile.capacity_bytes, capacity);
}

Check need_operands(const Bundle& bundle, const MatrixForm& form, std::uint32_t capacity) {
  if (form.accumulates) {
    if (Check broken = need_accumulator(bundle, form, capacity)) return broken;
  }
  if (!form.left_shared) {
    if (!m_layout_legal(form.layout, form.m))
      return reject(rules::tile_layout, bundle.pc(), "{} is {} with M {}", operand_name(bundle, form.left),
                    name_of(form.layout), form.m);
    if (Check broken = need_cube_matrix(bundle, form.left, form.m, form.k, *form.left_type, form.layout))
      return broken;
  }
  if (form.left_scale != MatrixForm::absent) {
    if (Check broken =
            need_row_major(bundle, form.left_scale, form.m, form.scale_blocks(), ElementType::E8M0, false))
      return broken;
  }
  if (!form.right_shared) {
    if (Check broken =
            need_cube_matrix(bundle, form.right, form.k, form.n, *form.right_type, TileLayout::CUBE_N8))
      return broken;
  }
  if (form.right_scale != MatrixForm::absent) {
    if (Check broken =
            need_row_major(bundle, form.right_scale, form.scale_blocks(), form.n, ElementType::E8M0, false))
      return broken;
  }
  return form.biased ? need_row_major(bundle, form.bias, 1, form.n, form.sum_type, false) : passed;
}

Check need_distinct_accumulator(const Bundle& bundle, const MatrixForm& form) {
  const unsigned hand = bundle.binding(bundle.destination_binding(0)).destination_hand;
  if (!form.accumulates || bundle.source_index(form.accumulator) != hand) return passed;
  return reject(rules::tile_alias, bundle.pc(), "C is encoded as the destination is: {}", hand);
}

Check judge(const Bundle& bundle, const MatrixForm& form) {
  if (Check broken = need_types(bundle, form)) return broken;
  if (Check broken = need_bindings(bundle, form)) return broken;
  if (Check broken = need_scalars(bundle, form)) return broken;
  if (Check broken = need_attributes(bundle)) return broken;
  if (Check broken = need_dimensions(bundle, form)) return broken;
  if (Check broken = need_masks(bundle)) return broken;
  if (form.vector && form.m != 1)
    return reject(rules::dimension_value, bundle.pc(), "M is {}: a vector has one row", form.m);
  if (Check broken = need_shared_operands(bundle, form)) return broken;
  if (Check broken = need_output_operands(bundle, form)) return broken;
  const state::TileBinding& bound = bundle.binding(bundle.destination_binding(0));
  if (Check broken = need_operands(bundle, form, state::size_code_bytes(bound.destination_size)))
    return broken;
  if (Check broken = need_distinct_accumulator(bundle, form)) return broken;
  if (m_layout_legal(form.layout, form.m)) return passed;
  return reject(rules::tile_layout, bundle.pc(), "M is {}: no CUBE layout has as many rows", form.m);
}

Check matrix_header(const Bundle& bundle) {
  Check broken = judge(bundle, MatrixForm(bundle));
  if (broken) broken->fault = state::Fault::TileLegality;
  return broken;
}

constexpr BundleCheck matrix_checks[] = {fpatr_required, matrix_header};

}  // namespace

namespace {

// The result has the shape and type of the product; a decoded call wants it in the layout of A too.
Check need_call_result(const Work& work, const MatrixForm& form) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  const bool plain = bundle.plain_call();
  if (Check broken = plain ? need_descriptor(bundle, result, destination_name)
                           : need_cube(bundle, result, destination_name))
    return broken;
  if (result.valid_rows == form.m && result.valid_columns == form.n &&
      result.data_type == form.output_type() && (plain || result.layout == form.layout))
    return passed;
  return reject(rules::tile_shape, bundle.pc(), "the destination must be a {} {}x{} of {}",
                name_of(form.layout), form.m, form.n, name_of(form.output_type()));
}

// What a plain call asks of its sources: contents, and an inner dimension.
Check need_call_sources(const Bundle& bundle, const MatrixForm& form) {
  for (const unsigned number :
       {form.accumulator, form.left, form.left_scale, form.right, form.right_scale, form.bias}) {
    if (number == MatrixForm::absent) continue;
    if (Check broken = need_defined(bundle, bundle.source(number), operand_name(bundle, number)))
      return broken;
  }
  if (bundle.source(form.right).valid_rows == form.k) return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} has {} valid rows: must have {}",
                operand_name(bundle, form.right), bundle.source(form.right).valid_rows, form.k);
}

}  // namespace

Check matrix_call_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  if (bundle.call() == nullptr) return passed;
  if (!bundle.tile_operation_open() || !bundle.block().operation.data_type_valid)
    return reject(rules::operation_type, bundle.pc(), "no tile operation with a type is open");
  const MatrixForm form(bundle);
  if (Check broken = need_types(bundle, form)) return broken;
  if (Check broken = need_call_result(work, form)) return broken;
  if (form.vector && form.m != 1)
    return reject(rules::dimension_value, bundle.pc(), "M is {}: a vector has one row", form.m);
  if (bundle.plain_call()) return need_call_sources(bundle, form);
  if (Check broken = need_operands(bundle, form, work.result().capacity_bytes)) return broken;
  if (form.accumulates) {
    if (Check broken = need_apart(bundle, 0, form.accumulator)) return broken;
  }
  if (Word{form.m} * form.n <= largest_product) return passed;
  return reject(rules::dimension_value, bundle.pc(), "{}x{} elements: a product has at most {}", form.m,
                form.n, largest_product);
}

constinit const Path matrix_path{.checks = matrix_checks, .fault = {}};

Check plan_matrix(const Bundle& bundle, Plan& plan) {
  const MatrixForm form(bundle);
  if (Check broken = choose_registers(bundle, plan)) return broken;
  if (Check broken = need_capacity(bundle)) return broken;
  if (Check broken =
          describe_cube_result(bundle, form.m, form.n, form.output_type(), form.layout, plan.results[0]))
    return broken;
  const FixedPointAttributes& attributes = post(bundle);
  for (unsigned number = 1; number < plan.count; ++number) {
    const bool groups = !(attributes.row_max_en && number == 1);
    const Word columns = groups ? divide_up(form.n, group_columns(attributes.group_n_code)) : 1;
    if (Check broken =
            describe_result(bundle, {form.m, columns, columns}, form.sum_type, plan.results[number]))
      return broken;
  }
  return passed;
}

constinit const Behaviour matrix_behaviour{.path = &matrix_path,
                                           .sources_defined = false,
                                           .plan = plan_matrix,
                                           .operands = matrix_call_operands,
                                           .run = run_matrix,
                                           .commit = commit_matrix};

}  // namespace pto::exec
