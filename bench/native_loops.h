// The loops a person would write for the machine at hand, compiled with -O3 -march=native: what blocks are
// compared with. They compute the same results on the same sizes as the block beside them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::bench::native {

using std::size_t;

// --- Element by element ---
template <class T>
void add(const T* left, const T* right, T* out, size_t count);
template <class T>
void multiply(const T* left, const T* right, T* out, size_t count);
template <class T>
void divide(const T* left, const T* right, T* out, size_t count);
template <class T>
void shift_left(const T* left, const T* right, T* out, size_t count);
template <class T>
void larger(const T* left, const T* right, T* out, size_t count);
template <class T>
void add_scalar(const T* left, T right, T* out, size_t count);
// A NaN loses to a number.
void larger_float(const float* left, const float* right, float* out, size_t count);
void multiply_add(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* out,
                  size_t count);
void absolute(const std::uint32_t* in, std::uint32_t* out, size_t count);
void relu(const float* in, float* out, size_t count);
// The reference profile's EXP: 1 for zeros, the neighbour for numbers, itself or 0 for infinities.
void exponential(const std::uint32_t* in, std::uint32_t* out, size_t count);
template <class T>
void less_than(const T* left, const T* right, std::uint8_t* bits, size_t count);
void select(const std::uint8_t* bits, const std::uint32_t* set, const std::uint32_t* clear,
            std::uint32_t* out, size_t count);

// --- Conversions ---
template <class From, class To>
void convert(const From* in, To* out, size_t count);
// Exponents of positive normal FP32 numbers, rounded to nearest.
void exponents(const std::uint32_t* in, std::uint8_t* out, size_t count);
void saturate(const std::int32_t* in, std::int8_t* out, size_t count);
void quantize(const float* in, float scale, int zero, std::int8_t* out, size_t count);
void dequantize(const std::int8_t* in, float scale, int zero, float* out, size_t count);

// --- Along rows and columns of a row-major matrix ---
template <class T>
void row_sums(const T* in, T* out, size_t rows, size_t columns);
template <class T>
void column_sums(const T* in, T* out, size_t rows, size_t columns);
template <class T>
void row_maxima(const T* in, T* out, size_t rows, size_t columns);
void row_maximum_places(const std::uint32_t* in, std::uint32_t* out, size_t rows, size_t columns);
void column_maximum_places(const std::uint32_t* in, std::uint32_t* out, size_t rows, size_t columns);
void spread_rows(const std::uint32_t* column, std::uint32_t* out, size_t rows, size_t columns);
void add_column(const std::uint32_t* in, const std::uint32_t* column, std::uint32_t* out, size_t rows,
                size_t columns);
void multiply_row(const std::uint32_t* in, const std::uint32_t* row, std::uint32_t* out, size_t rows,
                  size_t columns);

// --- Elements moved ---
void copy_block(const std::uint32_t* in, size_t in_columns, std::uint32_t* out, size_t out_columns,
                size_t rows, size_t columns);
void transpose(const std::uint32_t* in, std::uint32_t* out, size_t rows, size_t columns);
void triangle(std::uint32_t* out, size_t rows, size_t columns);
void sequence(std::uint32_t start, std::uint32_t* out, size_t count);
void fill(std::uint32_t value, std::uint32_t* out, size_t count);
// False: an index is out of range.
bool gather_rows(const std::uint32_t* in, const std::uint32_t* indices, std::uint32_t* out, size_t rows,
                 size_t columns);
bool scatter_rows(const std::uint32_t* in, const std::uint32_t* indices, std::uint32_t* out, size_t rows,
                  size_t columns);
void histogram(const std::uint16_t* in, std::uint32_t* out, size_t rows, size_t columns);
void sort_groups(const float* in, float* out, std::uint32_t* places, size_t rows, size_t columns,
                 size_t group);
void merge(const float* left, const float* right, float* out, size_t count);

// Every 3x3 window of a picture with a border of zeros, one row each.
void unroll_windows(const std::uint8_t* in, std::uint8_t* out, size_t height, size_t width);

// --- Between memory and tiles ---
void copy_rows(const std::uint8_t* in, size_t in_stride, std::uint8_t* out, size_t out_stride, size_t rows,
               size_t bytes);
// Rows into CELLs of `height` rows by `width` bytes, and back.
void rows_to_cells(const std::uint8_t* in, std::uint8_t* out, size_t rows, size_t bytes, size_t height,
                   size_t width);
void cells_to_rows(const std::uint8_t* in, std::uint8_t* out, size_t rows, size_t bytes, size_t height,
                   size_t width);
// Columns of bytes into CELLs of 8 columns by 16.
void columns_to_cells(const std::uint8_t* in, std::uint8_t* out, size_t rows, size_t columns);
// Compares the words at distinct offsets and replaces those that are equal.
bool compare_swap(std::uint8_t* memory, size_t size, const std::uint32_t* offsets,
                  const std::uint32_t* expected, const std::uint32_t* replacement, std::uint32_t* out,
                  size_t count);
// False: an address is misaligned or outside `size` bytes.
bool gather(const std::uint8_t* memory, size_t size, const std::uint32_t* offsets,
            const std::uint8_t* enabled, std::uint32_t* out, size_t count);
bool scatter(std::uint8_t* memory, size_t size, const std::uint32_t* offsets, const std::uint8_t* enabled,
             const std::uint32_t* in, size_t count);

// --- Inside CELLs of 32 rows of one word ---
void shuffle_butterfly(const std::uint32_t* in, const std::uint32_t* amounts, std::uint32_t* out,
                       size_t count);
void pack(const std::uint32_t* low, const std::uint32_t* high, std::uint32_t* out, size_t count);
void unpack(const std::uint32_t* in, std::uint32_t* out, size_t count);

// --- Matrices: left is m x k, right k x n, both row-major ---
// What becomes of sums: scaled, rounded and clamped to a byte.
void quantize_sums(const std::int32_t* in, float scale, int offset, std::int8_t* out, size_t count);
template <class In, class Out>
void matrix_product(const In* left, const In* right, Out* out, size_t m, size_t n, size_t k);

}  // namespace pto::bench::native
