// A decoded instruction: its row and its operands, taken apart once so that executing it again costs no
// decoding.
//
// Which selector is "left", "right" or "third" follows from the fields of the row, the same way for every
// form; `prepare` says how.
#pragma once

#include <cstdint>

#include "isa/form.h"

namespace pto::exec {

struct Context;
struct Instruction;

// How a behaviour ends.
enum class Next : std::uint8_t {
  Sequential,   // executed; the step advances the PC past the instruction
  Written,      // executed; the behaviour has set the PC
  Rejected,     // context.rejection says why; the step raises it
  Delivered,    // context.rejection says why, and the behaviour has delivered the trap itself
  Unsupported,  // context.unsupported says what
  Unspecified,  // context.unsupported names the open point (exec/open_points.h)
  Interrupted,  // the run is asked to end; what is done is in the state, and executing it again goes on
};

using Behave = Next (*)(Context&, const Instruction&);

// Executes the instruction, which lies at `pc`, and those that follow it, `left` at most and at least one.
// Returns how many of them are left; exec/chain.h says the rest.
using Link = std::uint64_t (*)(Context&, const Instruction*, Word pc, std::uint64_t left);

// The link of what must not run in a chain.
inline std::uint64_t leave_chain(Context&, const Instruction*, Word, std::uint64_t left) { return left; }

// What the loop over instructions must know of one beyond its operands.
enum Trait : std::uint8_t {
  Fast = 1,  // decoded, with a function, legal operands and no stop
  Scalar = 2,
  Anywhere = 4,  // no check depends on the machine, but for what ACRC left pending
  Linked = 8,    // has a link
};

// What an operand form does to its right register before using it.
enum class Modifier : std::uint8_t { None, SignedWord, UnsignedWord, Negate, Not };

// Where an instruction may stand, as far as that depends on the open block.
enum class Standing : std::uint8_t {
  Anywhere,
  ConditionSetter,   // once in the body of a Conditional block
  Target,            // in a Standard or Floating block
  CompressedTarget,  // likewise, once
  BlockBody,         // in the body of any block
  SystemBody,        // in the body of a System block
};

// A power of two in size, so that finding the next one is a shift and an add.
struct alignas(64) Instruction {
  const isa::Form* form = nullptr;
  Behave function = nullptr;  // null: ptosim has no behaviour for the row yet
  Link link = leave_chain;
  Word word = 0;
  Word immediate = 0;
  std::uint8_t bits = 0;
  std::uint8_t destination = 0;
  std::uint8_t destination1 = 0;
  std::uint8_t left = 0;    // the left operand, or the base of an address
  std::uint8_t right = 0;   // the right operand, or the index of an address
  std::uint8_t third = 0;   // addend, predicate, swap value, or the data of a store
  std::uint8_t fourth = 0;  // the second datum of a pair store
  std::uint8_t shift = 0;
  Modifier modifier = Modifier::None;
  Standing standing = Standing::Anywhere;
  std::uint8_t queue_sources =
      0;                    // T#1..T#4 in bits 0..3, U#1..U#4 in bits 4..7: entries that must hold a value
  std::uint8_t traits = 0;  // none until somebody keeps the instruction to execute it again

  [[nodiscard]] Word raw(isa::Field field) const { return form->raw(word, field); }
  [[nodiscard]] Word value(isa::Field field) const { return form->value(word, field); }
  [[nodiscard]] bool has(isa::Field field) const { return form->has(field); }
  [[nodiscard]] bool flag(isa::Field field) const { return form->raw(word, field) != 0; }
  [[nodiscard]] unsigned bytes() const { return bits / 8u; }
};
static_assert(sizeof(Instruction) == 64);

// Takes the operands of `word` apart and finds its function and its link.
Instruction prepare(const isa::Form& form, Word word, unsigned bits);

}  // namespace pto::exec
