#include "exec/step.h"

#include "exec/block/commands.h"
#include "exec/outcome.h"
#include "exec/rules.h"
#include "exec/scalar_operands.h"
#include "exec/tile/complete.h"
#include "exec/trap.h"
#include "isa/decode.h"

namespace pto::exec {

using state::Machine;

namespace {

// What every attempt does first, executed or not.
void begin_attempt(Machine& machine) {
  machine.last_fault = state::Fault::None;
  machine.fault_address = 0;
  ++machine.system_registers.cycle;
}

StepResult deliver(Machine& machine, Rejection why) {
  raise_fault(machine, why.fault, why.address);
  return {.status = StepStatus::Rejected, .rejection = std::move(why), .unsupported = {}};
}

// Turns what a behaviour reports into what the machine shows.
StepResult settle(Context& context, Next next, unsigned bytes) {
  switch (next) {
    case Next::Sequential: context.machine.pc += bytes; [[fallthrough]];
    case Next::Written: return {};
    case Next::Rejected: return deliver(context.machine, std::move(context.rejection));
    case Next::Delivered:
      return {.status = StepStatus::Rejected, .rejection = std::move(context.rejection), .unsupported = {}};
    case Next::Unsupported: break;
  }
  return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = context.unsupported};
}

StepResult no_form(Context& context, Word word, unsigned bits) {
  Machine& machine = context.machine;
  return deliver(machine, reject(rules::undecodable, machine.pc, "word {:#0{}x} of {} bits in ISA {}", word,
                                 bits / 4 + 2, bits, name_of(context.config.release)));
}

StepResult bad_operand(Machine& machine, const isa::Form& form, const isa::Constraint& constraint,
                       Word word) {
  return deliver(machine, reject(rules::operand_constraint, machine.pc, "{}: {} is {}", form.name,
                                 name_of(constraint.field), form.raw(word, constraint.field)));
}

StepResult command(Context& context, const isa::Decoded& decoded, Word word, unsigned bits) {
  Machine& machine = context.machine;
  begin_attempt(machine);
  if (decoded.form == nullptr) return no_form(context, word, bits);
  const isa::Form& form = *decoded.form;
  if (machine.block.system_block_terminal_pending && form.does != isa::Behaviour::BlockStart &&
      form.does != isa::Behaviour::BlockStop) {
    return deliver(machine, reject(rules::system_block_terminal, machine.pc, "{} follows ACRC", form.name));
  }
  if (decoded.violated != nullptr) return bad_operand(machine, form, *decoded.violated, word);
  const Instruction instruction = prepare(form, word, bits);
  if (instruction.function == nullptr) {
    return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = form.name};
  }
  return settle(context, instruction.function(context, instruction), bits / 8);
}

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

// The published text has no instruction that enters a block's body; the erratum lets the first scalar do it.
void enter_body(const Context& context) {
  Machine& machine = context.machine;
  if (!context.config.errata.enter_block_body || !machine.bundle_active || machine.bundle_body_active) return;
  const state::BlockType type = machine.block.barg.block_type;
  machine.bundle_body_active = type == state::BlockType::Standard || type == state::BlockType::Floating ||
                               type == state::BlockType::System;
}

}  // namespace

StepResult execute_command(Context& context, Word word, unsigned bits) {
  return command(context, isa::decode_command(word, bits, context.config.release), word, bits);
}

StepResult execute_scalar(Context& context, Word word, unsigned bits) {
  Machine& machine = context.machine;
  begin_attempt(machine);
  const isa::Decoded decoded = isa::decode_scalar(word, bits, context.config.release);
  if (decoded.form == nullptr) return no_form(context, word, bits);
  const isa::Form& form = *decoded.form;
  const Instruction instruction = prepare(form, word, bits);
  enter_body(context);
  if (machine.block.system_block_terminal_pending || !may_stand(machine, instruction.standing)) {
    return deliver(machine, reject(rules::standing, machine.pc, "{}: {}", form.name,
                                   standing_problem(machine, instruction.standing)));
  }
  if (decoded.violated != nullptr) return bad_operand(machine, form, *decoded.violated, word);
  if (!sources_available(machine, instruction.queue_sources)) {
    return deliver(machine,
                   reject(rules::source_unavailable, machine.pc, "{} reads an empty queue entry", form.name));
  }
  if (instruction.function == nullptr) {
    return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = form.name};
  }
  return settle(context, instruction.function(context, instruction), bits / 8);
}

StepResult execute_instruction(Context& context, Word word, unsigned bits) {
  const isa::Decoded decoded = isa::decode_command(word, bits, context.config.release);
  if (decoded.form != nullptr || bits == 64) return command(context, decoded, word, bits);
  return execute_scalar(context, word, bits);
}

StepResult complete_bundle(Context& context, Word continuation) {
  return settle(context, block::complete(context, continuation), 0);
}

StepResult complete_tile_block(Context& context) {
  Completion completion = complete_tile_operation(context);
  switch (completion.status) {
    case CompletionStatus::Executed: return {};
    case CompletionStatus::Rejected: return deliver(context.machine, std::move(completion.rejection));
    case CompletionStatus::Unsupported: break;
  }
  return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = completion.unsupported};
}

}  // namespace pto::exec
