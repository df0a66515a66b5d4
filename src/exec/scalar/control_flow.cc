// Comparisons, the conditions and targets a block commits with, jumps and PC-relative values.
//
// SETC decides whether a Conditional block takes its transfer; it may stand once in the block's body (the
// step has checked that). A comparison writes 1 or 0.

#include <array>
#include <utility>

#include "exec/outcome.h"
#include "exec/rules.h"
#include "exec/scalar/families.h"
#include "exec/scalar/modifiers.h"
#include "exec/scalar_operands.h"

namespace pto::exec::scalar {

using isa::Behaviour;
using isa::Field;
using isa::Operation;
using state::Machine;

namespace {

constexpr unsigned return_register = 10;

template <Operation condition>
constexpr bool holds(Word left, Word right) {
  using Signed = std::int64_t;
  if constexpr (condition == Operation::Eq) return left == right;
  if constexpr (condition == Operation::Ne) return left != right;
  if constexpr (condition == Operation::Lt) return static_cast<Signed>(left) < static_cast<Signed>(right);
  if constexpr (condition == Operation::Ge) return static_cast<Signed>(left) >= static_cast<Signed>(right);
  if constexpr (condition == Operation::LtU) return left < right;
  if constexpr (condition == Operation::GeU) return left >= right;
  if constexpr (condition == Operation::And) return (left & right) != 0;
  if constexpr (condition == Operation::Or) return (left | right) != 0;
  return false;
}

template <bool immediate, bool direct>
Word right_operand(const Machine& machine, const Instruction& instruction) {
  if constexpr (immediate) return instruction.immediate;
  return modified(source<direct>(machine, instruction.right), instruction.modifier);
}

template <Operation condition, bool immediate, bool direct>
Next execute_compare(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word left = source<direct>(machine, instruction.left);
  const bool result = holds<condition>(left, right_operand<immediate, direct>(machine, instruction));
  destination<direct>(machine, instruction.destination, result ? 1 : 0);
  return Next::Sequential;
}

template <Operation condition, bool immediate, bool direct>
Next execute_set_commit(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word left = source<direct>(machine, instruction.left);
  const bool result = holds<condition>(left, right_operand<immediate, direct>(machine, instruction));
  machine.commit_argument = result ? 1 : 0;
  if (machine.bundle_active) machine.block.barg.taken = result;
  machine.block.condition_set = true;
  return Next::Sequential;
}

constexpr Operation conditions[] = {
    Operation::Eq,  Operation::Ne,  Operation::Lt,  Operation::Ge,
    Operation::LtU, Operation::GeU, Operation::And, Operation::Or,
};

// With operands known to be general registers no queue is read.
constexpr chain::Kind kind_of(bool direct, bool commits) {
  return {.reads_queues = !direct, .sets_condition = commits};
}

template <Operation condition, bool immediate, bool direct>
inline constexpr const Function& compare_function =
    linked<execute_compare<condition, immediate, direct>, kind_of(direct, false)>;
template <Operation condition, bool immediate, bool direct>
inline constexpr const Function& commit_function =
    linked<execute_set_commit<condition, immediate, direct>, kind_of(direct, true)>;

template <std::size_t... I>
Function pick(Operation condition, bool commit, bool immediate, bool direct, std::index_sequence<I...>) {
  const Function* found = nullptr;
  const auto consider = [&]<Operation candidate>() {
    if (condition != candidate) return;
    constexpr const Function* compares[2][2] = {
        {&compare_function<candidate, false, false>, &compare_function<candidate, false, true>},
        {&compare_function<candidate, true, false>, &compare_function<candidate, true, true>}};
    constexpr const Function* commits[2][2] = {
        {&commit_function<candidate, false, false>, &commit_function<candidate, false, true>},
        {&commit_function<candidate, true, false>, &commit_function<candidate, true, true>}};
    found = (commit ? commits : compares)[immediate][direct];
  };
  (consider.template operator()<conditions[I]>(), ...);
  return *found;
}

Next jump_relative(Context& context, const Instruction& instruction) {
  context.machine.pc += instruction.immediate << 1;
  return Next::Written;
}

Next jump_register(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word target = read_source(machine, instruction.left) + (instruction.immediate << 1);
  if ((target & 1) != 0)
    return rejected(context, reject(rules::odd_pc, target, "the jump target is {:#x}", target));
  machine.pc = target;
  return Next::Written;
}

Next add_to_pc(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  write_destination(machine, instruction.destination, machine.pc + (instruction.immediate << 12));
  return Next::Sequential;
}

Next set_return_address(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word target = machine.pc + (instruction.immediate << 1);
  machine.write_gpr(return_register, target);
  machine.return_address = target;
  return Next::Sequential;
}

template <bool once>
Next set_commit_target(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  machine.block.barg.bpcn = read_source(machine, instruction.left);
  if (once) machine.block.commit_target_set = true;
  return Next::Sequential;
}

}  // namespace

Function compare(Instruction& instruction) {
  const Behaviour does = instruction.form->does;
  const bool immediate = !instruction.has(Field::SrcR);
  const bool logical = does == Behaviour::CompareLogical || does == Behaviour::SetCommitLogical;
  const bool commit = does == Behaviour::SetCommit || does == Behaviour::SetCommitLogical;
  if (immediate) {
    if (commit) instruction.immediate <<= instruction.shift;
  } else if (instruction.has(Field::SrcRType)) {
    const Word code = instruction.raw(Field::SrcRType);
    instruction.modifier = logical ? address_modifier(code, true) : compare_modifier(code);
  }
  const bool direct = direct_operands(commit ? 1u : instruction.destination, instruction.left,
                                      immediate ? 0 : instruction.right);
  return pick(instruction.form->operation, commit, immediate, direct,
              std::make_index_sequence<std::size(conditions)>{});
}

Function control_flow(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::JumpRelative: return jump_relative;
    case Behaviour::JumpRegister: return jump_register;
    case Behaviour::AddToPC:
      instruction.immediate = sign_extend(instruction.immediate, instruction.has(Field::imm20) ? 20 : 32);
      return linked<add_to_pc, kind_of(true, false)>;
    case Behaviour::SetReturnAddress: return linked<set_return_address, kind_of(true, false)>;
    default: return instruction.bits == 16 ? set_commit_target<true> : set_commit_target<false>;
  }
}

}  // namespace pto::exec::scalar
