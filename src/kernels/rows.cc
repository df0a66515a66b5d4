#include "kernels/rows.h"

#include <algorithm>

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t cell_bytes = 128;
constexpr std::size_t cell_columns = 8;

// A CELL by rows.
template <class T>
HWY_INLINE void TurnCell(const std::uint8_t* HWY_RESTRICT cell, std::uint8_t* HWY_RESTRICT out) {
#if HWY_TARGET == HWY_SCALAR
  constexpr std::size_t rows = cell_bytes / cell_columns / sizeof(T);
  for (std::size_t i = 0; i < rows * cell_columns; ++i)
    std::memcpy(out + (i % rows * cell_columns + i / rows) * sizeof(T), cell + i * sizeof(T), sizeof(T));
#else
  // Interleaving both halves moves the highest bit of a number's place to the bottom; the three bits of the
  // column have to go there.
  const hn::CappedTag<T, 16 / sizeof(T)> d;
  const auto load = [&](std::size_t column) {
    return hn::LoadU(d, reinterpret_cast<const T*>(cell + 16 * column));
  };
  auto v0 = load(0), v1 = load(1), v2 = load(2), v3 = load(3);
  auto v4 = load(4), v5 = load(5), v6 = load(6), v7 = load(7);
  for (int round = 0; round < 3; ++round) {
    const auto l0 = v0, l1 = v1, l2 = v2, l3 = v3;
    const auto h0 = v4, h1 = v5, h2 = v6, h3 = v7;
    v0 = hn::InterleaveLower(d, l0, h0), v1 = hn::InterleaveUpper(d, l0, h0);
    v2 = hn::InterleaveLower(d, l1, h1), v3 = hn::InterleaveUpper(d, l1, h1);
    v4 = hn::InterleaveLower(d, l2, h2), v5 = hn::InterleaveUpper(d, l2, h2);
    v6 = hn::InterleaveLower(d, l3, h3), v7 = hn::InterleaveUpper(d, l3, h3);
  }
  const auto store = [&](auto v, std::size_t part) {
    hn::StoreU(v, d, reinterpret_cast<T*>(out + 16 * part));
  };
  store(v0, 0), store(v1, 1), store(v2, 2), store(v3, 3);
  store(v4, 4), store(v5, 5), store(v6, 6), store(v7, 7);
#endif
}

template <class T>
HWY_NOINLINE void TurnCellsOf(const std::uint8_t* cells, std::size_t step, std::size_t rows,
                              std::size_t columns, std::uint8_t* out, std::size_t out_stride) {
  HWY_ALIGN std::uint8_t turned[cell_bytes];
  constexpr std::size_t row_bytes = cell_columns * sizeof(T);
  std::size_t column = 0;
  for (; column + cell_columns <= columns; column += cell_columns, cells += step) {
    TurnCell<T>(cells, turned);
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(out + row * out_stride + column * sizeof(T), turned + row * row_bytes, row_bytes);
  }
  if (column == columns) return;
  TurnCell<T>(cells, turned);
  for (std::size_t row = 0; row < rows; ++row)
    std::memcpy(out + row * out_stride + column * sizeof(T), turned + row * row_bytes,
                (columns - column) * sizeof(T));
}

void TurnCells(unsigned bytes, const std::uint8_t* cells, std::size_t step, std::size_t rows,
               std::size_t columns, std::uint8_t* out, std::size_t out_stride) {
  with_carrier(bytes, [&](auto carrier) {
    TurnCellsOf<decltype(carrier)>(cells, step, rows, columns, out, out_stride);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(TurnCells);

void turn_cells(unsigned bytes, const std::uint8_t* cells, std::size_t step, std::size_t rows,
                std::size_t columns, std::uint8_t* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(TurnCells)(bytes, cells, step, rows, columns, out, out_stride);
}

namespace {

// Calls visit(byte of the group's first element, elements, elements done) for the pieces of groups that make
// up a range of columns.
template <class Visit>
void for_each_group(unsigned bytes, const RowPlaces& places, std::uint32_t column, std::size_t count,
                    Visit visit) {
  std::uint64_t group = places.first + column / places.width * places.jump;
  std::uint32_t inner = column % places.width;
  for (std::size_t done = 0; done < count;) {
    const std::size_t step = std::min<std::size_t>(places.width - inner, count - done);
    visit((group + inner * places.stride) * bytes, step, done);
    done += step;
    inner = 0;
    group += places.jump;
  }
}

// Copies of the sizes that groups of CELLs have are single moves.
void copy_group(std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
  switch (size) {
    case 4: std::memcpy(to, from, 4); return;
    case 8: std::memcpy(to, from, 8); return;
    case 32: std::memcpy(to, from, 32); return;
    default: std::memcpy(to, from, size);
  }
}

// A tile of a matrix that stays in the nearest cache while it is turned.
constexpr std::size_t block = 16;

template <class T>
void transpose_typed(const std::uint8_t* in, std::size_t in_stride, std::uint8_t* out, std::size_t out_stride,
                     std::size_t rows, std::size_t columns) {
  for (std::size_t top = 0; top < rows; top += block) {
    const std::size_t bottom = std::min(rows, top + block);
    for (std::size_t left = 0; left < columns; left += block) {
      const std::size_t right = std::min(columns, left + block);
      for (std::size_t column = left; column < right; ++column) {
        for (std::size_t row = top; row < bottom; ++row)
          store_carrier(out + (column * out_stride + row) * sizeof(T),
                        load_carrier<T>(in + (row * in_stride + column) * sizeof(T)));
      }
    }
  }
}

}  // namespace

void gather_row(unsigned bytes, const std::uint8_t* storage, const RowPlaces& places, std::uint32_t column,
                std::size_t count, std::uint8_t* out) {
  if (places.stride == 1) {
    return for_each_group(bytes, places, column, count,
                          [&](std::size_t at, std::size_t step, std::size_t done) {
                            copy_group(out + done * bytes, storage + at, step * bytes);
                          });
  }
  with_carrier(bytes, [&](auto carrier) {
    using T = decltype(carrier);
    for_each_group(sizeof(T), places, column, count, [&](std::size_t at, std::size_t step, std::size_t done) {
      for (std::size_t i = 0; i < step; ++i)
        store_carrier(out + (done + i) * sizeof(T),
                      load_carrier<T>(storage + at + i * places.stride * sizeof(T)));
    });
  });
}

void scatter_row(unsigned bytes, const std::uint8_t* in, const RowPlaces& places, std::uint32_t column,
                 std::size_t count, std::uint8_t* storage) {
  if (places.stride == 1) {
    return for_each_group(bytes, places, column, count,
                          [&](std::size_t at, std::size_t step, std::size_t done) {
                            copy_group(storage + at, in + done * bytes, step * bytes);
                          });
  }
  with_carrier(bytes, [&](auto carrier) {
    using T = decltype(carrier);
    for_each_group(sizeof(T), places, column, count, [&](std::size_t at, std::size_t step, std::size_t done) {
      for (std::size_t i = 0; i < step; ++i)
        store_carrier(storage + at + i * places.stride * sizeof(T),
                      load_carrier<T>(in + (done + i) * sizeof(T)));
    });
  });
}

void copy_pieces(std::size_t size, const std::uint8_t* from, std::size_t from_step, std::uint8_t* to,
                 std::size_t to_step, std::size_t count) {
  const auto copy = [&](auto bytes) {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, bytes);
  };
  switch (size) {
    case 1: return copy(std::integral_constant<std::size_t, 1>());
    case 2: return copy(std::integral_constant<std::size_t, 2>());
    case 4: return copy(std::integral_constant<std::size_t, 4>());
    case 8: return copy(std::integral_constant<std::size_t, 8>());
    case 16: return copy(std::integral_constant<std::size_t, 16>());
    case 32: return copy(std::integral_constant<std::size_t, 32>());
    case 64: return copy(std::integral_constant<std::size_t, 64>());
    default: return copy(size);
  }
}

void transpose(unsigned bytes, const std::uint8_t* in, std::size_t in_stride, std::uint8_t* out,
               std::size_t out_stride, std::size_t rows, std::size_t columns) {
  with_carrier(bytes, [&](auto carrier) {
    transpose_typed<decltype(carrier)>(in, in_stride, out, out_stride, rows, columns);
  });
}

}  // namespace pto::kernels
#endif
