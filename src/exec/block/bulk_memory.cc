// Bulk memory commands. MCOPY is a restartable template: it copies in steps of 8, 4, 2 or 1 bytes, both ends
// of a step are probed before its source is read, and its progress is state. MSET is small and atomic.

#include "exec/block/commands.h"
#include "exec/memory_access.h"
#include "exec/rules.h"
#include "exec/scalar_operands.h"

namespace pto::exec::block {

using isa::Field;
using state::Access;
using state::Fault;
using state::Machine;
using state::MemoryCopyTemplate;

namespace {

constexpr unsigned max_set_bytes = 63;

unsigned selector(const Instruction& instruction, Field field) {
  return static_cast<unsigned>(instruction.raw(field));
}

bool wraps(Word address, Word length) { return length != 0 && address + length < address; }

bool overlap(Word destination, Word source, Word length) {
  return length != 0 && destination < source + length && source < destination + length;
}

unsigned step_size(Word remaining) {
  if (remaining >= 8) return 8;
  if (remaining >= 4) return 4;
  return remaining >= 2 ? 2 : 1;
}

Check begin_copy(Machine& machine, const Instruction& instruction) {
  const Word destination = machine.read_gpr(selector(instruction, Field::RegSrc0));
  const Word source = machine.read_gpr(selector(instruction, Field::RegSrc1));
  const Word length = machine.read_gpr(selector(instruction, Field::RegSrc2));
  if (wraps(destination, length) || wraps(source, length) || overlap(destination, source, length)) {
    return reject(rules::copy_range, machine.pc, "{} bytes from {:#x} to {:#x}", length, source, destination);
  }
  machine.block.memory_copy_template = {.active = true,
                                        .instruction_pc = machine.pc,
                                        .destination = destination,
                                        .source = source,
                                        .length = length,
                                        .progress = 0};
  return passed;
}

Check copy_step(Machine& machine) {
  MemoryCopyTemplate& copy = machine.block.memory_copy_template;
  const unsigned size = step_size(copy.length - copy.progress);
  const Word from = copy.source + copy.progress;
  const Word to = copy.destination + copy.progress;
  const Fault read_fault = probe_access(machine, from, size, 1, Access::Read);
  if (read_fault != Fault::None) return reject_access(machine, read_fault, from, size, Access::Read);
  const Fault write_fault = probe_access(machine, to, size, 1, Access::Write);
  if (write_fault != Fault::None) return reject_access(machine, write_fault, to, size, Access::Write);
  const Word value = machine.memory.load(from, size);
  record_load(machine, machine.current_memory_agent, from, size, value, state::MemoryOrder::Relaxed);
  store_value(machine, to, size, value);
  record_store(machine, machine.current_memory_agent, to, size, value, state::MemoryOrder::Relaxed);
  copy.progress += size;
  return passed;
}

}  // namespace

Next memory_copy(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  MemoryCopyTemplate& copy = machine.block.memory_copy_template;
  if (!copy.active) {
    if (Check failed = begin_copy(machine, instruction)) return rejected(context, std::move(*failed));
  }
  if (copy.instruction_pc != machine.pc) {
    return rejected(context,
                    reject(rules::copy_resume, machine.pc, "it was started at {:#x}", copy.instruction_pc));
  }
  // A copy may take seconds. Between steps it is where a fault would leave it, so it may end there.
  constexpr Word bytes_between_looks = 1 << 16;
  while (copy.progress != copy.length) {
    if (copy.progress % bytes_between_looks == 0 && context.interrupted()) return Next::Interrupted;
    if (Check failed = copy_step(machine)) return rejected(context, std::move(*failed));
  }
  machine.block.last_memory_command_address = copy.destination;
  machine.block.last_memory_command_size = copy.length;
  copy.active = false;
  return Next::Sequential;
}

Next memory_set(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word destination = read_source(machine, selector(instruction, Field::RegSrc0));
  const Word value = read_source(machine, selector(instruction, Field::RegSrc1));
  const Word length = read_source(machine, selector(instruction, Field::RegSrc2));
  if (length > max_set_bytes) {
    return rejected(context, reject(rules::set_length, machine.pc, "{} bytes", length));
  }
  if (length != 0) {
    const Fault fault = probe_access(machine, destination, length, 1, Access::Write);
    if (fault != Fault::None) {
      return rejected(context, reject_access(machine, fault, destination, length, Access::Write));
    }
    for (Word i = 0; i < length; ++i) machine.memory.store(destination + i, 1, value);
    break_reservation(machine, destination, length);
  }
  machine.block.last_memory_command_address = destination;
  machine.block.last_memory_command_size = length;
  return Next::Sequential;
}

}  // namespace pto::exec::block
