// Rows of numbers become rows of numbers, one by one or three by three: sign operations, the profile's
// functions, multiply-add.
//
// Every result is that of numeric::reference::unary and multiply_add, cut to the carrier.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numeric/reference_profile.h"

namespace pto::kernels {

// Whether the functions below know the type: integers of 8 bits and more and the floats that arithmetic
// knows.
bool transforms(ElementType type);

// out[i] = op(in[i]); `out` overlaps nothing. Returns the status of all results.
numeric::StatusFlags transform(numeric::UnaryOperation operation, ElementType type, const std::uint8_t* in,
                               std::uint8_t* out, std::size_t count);

// out[i] = left[i] * right[i] + addend[i].
numeric::StatusFlags multiply_add(ElementType type, const std::uint8_t* left, const std::uint8_t* right,
                                  const std::uint8_t* addend, std::uint8_t* out, std::size_t count);

}  // namespace pto::kernels
