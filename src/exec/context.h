// What execution needs beside the machine: the release it follows, the errata in force, the numeric profile.
#pragma once

#include <cstdint>
#include <string_view>

#include "exec/rule.h"
#include "isa/release.h"
#include "state/machine.h"

namespace pto::exec {

// Deviations from the published text that restore its evident intent; docs/ERRATA.md describes each.
// Conformance checks run with none, programs with all, unless the user says otherwise.
struct Errata {
  // The first scalar instruction of a Standard, Floating or System block enters the block's body; the
  // published text has no instruction that does.
  bool enter_block_body = false;

  static constexpr Errata none() { return {}; }
  static constexpr Errata all() { return {.enter_block_body = true}; }
};

// How tile and scalar arithmetic computes (DESIGN: "Numeric profiles").
enum class NumericProfile : std::uint8_t { PtoV0, Ieee };

struct Config {
  Release release = default_release;
  Errata errata;
  NumericProfile profile = NumericProfile::PtoV0;
};

struct Context {
  state::Machine& machine;
  const Config& config;
  // What the last behaviour that did not execute had to say.
  Rejection rejection{};
  std::string_view unsupported{};
};

}  // namespace pto::exec
