// What execution needs beside the machine: the release it follows, the errata in force.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "exec/errata.h"
#include "exec/instruction.h"
#include "exec/rule.h"
#include "isa/release.h"
#include "state/machine.h"

namespace pto::exec {

struct Config {
  Release release = default_release;
  Errata errata;
};

struct Context {
  state::Machine& machine;
  const Config& config;
  // What the last behaviour that did not execute had to say.
  Rejection rejection{};
  std::string_view unsupported{};
  // How a chain of instructions ended, when not by leaving it (exec/chain.h).
  Next ending = Next::Sequential;
  // Set while somebody asks the run to end. Null: nobody may. Only what goes on for long looks at it.
  const std::atomic<bool>* interrupt = nullptr;

  [[nodiscard]] bool interrupted() const {
    return interrupt != nullptr && interrupt->load(std::memory_order_relaxed);
  }
};

}  // namespace pto::exec
