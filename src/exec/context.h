// What execution needs beside the machine: the release it follows, the errata in force, the numeric profile.
#pragma once

#include <cstdint>
#include <string_view>

#include "exec/errata.h"
#include "exec/rule.h"
#include "isa/release.h"
#include "state/machine.h"

namespace pto::exec {

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
