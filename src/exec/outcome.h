// What a behaviour reports to the step that called it.
#pragma once

#include "exec/step.h"

namespace pto::exec {

// How an executed instruction leaves the PC.
enum class Next : std::uint8_t {
  Sequential,  // the step advances it past the instruction
  Written,     // the behaviour has set it
};

struct Outcome {
  StepStatus status = StepStatus::Executed;
  Next next = Next::Sequential;
  Rejection rejection;
  std::string_view unsupported;

  static Outcome sequential() { return {}; }
  static Outcome written() {
    return {.status = StepStatus::Executed, .next = Next::Written, .rejection = {}, .unsupported = {}};
  }
  static Outcome rejected(Rejection why) {
    return {.status = StepStatus::Rejected,
            .next = Next::Written,
            .rejection = std::move(why),
            .unsupported = {}};
  }
  static Outcome not_supported(std::string_view name) {
    return {.status = StepStatus::Unsupported, .next = Next::Written, .rejection = {}, .unsupported = name};
  }
  [[nodiscard]] bool ok() const { return status == StepStatus::Executed; }
};

using Behave = Outcome (*)(Context&, const Instruction&);

}  // namespace pto::exec
