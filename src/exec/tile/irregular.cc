// Operations on sources of different extent: TPARTADD and its siblings combine two tiles anchored at the
// origin, THISTOGRAM counts bytes (PTO-TPARTADD-CONTRACT-001, PTO-THISTOGRAM-CONTRACT-001).
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "kernels/combine.h"

namespace pto::exec {

using numeric::Valued;
using state::Tile;

namespace {

bool covers(const Tile& tile, std::uint32_t row, std::uint32_t column) {
  return row < tile.valid_rows && column < tile.valid_columns;
}

// --- TPART… ---

Check need_partial_destination(const Bundle& bundle) {
  const state::TileBinding& bound = bundle.binding(bundle.destination_binding(0));
  if (!bound.destination_allocated_by_bundle && size_code_legal(bound.destination_size, bundle.release()))
    return passed;
  return reject(rules::size_code, bundle.pc(), "size code {}", bound.destination_size);
}

Check partial_header(const Bundle& bundle) {
  if (Check broken = need_partial_destination(bundle)) return broken;
  if (bundle.columns() < bundle.valid_columns())
    return reject(rules::dimension_value, bundle.pc(), "LB2 is {}, below LB0, which is {}", bundle.columns(),
                  bundle.valid_columns());
  bool covered = false;
  for (const unsigned number : {0u, 1u}) {
    const Tile& tile = bundle.source(number);
    if (tile.valid_rows > bundle.valid_rows() || tile.valid_columns > bundle.valid_columns())
      return reject(rules::tile_shape, bundle.pc(), "{} has {}x{} valid elements, the block {}x{}",
                    operand_name(bundle, number), tile.valid_rows, tile.valid_columns, bundle.valid_rows(),
                    bundle.valid_columns());
    covered =
        covered || (tile.valid_rows == bundle.valid_rows() && tile.valid_columns == bundle.valid_columns());
  }
  if (covered) return passed;
  return reject(rules::tile_shape, bundle.pc(), "neither source covers {}x{}", bundle.valid_rows(),
                bundle.valid_columns());
}

// Both sources lie within the result, and every element of the result in one of them.
Check need_coverage(const Work& work) {
  const Tile& result = work.result();
  for (const unsigned number : {0u, 1u}) {
    const Tile& tile = work.source(number);
    if (tile.data_type != result.data_type)
      return reject(rules::tile_type, work.bundle.pc(), "{} holds {}", operand_name(work.bundle, number),
                    name_of(tile.data_type));
    if (tile.valid_rows > result.valid_rows || tile.valid_columns > result.valid_columns)
      return reject(rules::tile_shape, work.bundle.pc(), "{} exceeds the result",
                    operand_name(work.bundle, number));
  }
  // Sources start at the origin, so one that has the last element has all.
  for (const unsigned number : {0u, 1u}) {
    if (work.source(number).valid_rows == result.valid_rows &&
        work.source(number).valid_columns == result.valid_columns)
      return passed;
  }
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < result.valid_columns; ++column) {
      if (!covers(work.source(0), row, column) && !covers(work.source(1), row, column))
        return reject(rules::tile_shape, work.bundle.pc(), "no source covers row {}, column {}", row, column);
    }
  }
  return passed;
}

Check partial_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_row_major(bundle, result, destination_name)) return broken;
  if (Check broken = need_type(bundle, numeric::type_sets::partial, result.data_type)) return broken;
  for (const unsigned number : {0u, 1u}) {
    const OperandName name = operand_name(bundle, number);
    if (Check broken = need_row_major(bundle, work.source(number), name)) return broken;
    if (Check broken = need_encodings(bundle, work.source(number), name)) return broken;
  }
  return need_coverage(work);
}

// Columns [column, column + count) of a row, which both sources cover, or one of them.
void make_partial_columns(Work& work, CarrierReader& left, CarrierReader& right, std::uint32_t row,
                          std::uint32_t column, std::size_t count, std::uint8_t* made) {
  const numeric::BinaryOperation operation = binary_operation_of(*work.bundle.operation());
  const ElementType type = work.result().data_type;
  const bool in_left = covers(work.source(0), row, column);
  if (in_left && covers(work.source(1), row, column)) {
    work.flags |= kernels::combine(operation, type, left.row(row, column, count),
                                   right.row(row, column, count), made, count);
  } else {
    CarrierReader& only = in_left ? left : right;
    std::memcpy(made, only.row(row, column, count), count * only.bytes());
  }
}

Check run_partial(Work& work) {
  Tile& result = work.result();
  CarrierReader left(work.source(0));
  CarrierReader right(work.source(1));
  CarrierWriter out(result);
  // Left of `both`, the two sources cover the same rows; behind it, one of them covers what there is.
  const std::uint32_t both = std::min(work.source(0).valid_columns, work.source(1).valid_columns);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    for (const auto& [begin, end] : {std::pair{0u, both}, std::pair{both, result.valid_columns}}) {
      const std::uint32_t column = begin;
      const std::size_t count = end - begin;
      if (count == 0) continue;
      out.row(row, column, count,
              [&](std::uint8_t* made) { make_partial_columns(work, left, right, row, column, count, made); });
    }
  }
  define_valid_region(result);
  result.location = state::TileLocation::Any;
  return passed;
}

// --- The element of two tiles that wins, and the index beside it; no operation of a release any more ---

Check partial_index_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  const Tile& indices = work.results[1];
  for (const Tile* tile : {&result, &indices}) {
    if (Check broken = need_descriptor(bundle, *tile, destination_name)) return broken;
  }
  if (bundle.destination_index(0) == bundle.destination_index(1))
    return reject(rules::tile_alias, bundle.pc(), "both destinations are {}",
                  tile_name(*bundle.destination_index(0)));
  if (Check broken = need_same_shape(bundle, indices, destination_name, result, destination_name))
    return broken;
  for (const unsigned number : {0u, 1u}) {
    if (Check broken = need_same_shape(bundle, work.source(number + 2), operand_name(bundle, number + 2),
                                       work.source(number), operand_name(bundle, number)))
      return broken;
  }
  return need_coverage(work);
}

Check run_partial_index(Work& work) {
  const Tile& left = work.source(0);
  const Tile& right = work.source(1);
  const Tile& result = work.result();
  const bool maximum = work.bundle.operand(isa::TileOperand::flag0) == 1;
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < result.valid_columns; ++column) {
      bool first = covers(left, row, column);
      if (first && covers(right, row, column)) {
        // The profile orders elements as signed numbers of 64 bits, whatever their type.
        const auto a = static_cast<std::int64_t>(number_at(left, row, column));
        const auto b = static_cast<std::int64_t>(number_at(right, row, column));
        first = maximum ? a >= b : a <= b;
      }
      const unsigned source = first ? 0 : 1;
      for (const unsigned number : {0u, 1u})
        fill(work.results[number], state::storage_index(work.results[number], row, column), 1,
             number_at(work.source(source + 2 * number), row, column));
    }
  }
  define_valid_region(work.results[0]);
  define_valid_region(work.results[1]);
  return passed;
}

// --- THISTOGRAM ---

constexpr unsigned bins = 256;

// How many leading bytes of a word the filter fixes before byte `selected`, and whether it does so row by
// row.
struct Prefix {
  std::uint32_t bytes = 0;
  bool per_row = false;
};
Prefix prefix_of(ElementType type, unsigned selected) {
  if (type == ElementType::U16) return {1 - selected, true};
  return {3 - selected, false};
}

Check need_histogram_inputs(const Bundle& bundle) {
  const Tile& source = bundle.source(0);
  const Tile& filter = bundle.source(1);
  if (Check broken = need_defined(bundle, source, operand_name(bundle, 0))) return broken;
  if (Check broken = need_descriptor(bundle, filter, operand_name(bundle, 1))) return broken;
  for (const unsigned number : {0u, 1u}) {
    if (bundle.source(number).storage_kind != state::StorageKind::Numeric)
      return reject(rules::tile_numeric, bundle.pc(), "{} is a predicate", operand_name(bundle, number));
  }
  if (source.layout != state::TileLayout::RowMajor)
    return reject(rules::tile_layout, bundle.pc(), "{} is {}", operand_name(bundle, 0),
                  name_of(source.layout));
  if (filter.data_type != ElementType::U8)
    return reject(rules::tile_type, bundle.pc(), "{} holds {}: must hold U8", operand_name(bundle, 1),
                  name_of(filter.data_type));
  const bool wide = source.data_type == ElementType::U32;
  if (!wide && source.data_type != ElementType::U16)
    return reject(rules::tile_type, bundle.pc(), "{} holds {}: must hold U16 or U32", operand_name(bundle, 0),
                  name_of(source.data_type));
  if (!wide && bundle.selected_byte() > 1)
    return reject(rules::dimension_value, bundle.pc(), "byte {} of U16", bundle.selected_byte());
  const Prefix prefix = prefix_of(source.data_type, bundle.selected_byte());
  const std::uint32_t rows = prefix.bytes == 0 ? 0 : prefix.per_row ? source.valid_rows : prefix.bytes;
  if (rows == 0) return passed;
  if (filter.valid_rows < rows || filter.valid_columns < 1)
    return reject(rules::tile_shape, bundle.pc(), "{} has {} valid rows: {} are needed",
                  operand_name(bundle, 1), filter.valid_rows, rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (!filter.defined(state::storage_index(filter, row, 0)))
      return reject(rules::tile_defined, bundle.pc(), "{} is undefined at row {}", operand_name(bundle, 1),
                    row);
  }
  return passed;
}

Check histogram_header(const Bundle& bundle) {
  const state::DataAttributes& given = bundle.attributes();
  if (!bundle.attributes_present() || !given.data_type_present ||
      given.data_type != row_of(ElementType::U32).code)
    return reject(rules::type_known, bundle.pc(), "B.DATR must name U32");
  const std::optional<ElementType> type = bundle.operation_type();
  if (type != ElementType::U16 && type != ElementType::U32)
    return reject(rules::operation_type, bundle.pc(), "must be U16 or U32");
  return need_histogram_inputs(bundle);
}

Check plan_histogram(const Bundle& bundle, Plan& plan) {
  return plan_results(bundle, {bundle.source(0).valid_rows, bins, bins},
                      result_type(bundle).value_or(ElementType::U32), plan);
}

Check histogram_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  for (const unsigned number : {0u, 1u}) {
    if (Check broken = need_apart(bundle, 0, number)) return broken;
  }
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_histogram_inputs(bundle)) return broken;
  if (Check broken = need_numeric(bundle, result, destination_name)) return broken;
  if (Check broken = need_row_major(bundle, result, destination_name)) return broken;
  if (Check broken = need_type(bundle, numeric::type_sets::word, result.data_type)) return broken;
  if (result.valid_rows == work.source(0).valid_rows && result.valid_columns == bins) return passed;
  return reject(rules::tile_shape, bundle.pc(), "the result has {}x{} valid elements: must have {}x{}",
                result.valid_rows, result.valid_columns, work.source(0).valid_rows, bins);
}

// The bits of a value that the filter fixes for a row, and what it fixes them to.
struct Filter {
  Word mask = 0;
  Word wanted = 0;
};
Filter filter_of(const ElementReader& bytes, Prefix prefix, unsigned value_bytes, std::uint32_t row) {
  Filter filter;
  for (std::uint32_t i = 0; i < prefix.bytes; ++i) {
    const unsigned shift = (value_bytes - 1 - i) * 8;
    filter.mask |= Word{0xff} << shift;
    filter.wanted |= (bytes.read(prefix.per_row ? row : i, 0) & 0xff) << shift;
  }
  return filter;
}

template <class T>
void count_bytes(const std::uint8_t* row, std::size_t count, Filter filter, unsigned shift,
                 std::array<std::uint32_t, bins>& counts) {
  const T mask = static_cast<T>(filter.mask);
  const T wanted = static_cast<T>(filter.wanted);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = kernels::load_carrier<T>(row + i * sizeof(T));
    if ((value & mask) == wanted) ++counts[value >> shift & 0xff];
  }
}

Check run_histogram(Work& work) {
  const Tile& source = work.source(0);
  const unsigned selected = work.bundle.selected_byte();
  const Prefix prefix = prefix_of(source.data_type, selected);
  const unsigned value_bytes = element_bits(source.data_type) / 8;
  CarrierReader in(source);
  const ElementReader filter_bytes(work.source(1));
  CarrierWriter out(work.result());
  for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
    std::array<std::uint32_t, bins> counts{};
    const Filter filter = filter_of(filter_bytes, prefix, value_bytes, row);
    const std::uint8_t* values = in.row(row, 0, source.valid_columns);
    if (value_bytes == 2) {
      count_bytes<std::uint16_t>(values, source.valid_columns, filter, selected * 8, counts);
    } else {
      count_bytes<std::uint32_t>(values, source.valid_columns, filter, selected * 8, counts);
    }
    out.row(row, 0, bins, [&](std::uint8_t* made) {
      std::uint32_t total = 0;
      for (unsigned bin = 0; bin < bins; ++bin) {
        total += counts[bin];
        kernels::store_carrier(made + bin * sizeof total, total);
      }
    });
  }
  define_valid_region(work.result());
  work.result().location = state::TileLocation::Any;
  return passed;
}

constexpr SourceNeeds partial_source{.descriptor = true,
                                     .defined = true,
                                     .encodings = true,
                                     .numeric = true,
                                     .operation_type = true,
                                     .row_major = true,
                                     .not_empty = true};

}  // namespace

constinit const Behaviour partial_behaviour{.path = &common_path,
                                            .header = {.shared_absent = true,
                                                       .scalars = ScalarRule::Absent,
                                                       .dimensions = DimensionRule::Shape,
                                                       .datr_absent = true,
                                                       .types = &numeric::type_sets::partial,
                                                       .row_major = true,
                                                       .sources = {partial_source, partial_source},
                                                       .extra = partial_header},
                                            .plan = planners::from_sources,
                                            .operands = partial_operands,
                                            .run = run_partial};

constinit const Behaviour partial_index_behaviour{.path = &common_path,
                                                  .sources_defined = false,
                                                  .keeps_destination = true,
                                                  .operands = partial_index_operands,
                                                  .run = run_partial_index};

constinit const Behaviour histogram_behaviour{.path = &common_path,
                                              .header = {.bindings = {BindingShape{2, true, true}},
                                                         .binding_count = 1,
                                                         .shared_absent = true,
                                                         .dimensions = DimensionRule::Absent,
                                                         .row_major = true,
                                                         .extra = histogram_header},
                                              .sources_defined = false,
                                              .plan = plan_histogram,
                                              .operands = histogram_operands,
                                              .run = run_histogram};

}  // namespace pto::exec
