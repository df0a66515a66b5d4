// What kind of number an encoding is: zero, subnormal, normal, infinity, NaN, and the order of encodings.
//
// The floating formats that arithmetic knows are all sign, exponent, fraction; they differ in where the
// fields lie and in what the largest exponent means. TF32 and HF32 live in 32-bit carriers whose low fraction
// bits must be zero.
#pragma once

#include "base/bits.h"
#include "numeric/element_type.h"
#include "numeric/type_set.h"

namespace pto::numeric {

enum class ValueClass : std::uint8_t { Zero, Subnormal, Normal, Infinity, QuietNaN, SignalingNaN };

struct Classified {
  ValueClass value_class = ValueClass::Zero;
  bool negative = false;
  [[nodiscard]] constexpr bool is_nan() const {
    return value_class == ValueClass::QuietNaN || value_class == ValueClass::SignalingNaN;
  }
  [[nodiscard]] constexpr bool is_zero() const { return value_class == ValueClass::Zero; }
  [[nodiscard]] constexpr bool is_infinity() const { return value_class == ValueClass::Infinity; }
};

// Where a format keeps its fields inside the carrier, and what its largest exponent holds.
struct FloatLayout {
  std::uint8_t bits = 0;           // of the carrier
  std::uint8_t fraction_bits = 0;  // carrier bits below the exponent
  bool has_infinity = true;        // else the largest exponent holds numbers, and all ones is the one NaN
};

constexpr FloatLayout float_layout(ElementType type) {
  switch (type) {
    case ElementType::FP64: return {64, 52, true};
    case ElementType::FP32:
    case ElementType::TF32:
    case ElementType::HF32: return {32, 23, true};
    case ElementType::FP16: return {16, 10, true};
    case ElementType::BF16: return {16, 7, true};
    case ElementType::E5M2: return {8, 2, true};
    case ElementType::E4M3: return {8, 3, false};
    default: return {};
  }
}

// Whether the bits are an encoding of the type at all. Only types with unused carrier bits can fail.
constexpr bool encoding_valid(ElementType type, Word value) {
  switch (type) {
    case ElementType::TF32: return (value & mask_of(13)) == 0;
    case ElementType::HF32: return (value & mask_of(12)) == 0;
    case ElementType::E3M2:
    case ElementType::E2M3: return (value & 0xc0) == 0;
    default: return true;
  }
}
constexpr bool encodings_constrained(ElementType type) {
  return type == ElementType::TF32 || type == ElementType::HF32 || type == ElementType::E3M2 ||
         type == ElementType::E2M3;
}

// Requires a type of type_sets::arithmetic_floats.
constexpr Classified classify(ElementType type, Word value) {
  const FloatLayout layout = float_layout(type);
  const unsigned exponent_bits = layout.bits - 1u - layout.fraction_bits;
  const Word fraction = bits_of(value, 0, layout.fraction_bits);
  const Word exponent = bits_of(value, layout.fraction_bits, exponent_bits);
  const bool negative = bits_of(value, layout.bits - 1u, 1) != 0;
  if (exponent == mask_of(exponent_bits)) {
    if (!layout.has_infinity) {
      return {fraction == mask_of(layout.fraction_bits) ? ValueClass::QuietNaN : ValueClass::Normal,
              negative};
    }
    if (fraction == 0) return {ValueClass::Infinity, negative};
    const bool quiet = bits_of(fraction, layout.fraction_bits - 1u, 1) != 0;
    return {quiet ? ValueClass::QuietNaN : ValueClass::SignalingNaN, negative};
  }
  if (exponent != 0) return {ValueClass::Normal, negative};
  return {fraction == 0 ? ValueClass::Zero : ValueClass::Subnormal, negative};
}

// A number that orders the encodings of a floating type as their values are ordered; NaNs apart.
constexpr Word order_key(ElementType type, Word value) {
  const unsigned bits = float_layout(type).bits;
  const Word carrier = value & mask_of(bits);
  const Word sign = Word{1} << (bits - 1);
  return (carrier & sign) != 0 ? ~carrier & mask_of(bits) : carrier | sign;
}

constexpr Word canonical_nan(ElementType type) {
  switch (type) {
    case ElementType::FP64: return 0x7ff8000000000000;
    case ElementType::FP32:
    case ElementType::TF32:
    case ElementType::HF32: return 0x7fc00000;
    case ElementType::FP16: return 0x7e00;
    case ElementType::BF16: return 0x7fc0;
    case ElementType::E4M3: return 0x7f;
    case ElementType::E5M2: return 0x7e;
    case ElementType::HiF8: return 0x80;
    default: return 0;
  }
}

// The bits of `value` as the type's number: sign-extended for signed integers.
constexpr Word widened(ElementType type, Word value) {
  const unsigned bits = element_bits(type);
  return is_signed(type) ? sign_extend(value, bits) : value & mask_of(bits);
}

}  // namespace pto::numeric
