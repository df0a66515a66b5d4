// A row of numbers becomes one: sums, products, the largest and the smallest, and where those are.
//
// The architecture folds in increasing order. Under pto-v0 sums and products are those of the carriers, which
// wrap, and the extremes order all numbers totally, so any grouping gives the same result; a profile whose
// sums round would need another kernel. The reference is a chain of numeric::reference::binary.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numeric/reference_profile.h"

namespace pto::kernels {

// Add from 0, Mul from the type's 1, Max and Min from the first number; count is not zero. Requires
// combines(operation, type).
numeric::Valued fold(numeric::BinaryOperation operation, ElementType type, const std::uint8_t* row,
                     std::size_t count);

// Whether a negative integer that takes the lead in an index fold moves the place. The published fold
// recognises the winner by the 64-bit word it is kept in, and the sign is extended into that word by some who
// write it and not by others.
enum class Negatives : std::uint8_t { MovePlaces, StayBehind };

// The place an index fold names: the first of the largest (Max) or smallest number of a row without NaNs.
std::size_t place_of_extreme(numeric::BinaryOperation operation, ElementType type, const std::uint8_t* row,
                             std::size_t count, Negatives negatives);

// A step of the same along columns, again without NaNs: where row[i] wins against best[i], best[i] becomes it
// and places[i] becomes `place`.
void accumulate_places(numeric::BinaryOperation operation, ElementType type, std::uint8_t* best,
                       std::uint32_t* places, const std::uint8_t* row, std::uint32_t place, std::size_t count,
                       Negatives negatives);

// What a look at a row tells.
struct Survey {
  bool any_zero = false;
  bool any_nan = false;  // of floating types that arithmetic knows
  bool any_signaling = false;
  bool all_encodings = true;  // numeric::encoding_valid holds for all
};
Survey survey(ElementType type, const std::uint8_t* row, std::size_t count);

}  // namespace pto::kernels
