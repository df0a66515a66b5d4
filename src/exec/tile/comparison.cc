// TCMP and TCMPS: numeric comparison into packed predicate tiles (PTO-TCMP-CONTRACT-001,
// PTO-TCMPS-CONTRACT-001).
//
// A NaN compares false with everything, except that NE holds; a signalling one raises the invalid flag. Zeros
// of both signs are equal.
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "kernels/predicate.h"

namespace pto::exec {

using state::Tile;

namespace {

Word scalar_of(const Bundle& bundle) { return bundle.operand(isa::TileOperand::scalar0); }

Check check_scalar(const Bundle& bundle, ElementType type) {
  const Word scalar = scalar_of(bundle) & mask_of(element_bits(type));
  if (numeric::encoding_valid(type, scalar)) return passed;
  return reject(rules::scalar_encoding, bundle.pc(), "{:#x} is not a {}", scalar, name_of(type));
}

Check scalar_header(const Bundle& bundle) {
  return check_scalar(bundle, bundle.operation_type().value_or(ElementType::U64));
}

// The left source may be compared, and the result is a predicate of its shape.
Check need_comparable(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& left = work.source(0);
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_numeric(bundle, left, name)) return broken;
  if (Check broken = need_row_major(bundle, left, name)) return broken;
  if (Check broken = need_type(bundle, numeric::type_sets::arithmetic, left.data_type)) return broken;
  if (Check broken = need_encodings(bundle, left, name)) return broken;
  if (work.result().storage_kind != state::StorageKind::Predicate)
    return reject(rules::tile_predicate, bundle.pc(), "the destination is numeric");
  return need_same_shape(bundle, work.result(), destination_name, left, name);
}

Check compare_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const OperandName right = operand_name(bundle, 1);
  if (Check broken =
          need_same_shape_and_type(bundle, work.source(0), operand_name(bundle, 0), work.source(1), right))
    return broken;
  if (Check broken = need_comparable(work)) return broken;
  return need_encodings(bundle, work.source(1), right);
}

Check compare_scalar_operands(const Work& work) {
  if (Check broken = need_comparable(work)) return broken;
  return check_scalar(work.bundle, work.source(0).data_type);
}

// Fills the predicate by runs: compare(storage index, left carriers, count, bits).
template <class Compare>
void compare_runs(Work& work, Compare compare) {
  const Tile& left = work.source(0);
  Tile& result = work.result();
  CarrierReader from(left);
  const std::span<std::uint8_t> payload = result.storage.mutable_payload();
  std::fill(payload.begin(), payload.end(), std::uint8_t{0});
  for_each_span(left, [&](std::uint64_t first, std::size_t count) {
    work.flags |= compare(first, from.run(first, count), count, payload.data());
  });
  if (left.valid_rows != 0 && left.valid_columns != 0) define_valid_region(result);
  pad(result, work.bundle.pad_value());
}

Check run_compare(Work& work) {
  CarrierReader right(work.source(1));
  compare_runs(work,
               [&](std::uint64_t first, const std::uint8_t* left, std::size_t count, std::uint8_t* bits) {
                 return kernels::compare(work.bundle.comparison(), work.source(0).data_type, left,
                                         right.run(first, count), count, bits, first);
               });
  return passed;
}

Check run_compare_scalar(Work& work) {
  const Word scalar = scalar_of(work.bundle);
  compare_runs(work,
               [&](std::uint64_t first, const std::uint8_t* left, std::size_t count, std::uint8_t* bits) {
                 return kernels::compare_scalar(work.bundle.comparison(), work.source(0).data_type, left,
                                                scalar, count, bits, first);
               });
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
                                                   .operands = compare_scalar_operands,
                                                   .run = run_compare_scalar};

}  // namespace pto::exec
