// Elements of tiles as carriers side by side: what kernels take and give.
//
// A run is a range of storage indices, a row a range of columns of a logical row. Elements of 8 bits and more
// lie in storage as carriers already, and a run of them is the storage itself; four-bit elements are unpacked
// into bytes, and rows that storage scatters are gathered. What lies outside a tile's storage reads as zero,
// and a packed predicate shows its bytes.
#pragma once

#include <vector>

#include "exec/tile/regions.h"
#include "kernels/numbers.h"
#include "kernels/rows.h"

namespace pto::exec {

// Where the columns of a row lie. Four-bit CUBE_M16 keeps its columns in an order of its own and has none.
std::optional<kernels::RowPlaces> row_places(const state::TileShape& shape, std::uint32_t row);

class CarrierReader {
 public:
  explicit CarrierReader(const state::Tile& tile)
      : tile_(tile),
        payload_(tile.storage.payload()),
        bytes_(kernels::carrier_bytes(tile.data_type)),
        plain_(tile.storage_kind == state::StorageKind::Numeric && element_bits(tile.data_type) >= 8) {}

  // Elements [first, first + count) of the storage; good until the next call.
  const std::uint8_t* run(std::uint64_t first, std::size_t count) {
    if (plain_ && (first + count) * bytes_ <= payload_.size()) return payload_.data() + first * bytes_;
    return copy_run(first, count);
  }
  // Columns [column, column + count) of a logical row; good until the next call.
  const std::uint8_t* row(std::uint32_t row, std::uint32_t column, std::size_t count) {
    if (tile_.layout == state::TileLayout::RowMajor)
      return run(std::uint64_t{row} * tile_.columns + column, count);
    return copy_row(row, column, count);
  }
  // Writes an area of logical rows and columns to `out`, row by row without gaps.
  void copy(const Rectangle& area, std::uint8_t* out);
  [[nodiscard]] unsigned bytes() const { return bytes_; }

 private:
  const std::uint8_t* copy_run(std::uint64_t first, std::size_t count);
  const std::uint8_t* copy_row(std::uint32_t row, std::uint32_t column, std::size_t count);

  const state::Tile& tile_;
  std::span<const std::uint8_t> payload_;
  unsigned bytes_;
  bool plain_;
  std::vector<std::uint8_t> copy_;
};

// Writes into a fresh numeric tile; definedness is set once, by the region.
class CarrierWriter {
 public:
  explicit CarrierWriter(state::Tile& tile)
      : tile_(tile),
        payload_(tile.storage.mutable_payload()),
        bytes_(kernels::carrier_bytes(tile.data_type)),
        packed_(numeric::is_four_bit(tile.data_type)) {}

  // Calls make(room for `count` carriers) and puts what it made at [first, first + count) of the storage.
  template <class Make>
  void run(std::uint64_t first, std::size_t count, Make make) {
    if (!packed_) return make(payload_.data() + first * bytes_);
    room_.resize(count);
    make(room_.data());
    pack_run(first, count);
  }
  // The same with columns [column, column + count) of a logical row.
  template <class Make>
  void row(std::uint32_t row, std::uint32_t column, std::size_t count, Make make) {
    if (tile_.layout == state::TileLayout::RowMajor)
      return run(std::uint64_t{row} * tile_.columns + column, count, make);
    room_.resize(count * bytes_);
    make(room_.data());
    scatter(row, column, count);
  }

 private:
  void pack_run(std::uint64_t first, std::size_t count);
  void scatter(std::uint32_t row, std::uint32_t column, std::size_t count);

  const state::TileShape& tile_;
  std::span<std::uint8_t> payload_;
  unsigned bytes_;
  bool packed_;
  std::vector<std::uint8_t> room_;
};

// Calls visit(first, count) for runs of storage indices that make up the valid region: one where everything
// is valid. For work that takes each element by itself; the order is the storage's.
template <class Visit>
void for_each_span(const state::TileShape& shape, Visit visit) {
  if (fully_valid(shape)) return visit(std::uint64_t{0}, std::size_t{shape.rows} * shape.columns);
  for_each_run(shape, valid_region(shape),
               [&](std::uint32_t, std::uint32_t, std::uint64_t first, std::uint32_t count) {
                 visit(first, std::size_t{count});
               });
}

// The valid region as a matrix of carriers in row-major order, for work that jumps between rows: the storage
// itself where it is one.
class DenseRows {
 public:
  explicit DenseRows(const state::Tile& tile);
  [[nodiscard]] const std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }  // elements from row to row

 private:
  const std::uint8_t* data_;
  std::size_t stride_;
  std::vector<std::uint8_t> copy_;
};

// Copies an area of `from`, beginning at (from_row, from_column), to the area of the same size at (row,
// column) of `to`. Both hold elements of one width.
void copy_area(const state::Tile& from, std::uint32_t from_row, std::uint32_t from_column, state::Tile& to,
               const Rectangle& area);

}  // namespace pto::exec
