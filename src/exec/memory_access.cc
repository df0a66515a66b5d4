#include "exec/memory_access.h"

#include "base/bits.h"
#include "exec/rules.h"

namespace pto::exec {

using state::EventKind;
using state::Fault;
using state::Machine;
using state::MemoryEvent;
using state::MemoryOrder;

namespace {

bool is_write(const MemoryEvent& event) {
  return event.kind == EventKind::InitialWrite || event.kind == EventKind::Store ||
         (event.kind == EventKind::Atomic && event.write_performed);
}

bool same_location(const MemoryEvent& event, Word address, unsigned size) {
  return event.address == address && event.size_bytes == size;
}

// The place of the next write to a location in its coherence order; ranks count from 1.
std::uint8_t next_rank(const Machine& machine, Word address, unsigned size) {
  unsigned rank = 1;
  for (const MemoryEvent& event : machine.memory_events) {
    if (is_write(event) && same_location(event, address, size))
      rank = std::max(rank, event.coherence_rank + 1u);
  }
  return static_cast<std::uint8_t>(rank);
}

// The latest earlier write of the value that the read saw; 0 when there is none.
std::uint8_t read_source(const Machine& machine, Word address, unsigned size, Word value) {
  std::size_t source = 0;
  for (std::size_t i = 0; i < machine.memory_events.size(); ++i) {
    const MemoryEvent& event = machine.memory_events[i];
    if (is_write(event) && same_location(event, address, size) && event.write_value == value) source = i;
  }
  return static_cast<std::uint8_t>(source);
}

std::string_view verb(state::Access access) {
  switch (access) {
    case state::Access::Read: return "read";
    case state::Access::Write: return "write";
    case state::Access::Execute: return "fetch";
  }
  return "access";
}

}  // namespace

Rejection reject_access(const Machine& machine, Fault fault, Word address, Word size, state::Access access) {
  if (fault == Fault::DataAlignment) {
    return reject(rules::data_alignment, address, "{} of {} bytes at {:#x}", verb(access), size, address);
  }
  return reject(rules::data_page, address, "{} of {} bytes at {:#x} in ring {}", verb(access), size, address,
                machine.current_acr);
}

void append_load(Machine& machine, unsigned agent, Word address, unsigned size, Word value,
                 MemoryOrder order) {
  MemoryEvent event;
  event.kind = EventKind::Load;
  event.agent = static_cast<std::uint8_t>(agent);
  event.address = address;
  event.size_bytes = static_cast<std::uint8_t>(size);
  event.read_value = value & mask_of(size * 8);
  event.order = order;
  event.read_from = read_source(machine, address, size, event.read_value);
  machine.memory_events.push_back(event);
}

void append_store(Machine& machine, unsigned agent, Word address, unsigned size, Word value,
                  MemoryOrder order) {
  MemoryEvent event;
  event.kind = EventKind::Store;
  event.agent = static_cast<std::uint8_t>(agent);
  event.address = address;
  event.size_bytes = static_cast<std::uint8_t>(size);
  event.write_value = value & mask_of(size * 8);
  event.write_performed = true;
  event.order = order;
  event.coherence_rank = next_rank(machine, address, size);
  machine.memory_events.push_back(event);
}

void append_atomic(Machine& machine, Word address, unsigned size, Word read_value, Word write_value,
                   MemoryOrder order, bool write_performed) {
  MemoryEvent event;
  event.kind = EventKind::Atomic;
  event.agent = machine.current_memory_agent;
  event.address = address;
  event.size_bytes = static_cast<std::uint8_t>(size);
  event.read_value = read_value & mask_of(size * 8);
  event.write_value = write_value & mask_of(size * 8);
  event.write_performed = write_performed;
  event.order = order;
  event.coherence_rank = write_performed ? next_rank(machine, address, size) : std::uint8_t{0};
  event.read_from = read_source(machine, address, size, event.read_value);
  machine.memory_events.push_back(event);
}

void append_fence(Machine& machine, unsigned predecessor, unsigned successor) {
  MemoryEvent event;
  event.kind = EventKind::Fence;
  event.agent = machine.current_memory_agent;
  event.order = MemoryOrder::AcquireRelease;
  event.fence_predecessor = static_cast<std::uint8_t>(predecessor);
  event.fence_successor = static_cast<std::uint8_t>(successor);
  machine.memory_events.push_back(event);
}

}  // namespace pto::exec
