// Conversions between element types, and affine quantization, under pto-v0.
//
// Integers convert exactly, wrapping or saturating. Floating types convert by keeping the encoding, except
// into E8M0, which takes the rounded binary exponent; quantization is exact arithmetic rounded once.
#pragma once

#include <cstring>

#include "numeric/reference_profile.h"
#include "numeric/rounding.h"

namespace pto::numeric::reference {

struct Control {
  Rounding rounding = Rounding::RNE;
  bool saturating = false;
};

constexpr Word integer_minimum(ElementType type) {
  return is_signed(type) ? ~Word{0} << (element_bits(type) - 1) : 0;
}
constexpr Word integer_maximum(ElementType type) {
  return mask_of(is_signed(type) ? element_bits(type) - 1 : element_bits(type));
}

constexpr Word convert_integer(Word value, ElementType from, ElementType to, bool saturating) {
  const Word source = widened(from, value);
  if (!saturating) return widened(to, source);
  const Word minimum = integer_minimum(to);
  const Word maximum = integer_maximum(to);
  const auto as_signed = [](Word word) { return static_cast<std::int64_t>(word); };
  if (is_signed(from)) {
    if (!is_signed(to) && as_signed(source) < 0) return minimum;
    if (is_signed(to)) {
      if (as_signed(source) < as_signed(minimum)) return minimum;
      if (as_signed(source) > as_signed(maximum)) return maximum;
      return widened(to, source);
    }
  }
  return source > maximum ? maximum : widened(to, source);
}

// The exponent of a positive finite number, rounded: between two powers of two the middle is their geometric
// mean.
constexpr bool exponent_rounds_up(Word significand, unsigned highest, int floor, Rounding mode) {
  const bool odd = (floor & 1) != 0;
  switch (mode) {
    case Rounding::RTM: return false;
    case Rounding::RTP: return true;
    case Rounding::RTZ: return floor < 0;
    case Rounding::RTO: return !odd;
    default: break;
  }
  const Word square = significand * significand;
  const Word boundary = 2 * highest + 1 >= 64 ? 0 : Word{1} << (2 * highest + 1);
  if (square != boundary) return square > boundary;
  return mode == Rounding::RNE ? odd : mode == Rounding::RNA ? floor >= 0 : true;
}

constexpr Valued convert_to_e8m0(Word value, ElementType from, Control control) {
  constexpr Word nan = 0xff;
  constexpr Word largest = 0xfe;
  const Classified number = classify(from, value);
  if (number.is_nan() || number.is_zero() || number.negative) return {nan, status::invalid};
  const auto beyond = [&](Word end, StatusFlags flag) {
    return Valued{control.saturating ? end : nan, static_cast<StatusFlags>(flag | status::inexact)};
  };
  if (number.is_infinity()) return beyond(largest, status::overflow);
  const FloatLayout layout = float_layout(from);
  const unsigned exponent_bits = layout.bits - 1u - layout.fraction_bits;
  const Word fraction = bits_of(value, 0, layout.fraction_bits);
  const int encoded = static_cast<int>(bits_of(value, layout.fraction_bits, exponent_bits));
  const int bias = static_cast<int>(mask_of(exponent_bits - 1));
  const Word significand = encoded == 0 ? fraction : fraction | Word{1} << layout.fraction_bits;
  const int scale = (encoded == 0 ? 1 : encoded) - bias - static_cast<int>(layout.fraction_bits);
  unsigned highest = 0;
  while (significand >> (highest + 1) != 0) ++highest;
  const int floor = scale + static_cast<int>(highest);
  const bool exact = significand == Word{1} << highest;
  if (floor < -127) return beyond(0, status::underflow);
  if (floor == 127 && !exact) return beyond(largest, status::overflow);
  const int rounded =
      exact ? floor : floor + (exponent_rounds_up(significand, highest, floor, control.rounding) ? 1 : 0);
  return {static_cast<Word>(rounded + 127), exact ? status::none : status::inexact};
}

constexpr Valued convert(Word value, ElementType from, ElementType to, Control control) {
  if (is_integer(from) && is_integer(to))
    return {convert_integer(value, from, to, control.saturating), status::none};
  if (to == ElementType::E8M0) return convert_to_e8m0(value, from, control);
  return {is_integer(to) ? widened(to, value) : value, status::none};
}

inline double fp32_value(Word encoding) {
  const auto bits = static_cast<std::uint32_t>(encoding);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// round(value * multiplier + zero_point), wrapped or saturated into S8 or U8. The product of two FP32 numbers
// is exact in a double; the zero point only moves it by a whole number.
inline Valued quantize(Word value, Word multiplier, Word zero_point, ElementType to, Control control) {
  const Classified number = classify(ElementType::FP32, value);
  if (number.is_nan()) return {0, status::invalid};
  const auto minimum = static_cast<double>(static_cast<std::int64_t>(integer_minimum(to)));
  const auto maximum = static_cast<double>(integer_maximum(to));
  if (number.is_infinity())
    return {number.negative ? integer_minimum(to) : integer_maximum(to), status::overflow | status::inexact};
  const double product = fp32_value(value) * fp32_value(multiplier);
  const auto offset = static_cast<double>(static_cast<std::int64_t>(widened(to, zero_point)));
  const double floor = std::floor(product);
  // The low byte of floor + offset: enough for parity and for wrapping.
  const auto low = static_cast<std::int64_t>(std::fmod(floor, 256.0)) + static_cast<std::int64_t>(offset);
  const Remainder rest = remainder_of(product, floor);
  const int up = rounds_up(control.rounding, rest, (low & 1) != 0, product < -offset) ? 1 : 0;
  const StatusFlags flags = rest.exact ? status::none : status::inexact;
  if (control.saturating) {
    const double approximate = floor + offset + up;
    if (approximate < minimum) return {integer_minimum(to), flags};
    if (approximate > maximum) return {integer_maximum(to), flags};
  }
  return {widened(to, static_cast<Word>(low + up)), flags};
}

// A number as FP32, rounded once. `value` is exact.
inline Valued encode_fp32(double value, Rounding mode) {
  if (value == 0.0) return {0, status::none};
  const bool negative = value < 0.0;
  const Word sign = negative ? Word{1} << 31 : 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  --exponent;  // |value| is in [2^exponent, 2^(exponent+1))
  const Valued infinite{sign | 0x7f800000, status::overflow | status::inexact};
  if (exponent > 127) return infinite;
  const bool subnormal = exponent < -126;
  const double scaled = std::ldexp(value, subnormal ? 149 : 23 - exponent);
  const double floor = std::floor(scaled);
  const Remainder rest = remainder_of(scaled, floor);
  const bool odd = is_odd(floor);
  const double rounded = floor + (rounds_up(mode, rest, odd, negative) ? 1.0 : 0.0);
  Word magnitude = static_cast<Word>(std::fabs(rounded));
  if (subnormal) {
    const bool tiny = magnitude == 0 || !rest.exact;
    return {sign | magnitude,
            static_cast<StatusFlags>(tiny ? status::underflow | status::inexact : status::none)};
  }
  int encoded = exponent + 127;
  if (magnitude == Word{1} << 24) {
    magnitude = Word{1} << 23;
    ++encoded;
  }
  if (encoded >= 255) return infinite;
  return {sign | static_cast<Word>(encoded) << 23 | (magnitude - (Word{1} << 23)),
          rest.exact ? status::none : status::inexact};
}

inline Valued dequantize(Word value, Word multiplier, Word zero_point, ElementType from, Control control) {
  const auto difference =
      static_cast<std::int64_t>(widened(from, value)) - static_cast<std::int64_t>(widened(from, zero_point));
  return encode_fp32(static_cast<double>(difference) * fp32_value(multiplier), control.rounding);
}

}  // namespace pto::numeric::reference
