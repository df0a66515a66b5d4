// Two rows of numbers, or a row and a number, become one: arithmetic, logic, shifts, and the smaller or
// larger.
//
// Every result is that of numeric::reference::binary, the plain reference, cut to the carrier. Results do not
// depend on each other, so there is no order to keep. Rows are carriers of the type in little-endian order
// and need no alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numeric/reference_profile.h"

namespace pto::kernels {

// Whether the functions below know the operation on the type. Four-bit elements, shifted floats and the order
// of floating types that arithmetic does not know are left to the reference.
bool combines(numeric::BinaryOperation operation, ElementType type);

// out[i] = left[i] op right[i]; `out` overlaps nothing. Divisors of integers are not zero. Returns the status
// of all results.
numeric::StatusFlags combine(numeric::BinaryOperation operation, ElementType type, const std::uint8_t* left,
                             const std::uint8_t* right, std::uint8_t* out, std::size_t count);

// out[i] = left[i] op right.
numeric::StatusFlags combine_scalar(numeric::BinaryOperation operation, ElementType type,
                                    const std::uint8_t* left, Word right, std::uint8_t* out,
                                    std::size_t count);

// into[i] = into[i] op right[i], for Add, Mul, Max and Min: a step of a fold along columns.
numeric::StatusFlags accumulate(numeric::BinaryOperation operation, ElementType type, std::uint8_t* into,
                                const std::uint8_t* right, std::size_t count);

}  // namespace pto::kernels
