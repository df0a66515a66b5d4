// Logical rows of carriers gathered from storage and scattered into it, whatever the layout; and matrices
// turned on their side.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::kernels {

// How a row lies in storage: groups of `width` elements, `stride` elements apart from each other, one group
// `jump` elements behind the other.
struct RowPlaces {
  std::uint64_t first = 0;  // of column 0
  std::uint32_t width = 1;
  std::uint64_t stride = 1;
  std::uint64_t jump = 1;
};

// Columns [column, column + count) of a row into `out`, side by side; and from `in` back into the row.
// `bytes` is the size of a carrier.
void gather_row(unsigned bytes, const std::uint8_t* storage, const RowPlaces& places, std::uint32_t column,
                std::size_t count, std::uint8_t* out);
void scatter_row(unsigned bytes, const std::uint8_t* in, const RowPlaces& places, std::uint32_t column,
                 std::size_t count, std::uint8_t* storage);

// Rows of a matrix that CELLs keep by columns, eight of them with 16 bytes each: the first `rows` of them
// side by side, `columns` numbers long, `out_stride` bytes apart. CELLs lie `step` bytes apart.
void turn_cells(unsigned bytes, const std::uint8_t* cells, std::size_t step, std::size_t rows,
                std::size_t columns, std::uint8_t* out, std::size_t out_stride);

// Copies `count` pieces of `size` bytes that lie `from_step` bytes apart to where they lie `to_step` bytes
// apart.
void copy_pieces(std::size_t size, const std::uint8_t* from, std::size_t from_step, std::uint8_t* to,
                 std::size_t to_step, std::size_t count);

// out[column][row] = in[row][column]; strides count elements.
void transpose(unsigned bytes, const std::uint8_t* in, std::size_t in_stride, std::uint8_t* out,
               std::size_t out_stride, std::size_t rows, std::size_t columns);

}  // namespace pto::kernels
