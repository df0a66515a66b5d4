// The system registers: what each address names, who may touch it, and the few that are not plain storage
// (PTO ISA, "System registers").
#pragma once

#include <span>
#include <string_view>

#include "state/machine.h"

namespace pto::exec::scalar {

enum class RegisterAccess : std::uint8_t { ReadOnly, WriteOnly, ReadWrite };

struct SystemRegisterRow {
  std::string_view name;
  std::uint16_t index;  // a base register's address, or a context register's index in its ring's bank
  RegisterAccess access;
  bool context;        // one per ring
  int only_ring = -1;  // a context register that exists in one ring only
};

std::span<const SystemRegisterRow> system_register_rows();

// The row of a 24-bit address; null: no such register.
const SystemRegisterRow* find_system_register(std::uint32_t address);

// Whether the current ring may read (write) the register at `address`.
bool may_read(const state::Machine& machine, std::uint32_t address);
bool may_write(const state::Machine& machine, std::uint32_t address);

// Access to a register that `may_read` (`may_write`) admits. Reading pending interrupts refreshes the
// timer's.
Word read_system_register(state::Machine& machine, std::uint32_t address);
void write_system_register(state::Machine& machine, std::uint32_t address, Word value);

}  // namespace pto::exec::scalar
