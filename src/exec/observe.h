// Looking on while a program runs.
//
// Observers hang outside: a run without one does not know they exist. A run with one goes instruction by
// instruction and tells each observer before and after. What an instruction changed is found by comparing the
// machine with what it was (exec/effects.h), so no behaviour reports anything.
#pragma once

#include <cstdint>

#include "state/machine.h"

namespace pto::exec {

struct ObservedStep {
  std::uint64_t number = 0;  // steps completed before it
  Word pc = 0;
  Word word = 0;
  unsigned bits = 0;  // 0: nothing could be fetched there
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  virtual void begin(state::Machine&) {}
  // The instruction has not begun; the run may still stop in front of it, and then there is no `after`.
  virtual void before(const state::Machine&, const ObservedStep&) {}
  // The instruction is over. It was rejected if the machine holds a fault; a delivered trap has already
  // entered the handler's ring.
  virtual void after(const state::Machine&, const ObservedStep&) {}
  virtual void end(state::Machine&) {}
};

}  // namespace pto::exec
