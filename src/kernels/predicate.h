// Predicates as bits, least significant first: comparisons that make them and choices that follow them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numeric/compare.h"

namespace pto::kernels {

// Sets or clears bits [first, first + count) of `bits`: bit i is whether left[i] `comparison` right[i] holds,
// as numeric::compare says. Returns the status. The type is one of type_sets::arithmetic.
numeric::StatusFlags compare(numeric::Comparison comparison, ElementType type, const std::uint8_t* left,
                             const std::uint8_t* right, std::size_t count, std::uint8_t* bits,
                             std::uint64_t first);
// The same with one number on the right.
numeric::StatusFlags compare_scalar(numeric::Comparison comparison, ElementType type,
                                    const std::uint8_t* left, Word right, std::size_t count,
                                    std::uint8_t* bits, std::uint64_t first);

// out[i] = bit first + i of `bits` ? set[i] : clear[i], for carriers of `bytes` bytes.
void choose(unsigned bytes, const std::uint8_t* bits, std::uint64_t first, const std::uint8_t* set,
            const std::uint8_t* clear, std::uint8_t* out, std::size_t count);
// The same with one number where the bit is clear.
void choose_scalar(unsigned bytes, const std::uint8_t* bits, std::uint64_t first, const std::uint8_t* set,
                   Word clear, std::uint8_t* out, std::size_t count);

}  // namespace pto::kernels
