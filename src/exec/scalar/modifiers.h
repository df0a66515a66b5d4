// What the SrcRType field does to the right operand. The codes differ between families; the effects do not.
#pragma once

#include "base/bits.h"
#include "exec/instruction.h"

namespace pto::exec::scalar {

[[nodiscard]] constexpr Word modified(Word value, Modifier modifier) {
  switch (modifier) {
    case Modifier::None: return value;
    case Modifier::SignedWord: return sign_extend(value, 32);
    case Modifier::UnsignedWord: return value & mask_of(32);
    case Modifier::Negate: return Word{0} - value;
    case Modifier::Not: return ~value;
  }
  return value;
}

// Arithmetic and logic: .sw, .uw, negated or inverted, plain.
constexpr Modifier arithmetic_modifier(Word code, bool logical) {
  constexpr Modifier table[] = {Modifier::SignedWord, Modifier::UnsignedWord, Modifier::Negate,
                                Modifier::None};
  const Modifier modifier = table[code & 3];
  return logical && modifier == Modifier::Negate ? Modifier::Not : modifier;
}

// Addresses and logical comparisons: plain, .sw, .uw, negated (inverted for logic).
constexpr Modifier address_modifier(Word code, bool logical = false) {
  constexpr Modifier table[] = {Modifier::None, Modifier::SignedWord, Modifier::UnsignedWord,
                                Modifier::Negate};
  const Modifier modifier = table[code & 3];
  return logical && modifier == Modifier::Negate ? Modifier::Not : modifier;
}

// Arithmetic comparisons: as addresses, but the last code leaves the value alone.
constexpr Modifier compare_modifier(Word code) {
  const Modifier modifier = address_modifier(code);
  return modifier == Modifier::Negate ? Modifier::None : modifier;
}

// Selection: only the last code does something, it negates.
constexpr Modifier select_modifier(Word code) { return (code & 3) == 3 ? Modifier::Negate : Modifier::None; }

}  // namespace pto::exec::scalar
