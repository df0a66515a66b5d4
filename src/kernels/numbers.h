// How kernels see the elements of a type: as carriers of 1, 2, 4 or 8 bytes in little-endian order that hold
// unsigned integers, signed integers or floating-point numbers.
//
// The arithmetic of a floating type needs no more than a few bit patterns, so one loop serves all types of a
// width.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "numeric/reference_profile.h"

namespace pto::kernels {

enum class NumberKind : std::uint8_t { Unsigned, Signed, Float };

constexpr NumberKind kind_of(ElementType type) {
  if (numeric::is_float(type)) return NumberKind::Float;
  return numeric::is_signed(type) ? NumberKind::Signed : NumberKind::Unsigned;
}
// Bytes of a carrier; a four-bit element has to be unpacked into one byte first.
constexpr unsigned carrier_bytes(ElementType type) {
  return element_bits(type) < 8 ? 1 : element_bits(type) / 8;
}

// The bit patterns of a floating type. Types that arithmetic does not know have none of these.
template <class T>
struct FloatBits {
  T sign = 0;
  T largest = 0;    // the largest magnitude that is a number: infinity, where there is one
  T infinity = 0;   // as a magnitude; the sign bit, which no magnitude has, where there is none
  T unbounded = 0;  // what a division by zero gives: infinity or a NaN
  T unbounded_sign = 0;
  T quiet = 0;  // set in quiet NaNs
  T nan = 0;    // the canonical one
  T one = 0;
  T zero_mask = 0;  // a divisor is zero when it has none of these bits
};

template <class T>
constexpr FloatBits<T> float_bits(ElementType type) {
  if (!numeric::type_sets::arithmetic_floats.has(type)) {
    FloatBits<T> bits;
    bits.zero_mask = static_cast<T>(~T{0});
    return bits;
  }
  const numeric::FloatLayout layout = numeric::float_layout(type);
  FloatBits<T> bits;
  bits.sign = static_cast<T>(Word{1} << (layout.bits - 1));
  bits.nan = static_cast<T>(numeric::canonical_nan(type));
  bits.unbounded = static_cast<T>(numeric::reference::unbounded(type, false));
  bits.unbounded_sign = layout.has_infinity ? bits.sign : T{0};
  bits.infinity = layout.has_infinity ? bits.unbounded : bits.sign;
  bits.largest = layout.has_infinity ? bits.unbounded : static_cast<T>(bits.nan - 1);
  bits.quiet = static_cast<T>(Word{1} << (layout.fraction_bits - 1));
  bits.one = static_cast<T>(numeric::reference::one(type));
  // The profile looks at the sign of FP32 zeros and of the 64-bit carrier only.
  const bool sign_ignored = type == ElementType::FP32 || type == ElementType::FP64;
  bits.zero_mask = static_cast<T>(sign_ignored ? ~bits.sign : ~T{0});
  return bits;
}

template <class T>
inline T load_carrier(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
inline void store_carrier(std::uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

// Calls work with a number of the carrier type of `bytes` bytes.
template <class Work>
constexpr decltype(auto) with_carrier(unsigned bytes, Work work) {
  switch (bytes) {
    case 1: return work(std::uint8_t{});
    case 2: return work(std::uint16_t{});
    case 4: return work(std::uint32_t{});
    default: return work(std::uint64_t{});
  }
}

}  // namespace pto::kernels
