// Data accesses as instructions make them: probe, access, record (PTO ISA, "Address space", "Memory events").
//
// Probing decides the fault before anything is read or written; the access itself cannot fail. Events are
// recorded only while the machine captures them.
#pragma once

#include <algorithm>

#include "exec/context.h"
#include "state/machine.h"

namespace pto::exec {

// The fault an access of `size` bytes would raise: misaligned first, then not permitted.
[[nodiscard]] inline state::Fault probe_access(const state::Machine& machine, Word address, Word size,
                                               unsigned alignment, state::Access access) {
  if ((address & (alignment - 1)) != 0) return state::Fault::DataAlignment;
  if (!machine.memory.permitted(address, size, access, machine.current_acr)) return state::Fault::DataPage;
  return state::Fault::None;
}

// Why a data access is refused, as a rejection at the access address.
[[nodiscard]] Rejection reject_access(const state::Machine& machine, state::Fault fault, Word address,
                                      Word size, state::Access access);

// Append an event; callers go through the record functions, which do nothing unless events are captured.
void append_load(state::Machine& machine, unsigned agent, Word address, unsigned size, Word value,
                 state::MemoryOrder order);
void append_store(state::Machine& machine, unsigned agent, Word address, unsigned size, Word value,
                  state::MemoryOrder order);
void append_atomic(state::Machine& machine, Word address, unsigned size, Word read_value, Word write_value,
                   state::MemoryOrder order, bool write_performed);
void append_fence(state::Machine& machine, unsigned predecessor, unsigned successor);

inline void record_load(state::Machine& machine, unsigned agent, Word address, unsigned size, Word value,
                        state::MemoryOrder order) {
  if (machine.memory_event_capture) append_load(machine, agent, address, size, value, order);
}
inline void record_store(state::Machine& machine, unsigned agent, Word address, unsigned size, Word value,
                         state::MemoryOrder order) {
  if (machine.memory_event_capture) append_store(machine, agent, address, size, value, order);
}
inline void record_atomic(state::Machine& machine, Word address, unsigned size, Word read_value,
                          Word write_value, state::MemoryOrder order, bool write_performed) {
  if (machine.memory_event_capture)
    append_atomic(machine, address, size, read_value, write_value, order, write_performed);
}
inline void record_fence(state::Machine& machine, unsigned predecessor, unsigned successor) {
  if (machine.memory_event_capture) append_fence(machine, predecessor, successor);
}

inline constexpr unsigned reservation_granule_bytes = 64;

// Whether [address, address+size) and the granule of a reservation have bytes in common.
[[nodiscard]] inline bool touches_reservation(const state::Machine& machine, Word address, Word size) {
  if (!machine.reservation.valid) return false;
  const Word granule = machine.reservation.address & ~Word{reservation_granule_bytes - 1};
  // Ranges are compared as unbounded integers: neither wraps.
  const bool left = address < granule ? granule - address < size : true;
  const bool right = granule < address ? address - granule < reservation_granule_bytes : true;
  return left && right;
}

// A store to [address, address+size) ends a reservation whose granule it touches.
inline void break_reservation(state::Machine& machine, Word address, Word size) {
  if (touches_reservation(machine, address, size)) machine.reservation.valid = false;
}

// A store of at most eight bytes whose probe has passed.
inline void store_value(state::Machine& machine, Word address, unsigned size, Word value) {
  machine.memory.store(address, size, value);
  break_reservation(machine, address, size);
}

}  // namespace pto::exec
