// Byte look-up inside groups: every byte of the result picks a byte of the same group in one of two sources.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::kernels {

// For every byte i: let g be its group of `group` bytes (4 or 8) and x = indices[i]. out[i] is byte x of g in
// `first` if x < group, else byte x - group of g in `second`; x is taken modulo 2 * group. Returns the
// bitwise or of all indices, which tells whether any was out of range. `bytes` is a multiple of 128; `out`
// overlaps nothing.
std::uint8_t permute_bytes(const std::uint8_t* first, const std::uint8_t* second, const std::uint8_t* indices,
                           std::uint8_t* out, std::size_t bytes, unsigned group);

// The plain reference the vector version is held against.
std::uint8_t permute_bytes_plain(const std::uint8_t* first, const std::uint8_t* second,
                                 const std::uint8_t* indices, std::uint8_t* out, std::size_t bytes,
                                 unsigned group);

}  // namespace pto::kernels
