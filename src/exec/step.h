// One step: an instruction, or the completion of a block.
//
// This is the only place that starts an instruction attempt (clears the last fault, advances time), and the
// only one that raises a rejection as a fault. Behaviours check, read, compute and write; they return what
// stopped them and leave the trap to the step.
#pragma once

#include <string_view>

#include "exec/context.h"
#include "exec/rule.h"

namespace pto::exec {

enum class StepStatus : std::uint8_t {
  Executed,
  Rejected,     // the architecture rejects it; the fault has been delivered
  Unsupported,  // ptosim has no behaviour for it yet; the machine is unchanged but for the attempt itself
  Unspecified,  // the specification leaves open what it does; the machine is unchanged likewise
  Interrupted,  // asked to end, it stopped in the middle; its progress is in the machine
};

struct StepResult {
  StepStatus status = StepStatus::Executed;
  Rejection rejection;  // when Rejected
  std::string_view
      unsupported;  // when Unsupported: the mnemonic or the operation's name; else the open point
};

// The instruction `word` of `bits` (16, 32, 48 or 64) at the machine's PC: as a command first, else as a
// scalar.
StepResult execute_instruction(Context& context, Word word, unsigned bits);
StepResult execute_command(Context& context, Word word, unsigned bits);
StepResult execute_scalar(Context& context, Word word, unsigned bits);

// Completes the open block as BSTOP would, continuing at `continuation`. No attempt starts: neither time nor
// the last fault change beforehand.
StepResult complete_bundle(Context& context, Word continuation);

// The tile operation of the open block alone, as completion would execute it.
StepResult complete_tile_block(Context& context);

}  // namespace pto::exec
