#include "exec/scalar/system_registers.h"

#include <bit>

namespace pto::exec::scalar {

using state::Machine;
using state::system_register_index;
using state::SystemRegisters;
namespace cr = state::context_register;

namespace {

constexpr auto RO = RegisterAccess::ReadOnly;
constexpr auto WO = RegisterAccess::WriteOnly;
constexpr auto RW = RegisterAccess::ReadWrite;

constexpr SystemRegisterRow rows[] = {
    {"THREAD_PTR", 0x0000, RW, false},
    {"GLOBAL_PTR", 0x0001, RW, false},
    {"TIME", 0x0010, RO, false},
    {"CORE_STATE", 0x0020, RW, false},
    {"CORE_ID", 0x0021, RO, false},
    {"VENDOR", 0x0022, RO, false},
    {"VERSION", 0x0023, RO, false},
    {"CORE_FEATURE", 0x0024, RO, false},
    {"CORE_FEATURE_ENABLE", 0x0025, RW, false},
    {"THREAD_ID", 0x0026, RO, false},
    {"TILE_CAPACITY", 0x0027, RO, false},
    {"BLOCKNUM", 0x0050, RO, false},
    {"BLOCKID", 0x0051, RO, false},
    {"CYCLE", 0x0c00, RO, false},
    {"ECSTATE", 0xf00, RW, true},
    {"EVBASE", 0xf01, RW, true},
    {"TRAPNO", 0xf02, RW, true},
    {"TRAPARG0", 0xf03, RW, true},
    {"ETEMP", 0xf05, RW, true},
    {"ETEMP0", 0xf06, RW, true},
    {"ECONFIG", 0xf07, RW, true},
    {"IPENDING", 0xf08, RO, true},
    {"TOPEI", 0xf09, RO, true},
    {"EOIEI", 0xf0a, WO, true},
    {"TTBR0", 0xf10, RW, true, 1},
    {"TTBR1", 0xf11, RW, true, 1},
    {"TCR", 0xf12, RW, true, 1},
    {"MAIR", 0xf13, RW, true, 1},
    {"IOTTBR", 0xf14, RW, true, 1},
    {"IOTCR", 0xf15, RW, true, 1},
    {"IOMAIR", 0xf16, RW, true, 1},
    {"TIMER_TIME", 0xf20, RO, true},
    {"TIMER_TIMECMP", 0xf21, RW, true},
    {"XBINFO", 0xf30, RW, true},
    {"ACR_PARAM", 0xf31, RW, true},
    {"EBARG0", 0xf40, RW, true},
    {"EBARG_BPC_CUR", 0xf41, RW, true},
    {"EBARG_BPC_TGT", 0xf42, RW, true},
    {"EBARG_TPC", 0xf43, RW, true},
    {"EBARG_LRA", 0xf44, RW, true},
    {"EBARG_TQ0", 0xf45, RW, true},
    {"EBARG_TQ1", 0xf46, RW, true},
    {"EBARG_TQ2", 0xf47, RW, true},
    {"EBARG_TQ3", 0xf48, RW, true},
    {"EBARG_UQ0", 0xf49, RW, true},
    {"EBARG_UQ1", 0xf4a, RW, true},
    {"EBARG_UQ2", 0xf4b, RW, true},
    {"EBARG_UQ3", 0xf4c, RW, true},
    {"EBARG_LB", 0xf4d, RW, true},
    {"EBARG_LC", 0xf4e, RW, true},
    {"EBARG_EXTCTX_PTR", 0xf4f, RW, true},
    {"EBARG_EXTCTX_META", 0xf50, RW, true},
    {"EBARG_TPLFLAGS", 0xf51, RW, true},
    {"DBGID", 0xf80, RO, true},
    {"DBCR0", 0xf90, RW, true},
    {"DBVR0", 0xf91, RW, true},
    {"DBCR1", 0xf92, RW, true},
    {"DBVR1", 0xf93, RW, true},
    {"DBCR2", 0xf94, RW, true},
    {"DBVR2", 0xf95, RW, true},
    {"DBCR3", 0xf96, RW, true},
    {"DBVR3", 0xf97, RW, true},
    {"DCCR0", 0xfa0, RW, true},
    {"DCVR0", 0xfa1, RW, true},
    {"DWCR0", 0xfb0, RW, true},
    {"DWVR0", 0xfb1, RW, true},
    {"DWCR1", 0xfb2, RW, true},
    {"DWVR1", 0xfb3, RW, true},
    {"DWCR2", 0xfb4, RW, true},
    {"DWVR2", 0xfb5, RW, true},
    {"DWCR3", 0xfb6, RW, true},
    {"DWVR3", 0xfb7, RW, true},
};

constexpr unsigned first_context_index = 0xf00;
constexpr unsigned trap_status = 0xf02, trap_argument = 0xf03, end_of_interrupt = 0xf0a, timer_time = 0xf20;

unsigned low_index(std::uint32_t address) { return address & 0xfff; }
unsigned ring_of(std::uint32_t address) { return address >> 12 & 15; }

// Storage of the base registers; the time registers both read the cycle counter.
Word SystemRegisters::*storage_of(unsigned index) {
  switch (index) {
    case 0x0000: return &SystemRegisters::thread_ptr;
    case 0x0001: return &SystemRegisters::global_ptr;
    case 0x0020: return &SystemRegisters::core_state;
    case 0x0021: return &SystemRegisters::core_id;
    case 0x0022: return &SystemRegisters::vendor;
    case 0x0023: return &SystemRegisters::version;
    case 0x0024: return &SystemRegisters::core_feature;
    case 0x0025: return &SystemRegisters::core_feature_enable;
    case 0x0026: return &SystemRegisters::thread_id;
    case 0x0027: return &SystemRegisters::tile_capacity;
    case 0x0050: return &SystemRegisters::blocknum;
    case 0x0051: return &SystemRegisters::blockid;
    default: return &SystemRegisters::cycle;
  }
}

// Context registers belong to ring 0.
bool ring_permits(const Machine& machine, std::uint32_t address) {
  return low_index(address) < first_context_index || machine.current_acr == 0;
}

void set_pending(Machine& machine, unsigned ring, unsigned interrupt, bool pending) {
  state::SystemRegisterFile& file = machine.extended_system_registers;
  const unsigned index = system_register_index(ring, cr::interrupt_pending);
  const Word bit = Word{1} << interrupt;
  const Word value = pending ? file[index] | bit : file[index] & ~bit;
  file.set(index, value);
  file.set(system_register_index(ring, cr::interrupt_top),
           value == 0 ? 0 : static_cast<Word>(std::countr_zero(value)));
}

void refresh_timer(Machine& machine, unsigned ring) {
  const Word compare = machine.extended_system_registers[system_register_index(ring, cr::timer_compare)];
  const unsigned interrupt = ring == 0 ? 1 : 3;
  set_pending(machine, ring, interrupt, compare != 0 && machine.system_registers.cycle >= compare);
}

Word pack_trap_status(const state::RingTrap& trap) {
  return Word{trap.asynchronous} << 63 | Word{trap.argument_valid} << 62 | Word{trap.cause} << 24 |
         trap.number;
}

void unpack_trap_status(state::RingTrap& trap, Word value) {
  trap.asynchronous = (value >> 63 & 1) != 0;
  trap.argument_valid = (value >> 62 & 1) != 0;
  trap.cause = static_cast<std::uint32_t>(bits_of(value, 24, 24));
  trap.number = static_cast<std::uint8_t>(value & 63);
}

void finish_interrupt(Machine& machine, unsigned ring, Word value) {
  if (value < 64) set_pending(machine, ring, static_cast<unsigned>(value), false);
  machine.acr_traps[ring].asynchronous = false;
  machine.acr_traps[ring].argument_valid = false;
}

}  // namespace

std::span<const SystemRegisterRow> system_register_rows() { return rows; }

const SystemRegisterRow* find_system_register(std::uint32_t address) {
  if (address >> 16 != 0) return nullptr;
  for (const SystemRegisterRow& row : rows) {
    if (!row.context) {
      if (row.index == address) return &row;
    } else if (row.index == low_index(address)) {
      const bool here = row.only_ring < 0 || static_cast<unsigned>(row.only_ring) == ring_of(address);
      return here ? &row : nullptr;
    }
  }
  return nullptr;
}

bool may_read(const Machine& machine, std::uint32_t address) {
  const SystemRegisterRow* row = find_system_register(address);
  return row != nullptr && row->access != WO && ring_permits(machine, address);
}

bool may_write(const Machine& machine, std::uint32_t address) {
  const SystemRegisterRow* row = find_system_register(address);
  return row != nullptr && row->access != RO && ring_permits(machine, address);
}

Word read_system_register(Machine& machine, std::uint32_t address) {
  if (low_index(address) < first_context_index) return machine.system_registers.*storage_of(address);
  const unsigned ring = ring_of(address);
  switch (low_index(address)) {
    case trap_status: return pack_trap_status(machine.acr_traps[ring]);
    case trap_argument: return machine.acr_traps[ring].argument0;
    case cr::interrupt_pending:
    case cr::interrupt_top: refresh_timer(machine, ring); break;
    case timer_time: return machine.system_registers.cycle;
    default: break;
  }
  return machine.extended_system_registers[address & 0xffff];
}

void write_system_register(Machine& machine, std::uint32_t address, Word value) {
  if (low_index(address) < first_context_index) {
    machine.system_registers.*storage_of(address) = value;
    if (address == 0x0020) machine.current_acr = static_cast<std::uint8_t>(value & 15);
    return;
  }
  const unsigned ring = ring_of(address);
  switch (low_index(address)) {
    case trap_status: unpack_trap_status(machine.acr_traps[ring], value); return;
    case trap_argument: machine.acr_traps[ring].argument0 = value; return;
    case end_of_interrupt: finish_interrupt(machine, ring, value); return;
    default: break;
  }
  machine.extended_system_registers.set(address & 0xffff, value);
  if (low_index(address) == cr::timer_compare) refresh_timer(machine, ring);
}

}  // namespace pto::exec::scalar
