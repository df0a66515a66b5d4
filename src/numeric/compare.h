// Numeric comparison of two elements.
#pragma once

#include "numeric/status.h"
#include "numeric/value_class.h"

namespace pto::numeric {

enum class Comparison : std::uint8_t { EQ, NE, LT, LE, GT, GE };

struct Compared {
  bool holds = false;
  StatusFlags flags = status::none;
};

constexpr bool decide(Comparison comparison, bool less, bool equal) {
  switch (comparison) {
    case Comparison::EQ: return equal;
    case Comparison::NE: return !equal;
    case Comparison::LT: return less;
    case Comparison::LE: return less || equal;
    case Comparison::GT: return !less && !equal;
    case Comparison::GE: return !less || equal;
  }
  return false;
}

// Requires a type of type_sets::arithmetic. Bits above the element are ignored.
constexpr Compared compare(Comparison comparison, ElementType type, Word left, Word right) {
  if (is_integer(type)) {
    const Word a = widened(type, left);
    const Word b = widened(type, right);
    const bool less = is_signed(type) ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
    return {decide(comparison, less, a == b), status::none};
  }
  const Word mask = mask_of(element_bits(type));
  const Classified a = classify(type, left);
  const Classified b = classify(type, right);
  if (a.is_nan() || b.is_nan()) {
    const bool signaling =
        a.value_class == ValueClass::SignalingNaN || b.value_class == ValueClass::SignalingNaN;
    return {comparison == Comparison::NE, signaling ? status::invalid : status::none};
  }
  const bool zeros = a.is_zero() && b.is_zero();
  const bool equal = zeros || (left & mask) == (right & mask);
  const bool less = !zeros && order_key(type, left) < order_key(type, right);
  return {decide(comparison, less, equal), status::none};
}

}  // namespace pto::numeric
