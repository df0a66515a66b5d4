#include "exec/runner.h"

#include <algorithm>
#include <utility>

#include "exec/admission.h"
#include "exec/attempt.h"
#include "exec/block/commands.h"
#include "exec/outcome.h"
#include "exec/rules.h"
#include "exec/trap.h"
#include "isa/decode.h"

namespace pto::exec {

using state::Access;
using state::Machine;

namespace {

// The interrupt flag and the step limit are looked at this often.
constexpr std::uint64_t batch_steps = 1 << 14;

// A chain is left this often. Where the compiler makes no jumps of its calls, in builds to debug, every
// instruction of a chain lies on the stack.
constexpr std::uint64_t chain_steps = 1 << 10;

bool has_handler(const Machine& machine, unsigned ring) {
  const unsigned vector = state::system_register_index(ring, state::context_register::trap_vector);
  return machine.extended_system_registers[vector] != 0;
}

// The erratum that gives a handler a clean start; the trap context holds all of this.
void suspend_block(Machine& machine) {
  machine.bundle_active = false;
  machine.bundle_body_active = false;
  block::clear_header(machine.block);
  machine.block.barg = {};
  machine.block.memory_copy_template.active = false;
  machine.block.frame_template.active = false;
}

}  // namespace

Check Runner::fetch(Fetched& fetched) const {
  const Machine& machine = context_.machine;
  const Word pc = machine.pc;
  if ((pc & 1) != 0) return reject(rules::odd_pc, pc, "the PC is {:#x}", pc);
  const auto executable = [&](Word size) {
    return machine.memory.permitted(pc, size, Access::Execute, machine.current_acr);
  };
  constexpr Word prefix_bytes = 2;
  if (!executable(prefix_bytes))
    return reject(rules::instruction_page, pc, "nothing executable at {:#x}", pc);
  fetched.bits = isa::length_bits(static_cast<std::uint16_t>(machine.memory.load(pc, prefix_bytes)));
  const unsigned bytes = fetched.bits / 8;
  if (!executable(bytes)) {
    return reject(rules::instruction_page, pc, "an instruction of {} bytes at {:#x} is cut off", bytes, pc);
  }
  fetched.word = machine.memory.load(pc, bytes);
  return passed;
}

StepResult Runner::step() {
  Machine& machine = context_.machine;
  Fetched fetched;
  if (Check failed = fetch(fetched)) {
    // Faults before decode do not advance time.
    raise(machine, *failed);
    return {.status = StepStatus::Rejected, .rejection = std::move(*failed), .unsupported = {}};
  }
  return execute_instruction(context_, fetched.word, fetched.bits);
}

Runner::Page& Runner::find_page(Word index) {
  if (pages_.size() >= most_pages && !pages_.contains(index)) forget_everything();
  std::unique_ptr<Page>& page = pages_[index];
  if (!page) page = std::make_unique<Page>();
  return *page;
}

void Runner::forget_written_pages() {
  for (const Word index : context_.machine.memory.take_watched_writes()) {
    // An instruction may begin at the end of the page before and reach into this one.
    for (const Word stale : {index, index - 1}) {
      const auto found = pages_.find(stale);
      if (found == pages_.end()) continue;
      for (Instruction& kept : *found->second) {
        kept.traits = 0;
        kept.link = leave_chain;
      }
    }
  }
}

void Runner::forget_everything() {
  pages_.clear();
  recent_.fill({});
}

// The loop every program lives in: as far as the chain goes, then one instruction with all that may be asked
// of it. Every way to a kept instruction leads past the head of the loop.
Runner::Pause Runner::run_fast(std::uint64_t limit) {
  Machine& machine = context_.machine;
  // No instruction that executes leaves a fault behind, so one clearing serves all of them.
  const state::Fault fault_before = std::exchange(machine.last_fault, state::Fault::None);
  const Word fault_address_before = std::exchange(machine.fault_address, 0);
  std::uint64_t left = limit;
  Word pc = machine.pc;
  const auto pause = [&](Next next) {
    if (left == limit) {  // nothing ran: the last fault is still the last one
      machine.last_fault = fault_before;
      machine.fault_address = fault_address_before;
    }
    return Pause{.steps = limit - left, .next = next, .pc = pc};
  };
  const auto count = [&](std::uint64_t executed) {
    machine.system_registers.cycle += executed;
    left -= executed;
  };

  while (left != 0 && (pc & 1) == 0) {
    if (machine.memory.has_watched_writes()) forget_written_pages();
    const Instruction& instruction = slot_of(pc);
    const bool pending = machine.block.system_block_terminal_pending;
    if (!pending && !may_enter_body(context_)) {
      const std::uint64_t most = std::min(left, chain_steps);
      context_.ending = Next::Sequential;
      const std::uint64_t rest = instruction.link(context_, &instruction, pc, most);
      if (rest != most) {
        count(most - rest);
        pc = machine.pc;
        if (context_.ending != Next::Sequential) return pause(context_.ending);
        continue;
      }
    }

    const std::uint8_t traits = instruction.traits;
    const bool scalar = (traits & Scalar) != 0;
    const bool anywhere = (traits & Anywhere) != 0;
    if ((traits & Fast) == 0 || (pending && !anywhere && !scalar)) return pause(Next::Sequential);
    count(1);
    if (scalar) {
      enter_body(context_);
      if (!anywhere || pending) {
        if (Check failed = admit_scalar(machine, instruction, nullptr))
          return pause(rejected(context_, std::move(*failed)));
      }
    }
    const Next next = instruction.function(context_, instruction);
    if (!executed(next)) return pause(next);
    if (next == Next::Sequential) machine.pc += instruction.bytes();
    pc = machine.pc;
  }
  return pause(Next::Sequential);
}

bool Runner::give_back_attempt(RunResult& result) {
  --context_.machine.system_registers.cycle;
  --result.steps;
  result.stop = Stop::Interrupted;
  return true;
}

bool Runner::settle_fault(Rejection why, Word pc, const RunOptions& options, RunResult& result) {
  // A handler that faults at its first instruction would do so for ever.
  const bool stuck = context_.machine.pc == pc;
  if (options.deliver_traps && !stuck && has_handler(context_.machine, context_.machine.current_acr)) {
    if (context_.config.errata.trap_suspends_block) suspend_block(context_.machine);
    return false;
  }
  result.stop = Stop::Fault;
  result.rejection = std::move(why);
  result.fault_pc = pc;
  return true;
}

bool Runner::call_host(const Instruction& instruction, const RunOptions& options, RunResult& result) {
  Machine& machine = context_.machine;
  const Word pc = machine.pc;
  const state::Fault fault_before = machine.last_fault;
  const Word fault_address_before = machine.fault_address;
  const bool body_before = machine.bundle_body_active;
  begin_attempt(machine);
  enter_body(context_);
  if (Check failed = admit_scalar(machine, instruction, nullptr)) {
    raise(machine, *failed);
    return settle_fault(std::move(*failed), pc, options, result);
  }
  // The request ends its System block as ACRC does; the program resumes behind it.
  machine.block.system_block_terminal_pending = true;
  machine.pc = pc + instruction.bytes();
  const HostReply reply = options.host(machine);
  if (reply.interrupted) {
    machine.pc = pc;
    machine.block.system_block_terminal_pending = false;
    machine.bundle_body_active = body_before;
    machine.last_fault = fault_before;
    machine.fault_address = fault_address_before;
    return give_back_attempt(result);
  }
  if (!reply.exit) return false;
  result.stop = Stop::Exit;
  result.exit_code = reply.exit_code;
  return true;
}

namespace {
bool contains(const std::vector<Word>& list, Word value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
}  // namespace

bool Runner::runs_out(Word pc, unsigned bytes, const RunOptions& options) {
  const auto cuts = [&](Word end) { return pc < end && end - pc < bytes; };
  return contains(options.code_ends, pc) ||
         std::any_of(options.fetch_ends.begin(), options.fetch_ends.end(), cuts);
}

bool Runner::is_stop(Word pc, const RunOptions& options) {
  return contains(options.stop_addresses, pc) || contains(options.final_addresses, pc) ||
         contains(options.code_ends, pc);
}

bool Runner::at_stop(Word pc, const RunOptions& options) {
  if (contains(options.final_addresses, pc) && !context_.machine.bundle_active) return true;
  if (!contains(options.stop_addresses, pc)) return false;
  if (stop_hits_left_ > 1) {
    --stop_hits_left_;
    return false;
  }
  return true;
}

std::uint8_t Runner::traits_of(const Instruction& instruction) {
  using isa::Behaviour;
  const Behaviour does = instruction.form->does;
  unsigned traits = Fast;
  if (instruction.link != leave_chain) traits |= Linked;
  if (instruction.form->surface() == isa::Surface::Scalar) {
    traits |= Scalar;
    if (instruction.standing == Standing::Anywhere && instruction.queue_sources == 0) traits |= Anywhere;
  } else if (does == Behaviour::BlockStart || does == Behaviour::BlockStop) {
    traits |= Anywhere;
  }
  return static_cast<std::uint8_t>(traits);
}

bool Runner::run_one(const RunOptions& options, RunResult& result) {
  Machine& machine = context_.machine;
  const Word pc = machine.pc;
  if (at_stop(pc, options)) {
    result.stop = Stop::Address;
    return true;
  }
  Fetched fetched;
  Check failed;
  if (contains(options.code_ends, pc))
    failed = reject(rules::instruction_page, pc,
                    "the program's code ends at {:#x}, and it runs on without an exit", pc);
  else if (!(failed = fetch(fetched)) && runs_out(pc, fetched.bits / 8, options))
    failed = reject(rules::instruction_page, pc,
                    "the instruction of {} bytes at {:#x} is cut off by the end of the program",
                    fetched.bits / 8, pc);
  if (failed) {
    raise(machine, *failed);
    return settle_fault(std::move(*failed), pc, options, result);
  }
  ++result.steps;
  const isa::Decoded decoded = isa::decode(fetched.word, fetched.bits, context_.config.release);
  if (decoded.form != nullptr && decoded.violated == nullptr) {
    const Instruction instruction = prepare(*decoded.form, fetched.word, fetched.bits);
    const bool host_call = decoded.form->does == isa::Behaviour::CloseRequest && options.host;
    if (host_call) return call_host(instruction, options, result);
    // Remember it, unless a stop or what it does to the decoded ones needs this path each time.
    const bool maintenance = decoded.form->does == isa::Behaviour::Maintenance;
    if (instruction.function != nullptr && !maintenance && !is_stop(pc, options)) {
      Instruction& kept = slot_of(pc);
      kept = instruction;
      kept.traits = traits_of(instruction);
      machine.memory.watch_page(pc >> page_bits);
      machine.memory.watch_page((pc + instruction.bytes() - 1) >> page_bits);
    }
  }
  const auto code_epoch = [&] {
    return machine.maintenance.instruction_cache_epoch + machine.maintenance.bundle_cache_epoch;
  };
  const Word epoch_before = code_epoch();
  StepResult step = execute_instruction(context_, fetched.word, fetched.bits);
  if (code_epoch() != epoch_before) forget_everything();
  switch (step.status) {
    case StepStatus::Executed: return false;
    case StepStatus::Rejected: return settle_fault(std::move(step.rejection), pc, options, result);
    case StepStatus::Interrupted: return give_back_attempt(result);
    case StepStatus::Unsupported:
    case StepStatus::Unspecified: break;
  }
  result.stop = step.status == StepStatus::Unspecified ? Stop::Unspecified : Stop::Unsupported;
  result.unsupported = step.unsupported;
  return true;
}

bool Runner::advance(std::uint64_t limit, const RunOptions& options, RunResult& result) {
  Pause pause = run_fast(limit);
  result.steps += pause.steps;
  if (pause.next == Next::Interrupted) return give_back_attempt(result);
  if (pause.next == Next::Unsupported || pause.next == Next::Unspecified) {
    result.stop = pause.next == Next::Unspecified ? Stop::Unspecified : Stop::Unsupported;
    result.unsupported = context_.unsupported;
    return true;
  }
  if (pause.next == Next::Rejected || pause.next == Next::Delivered) {
    if (pause.next == Next::Rejected) raise(context_.machine, context_.rejection);
    return settle_fault(std::move(context_.rejection), pause.pc, options, result);
  }
  return pause.steps < limit && run_one(options, result);
}

RunResult Runner::run(const RunOptions& options) {
  stop_hits_left_ = std::max<std::uint64_t>(options.stop_hits, 1);
  context_.interrupt = options.interrupt;
  forget_everything();  // stop addresses may have changed
  if (!options.observers.empty()) return run_observed(options);
  RunResult result;
  while (result.steps < options.max_steps) {
    if (context_.interrupted()) {
      result.stop = Stop::Interrupted;
      return result;
    }
    const std::uint64_t limit = std::min(batch_steps, options.max_steps - result.steps);
    if (advance(limit, options, result)) return result;
  }
  result.stop = Stop::StepLimit;
  return result;
}

}  // namespace pto::exec
