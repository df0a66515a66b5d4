// Traps: how a fault is delivered and how a saved context comes back (PTO ISA, "Fault precision", "Trap
// context").
//
// A fault saves the portable context of the interrupted code in the target ring, mirrors the parts a handler
// may read and change in that ring's context registers, records number, cause and argument, enters the ring
// and jumps to its vector. A vector of zero means "the fault address".
#pragma once

#include "exec/rule.h"
#include "state/machine.h"

namespace pto::exec {

// The trap number a fault is reported under.
[[nodiscard]] unsigned trap_number(state::Fault fault);

// Delivers `fault`. `cause` is the 24-bit trap cause.
void raise_fault(state::Machine& machine, state::Fault fault, Word address, std::uint32_t cause = 0);
// Delivers the fault of a rejection.
void raise(state::Machine& machine, const Rejection& why);

// Saves the running context, interrupted in ring `source`, for a handler in ring `target`.
void save_trap_context(state::Machine& machine, unsigned target, unsigned source);

// Whether ring `target` holds a context that can be restored as its handler left it.
[[nodiscard]] bool trap_context_recoverable(const state::Machine& machine, unsigned target);

// Restores a recoverable context, taking from the context registers what the handler may change there.
void recover_trap_context(state::Machine& machine, unsigned target);

// The PC of ring `target`'s handler.
[[nodiscard]] Word trap_vector(const state::Machine& machine, unsigned target, Word fault_address);

// Makes `ring` the current access-control ring.
void enter_ring(state::Machine& machine, unsigned ring);

// The ring that handles faults and interrupts of ring `source`.
constexpr unsigned trap_target(unsigned source) { return source == 0 ? 0 : 1; }

// The published code of a block type, and back (unassigned codes mean Standard).
unsigned code_of(state::BlockType type);
state::BlockType block_type_of_code(unsigned code);

}  // namespace pto::exec
