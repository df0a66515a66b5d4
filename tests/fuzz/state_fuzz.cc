// Reading a state file: any bytes give a state or an error, and what was read can be written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "state/describe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  pto::state::Machine machine = pto::state::Machine::conformance();
  if (!pto::state::read_state_text(text, "fuzz", machine).ok()) return 0;
  const std::string written = pto::state::write_state(machine).dump();
  pto::state::Machine again = pto::state::Machine::conformance();
  if (!pto::state::read_state_text(written, "fuzz", again).ok()) std::abort();
  if (!pto::state::compare_states(machine, again, 1).empty()) std::abort();
  return 0;
}
