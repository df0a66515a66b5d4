#include "exec/tile/regions.h"

#include <cstring>

namespace pto::exec {

using state::Tile;

namespace {

template <class T>
void fill_whole(std::span<std::uint8_t> payload, std::uint64_t first, std::uint64_t count, Word value) {
  const T element = static_cast<T>(value);
  std::uint8_t* at = payload.data() + first * sizeof(T);
  for (std::uint64_t i = 0; i < count; ++i) std::memcpy(at + i * sizeof(T), &element, sizeof(T));
}

// Elements of 1 or 4 bits share bytes.
void fill_fraction(std::span<std::uint8_t> payload, unsigned bits, std::uint64_t first, std::uint64_t count,
                   Word value) {
  for (std::uint64_t i = first; i < first + count; ++i) {
    const unsigned shift = static_cast<unsigned>(i * bits % 8);
    const auto field = static_cast<std::uint8_t>(mask_of(bits) << shift);
    std::uint8_t& byte = payload[i * bits / 8];
    byte = static_cast<std::uint8_t>((byte & ~field) | ((value << shift) & field));
  }
}

// The parts of the physical region outside the valid one: to the right of it, and below.
std::array<Rectangle, 2> padding_of(const Tile& tile) {
  return {Rectangle{0, tile.valid_columns, tile.valid_rows, tile.columns - tile.valid_columns},
          Rectangle{tile.valid_rows, 0, tile.rows - tile.valid_rows, tile.columns}};
}

// Marks an area defined: all rows at once where they lie side by side.
void define_area(Tile& tile, const Rectangle& area) {
  const std::span<std::uint64_t> defined = tile.storage.mutable_defined();
  if (run_of_columns(tile) == 0) {
    return kernels::set_bits_of_rows(defined, state::storage_index(tile, area.row, area.column), area.columns,
                                     tile.columns, area.rows);
  }
  for_each_run(tile, area, [&](std::uint32_t, std::uint32_t, std::uint64_t first, std::uint32_t count) {
    kernels::set_bits(defined, first, count);
  });
}

}  // namespace

void fill(Tile& tile, std::uint64_t first, std::uint64_t count, Word value) {
  const std::span<std::uint8_t> payload = tile.storage.mutable_payload();
  switch (tile.storage_bits()) {
    case 8: return fill_whole<std::uint8_t>(payload, first, count, value);
    case 16: return fill_whole<std::uint16_t>(payload, first, count, value);
    case 32: return fill_whole<std::uint32_t>(payload, first, count, value);
    case 64: return fill_whole<std::uint64_t>(payload, first, count, value);
    default: return fill_fraction(payload, tile.storage_bits(), first, count, value);
  }
}

void define_valid_region(Tile& tile) {
  if (fully_valid(tile)) {
    kernels::set_bits(tile.storage.mutable_defined(), 0, std::uint64_t{tile.rows} * tile.columns);
  } else {
    define_area(tile, valid_region(tile));
  }
  tile.defined_valid_elements = tile.valid_rows * tile.valid_columns;
  tile.contents_defined = true;
}

void pad(Tile& tile, numeric::PadValue value) {
  if (value == numeric::PadValue::Null || fully_valid(tile)) return;
  const bool predicate = tile.storage_kind == state::StorageKind::Predicate;
  const Word bits =
      predicate ? (value == numeric::PadValue::Max ? 1 : 0) : numeric::pad_bits(value, tile.data_type);
  for (const Rectangle& area : padding_of(tile)) {
    for_each_run(tile, area, [&](std::uint32_t, std::uint32_t, std::uint64_t first, std::uint32_t count) {
      fill(tile, first, count, bits);
    });
    define_area(tile, area);
  }
}

void define_everything(Tile& tile) {
  kernels::set_bits(tile.storage.mutable_defined(), 0, std::uint64_t{tile.rows} * tile.columns);
  tile.defined_valid_elements = tile.valid_rows * tile.valid_columns;
  tile.contents_defined = true;
}

bool valid_region_defined(const Tile& tile) {
  const std::span<const std::uint64_t> defined = tile.storage.defined();
  if (fully_valid(tile)) return kernels::all_bits_set(defined, 0, std::uint64_t{tile.rows} * tile.columns);
  if (run_of_columns(tile) == 0)
    return kernels::all_bits_of_rows_set(defined, 0, tile.valid_columns, tile.columns, tile.valid_rows);
  bool all = true;
  for_each_run(tile, valid_region(tile),
               [&](std::uint32_t, std::uint32_t, std::uint64_t first, std::uint32_t count) {
                 all = all && kernels::all_bits_set(defined, first, count);
               });
  return all;
}

}  // namespace pto::exec
