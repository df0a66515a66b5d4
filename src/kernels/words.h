// 32-bit words made, joined and moved between the lanes of CELLs (TCI, TPACK, TUNPACK, TSHUF).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bits.h"

namespace pto::kernels {

// out[i] = start + i * step, as carriers of `bytes` bytes.
void count_up(unsigned bytes, Word start, Word step, std::uint8_t* out, std::size_t count);

// out[i] = the low `low_bits` of first[i] >> shift, below the low `high_bits` of second[i]. Low bits are 8
// to 32.
struct WordFields {
  unsigned shift = 0;
  unsigned low_bits = 32;
  unsigned high_bits = 0;
};
void join_words(const std::uint8_t* first, const std::uint8_t* second, const WordFields& fields,
                std::uint8_t* out, std::size_t count);

// Stands for a lane outside the segment.
inline constexpr std::uint8_t no_lane = 0xff;

// CELLs of 128 bytes, one behind the other: `lanes` rows (16 or 32) of one or two words each.
struct Shuffle {
  const std::uint8_t* words;
  const std::uint8_t* amounts;  // one word for each, of which the low five bits count
  std::uint8_t* out;
  std::size_t cells;
  unsigned lanes;
  // The lane a word comes from, by its own lane and its amount.
  const std::array<std::array<std::uint8_t, 32>, 32>& lane_of;
  bool zero_outside;  // else a word outside the segment stays where it is
};
void shuffle_words(const Shuffle& shuffle);

}  // namespace pto::kernels
