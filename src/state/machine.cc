#include "state/machine.h"

#include <algorithm>

namespace pto::state {

namespace {
constexpr Memory::Bounds conformance_bounds{.size = 4096, .application_size = 3072};

auto position(auto& entries, unsigned index) {
  return std::lower_bound(entries.begin(), entries.end(), index,
                          [](const auto& entry, unsigned wanted) { return entry.index < wanted; });
}
}  // namespace

Word SystemRegisterFile::operator[](unsigned index) const {
  const auto at = position(entries_, index);
  return at != entries_.end() && at->index == index ? at->value : reset_value(index);
}

void SystemRegisterFile::set(unsigned index, Word value) {
  const auto at = position(entries_, index);
  if (at != entries_.end() && at->index == index) {
    at->value = value;
  } else {
    entries_.insert(at, {static_cast<std::uint16_t>(index), value});
  }
}

Machine Machine::conformance() {
  Machine machine;
  machine.memory = Memory(conformance_bounds);
  return machine;
}

}  // namespace pto::state
