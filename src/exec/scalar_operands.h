// The five-bit scalar operand space: 24 general registers, then T#1..T#4 and U#1..U#4 (PTO ISA, "Scalar
// operands").
#pragma once

#include "state/machine.h"

namespace pto::exec {

inline constexpr unsigned first_t_source = 24;
inline constexpr unsigned first_u_source = 28;
inline constexpr unsigned push_u = 30;  // as a destination
inline constexpr unsigned push_t = 31;

// Whether the source exists: a queue entry must hold a value.
[[nodiscard]] inline bool source_available(const state::Machine& machine, unsigned selector) {
  if (selector < first_t_source) return true;
  if (selector < first_u_source) return machine.t_queue.valid[selector - first_t_source];
  return machine.u_queue.valid[selector - first_u_source];
}

[[nodiscard]] inline Word read_source(const state::Machine& machine, unsigned selector) {
  if (selector < first_t_source) return machine.read_gpr(selector);
  if (selector < first_u_source) return machine.t_queue.values[selector - first_t_source];
  return machine.u_queue.values[selector - first_u_source];
}

// Selectors 24 to 29 discard the value.
inline void write_destination(state::Machine& machine, unsigned selector, Word value) {
  if (selector < first_t_source) {
    machine.write_gpr(selector, value);
  } else if (selector == push_u) {
    machine.u_queue.push(value);
  } else if (selector == push_t) {
    machine.t_queue.push(value);
  }
}

// The same for operands known to be general registers (and a destination known not to be x0): no test left.
// The resolvers pick such a function when `direct_operands` says so.
template <bool direct>
[[nodiscard]] inline Word source(const state::Machine& machine, unsigned selector) {
  if constexpr (direct) return machine.gpr[machine.current_memory_agent].x[selector];
  return read_source(machine, selector);
}
template <bool direct>
inline void destination(state::Machine& machine, unsigned selector, Word value) {
  if constexpr (direct) {
    machine.gpr[machine.current_memory_agent].x[selector] = value;
  } else {
    write_destination(machine, selector, value);
  }
}

template <class... Selectors>
[[nodiscard]] constexpr bool direct_operands(unsigned destination, Selectors... sources) {
  return destination != 0 && destination < first_t_source &&
         ((static_cast<unsigned>(sources) < first_t_source) && ...);
}

}  // namespace pto::exec
