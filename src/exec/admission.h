// Whether a scalar instruction may execute here: the checks between decoding it and its behaviour, in the
// order that decides which fault wins.
#pragma once

#include "exec/context.h"
#include "exec/instruction.h"

namespace pto::exec {

// Placement in the open block, operand constraints (`violated`: the first one broken, or null), queue
// sources.
Check admit_scalar(const state::Machine& machine, const Instruction& instruction,
                   const isa::Constraint* violated);

// The erratum that lets the first scalar instruction of a block enter its body: whether it would, and doing
// it.
inline bool may_enter_body(const Context& context) {
  const state::Machine& machine = context.machine;
  if (!machine.bundle_active || machine.bundle_body_active || !context.config.errata.enter_block_body)
    return false;
  const state::BlockType type = machine.block.barg.block_type;
  return type == state::BlockType::Standard || type == state::BlockType::Floating ||
         type == state::BlockType::System;
}
inline void enter_body(const Context& context) {
  if (may_enter_body(context)) context.machine.bundle_body_active = true;
}

// A command whose operands break a constraint, as a rejection at the PC.
Rejection bad_operand(const state::Machine& machine, const Instruction& instruction,
                      const isa::Constraint& violated);

}  // namespace pto::exec
