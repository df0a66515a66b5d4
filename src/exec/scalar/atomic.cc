// Atomics (AMO): reservations, read-modify-write, compare-and-swap and the 64-byte copy.
//
// A reservation covers the 64-byte granule of its address; any store to the granule ends it, and so does a
// store-conditional, successful or not. Both probes of a read-modify-write come before its read. An old value
// of one or two bytes returns zero-extended, one of four bytes sign-extended.

#include <array>

#include "exec/memory_access.h"
#include "exec/outcome.h"
#include "exec/scalar/families.h"
#include "exec/scalar_operands.h"

namespace pto::exec::scalar {

using isa::Behaviour;
using isa::Field;
using isa::Operation;
using state::Access;
using state::Fault;
using state::Machine;
using state::MemoryOrder;

namespace {

constexpr unsigned copy_bytes = 64;

MemoryOrder order_of(const Instruction& instruction) {
  const bool acquire = instruction.flag(Field::aq);
  const bool release = instruction.flag(Field::rl);
  if (acquire && release) return MemoryOrder::AcquireRelease;
  if (acquire) return MemoryOrder::Acquire;
  return release ? MemoryOrder::Release : MemoryOrder::Relaxed;
}

Word returned(Word value, unsigned size) { return size == 4 ? sign_extend(value, 32) : value; }

Word granule(Word address) { return address & ~Word{reservation_granule_bytes - 1}; }

bool refused(Context& context, Word address, unsigned size, unsigned alignment, Access access) {
  const Fault fault = probe_access(context.machine, address, size, alignment, access);
  if (fault == Fault::None) return false;
  context.rejection = reject_access(context.machine, fault, address, size, access);
  return true;
}

Word combine(Operation operation, Word old_value, Word operand, unsigned size) {
  const unsigned width = size * 8;
  const auto signed_of = [width](Word value) { return static_cast<std::int64_t>(sign_extend(value, width)); };
  operand &= mask_of(width);
  switch (operation) {
    case Operation::Add: return (old_value + operand) & mask_of(width);
    case Operation::And: return old_value & operand;
    case Operation::Or: return old_value | operand;
    case Operation::Xor: return old_value ^ operand;
    case Operation::Min: return signed_of(old_value) < signed_of(operand) ? old_value : operand;
    case Operation::Max: return signed_of(old_value) > signed_of(operand) ? old_value : operand;
    case Operation::MinU: return old_value < operand ? old_value : operand;
    case Operation::MaxU: return old_value > operand ? old_value : operand;
    default: return operand;
  }
}

Next load_reserved(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const unsigned size = instruction.form->access.bytes;
  const Word address = read_source(machine, instruction.left);
  if (refused(context, address, size, size, Access::Read)) return Next::Rejected;
  const Word value = machine.memory.load(address, size);
  record_load(machine, machine.current_memory_agent, address, size, value, order_of(instruction));
  machine.reservation = {.valid = true, .address = address, .size = static_cast<std::uint8_t>(size)};
  write_destination(machine, instruction.destination, returned(value, size));
  return Next::Sequential;
}

Next store_conditional(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const unsigned size = instruction.form->access.bytes;
  const Word address = read_source(machine, instruction.right);
  const Word value = read_source(machine, instruction.left);
  const bool succeeds = machine.reservation.valid && granule(machine.reservation.address) == granule(address);
  machine.reservation.valid = false;
  if (succeeds) {
    if (refused(context, address, size, size, Access::Write)) return Next::Rejected;
    store_value(machine, address, size, value);
    record_store(machine, machine.current_memory_agent, address, size, value, order_of(instruction));
  }
  write_destination(machine, instruction.destination, succeeds ? 0 : 1);
  return Next::Sequential;
}

Next read_modify_write(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const unsigned size = instruction.form->access.bytes;
  const Word address = read_source(machine, instruction.left);
  const Word operand = read_source(machine, instruction.right);
  if (refused(context, address, size, size, Access::Read)) return Next::Rejected;
  if (refused(context, address, size, size, Access::Write)) return Next::Rejected;
  const Word old_value = machine.memory.load(address, size);
  const Word new_value = combine(instruction.form->operation, old_value, operand, size);
  store_value(machine, address, size, new_value);
  record_atomic(machine, address, size, old_value, new_value, order_of(instruction), true);
  if (instruction.has(Field::RegDst))
    write_destination(machine, instruction.destination, returned(old_value, size));
  return Next::Sequential;
}

Next compare_and_swap(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const unsigned size = instruction.form->access.bytes;
  const Word address = read_source(machine, instruction.left);
  const Word expected = read_source(machine, instruction.right) & mask_of(size * 8);
  const Word desired = read_source(machine, instruction.third);
  if (refused(context, address, size, size, Access::Read)) return Next::Rejected;
  if (refused(context, address, size, size, Access::Write)) return Next::Rejected;
  const Word old_value = machine.memory.load(address, size);
  const bool succeeds = old_value == expected;
  if (succeeds) store_value(machine, address, size, desired);
  record_atomic(machine, address, size, old_value, desired, order_of(instruction), succeeds);
  write_destination(machine, instruction.destination, returned(old_value, size));
  return Next::Sequential;
}

Next dma_copy(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word source = read_source(machine, instruction.left);
  const Word destination = read_source(machine, instruction.right);
  if (refused(context, source, copy_bytes, 1, Access::Read)) return Next::Rejected;
  if (refused(context, destination, copy_bytes, 1, Access::Write)) return Next::Rejected;
  // The source is read whole before the destination is written: the ranges may overlap.
  std::array<Word, copy_bytes / 8> words{};
  for (unsigned i = 0; i < words.size(); ++i) {
    words[i] = machine.memory.load(source + i * 8, 8);
    record_load(machine, machine.current_memory_agent, source + i * 8, 8, words[i], MemoryOrder::Relaxed);
  }
  for (unsigned i = 0; i < words.size(); ++i) machine.memory.store(destination + i * 8, 8, words[i]);
  break_reservation(machine, destination, copy_bytes);
  for (unsigned i = 0; i < words.size(); ++i) {
    record_store(machine, machine.current_memory_agent, destination + i * 8, 8, words[i],
                 MemoryOrder::Relaxed);
  }
  return Next::Sequential;
}

}  // namespace

Function atomic(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::LoadReserved: return load_reserved;
    case Behaviour::StoreConditional: return store_conditional;
    case Behaviour::CompareAndSwap: return compare_and_swap;
    case Behaviour::DmaCopy: return dma_copy;
    default: return read_modify_write;
  }
}

}  // namespace pto::exec::scalar
