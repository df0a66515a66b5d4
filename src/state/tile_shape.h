// The geometry of a tile: where the element at a logical row and column lies in storage, and how much storage
// a shape needs (PTO ISA, "Tile layouts", "CUBE CELL").
//
// Pure arithmetic on a TileShape; nothing here knows payloads or registers. Storage is indexed by element e;
// at width w (4, 8, 16, 32 or 64 bits) element e occupies bits [e*w, (e+1)*w) of the little-endian payload.
//
// CUBE layouts divide a tile into CELLs of 128 bytes:
//   CUBE_M16  16 rows of 8 bytes        CUBE_M32  32 rows of 4 bytes        CUBE_N8  8 columns of 16 bytes
// One row (column for N8) of a CELL is contiguous. Release 0.58.4 lets CUBE_M32 have several row blocks.
#pragma once

#include <cstdint>

#include "isa/release.h"
#include "numeric/element_type.h"
#include "state/enums.h"

namespace pto::state {

inline constexpr unsigned cell_bytes = 128;
inline constexpr unsigned max_dimension = 65535;
inline constexpr unsigned max_cells = 16384;
inline constexpr unsigned max_tile_bytes = 262144;
inline constexpr unsigned max_local_tile_bytes = 65536;
inline constexpr unsigned max_tile_elements = 524288;

struct TileShape {
  ElementType data_type = ElementType::U64;
  TileLayout layout = TileLayout::RowMajor;
  StorageKind storage_kind = StorageKind::Numeric;
  std::uint32_t rows = 0;  // physical
  std::uint32_t columns = 0;
  std::uint32_t valid_rows = 0;
  std::uint32_t valid_columns = 0;
  std::uint32_t cube_k_repeat = 0;

  // Bits per stored element: predicates take one.
  [[nodiscard]] unsigned storage_bits() const {
    return storage_kind == StorageKind::Predicate ? 1 : element_bits(data_type);
  }
};

constexpr bool is_cube(TileLayout layout) {
  return layout == TileLayout::CUBE_M16 || layout == TileLayout::CUBE_M32 || layout == TileLayout::CUBE_N8;
}

// Whether `type` may live in a CUBE layout: no 64-bit type, and HiF4X2 only since 0.58.4.
constexpr bool cube_type_supported(ElementType type, Release release) {
  return element_bits(type) != 64 && (type != ElementType::HiF4X2 || release != Release::v0_58_3);
}

// Rows and columns of one CELL for elements of `bits` (4, 8, 16 or 32).
constexpr unsigned cell_rows(TileLayout layout, unsigned bits) {
  switch (layout) {
    case TileLayout::CUBE_M16: return 16;
    case TileLayout::CUBE_M32: return 32;
    case TileLayout::CUBE_N8: return 128 / bits;
    default: return 0;
  }
}
constexpr unsigned cell_columns(TileLayout layout, unsigned bits) {
  switch (layout) {
    case TileLayout::CUBE_M16: return 64 / bits;
    case TileLayout::CUBE_M32: return 32 / bits;
    case TileLayout::CUBE_N8: return 8;
    default: return 0;
  }
}

// Everything a CUBE tile derives from its valid shape. `cells` is 0 when no legal tile has that shape.
struct CubeGeometry {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t k_repeat = 0;
  std::uint32_t n_repeat = 0;
  std::uint32_t cells = 0;
  std::uint32_t bytes = 0;
};
CubeGeometry cube_geometry(TileLayout layout, std::uint32_t valid_rows, std::uint32_t valid_columns,
                           ElementType type, Release release);

// The storage index of (row, column); requires row < rows, column < columns and a layout whose shape is
// legal.
std::uint64_t storage_index(const TileShape& shape, std::uint32_t row, std::uint32_t column);

// Whether rows and columns fit the layout: ZN and NZ need whole fractals of 16 rows by 32 bytes.
bool layout_shape_legal(const TileShape& shape);

// Physical rows that `capacity` bytes hold at `columns` columns; 0 when there is no exact 16-bit count.
// Columns must be a power of two.
std::uint32_t derived_rows(std::uint32_t capacity, std::uint32_t columns, ElementType type);

// Whether a row-major-like tile of `capacity` bytes can have this shape.
bool descriptor_shape_legal(std::uint32_t capacity, std::uint32_t columns, std::uint32_t valid_rows,
                            std::uint32_t valid_columns, ElementType type);

constexpr std::uint64_t element_capacity(std::uint32_t capacity_bytes, ElementType type) {
  return std::uint64_t{capacity_bytes} * 8 / element_bits(type);
}

// SizeCode n stands for 128 << (n-1) bytes, n in 1..12.
constexpr std::uint32_t size_code_bytes(unsigned code) { return code == 0 ? 0 : 128u << (code - 1); }

}  // namespace pto::state
