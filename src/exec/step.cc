#include "exec/step.h"

#include "exec/admission.h"
#include "exec/attempt.h"
#include "exec/block/commands.h"
#include "exec/outcome.h"
#include "exec/rules.h"
#include "exec/tile/complete.h"
#include "exec/trap.h"
#include "isa/decode.h"

namespace pto::exec {

using state::Machine;

namespace {

StepResult deliver(Machine& machine, Rejection why) {
  raise(machine, why);
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
    case Next::Unspecified:
      return {.status = StepStatus::Unspecified, .rejection = {}, .unsupported = context.unsupported};
    case Next::Interrupted: return {.status = StepStatus::Interrupted, .rejection = {}, .unsupported = {}};
    case Next::Unsupported: break;
  }
  return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = context.unsupported};
}

StepResult no_form(Context& context, Word word, unsigned bits) {
  Machine& machine = context.machine;
  return deliver(machine, reject(rules::undecodable, machine.pc, "word {:#0{}x} of {} bits in ISA {}", word,
                                 bits / 4 + 2, bits, name_of(context.config.release)));
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
  const Instruction instruction = prepare(form, word, bits);
  if (decoded.violated != nullptr)
    return deliver(machine, bad_operand(machine, instruction, *decoded.violated));
  if (instruction.function == nullptr) {
    return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = form.name};
  }
  return settle(context, instruction.function(context, instruction), bits / 8);
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
  if (Check failed = admit_scalar(machine, instruction, decoded.violated))
    return deliver(machine, std::move(*failed));
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
    case CompletionStatus::Unspecified:
      return {.status = StepStatus::Unspecified, .rejection = {}, .unsupported = completion.unsupported};
    case CompletionStatus::Unsupported: break;
  }
  return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = completion.unsupported};
}

}  // namespace pto::exec
