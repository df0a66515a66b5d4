// Blocks built by hand for the tests of tile operations: the state a header leaves behind, without a header.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "exec/tile/complete.h"

namespace pto::test {

using state::Fault;
using state::Tile;
using state::TileLayout;

// The hands, by the number of their first register.
inline constexpr unsigned t = 0, u = 16, m = 32, n = 48;

struct TileBlock {
  state::Machine machine;
  exec::Config config;
  exec::Completion completion;
  unsigned bindings = 0;

  explicit TileBlock(Release release = Release::v0_58_5) { config.release = release; }

  void start(state::OperationClass kind, unsigned selector, ElementType type) {
    state::Operation& operation = machine.block.operation;
    operation.valid = operation.selector_valid = operation.data_type_valid = true;
    operation.operation_class = kind;
    operation.selector = static_cast<std::uint16_t>(selector);
    operation.mode_valid = kind == state::OperationClass::TileElement;
    operation.mode = static_cast<std::uint8_t>(selector >> 5);
    operation.data_type = row_of(type).code;
    machine.bundle_active = true;
    machine.pc = 0x1000;
  }
  // B.IOT; a hand below zero: no destination.
  void bind(std::vector<unsigned> sources, int hand, unsigned size_code, bool last, unsigned mask = 0xf) {
    state::TileBinding& bound = machine.block.tile_bindings[bindings++];
    bound.valid = true;
    bound.source0_valid = !sources.empty();
    bound.source1_valid = sources.size() > 1;
    bound.source0 = static_cast<std::uint8_t>(sources.empty() ? 0 : sources[0]);
    bound.source1 = static_cast<std::uint8_t>(sources.size() > 1 ? sources[1] : 0);
    bound.destination_valid = hand >= 0;
    bound.destination = bound.destination_hand = static_cast<std::uint8_t>(hand < 0 ? 0 : hand / 16);
    bound.destination_size = static_cast<std::uint8_t>(size_code);
    bound.pe_mask = static_cast<std::uint8_t>(mask);
    bound.last = last;
  }
  void scalars(std::uint8_t source0, std::uint8_t source1 = 0, std::uint8_t source2 = 0) {
    machine.block.scalar_bindings[0] = {.valid = true,
                                        .destination = 0,
                                        .source0 = source0,
                                        .source1 = source1,
                                        .source2 = source2,
                                        .source_count = 3};
  }
  void dimensions(std::initializer_list<Word> values) {
    unsigned number = 0;
    for (const Word value : values) {
      machine.block.dimensions[number] = value;
      machine.block.dimension_present[number++] = true;
    }
  }
  void pad_value(unsigned value) {
    machine.block.data_attributes_present = true;
    machine.block.data_attributes.data_type_present = true;
    machine.block.data_attributes.data_type = 0;
    machine.block.data_attributes.pad_value = static_cast<std::uint8_t>(value);
  }

  // A CUBE tile at Matrix location; elements are given row by row.
  Tile& cube(unsigned index, TileLayout layout, ElementType type, std::uint32_t rows, std::uint32_t columns,
             const std::vector<Word>& elements) {
    Tile& tile = machine.tiles[index];
    const state::CubeGeometry geometry = state::cube_geometry(layout, rows, columns, type, config.release);
    tile = Tile();
    tile.allocated = true;
    tile.allocation_mask = 0xf;
    tile.capacity_bytes = geometry.bytes;
    tile.layout = layout;
    tile.location = state::TileLocation::Matrix;
    tile.data_type = type;
    tile.rows = geometry.rows;
    tile.columns = geometry.columns;
    tile.valid_rows = rows;
    tile.valid_columns = columns;
    tile.cube_k_repeat = geometry.k_repeat;
    tile.cube_n_repeat = geometry.n_repeat;
    tile.cube_cell_count = geometry.cells;
    tile.cube_storage_bytes = geometry.bytes;
    set(tile, elements);
    return tile;
  }
  Tile& row_major(unsigned index, ElementType type, std::uint32_t capacity, std::uint32_t rows,
                  std::uint32_t columns, std::uint32_t physical_columns, const std::vector<Word>& elements) {
    Tile& tile = machine.tiles[index];
    tile = Tile();
    tile.allocated = true;
    tile.allocation_mask = 0xf;
    tile.capacity_bytes = capacity;
    tile.data_type = type;
    tile.columns = physical_columns;
    tile.rows = state::derived_rows(capacity, physical_columns, type);
    tile.valid_rows = rows;
    tile.valid_columns = columns;
    set(tile, elements);
    return tile;
  }
  Tile& predicate(unsigned index, std::uint32_t rows, std::uint32_t columns, std::uint32_t physical_columns,
                  const std::vector<Word>& bits) {
    Tile& tile = machine.tiles[index];
    tile = Tile();
    tile.allocated = true;
    tile.allocation_mask = 0xf;
    tile.capacity_bytes = 128;
    tile.storage_kind = state::StorageKind::Predicate;
    tile.data_type = ElementType::U8;
    tile.columns = physical_columns;
    tile.rows = tile.valid_rows = rows;
    tile.valid_columns = columns;
    set(tile, bits);
    return tile;
  }

  void complete() {
    exec::Context context{machine, config};
    completion = exec::complete_tile_operation(context);
  }
  [[nodiscard]] bool executed() const { return completion.status == exec::CompletionStatus::Executed; }
  [[nodiscard]] Fault fault() const {
    return completion.status == exec::CompletionStatus::Rejected ? completion.rejection.fault : Fault::None;
  }
  [[nodiscard]] std::string rule() const {
    return completion.status == exec::CompletionStatus::Rejected
               ? std::string(completion.rejection.rule->name)
               : "";
  }
  // The valid elements of a tile, row by row.
  [[nodiscard]] std::vector<Word> valid(unsigned index) const {
    const Tile& tile = machine.tiles[index];
    std::vector<Word> values;
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
      for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
        const std::uint64_t at = state::storage_index(tile, row, column);
        EXPECT_TRUE(tile.defined(at)) << "row " << row << ", column " << column;
        values.push_back(tile.element(at));
      }
    }
    return values;
  }

 private:
  static void set(Tile& tile, const std::vector<Word>& elements) {
    tile.fresh_storage();
    std::size_t next = 0;
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
      for (std::uint32_t column = 0; column < tile.valid_columns && next < elements.size(); ++column)
        tile.set_element(state::storage_index(tile, row, column), elements[next++]);
    }
    tile.defined_valid_elements = static_cast<std::uint32_t>(next);
    tile.contents_defined = next == std::size_t{tile.valid_rows} * tile.valid_columns;
  }
};

}  // namespace pto::test
