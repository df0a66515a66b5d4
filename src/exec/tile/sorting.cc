// TSORT and TMRGSORT: stable orders of FP32 and FP16 rows (PTO-TSORT-CONTRACT-001,
// PTO-TMRGSORT-CONTRACT-001).
//
// Numbers come before NaNs in either direction, zeros of both signs are equal, and equals keep their order. A
// signalling NaN is sorted like any other and raises the invalid flag. TSORT sorts groups of its sort width
// apart and also gives each value's place in its group; TMRGSORT merges two sorted rows.
#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "numeric/value_class.h"

namespace pto::exec {

using isa::TileOperand;
using numeric::TypeSet;
using state::Tile;

namespace {

constexpr TypeSet sortable = TypeSet::of("FP32 or FP16", {ElementType::FP32, ElementType::FP16});
constexpr Word largest_sort_width = 64;
constexpr unsigned default_sort_width = 32;
constexpr std::uint32_t largest_merge = 32768;

// Whether `left` must come before `right`; never both ways round.
bool strictly_before(Word left, Word right, bool descending, ElementType type) {
  const numeric::Classified a = numeric::classify(type, left);
  const numeric::Classified b = numeric::classify(type, right);
  if (a.is_nan() || b.is_nan()) return !a.is_nan() && b.is_nan();
  if ((a.is_zero() && b.is_zero()) || left == right) return false;
  const Word ka = numeric::order_key(type, left);
  const Word kb = numeric::order_key(type, right);
  return descending ? ka > kb : ka < kb;
}

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
  const ElementReader in(tile);
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
      if (numeric::classify(tile.data_type, in.read(row, column)).value_class ==
          numeric::ValueClass::SignalingNaN)
        work.flags |= numeric::status::invalid;
    }
  }
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
  const ElementReader in(source);
  const ElementWriter values(work.results[0]);
  const ElementWriter places(work.results[1]);
  const std::uint32_t group = sort_width(work.bundle);
  const bool down = descending(work.bundle);
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
    for (std::uint32_t first = 0; first < source.valid_columns; first += group) {
      order.resize(std::min(group, source.valid_columns - first));
      std::iota(order.begin(), order.end(), 0u);
      std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return strictly_before(in.read(row, first + a), in.read(row, first + b), down, source.data_type);
      });
      for (std::uint32_t place = 0; place < order.size(); ++place) {
        values.write(row, first + place, in.read(row, first + order[place]));
        places.write(row, first + place, order[place]);
      }
    }
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
  const ElementReader in(tile);
  for (std::uint32_t column = 0; column + 1 < tile.valid_columns; ++column) {
    if (strictly_before(in.read(0, column + 1), in.read(0, column), descending(bundle), tile.data_type))
      return reject(rules::sorted_source, bundle.pc(), "{} is out of order at column {}",
                    operand_name(bundle, number), column + 1);
  }
  return passed;
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
  if (Check broken = need_sorted(work.bundle, 0)) return broken;
  return need_sorted(work.bundle, 1);
}

Check run_merge(Work& work) {
  const Tile& left = work.source(0);
  const Tile& right = work.source(1);
  const ElementReader from_left(left);
  const ElementReader from_right(right);
  const ElementWriter out(work.result());
  const bool down = descending(work.bundle);
  std::uint32_t l = 0;
  std::uint32_t r = 0;
  for (std::uint32_t column = 0; column < work.result().valid_columns; ++column) {
    const bool take_right =
        r < right.valid_columns &&
        (l >= left.valid_columns ||
         strictly_before(from_right.read(0, r), from_left.read(0, l), down, left.data_type));
    out.write(0, column, take_right ? from_right.read(0, r++) : from_left.read(0, l++));
  }
  note_signaling(work, left);
  note_signaling(work, right);
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
