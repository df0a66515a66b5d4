// Operations on sources of different extent: TPARTADD and its siblings combine two tiles anchored at the
// origin, THISTOGRAM counts bytes (PTO-TPARTADD-CONTRACT-001, PTO-THISTOGRAM-CONTRACT-001).
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"

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

Check run_partial(Work& work) {
  const Tile& left = work.source(0);
  const Tile& right = work.source(1);
  Tile& result = work.result();
  const numeric::BinaryOperation operation = binary_operation_of(*work.bundle.operation());
  const ElementReader from_left(left);
  const ElementReader from_right(right);
  const ElementWriter out(result);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < result.valid_columns; ++column) {
      Valued value;
      if (covers(left, row, column) && covers(right, row, column)) {
        value = numeric::reference::binary(operation, result.data_type, from_left.read(row, column),
                                           from_right.read(row, column));
      } else {
        value.value = covers(left, row, column) ? from_left.read(row, column) : from_right.read(row, column);
      }
      out.write(row, column, value.value);
      work.flags |= value.flags;
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

bool counted(Word value, const ElementReader& filter, Prefix prefix, unsigned value_bytes,
             std::uint32_t row) {
  for (std::uint32_t i = 0; i < prefix.bytes; ++i) {
    if (bits_of(value, (value_bytes - 1 - i) * 8, 8) != (filter.read(prefix.per_row ? row : i, 0) & 0xff))
      return false;
  }
  return true;
}

Check run_histogram(Work& work) {
  const Tile& source = work.source(0);
  const unsigned selected = work.bundle.selected_byte();
  const Prefix prefix = prefix_of(source.data_type, selected);
  const unsigned value_bytes = element_bits(source.data_type) / 8;
  const ElementReader in(source);
  const ElementReader filter(work.source(1));
  const ElementWriter out(work.result());
  for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
    std::array<Word, bins> counts{};
    for (std::uint32_t column = 0; column < source.valid_columns; ++column) {
      const Word value = in.read(row, column);
      if (counted(value, filter, prefix, value_bytes, row)) ++counts[bits_of(value, selected * 8, 8)];
    }
    Word total = 0;
    for (unsigned bin = 0; bin < bins; ++bin) {
      total += counts[bin];
      out.write(row, bin, total);
    }
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
