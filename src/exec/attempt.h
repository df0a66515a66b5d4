// The start of an instruction attempt.
#pragma once

#include "exec/trap.h"

namespace pto::exec {

// What every attempt does first, executed or not.
inline void begin_attempt(state::Machine& machine) {
  machine.last_fault = state::Fault::None;
  machine.fault_address = 0;
  ++machine.system_registers.cycle;
}

}  // namespace pto::exec
