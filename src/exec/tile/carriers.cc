#include "exec/tile/carriers.h"

#include "kernels/convert.h"

namespace pto::exec {

using state::TileLayout;

std::optional<kernels::RowPlaces> row_places(const state::TileShape& shape, std::uint32_t row) {
  const unsigned bits = element_bits(shape.data_type);
  const std::uint64_t first = state::storage_index(shape, row, 0);
  const std::uint64_t cell = state::cell_bytes * 8 / bits;
  const std::uint32_t fractal = 256 / bits;
  constexpr std::uint32_t whole_row = state::max_dimension + 1;
  switch (shape.layout) {
    case TileLayout::ColumnMajor:
      return kernels::RowPlaces{.first = first, .width = whole_row, .stride = shape.rows, .jump = 0};
    case TileLayout::NZ:
      return kernels::RowPlaces{
          .first = first, .width = fractal, .stride = 1, .jump = std::uint64_t{shape.rows} * fractal};
    case TileLayout::ZN:
      return kernels::RowPlaces{.first = first, .width = fractal, .stride = 16, .jump = 16u * fractal};
    case TileLayout::CUBE_M16:
      if (bits == 4) return std::nullopt;
      [[fallthrough]];
    case TileLayout::CUBE_M32:
      return kernels::RowPlaces{
          .first = first, .width = state::cell_columns(shape.layout, bits), .stride = 1, .jump = cell};
    case TileLayout::CUBE_N8:
      return kernels::RowPlaces{.first = first,
                                .width = state::cell_columns(shape.layout, bits),
                                .stride = state::cell_rows(shape.layout, bits),
                                .jump = shape.cube_k_repeat * cell};
    default: return kernels::RowPlaces{.first = first, .width = whole_row, .stride = 1, .jump = 0};
  }
}

namespace {

// Whether all elements of the shape lie inside `bytes` bytes.
bool holds_all(const state::TileShape& shape, std::size_t bytes) {
  return std::uint64_t{shape.rows} * shape.columns * element_bits(shape.data_type) <= bytes * 8;
}

}  // namespace

const std::uint8_t* CarrierReader::copy_run(std::uint64_t first, std::size_t count) {
  copy_.resize(count * bytes_);
  const bool nibbles =
      tile_.storage_kind == state::StorageKind::Numeric && numeric::is_four_bit(tile_.data_type);
  if (nibbles && (first + count + 1) / 2 <= payload_.size()) {
    kernels::unpack_nibbles(payload_.data(), first, count, copy_.data());
    return copy_.data();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Word value = number_at(tile_, first + i);
    std::memcpy(copy_.data() + i * bytes_, &value, bytes_);
  }
  return copy_.data();
}

const std::uint8_t* CarrierReader::copy_row(std::uint32_t row, std::uint32_t column, std::size_t count) {
  copy_.resize(count * bytes_);
  const std::optional<kernels::RowPlaces> places = row_places(tile_, row);
  if (plain_ && places && holds_all(tile_, payload_.size())) {
    kernels::gather_row(bytes_, payload_.data(), *places, column, count, copy_.data());
    return copy_.data();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Word value = number_at(tile_, row, column + static_cast<std::uint32_t>(i));
    std::memcpy(copy_.data() + i * bytes_, &value, bytes_);
  }
  return copy_.data();
}

void CarrierReader::copy(const Rectangle& area, std::uint8_t* out) {
  const std::size_t row_bytes = std::size_t{area.columns} * bytes_;
  const std::uint32_t height =
      tile_.layout == TileLayout::CUBE_N8 && plain_ && holds_all(tile_, payload_.size())
          ? state::cell_rows(tile_.layout, 8 * bytes_)
          : 0;
  if (height == 0 || area.row % height != 0 ||
      area.column % state::cell_columns(tile_.layout, 8 * bytes_) != 0) {
    for (std::uint32_t row = 0; row < area.rows; ++row)
      std::memcpy(out + row * row_bytes, this->row(area.row + row, area.column, area.columns), row_bytes);
    return;
  }
  for (std::uint32_t row = 0; row < area.rows; row += height) {
    kernels::turn_cells(bytes_,
                        payload_.data() + state::storage_index(tile_, area.row + row, area.column) * bytes_,
                        tile_.cube_k_repeat * state::cell_bytes, std::min(height, area.rows - row),
                        area.columns, out + row * row_bytes, row_bytes);
  }
}

void CarrierWriter::pack_run(std::uint64_t first, std::size_t count) {
  kernels::pack_nibbles(room_.data(), count, payload_.data(), first);
}

void CarrierWriter::scatter(std::uint32_t row, std::uint32_t column, std::size_t count) {
  const std::optional<kernels::RowPlaces> places = row_places(tile_, row);
  if (!packed_ && places)
    return kernels::scatter_row(bytes_, room_.data(), *places, column, count, payload_.data());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t index = state::storage_index(tile_, row, column + static_cast<std::uint32_t>(i));
    kernels::pack_nibbles(room_.data() + i, 1, payload_.data(), index);
  }
}

DenseRows::DenseRows(const state::Tile& tile) : stride_(tile.columns) {
  const std::span<const std::uint8_t> payload = tile.storage.payload();
  if (tile.layout == TileLayout::RowMajor && tile.storage_kind == state::StorageKind::Numeric &&
      !numeric::is_four_bit(tile.data_type) && holds_all(tile, payload.size())) {
    data_ = payload.data();
    return;
  }
  CarrierReader in(tile);
  stride_ = tile.valid_columns;
  copy_.resize(tile.valid_rows * stride_ * in.bytes());
  in.copy(valid_region(tile), copy_.data());
  data_ = copy_.data();
}

void copy_area(const state::Tile& from, std::uint32_t from_row, std::uint32_t from_column, state::Tile& to,
               const Rectangle& area) {
  CarrierReader in(from);
  CarrierWriter out(to);
  const std::size_t count = area.columns;
  for (std::uint32_t row = 0; row < area.rows; ++row) {
    out.row(area.row + row, area.column, count, [&](std::uint8_t* made) {
      std::memcpy(made, in.row(from_row + row, from_column, count), count * in.bytes());
    });
  }
}

}  // namespace pto::exec
