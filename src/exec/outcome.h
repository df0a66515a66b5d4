// How behaviours report. A behaviour returns one byte; what it has to say about a refusal goes to the
// context, so an instruction that executes costs no allocation and no copying.
#pragma once

#include "exec/context.h"
#include "exec/instruction.h"

namespace pto::exec {

constexpr bool executed(Next next) { return next == Next::Sequential || next == Next::Written; }

inline Next rejected(Context& context, Rejection why) {
  context.rejection = std::move(why);
  return Next::Rejected;
}

inline Next not_supported(Context& context, std::string_view what) {
  context.unsupported = what;
  return Next::Unsupported;
}

inline Next unspecified(Context& context, std::string_view open_point) {
  context.unsupported = open_point;
  return Next::Unspecified;
}

}  // namespace pto::exec
