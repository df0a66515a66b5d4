// Transfers between tiles and strided memory.
#pragma once

#include "exec/tile/work.h"

namespace pto::exec {

// Rows in memory: where they start, how far apart they lie, and what they hold.
struct StridedRows {
  Word base = 0;
  Word stride = 0;  // bytes
  ElementType type{};

  [[nodiscard]] Word row(std::uint32_t number) const { return base + number * stride; }
  [[nodiscard]] Word address(std::uint32_t row_number, std::uint32_t column) const {
    return row(row_number) +
           (numeric::is_four_bit(type) ? column / 2 : Word{column} * numeric::memory_bytes(type));
  }
};

// The bytes of one row of `columns` elements without gaps.
constexpr Word dense_stride(Word columns, ElementType type) {
  return numeric::is_four_bit(type) ? (columns + 1) / 2 : columns * numeric::memory_bytes(type);
}

// A byte with the nibble of `column` replaced: even columns are the low ones.
constexpr Word with_nibble(Word byte, std::uint32_t column, Word nibble) {
  return column % 2 == 0 ? (byte & 0xf0) | (nibble & 0xf) : (byte & 0x0f) | (nibble & 0xf) << 4;
}

// Fills the valid region of a tile from rows that have been probed.
void load_rows(const state::Memory& memory, const StridedRows& rows, state::Tile& tile);
// Stores the valid region into rows that have been probed, as PE `agent`, and records it.
void store_tile(state::Machine& machine, const Bundle& bundle, const StridedRows& rows,
                const state::Tile& tile, unsigned agent);
// Records what such a load read.
void record_row_loads(const Bundle& bundle, const StridedRows& rows, const state::Tile& tile, unsigned agent,
                      state::Machine& machine);

// The first element, in row-major order, that may not be accessed.
Check probe_rows(const Bundle& bundle, const StridedRows& rows, const state::Tile& tile,
                 state::Access access);

}  // namespace pto::exec
