// Two rows of numbers, or a row and a number, become one: arithmetic that wraps, logic, and the smaller or
// larger.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::kernels {

enum class Combination : std::uint8_t {
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  MaxUnsigned,
  MinUnsigned,
  MaxSigned,
  MinSigned,
};

// out[i] = left[i] op right[i] for `count` numbers of 1, 2, 4 or 8 bytes in little-endian order; the results
// keep their low bits. The ranges need no alignment; `out` overlaps nothing.
void combine(Combination operation, unsigned bytes, const std::uint8_t* left, const std::uint8_t* right,
             std::uint8_t* out, std::size_t count);

// out[i] = left[i] op the low bits of `right`.
void combine_scalar(Combination operation, unsigned bytes, const std::uint8_t* left, std::uint64_t right,
                    std::uint8_t* out, std::size_t count);

// The plain reference of one number, which both are held against.
std::uint64_t combine_plain(Combination operation, unsigned bytes, std::uint64_t left, std::uint64_t right);

}  // namespace pto::kernels
