// Tiles made from a scalar: TEXPANDS fills one, TCI counts along a row, TTRI draws a triangle of ones
// (PTO-TEXPANDS-CONTRACT-001, PTO-TCI-CONTRACT-001, PTO-TTRI-CONTRACT-001).
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "kernels/words.h"

namespace pto::exec {

using isa::TileOperand;
using state::Tile;

namespace {

Check need_result(const Work& work, const numeric::TypeSet& types) {
  const Tile& result = work.result();
  if (Check broken = need_descriptor(work.bundle, result, destination_name)) return broken;
  if (Check broken = need_numeric(work.bundle, result, destination_name)) return broken;
  if (Check broken = need_row_major(work.bundle, result, destination_name)) return broken;
  return need_type(work.bundle, types, result.data_type);
}

Check need_elements(const Work& work) {
  if (work.result().valid_rows != 0 && work.result().valid_columns != 0) return passed;
  return reject(rules::tile_shape, work.bundle.pc(), "the destination has no valid element");
}

Check fill_scalar_operands(const Work& work) { return need_result(work, numeric::type_sets::arithmetic); }

Check sequence_operands(const Work& work) {
  if (Check broken = need_result(work, numeric::type_sets::sequence)) return broken;
  if (Check broken = need_elements(work)) return broken;
  if (work.result().valid_rows == 1) return passed;
  return reject(rules::tile_shape, work.bundle.pc(), "the destination has {} valid rows: must have one",
                work.result().valid_rows);
}

Check triangle_operands(const Work& work) {
  if (Check broken = need_result(work, numeric::type_sets::triangle)) return broken;
  return need_elements(work);
}

Check run_fill_scalar(Work& work) {
  Tile& result = work.result();
  const Word value = work.bundle.operand(TileOperand::scalar0);
  for_each_run(result, valid_region(result),
               [&](std::uint32_t, std::uint32_t, std::uint64_t first, std::uint32_t count) {
                 fill(result, first, count, value);
               });
  define_valid_region(result);
  pad(result, work.bundle.pad_value());
  return passed;
}

Check run_sequence(Work& work) {
  Tile& result = work.result();
  const Word start = work.bundle.operand(TileOperand::scalar0);
  const bool descending = work.bundle.operand(TileOperand::flag0) == 1;
  CarrierWriter out(result);
  out.row(0, 0, result.valid_columns, [&](std::uint8_t* made) {
    kernels::count_up(kernels::carrier_bytes(result.data_type), start, descending ? ~Word{0} : 1, made,
                      result.valid_columns);
  });
  define_valid_region(result);
  result.location = state::TileLocation::Any;
  return passed;
}

Word one_of(ElementType type) {
  if (type == ElementType::FP32) return 0x3f800000;
  return type == ElementType::FP16 ? 0x3c00 : 1;
}

Check run_triangle(Work& work) {
  Tile& result = work.result();
  const bool upper = work.bundle.operand(TileOperand::flag0) == 1;
  const auto diagonal = static_cast<std::int64_t>(work.bundle.operand(TileOperand::diagonal));
  const Word one = one_of(result.data_type);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    // Columns below `edge` lie left of the diagonal's first selected column (upper) or up to it (lower).
    const std::int64_t boundary = std::int64_t{row} + diagonal + (upper ? 0 : 1);
    const auto edge = static_cast<std::uint32_t>(std::clamp<std::int64_t>(boundary, 0, result.valid_columns));
    const std::uint64_t first = state::storage_index(result, row, 0);
    fill(result, first, edge, upper ? 0 : one);
    fill(result, first + edge, result.valid_columns - edge, upper ? one : 0);
  }
  define_valid_region(result);
  result.location = state::TileLocation::Any;
  return passed;
}

constexpr Header from_nothing(DimensionRule dimensions, const numeric::TypeSet& types) {
  return {.bindings = {BindingShape{0, true, true}},
          .binding_count = 1,
          .shared_absent = true,
          .dimensions = dimensions,
          .types = &types,
          .row_major = true};
}

}  // namespace

constinit const Behaviour fill_scalar_behaviour{
    .path = &common_path,
    .header = from_nothing(DimensionRule::Shape, numeric::type_sets::arithmetic),
    .plan = planners::from_dimensions,
    .operands = fill_scalar_operands,
    .run = run_fill_scalar};

constinit const Behaviour sequence_behaviour{
    .path = &common_path,
    .header = from_nothing(DimensionRule::Sequence, numeric::type_sets::sequence),
    .plan = planners::from_dimensions,
    .operands = sequence_operands,
    .run = run_sequence};

constinit const Behaviour triangle_behaviour{
    .path = &common_path,
    .header = from_nothing(DimensionRule::Triangle, numeric::type_sets::triangle),
    .plan = planners::from_dimensions,
    .operands = triangle_operands,
    .run = run_triangle};

}  // namespace pto::exec
