// Elements picked from, and put into, rows that other elements name by number (TGATHER and TSCATTER).
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::kernels {

// out[c] = values[indices[c]][c] for a row of `count` columns. `values` has `rows` rows, `stride` elements
// apart; `bytes` and `index_bytes` are the sizes of the carriers. False: some index is not below `rows`, read
// as signed or unsigned alike, since negative ones are large; `out` is then meaningless.
bool pick_rows(unsigned bytes, const std::uint8_t* values, std::size_t stride, std::uint32_t rows,
               unsigned index_bytes, const std::uint8_t* indices, std::uint8_t* out, std::size_t count);

// out[indices[c]][c] = values[c], out having `rows` rows of `count` columns. `taken` has a byte for each of
// its places, which is set; one that was set already, or an index that is not below `rows`, gives false.
bool place_rows(unsigned bytes, const std::uint8_t* values, unsigned index_bytes, const std::uint8_t* indices,
                std::uint32_t rows, std::uint8_t* taken, std::uint8_t* out, std::size_t count);

}  // namespace pto::kernels
