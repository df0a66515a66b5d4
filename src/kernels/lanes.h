// Elements of memory that displacements name, one for each lane: read, written, compared and swapped
// (MGATHER, MSCATTER, MGATHER.CAS).
//
// All lanes lie in one piece of memory; who calls has seen to that with `widen`. Masks are bitmaps, least
// significant bit first; lanes whose bit is clear are left alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/bits.h"

namespace pto::kernels {

// Byte displacements side by side, as carriers of `bytes` bytes. Those of 64 bits wrap around, so they are
// signed numbers in any case.
struct Displacements {
  const std::uint8_t* numbers;
  unsigned bytes;
  bool with_sign;
};

// The lanes that take part.
struct LaneMask {
  const std::uint8_t* bits = nullptr;  // null: all; eight bytes may be read from any byte that has a lane's
  std::uint64_t first = 0;
};

// What displacements span.
struct Reach {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  Word low_bits = 0;  // of any base + displacement, joined: the alignment of all

  [[nodiscard]] bool empty() const { return greatest < least; }
};

// Widens `reach` by the lanes.
void widen(Reach& reach, Word base, Displacements displacements, LaneMask mask, std::size_t count);

// A piece of memory, whose first byte is the one that the displacement `least` names.
template <class Byte>
struct Piece {
  Byte* data;
  std::int64_t least;

  [[nodiscard]] Byte* at(std::int64_t displacement) const {
    return data + (static_cast<Word>(displacement) - static_cast<Word>(least));
  }
};

// out[i] = the element of `bytes` bytes at displacement i.
void gather_lanes(unsigned bytes, Piece<const std::uint8_t> memory, Displacements displacements,
                  LaneMask mask, std::size_t count, std::uint8_t* out);
// The element at displacement i = in[i], in the order of the lanes.
void scatter_lanes(unsigned bytes, Piece<std::uint8_t> memory, Displacements displacements, LaneMask mask,
                   std::size_t count, const std::uint8_t* in);
// out[i] = the element at displacement i, and if it equals expected[i], replacement[i] takes its place; lane
// by lane.
void exchange_lanes(unsigned bytes, Piece<std::uint8_t> memory, Displacements displacements,
                    std::size_t count, const std::uint8_t* expected, const std::uint8_t* replacement,
                    std::uint8_t* out);

}  // namespace pto::kernels
