// Runs of bits in bitmaps of 64-bit words, least significant bit first: how definedness is kept.
#pragma once

#include <algorithm>
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

// Requires the bits to lie inside `words`.
constexpr void set_bits(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t count) {
  visit_bits(first, count, [&](std::uint64_t word, std::uint64_t mask) {
    words[word] |= mask;
    return true;
  });
}

// Bits outside `words` count as clear.
constexpr bool all_bits_set(std::span<const std::uint64_t> words, std::uint64_t first, std::uint64_t count) {
  return visit_bits(first, count, [&](std::uint64_t word, std::uint64_t mask) {
    return word < words.size() && (words[word] & mask) == mask;
  });
}

}  // namespace pto::kernels
