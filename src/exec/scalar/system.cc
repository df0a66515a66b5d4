// System instructions (SYS). All but LSRGET stand in the body of a System block; the step has checked that.
//
// ACRC asks the ring above for a service and ACRE returns from one: both leave through the trap mechanism and
// deliver their traps themselves, because what they save or restore differs from an ordinary fault.

#include "exec/block/commands.h"
#include "exec/memory_access.h"
#include "exec/outcome.h"
#include "exec/rules.h"
#include "exec/scalar/families.h"
#include "exec/scalar/system_registers.h"
#include "exec/scalar_operands.h"
#include "exec/trap.h"

namespace pto::exec::scalar {

using isa::Behaviour;
using isa::Field;
using isa::Operation;
using state::BlockType;
using state::Fault;
using state::Machine;
using state::MaintenanceOperation;

namespace {

// --- System registers ---

std::uint32_t register_address(const Instruction& instruction) {
  const Field field = instruction.has(Field::SSRID) ? Field::SSRID : Field::SSR_ID;
  return static_cast<std::uint32_t>(instruction.raw(field));
}

Next refuse_register(Context& context, std::uint32_t address, std::string_view verb) {
  const Machine& machine = context.machine;
  const SystemRegisterRow* row = find_system_register(address);
  return rejected(context, reject(rules::system_register, machine.pc, "{} of {} ({:#x}) in ring {}", verb,
                                  row ? row->name : "no register", address, machine.current_acr));
}

Next register_get(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const std::uint32_t address = register_address(instruction);
  if (!may_read(machine, address)) return refuse_register(context, address, "read");
  write_destination(machine, instruction.destination, read_system_register(machine, address));
  return Next::Sequential;
}

Next register_set(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const std::uint32_t address = register_address(instruction);
  if (!may_write(machine, address)) return refuse_register(context, address, "write");
  write_system_register(machine, address, read_source(machine, instruction.left));
  return Next::Sequential;
}

Next register_swap(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const std::uint32_t address = register_address(instruction);
  if (!may_read(machine, address) || !may_write(machine, address))
    return refuse_register(context, address, "swap");
  const Word value = read_source(machine, instruction.left);
  const Word old_value = read_system_register(machine, address);
  write_system_register(machine, address, value);
  write_destination(machine, instruction.destination, old_value);
  return Next::Sequential;
}

// --- The block's own words ---

Word pack_block_control(const Machine& machine) {
  const state::Barg& barg = machine.block.barg;
  const state::ControlAttributes& attributes = machine.block.control_attributes;
  const bool candidate = barg.block_type == BlockType::Standard || barg.block_type == BlockType::Floating;
  Word value = code_of(barg.block_type);
  if (candidate) value |= static_cast<Word>(barg.transfer_type) << 4 | Word{barg.taken} << 7;
  return value | Word{attributes.atomic} << 8 | Word{attributes.acquire} << 9 |
         Word{attributes.release} << 10 | Word{attributes.far} << 11 |
         Word{attributes.dimension_reduction} << 12;
}

Next local_register_get(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const BlockType type = machine.block.barg.block_type;
  const bool candidate = type == BlockType::Standard || type == BlockType::Floating;
  const Word identifier = instruction.raw(Field::LSR_ID);
  if (identifier > 2 || (identifier == 1 && !candidate)) {
    return rejected(context, reject(rules::local_register, machine.pc, "LSR {} in a {} block", identifier,
                                    name_of(type)));
  }
  const Word values[] = {machine.bpc, machine.block.barg.bpcn, pack_block_control(machine)};
  write_destination(machine, instruction.destination, values[identifier]);
  return Next::Sequential;
}

// --- Requests, maintenance, fences ---

Next control_request(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  state::Maintenance& maintenance = machine.maintenance;
  switch (instruction.form->operation) {
    case Operation::WaitEvent: maintenance.last_control_request = state::ControlRequest::WaitEvent; break;
    case Operation::WaitInterrupt:
      maintenance.last_control_request = state::ControlRequest::WaitInterrupt;
      break;
    case Operation::WaitTimeout: maintenance.last_control_request = state::ControlRequest::WaitTimeout; break;
    default: maintenance.last_control_request = state::ControlRequest::SendEvent; break;
  }
  maintenance.control_request_operand = read_source(machine, instruction.left);
  ++maintenance.architecture_request_epoch;
  return Next::Sequential;
}

struct MaintenanceRow {
  Operation operation;
  MaintenanceOperation what;
  Word state::Maintenance::*epoch;
};
constexpr MaintenanceRow maintenance_rows[] = {
    {Operation::DC_IALL, MaintenanceOperation::DC_IALL, &state::Maintenance::data_cache_epoch},
    {Operation::DC_IVA, MaintenanceOperation::DC_IVA, &state::Maintenance::data_cache_epoch},
    {Operation::DC_ISW, MaintenanceOperation::DC_ISW, &state::Maintenance::data_cache_epoch},
    {Operation::DC_ZVA, MaintenanceOperation::DC_ZVA, &state::Maintenance::data_cache_epoch},
    {Operation::DC_CVA, MaintenanceOperation::DC_CVA, &state::Maintenance::data_cache_epoch},
    {Operation::DC_CIVA, MaintenanceOperation::DC_CIVA, &state::Maintenance::data_cache_epoch},
    {Operation::DC_CSW, MaintenanceOperation::DC_CSW, &state::Maintenance::data_cache_epoch},
    {Operation::DC_CISW, MaintenanceOperation::DC_CISW, &state::Maintenance::data_cache_epoch},
    {Operation::IC_IALL, MaintenanceOperation::IC_IALL, &state::Maintenance::instruction_cache_epoch},
    {Operation::IC_IVA, MaintenanceOperation::IC_IVA, &state::Maintenance::instruction_cache_epoch},
    {Operation::BC_IALL, MaintenanceOperation::BC_IALL, &state::Maintenance::bundle_cache_epoch},
    {Operation::BC_IVA, MaintenanceOperation::BC_IVA, &state::Maintenance::bundle_cache_epoch},
    {Operation::TLB_IV, MaintenanceOperation::TLB_IV, &state::Maintenance::tlb_epoch},
    {Operation::TLB_IAV, MaintenanceOperation::TLB_IAV, &state::Maintenance::tlb_epoch},
    {Operation::TLB_IA, MaintenanceOperation::TLB_IA, &state::Maintenance::tlb_epoch},
    {Operation::TLB_IALL, MaintenanceOperation::TLB_IALL, &state::Maintenance::tlb_epoch},
};

bool canonical(Word address) { return sign_extend(address, 48) == address; }

Check check_maintenance(const Machine& machine, const MaintenanceRow& row, Word operand) {
  if (row.epoch != &state::Maintenance::tlb_epoch) return passed;
  if (machine.current_acr != 0) {
    return reject(rules::maintenance_ring, machine.pc, "{} in ring {}", name_of(row.what),
                  machine.current_acr);
  }
  const bool by_address =
      row.what == MaintenanceOperation::TLB_IV || row.what == MaintenanceOperation::TLB_IAV;
  if (by_address && !canonical(operand)) {
    return reject(rules::maintenance_address, operand, "{} of {:#x}", name_of(row.what), operand);
  }
  if (row.what == MaintenanceOperation::TLB_IA && operand >> 16 != 0) {
    return reject(rules::maintenance_asid, machine.pc, "the identifier is {:#x}", operand);
  }
  return passed;
}

Next maintain(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  for (const MaintenanceRow& row : maintenance_rows) {
    if (row.operation != instruction.form->operation) continue;
    const Word operand = instruction.has(Field::SrcL) ? read_source(machine, instruction.left) : 0;
    if (Check failed = check_maintenance(machine, row, operand)) return rejected(context, std::move(*failed));
    ++(machine.maintenance.*row.epoch);
    machine.maintenance.last_operation = row.what;
    machine.maintenance.last_operand = operand;
    break;
  }
  return Next::Sequential;
}

Next fence_data(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const unsigned predecessor = static_cast<unsigned>(instruction.raw(Field::PRED_IMM) & 15);
  const unsigned successor = static_cast<unsigned>(instruction.raw(Field::SUCC_IMM) & 15);
  constexpr unsigned instruction_class = 8;
  machine.reservation.valid = false;
  machine.fences = {.predecessor = static_cast<std::uint8_t>(predecessor),
                    .successor = static_cast<std::uint8_t>(successor)};
  if (((predecessor | successor) & instruction_class) != 0) ++machine.maintenance.instruction_cache_epoch;
  record_fence(machine, predecessor, successor);
  return Next::Sequential;
}

Next fence_instruction(Context& context, const Instruction&) {
  context.machine.reservation.valid = false;
  ++context.machine.maintenance.instruction_cache_epoch;
  return Next::Sequential;
}

// --- Traps on purpose ---

Next delivered(Context& context, Rejection why) {
  context.rejection = std::move(why);
  return Next::Delivered;
}

Next breakpoint(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word tag = instruction.raw(instruction.has(Field::imm5) ? Field::imm5 : Field::imm4);
  Rejection why = reject(rules::breakpoint, machine.pc, "tag {}", tag);
  raise_fault(machine, Fault::SoftwareBreakpoint, machine.pc, static_cast<std::uint32_t>(tag));
  return delivered(context, std::move(why));
}

Next assert_true(Context& context, const Instruction& instruction) {
  const Machine& machine = context.machine;
  if (read_source(machine, instruction.left) != 0) return Next::Sequential;
  return rejected(context, reject(rules::assertion, machine.pc, "the operand is zero"));
}

// Ring 1 may ask for 0 and 2, rings 2 to 15 for 0 to 2; request 1 goes to ring 1, the others to ring 0.
bool service_permitted(unsigned ring, unsigned request) {
  if (ring == 1) return request == 0 || request == 2;
  return ring >= 2 && request <= 2;
}

Next close_request(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const unsigned request = static_cast<unsigned>(instruction.raw(Field::RST_Type));
  const unsigned source = machine.current_acr;
  if (!service_permitted(source, request)) {
    return rejected(context, reject(rules::service, machine.pc, "request {} from ring {}", request, source));
  }
  const unsigned target = request == 1 ? 1 : 0;
  const Word pc = machine.pc;
  const Word resume = pc + instruction.bytes();
  machine.block.system_block_terminal_pending = true;
  save_trap_context(machine, target, source);
  machine.trap_contexts.at(target).tpc = resume;
  machine.extended_system_registers.set(
      state::system_register_index(target, state::context_register::ebarg_tpc), resume);
  machine.last_fault = Fault::ServiceRequest;
  machine.fault_address = pc;
  machine.acr_traps[target] = {
      .asynchronous = false, .argument_valid = true, .cause = request, .number = 6, .argument0 = pc};
  enter_ring(machine, target);
  machine.pc = trap_vector(machine, target, pc);
  ++machine.maintenance.architecture_request_epoch;
  Word& operand = machine.maintenance.control_request_operand;
  operand = (operand & ~Word{15}) | request;
  return delivered(context, reject(rules::service_request, pc, "request {} from ring {}", request, source));
}

// Returns to the context saved in the current ring. The running block completes first; if either step fails,
// the fault must not cost the saved context.
Next enter_request(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const unsigned ring = machine.current_acr;
  const state::TrapContext saved = machine.trap_contexts[ring];
  if (!trap_context_recoverable(machine, ring)) {
    Rejection why = reject(rules::recoverable, machine.pc, "ring {} holds no recoverable context", ring);
    raise(machine, why);
    if (saved.valid) machine.trap_contexts.at(ring) = saved;
    return delivered(context, std::move(why));
  }
  const Next completed = block::complete(context, machine.block.sequential_pc);
  if (completed == Next::Unsupported || completed == Next::Unspecified) return completed;
  if (!executed(completed)) {
    raise(machine, context.rejection);
    machine.trap_contexts.at(ring) = saved;
    return Next::Delivered;
  }
  recover_trap_context(machine, ring);
  ++machine.maintenance.architecture_request_epoch;
  Word& operand = machine.maintenance.control_request_operand;
  operand = (operand & ~Word{15}) | (instruction.raw(Field::RRA_Type) & 15);
  return Next::Written;
}

}  // namespace

Function system(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::SystemRegisterGet: return register_get;
    case Behaviour::SystemRegisterSet: return register_set;
    case Behaviour::SystemRegisterSwap: return register_swap;
    case Behaviour::LocalStateRegisterGet: return local_register_get;
    case Behaviour::ControlRequest: return control_request;
    case Behaviour::Maintenance: return maintain;
    case Behaviour::FenceData: return fence_data;
    case Behaviour::FenceInstruction: return fence_instruction;
    case Behaviour::Breakpoint: return breakpoint;
    case Behaviour::Assert: return assert_true;
    case Behaviour::CloseRequest: return close_request;
    default: return enter_request;
  }
}

}  // namespace pto::exec::scalar
