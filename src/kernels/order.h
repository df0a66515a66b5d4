// Rows of FP16 and FP32 numbers put into order (TSORT, TMRGSORT).
//
// Numbers come before NaNs in either direction, zeros of both signs are equal, NaNs are equal, and equals
// keep their order. A number's rank is an integer that orders numbers so; the definition compares values,
// which tests hold the ranks against.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits.h"
#include "numeric/element_type.h"

namespace pto::kernels {

struct RowOrder {
  ElementType type = ElementType::FP32;
  bool descending = false;
};

// The largest group sort_groups takes.
inline constexpr std::size_t largest_sort_group = 64;

// Sorts groups of `group` numbers of a row apart from each other. `places` receives, as U32, where in its
// group each number of `sorted` was.
void sort_groups(RowOrder order, const std::uint8_t* row, std::size_t count, std::size_t group,
                 std::uint8_t* sorted, std::uint8_t* places);

// How many numbers of a row are in order before the first that is not.
std::size_t ordered_prefix(RowOrder order, const std::uint8_t* row, std::size_t count);

// Merges two rows, each of them in order; of equals, those of the left come first.
void merge_rows(RowOrder order, const std::uint8_t* left, std::size_t left_count, const std::uint8_t* right,
                std::size_t right_count, std::uint8_t* out);

// The definition: whether `left` must come before `right`. Never both ways round.
bool strictly_before(RowOrder order, Word left, Word right);

}  // namespace pto::kernels
