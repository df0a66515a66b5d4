// TSORT and TMRGSORT: stable orders of FP32 and FP16 rows (PTO-TSORT-CONTRACT-001,
// PTO-TMRGSORT-CONTRACT-001).
//
// Numbers come before NaNs in either direction, zeros of both signs are equal, and equals keep their order. A
// signalling NaN is sorted like any other and raises the invalid flag. TSORT sorts groups of its sort width
// apart and also gives each value's place in its group; TMRGSORT merges two sorted rows.
#include <bit>

#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "kernels/order.h"

namespace pto::exec {

using isa::TileOperand;
using numeric::TypeSet;
using state::Tile;

namespace {

constexpr TypeSet sortable = TypeSet::of("FP32 or FP16", {ElementType::FP32, ElementType::FP16});
constexpr Word largest_sort_width = 64;
constexpr unsigned default_sort_width = 32;
constexpr std::uint32_t largest_merge = 32768;

bool descending(const Bundle& bundle) { return bundle.operand(TileOperand::flag0) == 1; }

// The columns sorted apart from each other.
std::uint32_t sort_width(const Bundle& bundle) {
  const Word width = bundle.call() ? bundle.call()->sort_width : bundle.dimension(0);
  return width >= 1 && width <= largest_sort_width ? static_cast<std::uint32_t>(width) : default_sort_width;
}

// The source holds row-major numbers that have an order.
Check need_sortable(const Work& work, unsigned number) {
  const Bundle& bundle = work.bundle;
  const Tile& tile = work.source(number);
  const OperandName name = operand_name(bundle, number);
  if (Check broken = need_apart(bundle, 0, number)) return broken;
  if (Check broken = need_row_major(bundle, tile, name)) return broken;
  if (Check broken = need_type(bundle, sortable, tile.data_type)) return broken;
  if (tile.valid_rows == 0 || tile.valid_columns == 0)
    return reject(rules::tile_shape, bundle.pc(), "{} has no valid element", name);
  return need_encodings(bundle, tile, name);
}

Check need_result(const Work& work, unsigned number, ElementType type) {
  const Tile& result = work.results[number];
  if (Check broken = need_descriptor(work.bundle, result, destination_name)) return broken;
  if (Check broken = need_row_major(work.bundle, result, destination_name)) return broken;
  if (result.data_type == type) return passed;
  return reject(rules::tile_type, work.bundle.pc(), "destination {} holds {}: must hold {}", number,
                name_of(result.data_type), name_of(type));
}

void note_signaling(Work& work, const Tile& tile) {
  if (survey_of(tile).any_signaling) work.flags |= numeric::status::invalid;
}

Check need_destinations(const Bundle& bundle) {
  for (unsigned number = 0; number < bundle.destinations(); ++number) {
    const state::TileBinding& bound = bundle.binding(bundle.destination_binding(number));
    if (bound.destination_allocated_by_bundle || !size_code_legal(bound.destination_size, bundle.release()))
      return reject(rules::size_code, bundle.pc(), "size code {}", bound.destination_size);
  }
  return passed;
}

// --- TSORT ---

Check sort_header(const Bundle& bundle) {
  if (Check broken = need_destinations(bundle)) return broken;
  for (const unsigned number : {1u, 2u}) {
    if (bundle.dimension_present(number)) return reject(rules::dimension_absent, bundle.pc(), "LB{}", number);
  }
  if (bundle.dimension_present(0) && bundle.dimension(0) > largest_sort_width)
    return reject(rules::dimension_value, bundle.pc(), "the sort width is {}: must be at most 64",
                  bundle.dimension(0));
  return passed;
}

Check plan_sort(const Bundle& bundle, Plan& plan) {
  const Tile& source = bundle.source(0);
  return plan_results(bundle, {source.valid_rows, source.valid_columns, source.columns}, source.data_type,
                      plan);
}

Check sort_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  if (bundle.call() != nullptr && bundle.destination_index(0) == bundle.destination_index(1))
    return reject(rules::tile_alias, bundle.pc(), "both destinations are {}",
                  tile_name(*bundle.destination_index(0)));
  if (Check broken = need_apart(bundle, 1, 0)) return broken;
  if (Check broken = need_sortable(work, 0)) return broken;
  for (unsigned number = 0; number < 2; ++number) {
    const ElementType type = number == 0 ? work.source(0).data_type : ElementType::U32;
    if (Check broken = need_result(work, number, type)) return broken;
    if (Check broken = need_same_shape(work.bundle, work.results[number], destination_name, work.source(0),
                                       operand_name(work.bundle, 0)))
      return broken;
  }
  return passed;
}

Check run_sort(Work& work) {
  const Tile& source = work.source(0);
  CarrierReader in(source);
  CarrierWriter values(work.results[0]);
  CarrierWriter places(work.results[1]);
  const std::uint32_t group = sort_width(work.bundle);
  const kernels::RowOrder order{source.data_type, descending(work.bundle)};
  for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
    const std::uint8_t* numbers = in.row(row, 0, source.valid_columns);
    values.row(row, 0, source.valid_columns, [&](std::uint8_t* sorted) {
      places.row(row, 0, source.valid_columns, [&](std::uint8_t* from) {
        kernels::sort_groups(order, numbers, source.valid_columns, group, sorted, from);
      });
    });
  }
  note_signaling(work, source);
  for (unsigned number = 0; number < 2; ++number) {
    define_valid_region(work.results[number]);
    work.results[number].location = state::TileLocation::Any;
  }
  return passed;
}

// --- TMRGSORT ---

Check need_sorted(const Bundle& bundle, unsigned number) {
  const Tile& tile = bundle.source(number);
  CarrierReader in(tile);
  const std::size_t ordered = kernels::ordered_prefix({tile.data_type, descending(bundle)},
                                                      in.row(0, 0, tile.valid_columns), tile.valid_columns);
  if (ordered == tile.valid_columns) return passed;
  return reject(rules::sorted_source, bundle.pc(), "{} is out of order at column {}",
                operand_name(bundle, number), ordered);
}

Check merge_header(const Bundle& bundle) {
  if (Check broken = need_destinations(bundle)) return broken;
  for (const unsigned number : {0u, 1u}) {
    if (bundle.source(number).valid_rows != 1)
      return reject(rules::tile_shape, bundle.pc(), "{} has {} valid rows: must have one",
                    operand_name(bundle, number), bundle.source(number).valid_rows);
  }
  if (bundle.source(0).valid_columns + bundle.source(1).valid_columns > largest_merge)
    return reject(rules::tile_shape, bundle.pc(), "more than {} elements", largest_merge);
  if (Check broken = need_sorted(bundle, 0)) return broken;
  return need_sorted(bundle, 1);
}

Check plan_merge(const Bundle& bundle, Plan& plan) {
  const std::uint32_t valid_columns = bundle.source(0).valid_columns + bundle.source(1).valid_columns;
  return plan_results(bundle, {1, valid_columns, std::bit_ceil(valid_columns)}, bundle.source(0).data_type,
                      plan);
}

Check merge_operands(const Work& work) {
  for (const unsigned number : {0u, 1u}) {
    if (Check broken = need_sortable(work, number)) return broken;
    if (work.source(number).data_type != work.source(0).data_type)
      return reject(rules::tile_type, work.bundle.pc(), "{} holds {}", operand_name(work.bundle, number),
                    name_of(work.source(number).data_type));
  }
  if (Check broken = need_result(work, 0, work.source(0).data_type)) return broken;
  const Tile& result = work.result();
  if (work.source(0).valid_rows != 1 || work.source(1).valid_rows != 1 || result.valid_rows != 1 ||
      result.valid_columns != work.source(0).valid_columns + work.source(1).valid_columns)
    return reject(rules::tile_shape, work.bundle.pc(), "{} and {} valid elements into {}x{}",
                  work.source(0).valid_columns, work.source(1).valid_columns, result.valid_rows,
                  result.valid_columns);
  if (work.bundle.call() == nullptr) return passed;  // the header of a block has asked for it
  if (Check broken = need_sorted(work.bundle, 0)) return broken;
  return need_sorted(work.bundle, 1);
}

// A row in order has its NaNs at the end.
bool holds_nan(const Tile& tile) {
  return numeric::classify(tile.data_type, number_at(tile, 0, tile.valid_columns - 1)).is_nan();
}

Check run_merge(Work& work) {
  const Tile& left = work.source(0);
  const Tile& right = work.source(1);
  CarrierReader from_left(left);
  CarrierReader from_right(right);
  CarrierWriter out(work.result());
  out.row(0, 0, work.result().valid_columns, [&](std::uint8_t* made) {
    kernels::merge_rows({left.data_type, descending(work.bundle)}, from_left.row(0, 0, left.valid_columns),
                        left.valid_columns, from_right.row(0, 0, right.valid_columns), right.valid_columns,
                        made);
  });
  for (const Tile* tile : {&left, &right}) {
    if (holds_nan(*tile)) note_signaling(work, *tile);
  }
  define_valid_region(work.result());
  work.result().location = state::TileLocation::Any;
  return passed;
}

constexpr SourceNeeds sorted_source{.descriptor = true,
                                    .defined = true,
                                    .encodings = true,
                                    .numeric = true,
                                    .operation_type = true,
                                    .row_major = true,
                                    .not_empty = true};

}  // namespace

constinit const Behaviour sort_behaviour{.path = &common_path,
                                         .header = {.shared_absent = true,
                                                    .types = &sortable,
                                                    .row_major = true,
                                                    .sources = {sorted_source},
                                                    .extra = sort_header},
                                         .plan = plan_sort,
                                         .operands = sort_operands,
                                         .run = run_sort};

constinit const Behaviour merge_sort_behaviour{.path = &common_path,
                                               .header = {.shared_absent = true,
                                                          .dimensions = DimensionRule::Absent,
                                                          .types = &sortable,
                                                          .row_major = true,
                                                          .sources = {sorted_source, sorted_source},
                                                          .extra = merge_header},
                                               .plan = plan_merge,
                                               .operands = merge_operands,
                                               .run = run_merge};

}  // namespace pto::exec
