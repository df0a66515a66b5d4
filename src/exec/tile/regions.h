// The regions of a tile: what is valid, what is padding, and which elements of storage that is.
//
// Every layout keeps some direction contiguous. `for_each_run` walks a rectangle of logical rows and columns
// in the longest runs that are contiguous in storage, so that whoever fills or marks storage does it by the
// run.
#pragma once

#include <algorithm>

#include "exec/tile/work.h"
#include "kernels/bits.h"

namespace pto::exec {

struct Rectangle {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
};

constexpr Rectangle valid_region(const state::TileShape& shape) {
  return {0, 0, shape.valid_rows, shape.valid_columns};
}

// How many elements, starting at a (row, column), lie side by side in storage along a row.
inline unsigned run_of_columns(const state::TileShape& shape) {
  const unsigned bits = element_bits(shape.data_type);
  switch (shape.layout) {
    case state::TileLayout::CUBE_M16:
      // Four-bit CELL rows exchange their middle groups, which leaves runs of four.
      return bits == 4 ? 4 : state::cell_columns(shape.layout, bits);
    case state::TileLayout::CUBE_M32: return state::cell_columns(shape.layout, bits);
    case state::TileLayout::NZ: return 256 / bits;
    case state::TileLayout::ColumnMajor:
    case state::TileLayout::ZN:
    case state::TileLayout::CUBE_N8: return 1;
    default: return 0;  // whole rows
  }
}

// Calls visit(row, column, storage index, count) for runs of `area` along its rows, in row-major order.
template <class Visit>
void for_each_run(const state::TileShape& shape, const Rectangle& area, Visit visit) {
  const std::uint32_t last = area.column + area.columns;
  const std::uint32_t run = run_of_columns(shape);
  for (std::uint32_t row = area.row; row < area.row + area.rows; ++row) {
    for (std::uint32_t column = area.column; column < last;) {
      const std::uint32_t end = run == 0 ? last : std::min(last, (column / run + 1) * run);
      visit(row, column, state::storage_index(shape, row, column), end - column);
      column = end;
    }
  }
}

// Whether the valid region is all there is.
constexpr bool fully_valid(const state::TileShape& shape) {
  return shape.valid_rows == shape.rows && shape.valid_columns == shape.columns;
}

// Marks the valid region defined, with the counts that go with it.
void define_valid_region(state::Tile& tile);
// Gives the rest of the physical region its padding; Null leaves it undefined.
void pad(state::Tile& tile, numeric::PadValue value);
// Marks every physical element defined.
void define_everything(state::Tile& tile);
// Stores `value` in `count` elements from storage index `first` on.
void fill(state::Tile& tile, std::uint64_t first, std::uint64_t count, Word value);
// The element at a storage index as an operation that reads numbers sees it: a packed predicate shows its
// bytes.
inline Word number_at(const state::Tile& tile, std::uint64_t index) {
  if (tile.storage_kind == state::StorageKind::Numeric) return tile.element(index);
  const std::span<const std::uint8_t> payload = tile.storage.payload();
  return index < payload.size() ? payload[index] : 0;
}
inline Word number_at(const state::Tile& tile, std::uint32_t row, std::uint32_t column) {
  return number_at(tile, state::storage_index(tile, row, column));
}
// Predicates are row-major whatever the descriptor says.
inline bool predicate_at(const state::Tile& tile, std::uint32_t row, std::uint32_t column) {
  return tile.element(std::uint64_t{row} * tile.columns + column) != 0;
}
// Whether every element of the valid region is defined.
bool valid_region_defined(const state::Tile& tile);

}  // namespace pto::exec
