// Element arithmetic of the profile pto-v0: the published reference profile, bit for bit.
//
// Integers are exact and wrap at their width. Floating-point add, subtract, multiply, divide and remainder
// are the profile's placeholders: they treat the encodings as unsigned numbers. Minimum, maximum and the sign
// operations are numeric. Accumulators of folds keep all 64 bits until they are stored.
#pragma once

#include "numeric/status.h"
#include "numeric/value_class.h"

namespace pto::numeric {

enum class BinaryOperation : std::uint8_t { Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Max, Min };
enum class UnaryOperation : std::uint8_t { Abs, Not, Neg, Exp, Log, Recip, Sqrt, Rsqrt, Relu };

struct Valued {
  Word value = 0;
  StatusFlags flags = status::none;
};

namespace reference {

// Signed division truncates; the one overflow wraps.
constexpr Word divide_signed(Word dividend, Word divisor) {
  const bool negative = (dividend >> 63) != (divisor >> 63);
  const Word magnitude =
      (dividend >> 63 != 0 ? 0 - dividend : dividend) / (divisor >> 63 != 0 ? 0 - divisor : divisor);
  return negative ? 0 - magnitude : magnitude;
}

// The remainder that takes the sign of the divisor.
constexpr Word modulo_signed(Word dividend, Word divisor) {
  const Word remainder = dividend - divide_signed(dividend, divisor) * divisor;
  if (remainder == 0 || (remainder >> 63) == (divisor >> 63)) return remainder;
  return remainder + divisor;
}

// Requires a divisor other than zero for Div and Rem.
constexpr Word integer_binary(BinaryOperation operation, ElementType type, Word left, Word right) {
  const unsigned bits = element_bits(type);
  const bool with_sign = is_signed(type);
  const Word a = widened(type, left);
  const Word b = widened(type, right);
  const bool less = with_sign ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
  const unsigned shift = static_cast<unsigned>(right & (bits - 1));
  switch (operation) {
    case BinaryOperation::Add: return widened(type, a + b);
    case BinaryOperation::Sub: return widened(type, a - b);
    case BinaryOperation::Mul: return widened(type, a * b);
    case BinaryOperation::Div: return with_sign ? divide_signed(a, b) : a / b;
    case BinaryOperation::Rem: return with_sign ? modulo_signed(a, b) : a % b;
    case BinaryOperation::And: return (a & b) & mask_of(bits);
    case BinaryOperation::Or: return (a | b) & mask_of(bits);
    case BinaryOperation::Xor: return (a ^ b) & mask_of(bits);
    case BinaryOperation::Shl: return (a << shift) & mask_of(bits);
    case BinaryOperation::Shr:
      return (with_sign ? static_cast<Word>(static_cast<std::int64_t>(a) >> shift) : a >> shift) &
             mask_of(bits);
    case BinaryOperation::Max: return less ? b : a;
    case BinaryOperation::Min: return less ? a : (a == b ? a : b);
  }
  return 0;
}

// One NaN loses to a number, two give the canonical NaN; zeros are ordered by sign.
constexpr Valued float_min_max(bool maximum, ElementType type, Word left, Word right) {
  const Classified a = classify(type, left);
  const Classified b = classify(type, right);
  const bool signaling =
      a.value_class == ValueClass::SignalingNaN || b.value_class == ValueClass::SignalingNaN;
  const StatusFlags flags = signaling ? status::invalid : status::none;
  if (a.is_nan() && b.is_nan()) return {canonical_nan(type), flags};
  if (a.is_nan()) return {right, flags};
  if (b.is_nan()) return {left, flags};
  if (a.is_zero() && b.is_zero()) {
    if (maximum) return {a.negative && b.negative ? left : 0, flags};
    return {a.negative ? left : b.negative ? right : 0, flags};
  }
  const Word ka = order_key(type, left);
  const Word kb = order_key(type, right);
  return {(maximum ? ka >= kb : ka <= kb) ? left : right, flags};
}

// What the profile takes for a zero divisor: a zero of either sign in FP32, the 64-bit carrier without its
// top bit in every other format.
constexpr bool divides_by_zero(ElementType type, Word value) {
  return (value & mask_of(type == ElementType::FP32 ? 31 : 63)) == 0;
}

constexpr Valued float_binary(BinaryOperation operation, ElementType type, Word left, Word right) {
  switch (operation) {
    case BinaryOperation::Add: return {left + right, status::none};
    case BinaryOperation::Sub: return {left - right, status::none};
    case BinaryOperation::Mul: return {left * right, status::none};
    case BinaryOperation::Div:
      if (divides_by_zero(type, right)) return {~Word{0}, status::divide_by_zero};
      return {left / right, status::none};
    case BinaryOperation::Rem:
      if (divides_by_zero(type, right)) return {~Word{0}, status::none};
      return {left - left / right * right, status::none};
    case BinaryOperation::Max: return float_min_max(true, type, left, right);
    case BinaryOperation::Min: return float_min_max(false, type, left, right);
    case BinaryOperation::And: return {left & right, status::none};
    case BinaryOperation::Or: return {left | right, status::none};
    case BinaryOperation::Xor: return {left ^ right, status::none};
    default: return {};
  }
}

constexpr Valued binary(BinaryOperation operation, ElementType type, Word left, Word right) {
  if (is_integer(type)) return {integer_binary(operation, type, left, right), status::none};
  return float_binary(operation, type, left, right);
}

constexpr Word integer_unary(UnaryOperation operation, ElementType type, Word value) {
  const Word mask = mask_of(element_bits(type));
  const bool negative = is_signed(type) && static_cast<std::int64_t>(widened(type, value)) < 0;
  switch (operation) {
    case UnaryOperation::Abs: return (negative ? 0 - value : value) & mask;
    case UnaryOperation::Not: return ~value & mask;
    case UnaryOperation::Neg: return (0 - value) & mask;
    case UnaryOperation::Relu: return negative ? 0 : value & mask;
    default: return value & mask;
  }
}

// Sign operations work on the encoding; a NaN passed to RELU becomes canonical.
constexpr Valued float_sign(UnaryOperation operation, ElementType type, Word value) {
  const unsigned bits = element_bits(type);
  const Word carrier = value & mask_of(bits);
  const Word sign = Word{1} << (bits - 1);
  if (operation == UnaryOperation::Abs) return {carrier & ~sign, status::none};
  if (operation == UnaryOperation::Neg) return {carrier ^ sign, status::none};
  const Classified number = classify(type, carrier);
  if (number.is_nan()) {
    return {canonical_nan(type),
            number.value_class == ValueClass::SignalingNaN ? status::invalid : status::none};
  }
  return {number.negative || number.is_zero() ? 0 : carrier, status::none};
}

constexpr Word one(ElementType type) {
  switch (type) {
    case ElementType::FP64: return 0x3ff0000000000000;
    case ElementType::FP32:
    case ElementType::TF32:
    case ElementType::HF32: return 0x3f800000;
    case ElementType::FP16: return 0x3c00;
    case ElementType::BF16: return 0x3f80;
    case ElementType::E4M3: return 0x38;
    case ElementType::E5M2: return 0x3c;
    default: return 1;
  }
}

// Infinity, or NaN in the format that has none.
constexpr Word unbounded(ElementType type, bool negative) {
  const FloatLayout layout = float_layout(type);
  if (!layout.has_infinity) return canonical_nan(type);
  const Word exponent = mask_of(layout.bits - 1u - layout.fraction_bits) << layout.fraction_bits;
  return exponent | (negative ? Word{1} << (layout.bits - 1) : 0);
}

// EXP, LOG, RECIP, SQRT and RSQRT: the special values are numeric, the rest is the profile's placeholder.
constexpr Valued float_function(UnaryOperation operation, ElementType type, Word value) {
  const Word carrier = value & mask_of(element_bits(type));
  const Classified number = classify(type, carrier);
  const Word negative_zero = Word{1} << (element_bits(type) - 1);
  if (number.is_nan()) {
    return {canonical_nan(type),
            number.value_class == ValueClass::SignalingNaN ? status::invalid : status::none};
  }
  const bool positive_infinity = number.is_infinity() && !number.negative;
  switch (operation) {
    case UnaryOperation::Exp:
      if (number.is_zero()) return {one(type), status::none};
      if (number.is_infinity()) return {number.negative ? 0 : carrier, status::none};
      return {value + 1, status::none};
    case UnaryOperation::Log:
      if (carrier == one(type)) return {0, status::none};
      if (number.is_zero()) return {unbounded(type, true), status::divide_by_zero};
      if (positive_infinity) return {carrier, status::none};
      if (number.negative) return {canonical_nan(type), status::invalid};
      return {value, status::none};
    case UnaryOperation::Recip:
      if (number.is_zero()) return {unbounded(type, number.negative), status::divide_by_zero};
      if (number.is_infinity()) return {number.negative ? negative_zero : 0, status::none};
      return {~Word{0} / value, status::none};
    case UnaryOperation::Sqrt:
      if (number.is_zero() || positive_infinity) return {carrier, status::none};
      if (number.negative) return {canonical_nan(type), status::invalid};
      return {value, status::none};
    default:
      if (number.is_zero()) return {unbounded(type, number.negative), status::divide_by_zero};
      if (positive_infinity) return {0, status::none};
      if (number.negative) return {canonical_nan(type), status::invalid};
      return {value, status::none};
  }
}

constexpr Valued unary(UnaryOperation operation, ElementType type, Word value) {
  if (is_integer(type)) return {integer_unary(operation, type, value), status::none};
  switch (operation) {
    case UnaryOperation::Abs:
    case UnaryOperation::Neg:
    case UnaryOperation::Relu: return float_sign(operation, type, value);
    default: return float_function(operation, type, value);
  }
}

// left * right + addend, once. Invalid combinations give the canonical NaN; others follow the placeholder.
constexpr Valued multiply_add(ElementType type, Word left, Word right, Word addend) {
  if (is_integer(type)) {
    const Word mask = mask_of(element_bits(type));
    return {((left & mask) * (right & mask) + (addend & mask)) & mask, status::none};
  }
  const Classified a = classify(type, left);
  const Classified b = classify(type, right);
  const Classified c = classify(type, addend);
  const auto signaling = [](const Classified& number) {
    return number.value_class == ValueClass::SignalingNaN;
  };
  const bool zero_times_infinity = (a.is_zero() && b.is_infinity()) || (a.is_infinity() && b.is_zero());
  // The sign of a NaN does not count.
  const bool product_negative = (!a.is_nan() && a.negative) != (!b.is_nan() && b.negative);
  const bool opposite_infinities =
      (a.is_infinity() || b.is_infinity()) && c.is_infinity() && product_negative != c.negative;
  if (signaling(a) || signaling(b) || signaling(c) || zero_times_infinity || opposite_infinities)
    return {canonical_nan(type), status::invalid};
  return {left * right + addend, status::none};
}

}  // namespace reference
}  // namespace pto::numeric
