// The bytes of CUBE_M16 and CUBE_M32 tiles as the rearranging operations see them: byte k of a logical row,
// whatever the element width and wherever storage keeps it.
//
// One row of a CELL is W contiguous bytes of storage (4 in CUBE_M32, 8 in CUBE_M16). For elements of 8 bits
// and more, and for all of CUBE_M32, logical and stored order within those W bytes agree; four-bit CUBE_M16
// exchanges the bytes 2, 3 with 4, 5.
#pragma once

#include <algorithm>

#include "exec/tile/work.h"

namespace pto::exec {

class CellBytes {
 public:
  explicit CellBytes(const state::Tile& tile)
      : tile_(tile),
        payload_(tile.storage.payload()),
        bits_(element_bits(tile.data_type)),
        width_(row_bytes(tile.layout)),
        height_(state::cell_rows(tile.layout, bits_)),
        exchanged_(tile.layout == state::TileLayout::CUBE_M16 && bits_ == 4) {}

  // Bytes of one CELL row.
  static constexpr unsigned row_bytes(state::TileLayout layout) {
    return layout == state::TileLayout::CUBE_M32 ? 4 : 8;
  }
  // Bytes of one row that hold valid elements.
  static constexpr std::uint32_t valid_bytes(const state::Tile& tile) {
    return divide_up<std::uint32_t>(tile.valid_columns * element_bits(tile.data_type), 8);
  }

  [[nodiscard]] unsigned width() const { return width_; }
  [[nodiscard]] bool exchanged() const { return exchanged_; }

  // Where byte `k` of `row` lies in the payload.
  [[nodiscard]] std::size_t place(std::uint32_t row, std::uint32_t k) const {
    unsigned inner = k % width_;
    if (exchanged_ && inner >= 2 && inner < 6) inner = inner < 4 ? inner + 2 : inner - 2;
    const std::size_t cell = std::size_t{row / height_} * tile_.cube_k_repeat + k / width_;
    return cell * state::cell_bytes + (row % height_) * width_ + inner;
  }

  // A byte of the valid region; the nibble of a missing odd column reads as zero.
  [[nodiscard]] std::uint8_t read(std::uint32_t row, std::uint32_t k) const {
    const std::size_t at = place(row, k);
    const std::uint8_t byte = at < payload_.size() ? payload_[at] : std::uint8_t{0};
    return bits_ == 4 && 2 * k + 1 >= tile_.valid_columns ? byte & 0xf : byte;
  }

  // Whether the byte is valid and all its elements are defined.
  [[nodiscard]] bool defined(std::uint32_t row, std::uint32_t k) const {
    const std::uint32_t first = bits_ == 4 ? 2 * k : k / (bits_ / 8);
    if (first >= tile_.valid_columns || row >= tile_.valid_rows) return false;
    if (!tile_.defined(state::storage_index(tile_, row, first))) return false;
    return bits_ != 4 || first + 1 >= tile_.valid_columns ||
           tile_.defined(state::storage_index(tile_, row, first + 1));
  }

  // Bytes 4w..4w+3 of a row, little-endian; bytes behind the valid ones read as zero.
  [[nodiscard]] std::uint32_t read_word(std::uint32_t row, std::uint32_t word) const {
    const std::uint32_t end = std::min(4u, valid_bytes(tile_) - 4 * word);
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < end; ++i) value |= std::uint32_t{read(row, 4 * word + i)} << (8 * i);
    return value;
  }

 private:
  const state::Tile& tile_;
  std::span<const std::uint8_t> payload_;
  unsigned bits_;
  unsigned width_;
  unsigned height_;
  bool exchanged_;
};

// Writes bytes of a fresh tile, one storage byte at a time; what lies outside the valid region stays
// undefined.
class CellWriter {
 public:
  explicit CellWriter(state::Tile& tile)
      : places_(tile), tile_(tile), payload_(tile.storage.mutable_payload()) {}
  void write(std::uint32_t row, std::uint32_t k, std::uint8_t value) {
    payload_[places_.place(row, k)] = value;
  }
  void write_word(std::uint32_t row, std::uint32_t word, std::uint32_t value) {
    const std::uint32_t end = std::min(4u, CellBytes::valid_bytes(tile_) - 4 * word);
    for (std::uint32_t i = 0; i < end; ++i)
      write(row, 4 * word + i, static_cast<std::uint8_t>(value >> (8 * i)));
  }

 private:
  CellBytes places_;
  const state::Tile& tile_;
  std::span<std::uint8_t> payload_;
};

}  // namespace pto::exec
