#include "native_loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace pto::bench::native {

// --- Element by element ---

template <class T>
void add(const T* __restrict left, const T* __restrict right, T* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(left[i] + right[i]);
}
template <class T>
void multiply(const T* __restrict left, const T* __restrict right, T* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(left[i] * right[i]);
}
template <class T>
void divide(const T* __restrict left, const T* __restrict right, T* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(left[i] / right[i]);
}
template <class T>
void shift_left(const T* __restrict left, const T* __restrict right, T* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(left[i] << (right[i] & (8 * sizeof(T) - 1)));
}
template <class T>
void larger(const T* __restrict left, const T* __restrict right, T* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = left[i] < right[i] ? right[i] : left[i];
}
template <class T>
void add_scalar(const T* __restrict left, T right, T* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(left[i] + right);
}
template void add(const std::uint8_t*, const std::uint8_t*, std::uint8_t*, size_t);
template void add(const std::uint32_t*, const std::uint32_t*, std::uint32_t*, size_t);
template void multiply(const std::uint8_t*, const std::uint8_t*, std::uint8_t*, size_t);
template void multiply(const std::uint32_t*, const std::uint32_t*, std::uint32_t*, size_t);
template void divide(const std::uint32_t*, const std::uint32_t*, std::uint32_t*, size_t);
template void divide(const std::int32_t*, const std::int32_t*, std::int32_t*, size_t);
template void divide(const std::uint8_t*, const std::uint8_t*, std::uint8_t*, size_t);
template void shift_left(const std::uint32_t*, const std::uint32_t*, std::uint32_t*, size_t);
template void larger(const std::int32_t*, const std::int32_t*, std::int32_t*, size_t);
template void add_scalar(const std::uint32_t*, std::uint32_t, std::uint32_t*, size_t);

void larger_float(const float* __restrict left, const float* __restrict right, float* __restrict out,
                  size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float larger = left[i] >= right[i] ? left[i] : right[i];
    out[i] = left[i] != left[i] ? right[i] : right[i] != right[i] ? left[i] : larger;
  }
}
void multiply_add(const std::uint32_t* __restrict a, const std::uint32_t* __restrict b,
                  const std::uint32_t* __restrict c, std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = a[i] * b[i] + c[i];
}
void absolute(const std::uint32_t* __restrict in, std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = in[i] & 0x7fffffff;
}
void relu(const float* __restrict in, float* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = in[i] != in[i] ? std::nanf("") : in[i] > 0 ? in[i] : 0;
}
void exponential(const std::uint32_t* __restrict in, std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = in[i] & 0x7fffffff;
    std::uint32_t value = in[i] + 1;
    if (magnitude == 0) value = 0x3f800000;
    if (magnitude == 0x7f800000) value = in[i] >> 31 != 0 ? 0 : in[i];
    if (magnitude > 0x7f800000) value = 0x7fc00000;
    out[i] = value;
  }
}
template <class T>
void less_than(const T* __restrict left, const T* __restrict right, std::uint8_t* __restrict bits,
               size_t count) {
  for (size_t i = 0; i < count; i += 8) {
    unsigned byte = 0;
    for (unsigned bit = 0; bit < 8; ++bit) byte |= (left[i + bit] < right[i + bit] ? 1u : 0u) << bit;
    bits[i / 8] = static_cast<std::uint8_t>(byte);
  }
}
template void less_than(const std::uint32_t*, const std::uint32_t*, std::uint8_t*, size_t);
template void less_than(const float*, const float*, std::uint8_t*, size_t);
void select(const std::uint8_t* __restrict bits, const std::uint32_t* __restrict set,
            const std::uint32_t* __restrict clear, std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = (bits[i / 8] >> i % 8 & 1) != 0 ? set[i] : clear[i];
}

// --- Conversions ---

template <class From, class To>
void convert(const From* __restrict in, To* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<To>(in[i]);
}
template void convert(const std::uint8_t*, std::uint8_t*, size_t);
template void convert(const std::int8_t*, std::int32_t*, size_t);
template void convert(const std::int32_t*, std::int8_t*, size_t);
template void convert(const std::uint32_t*, std::uint16_t*, size_t);
template void convert(const std::uint32_t*, std::uint32_t*, size_t);
void exponents(const std::uint32_t* __restrict in, std::uint8_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = static_cast<std::uint8_t>((in[i] >> 23) + ((in[i] & 0x7fffff) > 0x3504f3 ? 1 : 0));
}
void saturate(const std::int32_t* __restrict in, std::int8_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<std::int8_t>(std::clamp(in[i], -128, 127));
}
void quantize(const float* __restrict in, float scale, int zero, std::int8_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const double value = std::nearbyint(static_cast<double>(in[i]) * scale) + zero;
    out[i] = static_cast<std::int8_t>(std::clamp(value, -128.0, 127.0));
  }
}
void dequantize(const std::int8_t* __restrict in, float scale, int zero, float* __restrict out,
                size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(in[i] - zero) * scale;
}

// --- Along rows and columns ---

template <class T>
void row_sums(const T* __restrict in, T* __restrict out, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row)
    out[row] = std::accumulate(in + row * columns, in + (row + 1) * columns, T{0});
}
template <class T>
void column_sums(const T* __restrict in, T* __restrict out, size_t rows, size_t columns) {
  std::fill(out, out + columns, T{0});
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) out[column] += in[row * columns + column];
  }
}
template <class T>
void row_maxima(const T* __restrict in, T* __restrict out, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    T best = in[row * columns];
    for (size_t column = 1; column < columns; ++column) {
      const T value = in[row * columns + column];
      best = best < value ? value : best;
    }
    out[row] = best;
  }
}
template void row_sums(const std::uint32_t*, std::uint32_t*, size_t, size_t);
template void column_sums(const std::uint32_t*, std::uint32_t*, size_t, size_t);
template void row_maxima(const std::uint32_t*, std::uint32_t*, size_t, size_t);
template void row_maxima(const float*, float*, size_t, size_t);
void row_maximum_places(const std::uint32_t* __restrict in, std::uint32_t* __restrict out, size_t rows,
                        size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    size_t best = 0;
    for (size_t column = 1; column < columns; ++column) {
      if (in[row * columns + best] < in[row * columns + column]) best = column;
    }
    out[row] = static_cast<std::uint32_t>(best);
  }
}
void column_maximum_places(const std::uint32_t* __restrict in, std::uint32_t* __restrict out, size_t rows,
                           size_t columns) {
  std::fill(out, out + columns, 0u);
  for (size_t row = 1; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      if (in[out[column] * columns + column] < in[row * columns + column])
        out[column] = static_cast<std::uint32_t>(row);
    }
  }
}
void spread_rows(const std::uint32_t* __restrict column, std::uint32_t* __restrict out, size_t rows,
                 size_t columns) {
  for (size_t row = 0; row < rows; ++row) std::fill_n(out + row * columns, columns, column[row]);
}
void add_column(const std::uint32_t* __restrict in, const std::uint32_t* __restrict column,
                std::uint32_t* __restrict out, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t i = row * columns; i < (row + 1) * columns; ++i) out[i] = in[i] + column[row];
  }
}
void multiply_row(const std::uint32_t* __restrict in, const std::uint32_t* __restrict row_values,
                  std::uint32_t* __restrict out, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column)
      out[row * columns + column] = in[row * columns + column] * row_values[column];
  }
}

// --- Elements moved ---

void copy_block(const std::uint32_t* __restrict in, size_t in_columns, std::uint32_t* __restrict out,
                size_t out_columns, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row)
    std::memcpy(out + row * out_columns, in + row * in_columns, columns * sizeof *in);
}
void transpose(const std::uint32_t* __restrict in, std::uint32_t* __restrict out, size_t rows,
               size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) out[column * rows + row] = in[row * columns + column];
  }
}
void triangle(std::uint32_t* __restrict out, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) out[row * columns + column] = column >= row ? 1 : 0;
  }
}
void sequence(std::uint32_t start, std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = start + static_cast<std::uint32_t>(i);
}
void fill(std::uint32_t value, std::uint32_t* __restrict out, size_t count) {
  std::fill(out, out + count, value);
}
bool gather_rows(const std::uint32_t* __restrict in, const std::uint32_t* __restrict indices,
                 std::uint32_t* __restrict out, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const std::uint32_t from = indices[row * columns + column];
      if (from >= rows) return false;
      out[row * columns + column] = in[from * columns + column];
    }
  }
  return true;
}
bool scatter_rows(const std::uint32_t* __restrict in, const std::uint32_t* __restrict indices,
                  std::uint32_t* __restrict out, size_t rows, size_t columns) {
  std::memset(out, 0, rows * columns * sizeof *out);
  static std::uint8_t taken[1 << 16];
  std::memset(taken, 0, rows * columns);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const std::uint32_t to = indices[row * columns + column];
      if (to >= rows || taken[to * columns + column]++ != 0) return false;
      out[to * columns + column] = in[row * columns + column];
    }
  }
  return true;
}
void histogram(const std::uint16_t* __restrict in, std::uint32_t* __restrict out, size_t rows,
               size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    std::uint32_t counts[256] = {};
    for (size_t column = 0; column < columns; ++column) ++counts[in[row * columns + column] >> 8];
    std::uint32_t total = 0;
    for (size_t bin = 0; bin < 256; ++bin) out[row * 256 + bin] = total += counts[bin];
  }
}
void sort_groups(const float* __restrict in, float* __restrict out, std::uint32_t* __restrict places,
                 size_t rows, size_t columns, size_t group) {
  for (size_t first = 0; first < rows * columns; first += group) {
    std::iota(places + first, places + first + group, 0u);
    std::stable_sort(places + first, places + first + group,
                     [&](std::uint32_t a, std::uint32_t b) { return in[first + a] < in[first + b]; });
    for (size_t i = 0; i < group; ++i) out[first + i] = in[first + places[first + i]];
  }
}
void merge(const float* left, const float* right, float* out, size_t count) {
  std::merge(left, left + count, right, right + count, out);
}

void unroll_windows(const std::uint8_t* __restrict in, std::uint8_t* __restrict out, size_t height,
                    size_t width) {
  const auto h = static_cast<long>(height), w = static_cast<long>(width);
  for (long row = 0; row < h; ++row) {
    for (long column = 0; column < w; ++column) {
      for (long dy = -1; dy <= 1; ++dy) {
        for (long dx = -1; dx <= 1; ++dx) {
          const long y = row + dy, x = column + dx;
          *out++ = y < 0 || y >= h || x < 0 || x >= w ? std::uint8_t{0} : in[y * w + x];
        }
      }
    }
  }
}

// --- Between memory and tiles ---

void copy_rows(const std::uint8_t* __restrict in, size_t in_stride, std::uint8_t* __restrict out,
               size_t out_stride, size_t rows, size_t bytes) {
  for (size_t row = 0; row < rows; ++row) std::memcpy(out + row * out_stride, in + row * in_stride, bytes);
}
void rows_to_cells(const std::uint8_t* __restrict in, std::uint8_t* __restrict out, size_t rows, size_t bytes,
                   size_t height, size_t width) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t at = 0; at < bytes; at += width)
      std::memcpy(out + at * height + row * width, in + row * bytes + at, width);
  }
}
void cells_to_rows(const std::uint8_t* __restrict in, std::uint8_t* __restrict out, size_t rows, size_t bytes,
                   size_t height, size_t width) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t at = 0; at < bytes; at += width)
      std::memcpy(out + row * bytes + at, in + at * height + row * width, width);
  }
}
void columns_to_cells(const std::uint8_t* __restrict in, std::uint8_t* __restrict out, size_t rows,
                      size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const size_t cell = column / 8 * (rows / 16) + row / 16;
      out[cell * 128 + column % 8 * 16 + row % 16] = in[row * columns + column];
    }
  }
}
bool gather(const std::uint8_t* memory, size_t size, const std::uint32_t* __restrict offsets,
            const std::uint8_t* __restrict enabled, std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    std::uint32_t value = 0;
    if (enabled[i] != 0) {
      if (offsets[i] % 4 != 0 || offsets[i] > size - 4) return false;
      std::memcpy(&value, memory + offsets[i], 4);
    }
    out[i] = value;
  }
  return true;
}
bool scatter(std::uint8_t* memory, size_t size, const std::uint32_t* __restrict offsets,
             const std::uint8_t* __restrict enabled, const std::uint32_t* __restrict in, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (enabled[i] != 0 && (offsets[i] % 4 != 0 || offsets[i] > size - 4)) return false;
  }
  for (size_t i = 0; i < count; ++i) {
    if (enabled[i] != 0) std::memcpy(memory + offsets[i], in + i, 4);
  }
  return true;
}

bool compare_swap(std::uint8_t* memory, size_t size, const std::uint32_t* __restrict offsets,
                  const std::uint32_t* __restrict expected, const std::uint32_t* __restrict replacement,
                  std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (offsets[i] % 4 != 0 || offsets[i] > size - 4) return false;
  }
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(out + i, memory + offsets[i], 4);
    if (out[i] == expected[i]) std::memcpy(memory + offsets[i], replacement + i, 4);
  }
  return true;
}

// --- Inside CELLs ---

void shuffle_butterfly(const std::uint32_t* __restrict in, const std::uint32_t* __restrict amounts,
                       std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const size_t lane = i % 32;
    out[i] = in[i - lane + (lane ^ (amounts[i] & 31))];
  }
}
void pack(const std::uint32_t* __restrict low, const std::uint32_t* __restrict high,
          std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = (low[i] & 0xffff) | high[i] << 16;
}
void unpack(const std::uint32_t* __restrict in, std::uint32_t* __restrict out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = in[i] >> 8 & 0xffff;
}

// --- Matrices ---

void quantize_sums(const std::int32_t* __restrict in, float scale, int offset, std::int8_t* __restrict out,
                   size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const double value = std::nearbyint(static_cast<double>(in[i]) * scale);
    out[i] = static_cast<std::int8_t>(std::clamp(value + offset, -128.0, 127.0));
  }
}

template <class In, class Out>
void matrix_product(const In* __restrict left, const In* __restrict right, Out* __restrict out, size_t m,
                    size_t n, size_t k) {
  for (size_t row = 0; row < m; ++row) {
    for (size_t column = 0; column < n; ++column) {
      Out sum = 0;
      for (size_t inner = 0; inner < k; ++inner)
        sum += static_cast<Out>(left[row * k + inner]) * static_cast<Out>(right[inner * n + column]);
      out[row * n + column] = sum;
    }
  }
}
template void matrix_product(const std::int8_t*, const std::int8_t*, std::int32_t*, size_t, size_t, size_t);
template void matrix_product(const std::uint8_t*, const std::uint8_t*, std::uint32_t*, size_t, size_t,
                             size_t);
template void matrix_product(const std::uint16_t*, const std::uint16_t*, std::uint32_t*, size_t, size_t,
                             size_t);

}  // namespace pto::bench::native
