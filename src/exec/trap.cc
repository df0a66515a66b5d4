#include "exec/trap.h"

#include <array>

#include "base/bits.h"

namespace pto::exec {

using state::BlockType;
using state::Fault;
using state::Machine;
using state::Transfer;
namespace cr = state::context_register;

namespace {

// In the order of BlockType.
constexpr std::array<unsigned, 7> block_type_codes{0, 1, 2, 5, 6, 7, 8};

// The EBARG control word a handler sees: bits of the saved block that it may inspect and change.
namespace ebarg {
constexpr unsigned ring_lsb = 0;
constexpr unsigned valid = 4, active = 5, body = 6;
constexpr unsigned kind_lsb = 7, kind_width = 4;
constexpr unsigned transfer_lsb = 11, transfer_width = 3;
constexpr unsigned taken = 14;
constexpr unsigned used_bits = 15;
}  // namespace ebarg

constexpr bool bit(Word word, unsigned index) { return (word >> index & 1) != 0; }

bool control_legal(Word control) {
  const Word kind = bits_of(control, ebarg::kind_lsb, ebarg::kind_width);
  return control >> ebarg::used_bits == 0 && (kind <= 2 || (kind >= 5 && kind <= 8)) &&
         bits_of(control, ebarg::transfer_lsb, ebarg::transfer_width) <= 6 &&
         (!bit(control, ebarg::body) || bit(control, ebarg::active));
}

Word read_context(const Machine& machine, unsigned ring, unsigned low) {
  return machine.extended_system_registers[state::system_register_index(ring, low)];
}
void write_context(Machine& machine, unsigned ring, unsigned low, Word value) {
  machine.extended_system_registers.set(state::system_register_index(ring, low), value);
}

Word pack_control(const Machine& machine, unsigned source) {
  const state::Barg& barg = machine.block.barg;
  return Word{source} << ebarg::ring_lsb | Word{1} << ebarg::valid |
         Word{machine.bundle_active} << ebarg::active | Word{machine.bundle_body_active} << ebarg::body |
         Word{code_of(barg.block_type)} << ebarg::kind_lsb |
         static_cast<Word>(barg.transfer_type) << ebarg::transfer_lsb | Word{barg.taken} << ebarg::taken;
}

void save_portable(Machine& machine, unsigned target, unsigned source) {
  state::TrapContext& saved = machine.trap_contexts.at(target);
  static_cast<state::BlockHeader&>(saved) = machine.block;
  saved.valid = true;
  saved.source_acr = static_cast<std::uint8_t>(source);
  saved.tpc = machine.pc;
  saved.bpc = machine.bpc;
  saved.core_state = machine.system_registers.core_state;
  saved.commit_argument = machine.commit_argument;
  saved.return_address = machine.return_address;
  saved.bundle_active = machine.bundle_active;
  saved.bundle_body_active = machine.bundle_body_active;
  saved.barg = machine.block.barg;
  saved.bundle_sequential_pc = machine.block.sequential_pc;
  saved.frame_stack_return_target = machine.block.frame_stack_return_target;
  saved.memory_copy_template = machine.block.memory_copy_template;
  saved.frame_template = machine.block.frame_template;
  saved.t_queue = machine.t_queue;
  saved.u_queue = machine.u_queue;
  saved.predicates = machine.predicates;
}

}  // namespace

unsigned trap_number(Fault fault) {
  switch (fault) {
    case Fault::None:
    case Fault::ExecutionStateCheck: return 0;
    case Fault::IllegalInstruction: return 4;
    case Fault::TileLegality:
    case Fault::TileAllocation:
    case Fault::BundleControl:
    case Fault::BundlePostCommit: return 5;
    case Fault::ServiceRequest: return 6;
    case Fault::InstructionPC: return 32;
    case Fault::InstructionPage: return 33;
    case Fault::DataAlignment: return 34;
    case Fault::DataPage: return 35;
    case Fault::HardwareBreakpoint: return 49;
    case Fault::SoftwareBreakpoint: return 50;
    case Fault::HardwareWatchpoint: return 51;
    case Fault::Assert: return 52;
  }
  return 0;
}

unsigned code_of(BlockType type) { return block_type_codes[static_cast<std::size_t>(type)]; }

BlockType block_type_of_code(unsigned code) {
  for (std::size_t i = 0; i < block_type_codes.size(); ++i) {
    if (block_type_codes[i] == code) return static_cast<BlockType>(i);
  }
  return BlockType::Standard;
}

void enter_ring(Machine& machine, unsigned ring) {
  machine.current_acr = static_cast<std::uint8_t>(ring);
  Word& core_state = machine.system_registers.core_state;
  core_state = (core_state & ~Word{15}) | ring;
}

Word trap_vector(const Machine& machine, unsigned target, Word fault_address) {
  const Word base = read_context(machine, target, cr::trap_vector);
  return base == 0 ? fault_address : base;
}

void save_trap_context(Machine& machine, unsigned target, unsigned source) {
  save_portable(machine, target, source);
  Word ecstate = machine.system_registers.core_state & ~Word{0x1f};
  ecstate |= Word{source} | Word{machine.bundle_body_active} << 4;
  write_context(machine, target, cr::ecstate, ecstate);
  write_context(machine, target, cr::ebarg_control, pack_control(machine, source));
  write_context(machine, target, cr::ebarg_bpc, machine.bpc);
  write_context(machine, target, cr::ebarg_bpcn, machine.block.barg.bpcn);
  write_context(machine, target, cr::ebarg_tpc, machine.pc);
  write_context(machine, target, cr::ebarg_return_address, machine.return_address);
  for (unsigned i = 0; i < state::queue_depth; ++i) {
    write_context(machine, target, cr::ebarg_t_queue + i, machine.t_queue.values[i]);
    write_context(machine, target, cr::ebarg_u_queue + i, machine.u_queue.values[i]);
  }
  write_context(machine, target, cr::ebarg_reserved0, 0);
  write_context(machine, target, cr::ebarg_reserved1, 0);
}

void raise_fault(Machine& machine, Fault fault, Word address, std::uint32_t cause) {
  const unsigned source = machine.current_acr;
  const unsigned ring = trap_target(source);
  save_trap_context(machine, ring, source);
  machine.last_fault = fault;
  machine.fault_address = address;
  state::RingTrap& trap = machine.acr_traps[ring];
  trap.asynchronous = false;
  trap.argument_valid = true;
  trap.cause = cause;
  trap.number = static_cast<std::uint8_t>(trap_number(fault));
  trap.argument0 = address;
  enter_ring(machine, ring);
  machine.pc = trap_vector(machine, ring, address);
}

void raise(Machine& machine, const Rejection& why) {
  const unsigned ring = trap_target(machine.current_acr);
  const Word block_start = machine.bpc;
  raise_fault(machine, why.fault, why.address);
  if (why.restarts_block) machine.trap_contexts.at(ring).tpc = block_start;
}

bool trap_context_recoverable(const Machine& machine, unsigned target) {
  const Word control = read_context(machine, target, cr::ebarg_control);
  const Word ecstate = read_context(machine, target, cr::ecstate);
  const Word bpc = read_context(machine, target, cr::ebarg_bpc);
  const Word tpc = read_context(machine, target, cr::ebarg_tpc);
  return machine.trap_contexts[target].valid && bit(control, ebarg::valid) && control_legal(control) &&
         ((control ^ ecstate) & 15) == 0 && !bit(bpc, 0) && !bit(tpc, 0);
}

void recover_trap_context(Machine& machine, unsigned target) {
  const Word control = read_context(machine, target, cr::ebarg_control);
  const Word ecstate = read_context(machine, target, cr::ecstate);
  state::TrapContext& saved = machine.trap_contexts.at(target);
  static_cast<state::BlockHeader&>(machine.block) = saved;
  machine.pc = read_context(machine, target, cr::ebarg_tpc);
  machine.bpc = read_context(machine, target, cr::ebarg_bpc);
  machine.system_registers.core_state = ecstate;
  machine.commit_argument = saved.commit_argument;
  machine.bundle_active = bit(control, ebarg::active);
  machine.bundle_body_active = bit(control, ebarg::body);
  state::Barg& barg = machine.block.barg;
  barg.block_type =
      block_type_of_code(static_cast<unsigned>(bits_of(control, ebarg::kind_lsb, ebarg::kind_width)));
  barg.transfer_type = static_cast<Transfer>(bits_of(control, ebarg::transfer_lsb, ebarg::transfer_width));
  barg.taken = bit(control, ebarg::taken);
  barg.bpcn = read_context(machine, target, cr::ebarg_bpcn);
  machine.block.frame_stack_return_target = saved.frame_stack_return_target;
  machine.return_address = read_context(machine, target, cr::ebarg_return_address);
  machine.block.sequential_pc = saved.bundle_sequential_pc;
  machine.block.memory_copy_template = saved.memory_copy_template;
  machine.block.frame_template = saved.frame_template;
  for (unsigned i = 0; i < state::queue_depth; ++i) {
    machine.t_queue.values[i] = read_context(machine, target, cr::ebarg_t_queue + i);
    machine.u_queue.values[i] = read_context(machine, target, cr::ebarg_u_queue + i);
  }
  machine.t_queue.valid = saved.t_queue.valid;
  machine.u_queue.valid = saved.u_queue.valid;
  machine.predicates = saved.predicates;
  machine.current_acr = static_cast<std::uint8_t>(ecstate & 15);
  write_context(machine, target, cr::ebarg_control, control & ~(Word{1} << ebarg::valid));
  saved.valid = false;
}

}  // namespace pto::exec
