// Bit arithmetic on 64-bit words. Everything is constexpr and total: a width of 64 is an ordinary value.
#pragma once

#include <cstdint>

namespace pto {

using Word = std::uint64_t;

// The lowest `width` bits set; width 0..64.
constexpr Word mask_of(unsigned width) { return width >= 64 ? ~Word{0} : (Word{1} << width) - 1; }

// Bits [lsb+width-1 : lsb] of `word`, moved down to bit 0.
constexpr Word bits_of(Word word, unsigned lsb, unsigned width) {
  return lsb >= 64 ? 0 : (word >> lsb) & mask_of(width);
}

// The `width`-bit two's complement number in the low bits of `word`, as a 64-bit word.
constexpr Word sign_extend(Word word, unsigned width) {
  if (width == 0 || width >= 64) return word;
  const Word sign = Word{1} << (width - 1);
  return ((word & mask_of(width)) ^ sign) - sign;
}

template <class T>
constexpr T divide_up(T value, T divisor) {
  return static_cast<T>((value + divisor - 1) / divisor);
}

template <class T>
constexpr T round_up(T value, T multiple) {
  return static_cast<T>(divide_up(value, multiple) * multiple);
}

}  // namespace pto
