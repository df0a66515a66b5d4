// Loads, stores and prefetches (AGU).
//
// An address is a base plus an offset: an immediate the decoder has scaled, or a register, modified and
// shifted. A pre-indexed form accesses base plus offset, a post-indexed one the base; both write base plus
// offset back, after the access. A PC-relative base is the PC rounded down to a multiple of four. A pair
// probes both accesses before the first takes place.

#include <cstring>

#include "exec/memory_access.h"
#include "exec/outcome.h"
#include "exec/scalar/families.h"
#include "exec/scalar/modifiers.h"
#include "exec/scalar_operands.h"

namespace pto::exec::scalar {

using isa::Addressing;
using isa::Field;
using isa::Update;
using state::Access;
using state::Fault;
using state::Machine;
using state::MemoryOrder;

namespace {

template <Addressing addressing, bool direct = false>
Word base_of(const Machine& machine, const Instruction& instruction) {
  if constexpr (addressing == Addressing::PcRelative) return machine.pc & ~Word{3};
  return source<direct>(machine, instruction.left);
}

template <Addressing addressing, bool direct = false>
Word offset_of(const Machine& machine, const Instruction& instruction) {
  if constexpr (addressing == Addressing::Register) {
    return modified(source<direct>(machine, instruction.right), instruction.modifier) << instruction.shift;
  }
  return instruction.immediate;
}

template <bool is_signed>
Word extended(Word value, unsigned size) {
  return is_signed ? sign_extend(value, size * 8) : value;
}

// The rejection of an access, or nothing.
template <unsigned size>
bool refused(Context& context, Word address, Access access) {
  const Fault fault = probe_access(context.machine, address, size, size, access);
  if (fault == Fault::None) [[likely]]
    return false;
  context.rejection = reject_access(context.machine, fault, address, size, access);
  return true;
}

// The bytes of an aligned access in a page that granted the like before, with nobody capturing events: the
// common case. Null: it needs a probe and a record.
template <unsigned size>
std::uint8_t* quick_access(const Machine& machine, Word address, Access access) {
  if (address % size != 0 || machine.memory_event_capture) return nullptr;
  return machine.memory.granted(address, size, access);
}

// Where an access takes place, and what a form that updates its base leaves there.
struct Place {
  Word address;
  Word updated;
};
template <Addressing addressing, Update update, bool direct>
Place place_of(const Machine& machine, const Instruction& instruction) {
  const Word base = base_of<addressing, direct>(machine, instruction);
  const Word updated = base + offset_of<addressing, direct>(machine, instruction);
  return {update == Update::PostIndex ? base : updated, updated};
}

template <unsigned size, bool is_signed, Update update, bool direct>
void finish_load(Machine& machine, const Instruction& instruction, Word value, Word updated) {
  destination<direct>(machine, instruction.destination, extended<is_signed>(value, size));
  if constexpr (update != Update::None) write_destination(machine, instruction.destination1, updated);
}

template <unsigned size, bool is_signed, Addressing addressing, Update update, bool direct>
[[gnu::always_inline]] inline bool load_quickly(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const auto [address, updated] = place_of<addressing, update, direct>(machine, instruction);
  const std::uint8_t* bytes = quick_access<size>(machine, address, Access::Read);
  if (bytes == nullptr) [[unlikely]]
    return false;
  Word value = 0;
  std::memcpy(&value, bytes, size);
  finish_load<size, is_signed, update, direct>(machine, instruction, value, updated);
  return true;
}

template <unsigned size, bool is_signed, Addressing addressing, Update update, bool direct>
Next execute_load(Context& context, const Instruction& instruction) {
  if (load_quickly<size, is_signed, addressing, update, direct>(context, instruction))
    return Next::Sequential;
  Machine& machine = context.machine;
  const auto [address, updated] = place_of<addressing, update, direct>(machine, instruction);
  if (refused<size>(context, address, Access::Read)) return Next::Rejected;
  const Word value = machine.memory.load(address, size);
  record_load(machine, machine.current_memory_agent, address, size, value, MemoryOrder::Relaxed);
  finish_load<size, is_signed, update, direct>(machine, instruction, value, updated);
  return Next::Sequential;
}

template <unsigned size, bool is_signed, Addressing addressing>
Next execute_load_pair(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word first = base_of<addressing>(machine, instruction) + offset_of<addressing>(machine, instruction);
  const Word second = first + size;
  if (refused<size>(context, first, Access::Read)) return Next::Rejected;
  if (refused<size>(context, second, Access::Read)) return Next::Rejected;
  const Word low = machine.memory.load(first, size);
  const Word high = machine.memory.load(second, size);
  record_load(machine, machine.current_memory_agent, first, size, low, MemoryOrder::Relaxed);
  record_load(machine, machine.current_memory_agent, second, size, high, MemoryOrder::Relaxed);
  write_destination(machine, instruction.destination, extended<is_signed>(low, size));
  write_destination(machine, instruction.destination1, extended<is_signed>(high, size));
  return Next::Sequential;
}

template <unsigned size, Addressing addressing, Update update, bool direct>
[[gnu::always_inline]] inline bool store_quickly(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const auto [address, updated] = place_of<addressing, update, direct>(machine, instruction);
  std::uint8_t* bytes = quick_access<size>(machine, address, Access::Write);
  if (bytes == nullptr) [[unlikely]]
    return false;
  const Word value = source<direct>(machine, instruction.third);
  std::memcpy(bytes, &value, size);
  break_reservation(machine, address, size);
  if constexpr (update != Update::None) write_destination(machine, instruction.destination, updated);
  return true;
}

template <unsigned size, Addressing addressing, Update update, bool direct>
Next execute_store(Context& context, const Instruction& instruction) {
  if (store_quickly<size, addressing, update, direct>(context, instruction)) return Next::Sequential;
  Machine& machine = context.machine;
  const auto [address, updated] = place_of<addressing, update, direct>(machine, instruction);
  if (refused<size>(context, address, Access::Write)) return Next::Rejected;
  const Word value = source<direct>(machine, instruction.third);
  store_value(machine, address, size, value);
  record_store(machine, machine.current_memory_agent, address, size, value, MemoryOrder::Relaxed);
  if constexpr (update != Update::None) write_destination(machine, instruction.destination, updated);
  return Next::Sequential;
}

template <unsigned size, Addressing addressing>
Next execute_store_pair(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word first = base_of<addressing>(machine, instruction) + offset_of<addressing>(machine, instruction);
  const Word second = first + size;
  if (refused<size>(context, first, Access::Write)) return Next::Rejected;
  if (refused<size>(context, second, Access::Write)) return Next::Rejected;
  const Word low = read_source(machine, instruction.third);
  const Word high = read_source(machine, instruction.fourth);
  store_value(machine, first, size, low);
  record_store(machine, machine.current_memory_agent, first, size, low, MemoryOrder::Relaxed);
  store_value(machine, second, size, high);
  record_store(machine, machine.current_memory_agent, second, size, high, MemoryOrder::Relaxed);
  return Next::Sequential;
}

// A prefetch has no effect but, in some forms, the address it names.
template <Addressing addressing>
Next execute_prefetch(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  if (instruction.form->access.returns_address) {
    const Word address =
        base_of<addressing>(machine, instruction) + offset_of<addressing>(machine, instruction);
    write_destination(machine, instruction.destination, address);
  }
  return Next::Sequential;
}

// With operands known to be general registers no queue is read.
template <unsigned size, bool is_signed, Addressing addressing, Update update, bool direct>
inline constexpr const Function& load_function =
    linked_quickly<execute_load<size, is_signed, addressing, update, direct>,
                   load_quickly<size, is_signed, addressing, update, direct>,
                   chain::Kind{.reads_queues = !direct}>;
template <unsigned size, Addressing addressing, Update update, bool direct>
inline constexpr const Function& store_function =
    linked_quickly<execute_store<size, addressing, update, direct>,
                   store_quickly<size, addressing, update, direct>, chain::Kind{.reads_queues = !direct}>;

// Finishes the offset: immediates are scaled, index registers get their modifier and shift.
void finish_offset(Instruction& instruction) {
  const isa::Access& access = instruction.form->access;
  if (access.addressing == Addressing::Register) {
    instruction.modifier = address_modifier(instruction.raw(Field::SrcRType));
    if (!instruction.has(Field::shamt)) instruction.shift = access.scale;
  } else {
    instruction.immediate <<= access.scale;
  }
}

// A store with an immediate offset has its base in SrcR and its datum in SrcL; every other form has the base
// in SrcL and the datum in SrcD. The compressed forms store T#1.
void finish_store(Instruction& instruction) {
  finish_offset(instruction);
  const bool has_datum = instruction.has(Field::SrcD);
  if (instruction.bits == 16) {
    instruction.third = first_t_source;
    instruction.queue_sources |= 1;
    return;
  }
  if (!has_datum) instruction.third = instruction.left;
  if (instruction.form->access.addressing == Addressing::Immediate) instruction.left = instruction.right;
}

// Calls `use` with the access's properties as constants.
template <class Use>
Function with_size(unsigned bytes, Use&& use) {
  switch (bytes) {
    case 1: return use.template operator()<1>();
    case 2: return use.template operator()<2>();
    case 4: return use.template operator()<4>();
    default: return use.template operator()<8>();
  }
}
template <class Use>
Function with_addressing(Addressing addressing, Use&& use) {
  switch (addressing) {
    case Addressing::Register: return use.template operator()<Addressing::Register>();
    case Addressing::PcRelative: return use.template operator()<Addressing::PcRelative>();
    default: return use.template operator()<Addressing::Immediate>();
  }
}
template <class Use>
Function with_update(Update update, Use&& use) {
  switch (update) {
    case Update::PreIndex: return use.template operator()<Update::PreIndex>();
    case Update::PostIndex: return use.template operator()<Update::PostIndex>();
    default: return use.template operator()<Update::None>();
  }
}

}  // namespace

Function load(Instruction& instruction) {
  finish_offset(instruction);
  const bool direct = direct_operands(instruction.destination, instruction.left, instruction.right);
  const isa::Access& access = instruction.form->access;
  return with_size(access.bytes, [&]<unsigned size>() {
    return with_addressing(access.addressing, [&]<Addressing addressing>() {
      return with_update(access.update, [&]<Update update>() -> Function {
        constexpr const Function* by_sign[2][2] = {{&load_function<size, false, addressing, update, false>,
                                                    &load_function<size, false, addressing, update, true>},
                                                   {&load_function<size, true, addressing, update, false>,
                                                    &load_function<size, true, addressing, update, true>}};
        return *by_sign[access.is_signed][direct];
      });
    });
  });
}

Function load_pair(Instruction& instruction) {
  finish_offset(instruction);
  const isa::Access& access = instruction.form->access;
  return with_size(access.bytes, [&]<unsigned size>() {
    return with_addressing(access.addressing, [&]<Addressing addressing>() -> Function {
      return access.is_signed ? execute_load_pair<size, true, addressing>
                              : execute_load_pair<size, false, addressing>;
    });
  });
}

Function store(Instruction& instruction) {
  finish_store(instruction);
  const bool direct = direct_operands(1, instruction.left, instruction.right, instruction.third);
  const isa::Access& access = instruction.form->access;
  return with_size(access.bytes, [&]<unsigned size>() {
    return with_addressing(access.addressing, [&]<Addressing addressing>() {
      return with_update(access.update, [&]<Update update>() -> Function {
        return direct ? store_function<size, addressing, update, true>
                      : store_function<size, addressing, update, false>;
      });
    });
  });
}

Function store_pair(Instruction& instruction) {
  finish_store(instruction);
  const isa::Access& access = instruction.form->access;
  return with_size(access.bytes, [&]<unsigned size>() {
    return with_addressing(access.addressing, [&]<Addressing addressing>() -> Function {
      return execute_store_pair<size, addressing>;
    });
  });
}

Function prefetch(Instruction& instruction) {
  finish_offset(instruction);
  return with_addressing(instruction.form->access.addressing,
                         [&]<Addressing addressing>() -> Function { return execute_prefetch<addressing>; });
}

}  // namespace pto::exec::scalar
