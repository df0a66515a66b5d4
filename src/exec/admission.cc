#include "exec/admission.h"

#include "exec/rules.h"
#include "exec/scalar_operands.h"

namespace pto::exec {

using state::Machine;

namespace {

// Whether the open block admits the instruction here.
bool may_stand(const Machine& machine, Standing standing) {
  const state::BlockState& block = machine.block;
  const bool body = machine.bundle_active && machine.bundle_body_active;
  const bool targeted = machine.bundle_active && (block.barg.block_type == state::BlockType::Standard ||
                                                  block.barg.block_type == state::BlockType::Floating);
  switch (standing) {
    case Standing::Anywhere: return true;
    case Standing::ConditionSetter:
      return body && block.barg.transfer_type == state::Transfer::Conditional && !block.condition_set;
    case Standing::Target: return targeted;
    case Standing::CompressedTarget: return targeted && !block.commit_target_set;
    case Standing::BlockBody: return body;
    case Standing::SystemBody: return body && block.barg.block_type == state::BlockType::System;
  }
  return false;
}

// Why the instruction may not stand here, in a few words.
std::string_view standing_problem(const Machine& machine, Standing standing) {
  if (machine.block.system_block_terminal_pending) return "it follows ACRC";
  if (!machine.bundle_active) return "no block is open";
  if (!machine.bundle_body_active && standing != Standing::Target && standing != Standing::CompressedTarget) {
    return "the block's body has not begun";
  }
  const bool repeated = standing == Standing::ConditionSetter
                            ? machine.block.condition_set
                            : standing == Standing::CompressedTarget && machine.block.commit_target_set;
  return repeated ? "the block has one already" : "the open block is of another kind";
}

bool sources_available(const Machine& machine, unsigned needed) {
  for (unsigned source = first_t_source; needed != 0; ++source, needed >>= 1) {
    if ((needed & 1) != 0 && !source_available(machine, source)) return false;
  }
  return true;
}

}  // namespace

Rejection bad_operand(const Machine& machine, const Instruction& instruction,
                      const isa::Constraint& violated) {
  return reject(rules::operand_constraint, machine.pc, "{}: {} is {}", instruction.form->name,
                name_of(violated.field), instruction.raw(violated.field));
}

Check admit_scalar(const Machine& machine, const Instruction& instruction, const isa::Constraint* violated) {
  if (machine.block.system_block_terminal_pending || !may_stand(machine, instruction.standing)) {
    return reject(rules::standing, machine.pc, "{}: {}", instruction.form->name,
                  standing_problem(machine, instruction.standing));
  }
  if (violated != nullptr) return bad_operand(machine, instruction, *violated);
  if (!sources_available(machine, instruction.queue_sources)) {
    return reject(rules::source_unavailable, machine.pc, "{} reads an empty queue entry",
                  instruction.form->name);
  }
  return passed;
}

}  // namespace pto::exec
