// Runs of bits in bitmaps of 64-bit words, least significant bit first: how definedness is kept.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/bits.h"

namespace pto::kernels {

// Calls visit(word number, mask) for every word that bits [first, first+count) touch.
template <class Visit>
constexpr bool visit_bits(std::uint64_t first, std::uint64_t count, Visit visit) {
  while (count != 0) {
    const unsigned offset = static_cast<unsigned>(first % 64);
    const auto step = static_cast<unsigned>(std::min<std::uint64_t>(64 - offset, count));
    if (!visit(first / 64, mask_of(step) << offset)) return false;
    first += step;
    count -= step;
  }
  return true;
}

// The whole words among bits [first, first+count): [begin, end) by number; bits before and behind are the
// edges.
struct WholeWords {
  std::uint64_t begin = 0, end = 0;
};
constexpr WholeWords whole_words(std::uint64_t first, std::uint64_t count) {
  const std::uint64_t begin = (first + 63) / 64;
  return {begin, std::max(begin, (first + count) / 64)};
}

// Requires the bits to lie inside `words`.
constexpr void set_bits(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t count) {
  const auto set = [&](std::uint64_t word, std::uint64_t mask) {
    words[word] |= mask;
    return true;
  };
  const WholeWords whole = whole_words(first, count);
  if (whole.begin == whole.end) {
    visit_bits(first, count, set);
    return;
  }
  visit_bits(first, whole.begin * 64 - first, set);
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(whole.begin),
            words.begin() + static_cast<std::ptrdiff_t>(whole.end), ~std::uint64_t{0});
  visit_bits(whole.end * 64, first + count - whole.end * 64, set);
}

// Bits outside `words` count as clear.
constexpr bool all_bits_set(std::span<const std::uint64_t> words, std::uint64_t first, std::uint64_t count) {
  if (count == 0) return true;
  if ((first + count + 63) / 64 > words.size()) return false;
  const auto is_set = [&](std::uint64_t word, std::uint64_t mask) { return (words[word] & mask) == mask; };
  const WholeWords whole = whole_words(first, count);
  if (whole.begin == whole.end) return visit_bits(first, count, is_set);
  // No early exit in the middle: it would keep the compiler from looking at several words at once.
  std::uint64_t all = ~std::uint64_t{0};
  for (std::uint64_t word = whole.begin; word < whole.end; ++word) all &= words[word];
  return all == ~std::uint64_t{0} && visit_bits(first, whole.begin * 64 - first, is_set) &&
         visit_bits(whole.end * 64, first + count - whole.end * 64, is_set);
}

// Calls visit(word number, mask) as above for `rows` runs of `count` bits, `stride` bits apart from each
// other.
template <class Visit>
constexpr bool visit_bits_of_rows(std::uint64_t first, std::uint64_t count, std::uint64_t stride,
                                  std::uint64_t rows, Visit visit) {
  if (count == 0 || rows == 0) return true;
  if (stride == 0 || 64 % stride != 0) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      if (!visit_bits(first + row * stride, count, visit)) return false;
    }
    return true;
  }
  // Short rows look the same in every word.
  std::uint64_t pattern = mask_of(static_cast<unsigned>(count));
  for (std::uint64_t bits = stride; bits < 64; bits *= 2) pattern |= pattern << bits;
  pattern = std::rotl(pattern, static_cast<int>(first % stride));
  return visit_bits(first, (rows - 1) * stride + count,
                    [&](std::uint64_t word, std::uint64_t mask) { return visit(word, mask & pattern); });
}

// Requires the bits to lie inside `words`.
constexpr void set_bits_of_rows(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t count,
                                std::uint64_t stride, std::uint64_t rows) {
  visit_bits_of_rows(first, count, stride, rows, [&](std::uint64_t word, std::uint64_t mask) {
    words[word] |= mask;
    return true;
  });
}

// Bits outside `words` count as clear.
constexpr bool all_bits_of_rows_set(std::span<const std::uint64_t> words, std::uint64_t first,
                                    std::uint64_t count, std::uint64_t stride, std::uint64_t rows) {
  return visit_bits_of_rows(first, count, stride, rows, [&](std::uint64_t word, std::uint64_t mask) {
    return word < words.size() && (words[word] & mask) == mask;
  });
}

}  // namespace pto::kernels
