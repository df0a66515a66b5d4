// The loop for runs that somebody watches: the same steps as Runner::run, one at a time.

#include "exec/observe.h"
#include "exec/runner.h"
#include "isa/decode.h"

namespace pto::exec {

using state::Access;
using state::Machine;
using state::Memory;

namespace {

constexpr std::uint64_t steps_between_looks = 1 << 10;

// The instruction at the PC as a fetch would see it.
void look(const Machine& machine, ObservedStep& step) {
  step.pc = machine.pc;
  step.bits = 0;
  step.word = 0;
  constexpr Word longest = 8, prefix = 2;
  if ((step.pc & 1) != 0) return;
  const std::uint8_t* bytes = machine.memory.contiguous(step.pc, longest);
  const bool in_page = (step.pc & (Memory::page_bytes - 1)) <= Memory::page_bytes - longest;
  const Word probed = in_page && bytes != nullptr ? longest : prefix;
  if (!machine.memory.permitted(step.pc, probed, Access::Execute, machine.current_acr)) return;
  const auto first = static_cast<std::uint16_t>(machine.memory.load(step.pc, prefix));
  const unsigned bits = isa::length_bits(first);
  if (probed == prefix &&
      !machine.memory.permitted(step.pc, bits / 8, Access::Execute, machine.current_acr)) {
    return;
  }
  step.bits = bits;
  step.word = machine.memory.load(step.pc, bits / 8);
}

}  // namespace

RunResult Runner::run_observed(const RunOptions& options) {
  Machine& machine = context_.machine;
  RunResult result;
  for (Observer* observer : options.observers) observer->begin(machine);
  ObservedStep step;
  bool ended = false;
  while (!ended && result.steps < options.max_steps) {
    if (result.steps % steps_between_looks == 0 && context_.interrupted()) {
      result.stop = Stop::Interrupted;
      ended = true;
      break;
    }
    look(machine, step);
    if (runs_out(step.pc, step.bits / 8, options)) step.bits = step.word = 0;
    step.number = result.steps;
    for (Observer* observer : options.observers) observer->before(machine, step);
    ended = advance(1, options, result);
    // A run that stopped in front of the instruction, or wants a behaviour that is missing, did nothing; one
    // that was interrupted within it executes it again.
    const bool undone = result.stop == Stop::Address || result.stop == Stop::Unsupported ||
                        result.stop == Stop::Unspecified || result.stop == Stop::Interrupted;
    if (ended && undone) break;
    for (Observer* observer : options.observers) observer->after(machine, step);
  }
  if (!ended) result.stop = Stop::StepLimit;
  for (Observer* observer : options.observers) observer->end(machine);
  return result;
}

}  // namespace pto::exec
