#include "state/tile_shape.h"

#include "base/bits.h"

namespace pto::state {
namespace {

std::uint32_t aligned_extent(std::uint32_t value, std::uint32_t quantum) {
  const std::uint32_t aligned = round_up(value, quantum);
  return aligned > max_dimension ? 0 : aligned;
}

constexpr unsigned fractal_rows = 16;
constexpr unsigned fractal_columns(unsigned bits) { return 256 / bits; }

std::uint64_t fractal_index(const TileShape& shape, std::uint32_t row, std::uint32_t column) {
  const unsigned inner = fractal_columns(element_bits(shape.data_type));
  const std::uint64_t block_elements = std::uint64_t{fractal_rows} * inner;
  const std::uint64_t block_row = row / fractal_rows;
  const std::uint64_t block_column = column / inner;
  const std::uint64_t inner_row = row % fractal_rows;
  const std::uint64_t inner_column = column % inner;
  if (shape.layout == TileLayout::ZN) {
    return (block_row * (shape.columns / inner) + block_column) * block_elements +
           inner_column * fractal_rows + inner_row;
  }
  return (block_column * (shape.rows / fractal_rows) + block_row) * block_elements + inner_row * inner +
         inner_column;
}

std::uint64_t cube_index(const TileShape& shape, std::uint32_t row, std::uint32_t column) {
  const unsigned bits = element_bits(shape.data_type);
  const unsigned height = cell_rows(shape.layout, bits);
  const unsigned width = cell_columns(shape.layout, bits);
  const std::uint64_t cell_elements = std::uint64_t{height} * width;
  if (shape.layout == TileLayout::CUBE_N8) {
    const std::uint64_t cell = std::uint64_t{column / width} * shape.cube_k_repeat + row / height;
    return cell * cell_elements + std::uint64_t{column % width} * height + row % height;
  }
  unsigned inner_column = column % width;
  if (shape.layout == TileLayout::CUBE_M16 && bits == 4) {
    // The two middle groups of four nibbles are exchanged in storage.
    const unsigned group = inner_column / 4;
    if (group == 1 || group == 2) inner_column = (3 - group) * 4 + inner_column % 4;
  }
  const std::uint64_t cell = std::uint64_t{row / height} * shape.cube_k_repeat + column / width;
  return cell * cell_elements + std::uint64_t{row % height} * width + inner_column;
}

}  // namespace

CubeGeometry cube_geometry(TileLayout layout, std::uint32_t valid_rows, std::uint32_t valid_columns,
                           ElementType type, Release release) {
  if (!is_cube(layout) || !cube_type_supported(type, release) || valid_rows == 0 || valid_columns == 0)
    return {};
  const unsigned bits = element_bits(type);
  const unsigned height = cell_rows(layout, bits);
  const unsigned width = cell_columns(layout, bits);
  const bool row_blocks =
      layout == TileLayout::CUBE_N8 || (layout == TileLayout::CUBE_M32 && release != Release::v0_58_3);
  if (!row_blocks && valid_rows > height) return {};

  CubeGeometry geometry;
  geometry.rows = aligned_extent(valid_rows, height);
  geometry.columns = aligned_extent(valid_columns, width);
  if (geometry.rows == 0 || geometry.columns == 0) return {};
  const std::uint32_t row_cells = geometry.rows / height;
  const std::uint32_t column_cells = geometry.columns / width;
  geometry.k_repeat = layout == TileLayout::CUBE_N8 ? row_cells : column_cells;
  geometry.n_repeat = layout == TileLayout::CUBE_N8 ? column_cells : row_cells;
  const std::uint64_t cells = std::uint64_t{geometry.k_repeat} * geometry.n_repeat;
  if (cells > max_cells || cells * cell_bytes > max_tile_bytes) return {};
  geometry.cells = static_cast<std::uint32_t>(cells);
  geometry.bytes = geometry.cells * cell_bytes;
  return geometry;
}

std::uint64_t storage_index(const TileShape& shape, std::uint32_t row, std::uint32_t column) {
  switch (shape.layout) {
    case TileLayout::ColumnMajor: return std::uint64_t{column} * shape.rows + row;
    case TileLayout::ZN:
    case TileLayout::NZ: return fractal_index(shape, row, column);
    case TileLayout::CUBE_M16:
    case TileLayout::CUBE_M32:
    case TileLayout::CUBE_N8: return cube_index(shape, row, column);
    case TileLayout::RowMajor:
    case TileLayout::ImplementationDefined: break;
  }
  return std::uint64_t{row} * shape.columns + column;
}

bool layout_shape_legal(const TileShape& shape) {
  switch (shape.layout) {
    case TileLayout::RowMajor:
    case TileLayout::ColumnMajor: return true;
    case TileLayout::ImplementationDefined: return false;
    default: break;
  }
  return shape.rows % fractal_rows == 0 &&
         shape.columns % fractal_columns(element_bits(shape.data_type)) == 0;
}

std::uint32_t derived_rows(std::uint32_t capacity, std::uint32_t columns, ElementType type) {
  const bool power_of_two = columns != 0 && (columns & (columns - 1)) == 0;
  if (capacity == 0 || !power_of_two) return 0;
  const std::uint64_t capacity_bits = std::uint64_t{capacity} * 8;
  const std::uint64_t row_bits = std::uint64_t{columns} * element_bits(type);
  if (capacity_bits % row_bits != 0) return 0;
  const std::uint64_t rows = capacity_bits / row_bits;
  return rows > max_dimension ? 0 : static_cast<std::uint32_t>(rows);
}

bool descriptor_shape_legal(std::uint32_t capacity, std::uint32_t columns, std::uint32_t valid_rows,
                            std::uint32_t valid_columns, ElementType type) {
  const std::uint32_t rows = derived_rows(capacity, columns, type);
  return rows != 0 && valid_rows <= rows && valid_columns <= columns &&
         std::uint64_t{valid_rows} * valid_columns <= element_capacity(capacity, type);
}

}  // namespace pto::state
