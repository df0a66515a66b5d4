// Chains: decoded instructions that go on to the next one by themselves.
//
// Every decoded instruction has a link. It executes the instruction and, as its last act, calls the link of
// the instruction that follows, a call the compiler turns into a jump. So a straight line of code runs from
// instruction to instruction with nothing in between, and each jump is predicted by itself. A link takes only
// what needs no question beyond its own; where it cannot go on, it leaves the chain, and the loop that
// entered it (Runner::run_fast) settles what is to be settled.
//
// A link returns how many instructions are left of those allowed. The machine's PC says where: before the
// instruction to come, or, when `Context::ending` says that an instruction did not execute, at that one. That
// is one number and no more, because compilers make no jumps of calls that return a structure.
//
// While a chain runs, nothing is pending that the next instruction would have to look at: no request has
// ended a System block, and no block waits for its body to begin. Links keep that so.
#pragma once

#include <cstring>

#include "exec/admission.h"
#include "exec/outcome.h"
#include "exec/scalar_operands.h"

namespace pto::exec {

namespace chain {

// To the next instruction. Behind a page's last one lie a few that only leave.
[[gnu::always_inline]] inline std::uint64_t go_on(Context& context, const Instruction* next, Word pc,
                                                  std::uint64_t left) {
  context.machine.pc = pc;
  if (left == 0) [[unlikely]]
    return left;
  return next->link(context, next, pc, left);
}

// After a jump from `pc`, to where the machine's PC now is: within the page the chain goes on.
[[gnu::always_inline]] inline std::uint64_t jump(Context& context, const Instruction* from, Word pc,
                                                 std::uint64_t left) {
  const Word target = context.machine.pc;
  if (left == 0 || ((pc ^ target) >> state::Memory::page_bits) != 0 || (target & 1) != 0) return left;
  const Instruction* next = from + static_cast<std::int64_t>(target - pc) / 2;
  return next->link(context, next, target, left);
}

// After an instruction that did not simply execute and go on.
[[gnu::noinline]] inline std::uint64_t end(Context& context, const Instruction* instruction, Next next,
                                           Word pc, std::uint64_t left) {
  if (next == Next::Written) return jump(context, instruction, pc, left);
  context.ending = next;
  return left;
}

// Whether the queue entries the instruction reads hold values; `bool`s lie in bytes that are 0 or 1.
[[nodiscard]] inline bool queue_sources_available(const state::Machine& machine, unsigned needed) {
  constexpr std::uint32_t spread = 0x00204081, ones = 0x01010101;
  std::uint32_t t_valid = 0, u_valid = 0;
  static_assert(sizeof machine.t_queue.valid == sizeof t_valid);
  std::memcpy(&t_valid, machine.t_queue.valid.data(), sizeof t_valid);
  std::memcpy(&u_valid, machine.u_queue.valid.data(), sizeof u_valid);
  const std::uint32_t t_needed = ((needed & 15) * spread) & ones;
  const std::uint32_t u_needed = ((needed >> 4) * spread) & ones;
  return ((t_needed & ~t_valid) | (u_needed & ~u_valid)) == 0;
}

// What a link asks and does beside its behaviour.
struct Kind {
  bool reads_queues = false;  // may read T#1..T#4 and U#1..U#4
  bool writes_memory = false;
  bool sets_condition = false;  // stands once in the body of a Conditional block, not anywhere
};

[[nodiscard]] inline bool may_set_condition(const state::Machine& machine) {
  return machine.bundle_active && machine.bundle_body_active && !machine.block.condition_set &&
         machine.block.barg.transfer_type == state::Transfer::Conditional;
}

// The link of a scalar instruction whose behaviour is known here.
template <Behave behave, Kind kind, unsigned bytes>
std::uint64_t scalar(Context& context, const Instruction* instruction, Word pc, std::uint64_t left) {
  if constexpr (kind.reads_queues) {
    if (!queue_sources_available(context.machine, instruction->queue_sources)) [[unlikely]]
      return left;
  }
  if constexpr (kind.sets_condition) {
    if (!may_set_condition(context.machine)) [[unlikely]]
      return left;
  }
  const Next next = behave(context, *instruction);
  --left;
  if constexpr (kind.writes_memory) {
    // A jump that wrote must not go on to what was decoded before it.
    if (next == Next::Written && context.machine.memory.has_watched_writes()) [[unlikely]]
      return left;
  }
  if (next != Next::Sequential) [[unlikely]]
    return end(context, instruction, next, pc, left);
  pc += bytes;
  if constexpr (kind.writes_memory) {
    if (context.machine.memory.has_watched_writes()) [[unlikely]] {
      context.machine.pc = pc;
      return left;
    }
  }
  return go_on(context, instruction + bytes / 2, pc, left);
}

inline constexpr Kind any_kind{.reads_queues = true, .writes_memory = true};

inline Next call(Context& context, const Instruction& instruction) {
  return instruction.function(context, instruction);
}

// What a behaviour does in its common case. False: this is another, and nothing has happened.
using Quick = bool (*)(Context&, const Instruction&);

// The link of a scalar instruction that has one. What it writes, memory does not watch.
template <Quick quick, Kind kind, unsigned bytes>
std::uint64_t quick_scalar(Context& context, const Instruction* instruction, Word pc, std::uint64_t left) {
  const bool available =
      !kind.reads_queues || queue_sources_available(context.machine, instruction->queue_sources);
  if (!available || !quick(context, *instruction)) [[unlikely]]
    return scalar<call, any_kind, bytes>(context, instruction, pc, left);
  return go_on(context, instruction + bytes / 2, pc + bytes, left - 1);
}

}  // namespace chain

// What performs an instruction: its behaviour, and links for instructions of two, four and six bytes.
struct Function {
  Behave behave = nullptr;
  Link links[3] = {leave_chain, leave_chain, leave_chain};

  // A behaviour that links call.
  Function(Behave called)  // NOLINT(google-explicit-constructor): most functions are no more than that
      : behave(called),
        links{chain::scalar<chain::call, chain::any_kind, 2>, chain::scalar<chain::call, chain::any_kind, 4>,
              chain::scalar<chain::call, chain::any_kind, 6>} {}
  constexpr Function(Behave function, Link two, Link four, Link six)
      : behave(function), links{two, four, six} {}

  [[nodiscard]] Link link(unsigned bits) const { return bits <= 48 ? links[bits / 16 - 1] : leave_chain; }
};

// A behaviour that never runs in a chain.
constexpr Function alone(Behave behave) { return {behave, leave_chain, leave_chain, leave_chain}; }

// A behaviour that its links contain.
template <Behave behave, chain::Kind kind>
inline constexpr Function linked = {behave, chain::scalar<behave, kind, 2>, chain::scalar<behave, kind, 4>,
                                    chain::scalar<behave, kind, 6>};

// The same, where links contain the common case alone.
template <Behave behave, chain::Quick quick, chain::Kind kind>
inline constexpr Function linked_quickly = {behave, chain::quick_scalar<quick, kind, 2>,
                                            chain::quick_scalar<quick, kind, 4>,
                                            chain::quick_scalar<quick, kind, 6>};

}  // namespace pto::exec
