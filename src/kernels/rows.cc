#include "kernels/rows.h"

#include <algorithm>

#include "kernels/numbers.h"

namespace pto::kernels {

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
