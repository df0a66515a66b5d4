// Rules: every reason for which ptosim rejects something is a row of its own.
//
// The architecture sees only a fault; the user sees the rule, the place and the values that broke it. Checks
// return a Rejection; nobody prints or raises a fault where a check is made.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/bits.h"
#include "state/enums.h"

namespace pto::exec {

struct Rule {
  std::string_view name;      // how ptosim calls it: "tpermute.index-range"
  std::string_view clause;    // the clause of the specification that states it: "PTO-TPERMUTE-CONTRACT-001"
  state::Fault fault;         // what the architecture raises
  std::string_view sentence;  // the rule, in one sentence
};

// A check that failed. `values` names what broke the rule: "index byte 9 at row 0, byte 2: must be below 8".
struct Rejection {
  const Rule* rule = nullptr;
  state::Fault fault{};
  Word address = 0;  // the fault address: the PC, or the address of a failed memory access
  std::string values;
  bool restarts_block = false;  // the saved context resumes at the start of the block
};

// The outcome of a check: nothing, or why not.
using Check = std::optional<Rejection>;
inline constexpr std::nullopt_t passed = std::nullopt;

template <class... Args>
[[nodiscard]] Rejection reject(const Rule& rule, Word address, fmt::format_string<Args...> values,
                               Args&&... args) {
  return {&rule, rule.fault, address, fmt::format(values, std::forward<Args>(args)...), false};
}

// Every rule there is, for `explain` and for the report of rules no test makes fire.
std::span<const Rule* const> all_rules();

}  // namespace pto::exec
