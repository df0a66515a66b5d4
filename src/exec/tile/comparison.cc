// TCMP and TCMPS: numeric comparison into packed predicate tiles (PTO-TCMP-CONTRACT-001,
// PTO-TCMPS-CONTRACT-001).
//
// A NaN compares false with everything, except that NE holds; a signalling one raises the invalid flag. Zeros
// of both signs are equal.
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/regions.h"
#include "numeric/compare.h"

namespace pto::exec {

using state::Tile;

namespace {

// The six comparisons in the order B.DATR encodes them.
constexpr numeric::Comparison encoded_comparisons[] = {numeric::Comparison::EQ, numeric::Comparison::NE,
                                                       numeric::Comparison::LT, numeric::Comparison::GT,
                                                       numeric::Comparison::LE, numeric::Comparison::GE};

numeric::Comparison comparison_of(const Work& work) {
  const unsigned mode = work.bundle.attributes().comparison_mode;
  return encoded_comparisons[mode < 6 ? mode : 0];
}

Word scalar_of(const Bundle& bundle) { return bundle.scalars().valid ? bundle.scalar(0) : 0; }

Check scalar_header(const Bundle& bundle) {
  const ElementType type = bundle.operation_type().value_or(ElementType::U64);
  const Word scalar = scalar_of(bundle) & mask_of(element_bits(type));
  if (numeric::encoding_valid(type, scalar)) return passed;
  return reject(rules::scalar_encoding, bundle.pc(), "{:#x} is not a {}", scalar, name_of(type));
}

Check compare_operands(const Work& work) {
  return need_same_shape(work.bundle, work.result(), destination_name, work.source(0),
                         operand_name(work.bundle, 0));
}

// Fills the predicate with compare(left element, right(storage index)).
template <class Right>
void compare_elements(Work& work, Right right) {
  const Tile& left = work.source(0);
  Tile& result = work.result();
  const numeric::Comparison comparison = comparison_of(work);
  const std::span<std::uint8_t> payload = result.storage.mutable_payload();
  std::fill(payload.begin(), payload.end(), std::uint8_t{0});
  for (std::uint32_t row = 0; row < left.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < left.valid_columns; ++column) {
      const std::uint64_t index = std::uint64_t{row} * left.columns + column;
      const numeric::Compared outcome =
          numeric::compare(comparison, left.data_type, left.element(index), right(index));
      work.flags |= outcome.flags;
      if (outcome.holds) payload[index / 8] = static_cast<std::uint8_t>(payload[index / 8] | 1u << index % 8);
    }
  }
  if (left.valid_rows != 0 && left.valid_columns != 0) define_valid_region(result);
  pad(result, work.bundle.pad_value());
}

Check run_compare(Work& work) {
  const Tile& right = work.source(1);
  compare_elements(work, [&](std::uint64_t index) { return right.element(index); });
  return passed;
}

Check run_compare_scalar(Work& work) {
  const Word scalar = scalar_of(work.bundle);
  compare_elements(work, [&](std::uint64_t) { return scalar; });
  return passed;
}

constexpr SourceNeeds compared{.descriptor = true,
                               .defined = true,
                               .encodings = true,
                               .numeric = true,
                               .operation_type = true,
                               .row_major = true,
                               .block_shape = true};

}  // namespace

constinit const Behaviour compare_behaviour{
    .path = &common_path,
    .header = {.bindings = {BindingShape{2, true, true}},
               .binding_count = 1,
               .shared_absent = true,
               .scalars = ScalarRule::Absent,
               .dimensions = DimensionRule::Shape,
               .comparison = true,
               .types = &numeric::type_sets::arithmetic,
               .sources = {compared, SourceNeeds{.defined = true, .encodings = true, .matches = 0}}},
    .plan = planners::predicate,
    .operands = compare_operands,
    .run = run_compare};

constinit const Behaviour compare_scalar_behaviour{.path = &common_path,
                                                   .header = {.bindings = {BindingShape{1, true, true}},
                                                              .binding_count = 1,
                                                              .shared_absent = true,
                                                              .dimensions = DimensionRule::Shape,
                                                              .comparison = true,
                                                              .types = &numeric::type_sets::arithmetic,
                                                              .sources = {compared},
                                                              .extra = scalar_header},
                                                   .plan = planners::predicate,
                                                   .operands = compare_operands,
                                                   .run = run_compare_scalar};

}  // namespace pto::exec
