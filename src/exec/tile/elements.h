// Elements of tiles as 64-bit words, read and written by storage index without a look at the descriptor each
// time; and the arithmetic that operation rows name.
#pragma once

#include <cstring>

#include "exec/tile/regions.h"
#include "numeric/reference_profile.h"

namespace pto::exec {

// Reads numbers zero-extended; what lies outside the storage reads as zero.
class ElementReader {
 public:
  explicit ElementReader(const state::Tile& tile)
      : tile_(tile), payload_(tile.storage.payload()), bits_(element_bits(tile.data_type)) {
    plain_ = tile.storage_kind == state::StorageKind::Numeric && bits_ >= 8;
  }
  [[nodiscard]] Word read(std::uint64_t index) const {
    const std::size_t bytes = bits_ / 8;
    if (!plain_ || (index + 1) * bytes > payload_.size()) return number_at(tile_, index);
    Word value = 0;
    std::memcpy(&value, payload_.data() + index * bytes, bytes);
    return value;
  }
  [[nodiscard]] Word read(std::uint32_t row, std::uint32_t column) const {
    return read(state::storage_index(tile_, row, column));
  }

 private:
  const state::Tile& tile_;
  std::span<const std::uint8_t> payload_;
  unsigned bits_;
  bool plain_;
};

// Writes the low bits of words into a fresh numeric tile; definedness is set once, by the region.
class ElementWriter {
 public:
  explicit ElementWriter(state::Tile& tile)
      : tile_(tile), payload_(tile.storage.mutable_payload().data()), bits_(element_bits(tile.data_type)) {}
  void write(std::uint64_t index, Word value) const {
    switch (bits_) {
      case 8: payload_[index] = static_cast<std::uint8_t>(value); return;
      case 16: std::memcpy(payload_ + index * 2, &value, 2); return;
      case 32: std::memcpy(payload_ + index * 4, &value, 4); return;
      case 64: std::memcpy(payload_ + index * 8, &value, 8); return;
      default: break;
    }
    std::uint8_t& byte = payload_[index / 2];
    const unsigned shift = index % 2 * 4;
    byte = static_cast<std::uint8_t>((byte & ~(0xfu << shift)) | (value & 0xf) << shift);
  }
  void write(std::uint32_t row, std::uint32_t column, Word value) const {
    write(state::storage_index(tile_, row, column), value);
  }

 private:
  const state::Tile& tile_;
  std::uint8_t* payload_;
  unsigned bits_;
};

numeric::BinaryOperation binary_operation_of(const isa::TileOperation& operation);
numeric::UnaryOperation unary_operation_of(const isa::TileOperation& operation);
// The types an operation computes on.
const numeric::TypeSet& binary_types(numeric::BinaryOperation operation);
const numeric::TypeSet& unary_types(numeric::UnaryOperation operation);

}  // namespace pto::exec
