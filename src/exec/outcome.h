// How behaviours are called and how they report.
//
// A behaviour returns one byte; what it has to say about a refusal goes to the context. So an instruction
// that executes costs no allocation and no copying.
#pragma once

#include "exec/step.h"

namespace pto::exec {

enum class Next : std::uint8_t {
  Sequential,   // executed; the step advances the PC past the instruction
  Written,      // executed; the behaviour has set the PC
  Rejected,     // context.rejection says why
  Unsupported,  // context.unsupported says what
};

constexpr bool executed(Next next) { return next == Next::Sequential || next == Next::Written; }

inline Next rejected(Context& context, Rejection why) {
  context.rejection = std::move(why);
  return Next::Rejected;
}

inline Next not_supported(Context& context, std::string_view what) {
  context.unsupported = what;
  return Next::Unsupported;
}

using Behave = Next (*)(Context&, const Instruction&);

}  // namespace pto::exec
