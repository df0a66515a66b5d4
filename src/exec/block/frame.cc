// Frame templates: FENTRY stores a range of registers below the caller's stack pointer, FEXIT and FRET.* load
// them back (PTO ISA, "Frame templates").
//
// A template is a sequence of register accesses that a recoverable fault may interrupt. Its progress is part
// of the machine's state; executing the same instruction again resumes it. FENTRY snapshots every source
// before it moves sp, because sp may be among them.

#include <algorithm>

#include "exec/block/commands.h"
#include "exec/memory_access.h"
#include "exec/rules.h"

namespace pto::exec::block {

using isa::Field;
using state::Access;
using state::Fault;
using state::FrameKind;
using state::FrameTemplate;
using state::Machine;

namespace {

// The published text calls register 2 the stack pointer; see exec/errata.h.
unsigned stack_pointer(const Context& context) { return context.config.errata.frame_stack_pointer ? 1 : 2; }

constexpr unsigned first_saved = 2;  // x2..x23 wrap around
constexpr unsigned last_saved = 23;
constexpr unsigned ra = 10;
constexpr unsigned slot_bytes = 8;
constexpr unsigned max_frame_depth = 16;

unsigned range_count(unsigned begin, unsigned end) {
  return end >= begin ? end - begin + 1 : state::frame_register_limit - (begin - end) + 1;
}

unsigned register_at(const FrameTemplate& frame, unsigned ordinal) {
  const unsigned unwrapped = frame.begin_reg + ordinal;
  return unwrapped <= last_saved ? unwrapped : unwrapped - state::frame_register_limit;
}

Check check_operands(const Machine& machine, FrameKind kind, unsigned begin, unsigned end, Word size) {
  const auto saved = [](unsigned reg) { return reg >= first_saved && reg <= last_saved; };
  if (!saved(begin) || !saved(end) || (kind == FrameKind::ReturnStack && begin != ra)) {
    return reject(rules::frame_operands, machine.pc, "registers x{} to x{}", begin, end);
  }
  const unsigned count = range_count(begin, end);
  if (size % slot_bytes != 0 || size < Word{count} * slot_bytes) {
    return reject(rules::frame_operands, machine.pc, "size {} for {} registers", size, count);
  }
  return passed;
}

Check begin_template(Machine& machine, unsigned sp, FrameKind kind, unsigned begin, unsigned end, Word size) {
  if (Check failed = check_operands(machine, kind, begin, end, size)) return failed;
  FrameTemplate& frame = machine.block.frame_template;
  const Word current_sp = machine.read_gpr(sp);
  frame.active = true;
  frame.kind = kind;
  frame.instruction_pc = machine.pc;
  frame.begin_reg = static_cast<std::uint8_t>(begin);
  frame.end_reg = static_cast<std::uint8_t>(end);
  frame.register_count = static_cast<std::uint8_t>(range_count(begin, end));
  frame.frame_size = size;
  frame.caller_sp = kind == FrameKind::Entry ? current_sp : current_sp + size;
  frame.stack_adjusted = false;
  frame.progress = 0;
  frame.return_target = kind == FrameKind::ReturnAddress ? machine.return_address : 0;
  frame.return_target_valid = kind == FrameKind::ReturnAddress;
  if (frame.return_target_valid && (frame.return_target & 1) != 0) {
    frame.active = false;
    return reject(rules::odd_target, frame.return_target, "the return address is {:#x}", frame.return_target);
  }
  if (kind == FrameKind::Entry) {
    for (unsigned i = 0; i < state::frame_register_limit; ++i) {
      frame.source_values[i] = i < frame.register_count ? machine.read_gpr(register_at(frame, i)) : 0;
    }
  }
  return passed;
}

Check store_next(Machine& machine) {
  FrameTemplate& frame = machine.block.frame_template;
  const Word address = frame.caller_sp - Word{frame.progress + 1u} * slot_bytes;
  const Fault fault = probe_access(machine, address, slot_bytes, slot_bytes, Access::Write);
  if (fault != Fault::None) return reject_access(machine, fault, address, slot_bytes, Access::Write);
  const Word value = frame.source_values[std::min<unsigned>(frame.progress, state::frame_register_limit - 1)];
  store_value(machine, address, slot_bytes, value);
  record_store(machine, machine.current_memory_agent, address, slot_bytes, value,
               state::MemoryOrder::Relaxed);
  ++frame.progress;
  return passed;
}

Check load_next(Machine& machine) {
  FrameTemplate& frame = machine.block.frame_template;
  const Word address = frame.caller_sp - Word{frame.progress + 1u} * slot_bytes;
  const Fault fault = probe_access(machine, address, slot_bytes, slot_bytes, Access::Read);
  if (fault != Fault::None) return reject_access(machine, fault, address, slot_bytes, Access::Read);
  const Word value = machine.memory.load(address, slot_bytes);
  if (frame.kind == FrameKind::ReturnStack && frame.progress == 0) {
    if ((value & 1) != 0) return reject(rules::odd_target, value, "the saved return address is {:#x}", value);
    frame.return_target = value;
    frame.return_target_valid = true;
  }
  record_load(machine, machine.current_memory_agent, address, slot_bytes, value, state::MemoryOrder::Relaxed);
  const unsigned reg = register_at(frame, frame.progress);
  machine.write_gpr(reg, value);
  if (reg == ra) machine.return_address = value;
  ++frame.progress;
  return passed;
}

void finish(Machine& machine) {
  state::BlockState& block = machine.block;
  FrameTemplate& frame = block.frame_template;
  block.last_frame_begin = frame.begin_reg;
  block.last_frame_end = frame.end_reg;
  block.last_frame_size = frame.frame_size;
  frame.active = false;
  if (frame.kind == FrameKind::Entry) {
    if (block.frame_depth < max_frame_depth) ++block.frame_depth;
    return;
  }
  if (block.frame_depth > 0) --block.frame_depth;
  if (frame.kind != FrameKind::Exit) machine.pc = frame.return_target;
}

Next run(Context& context, const Instruction& instruction, FrameKind kind, Field begin, Field end) {
  Machine& machine = context.machine;
  FrameTemplate& frame = machine.block.frame_template;
  if (!frame.active) {
    if (Check failed = begin_template(
            machine, stack_pointer(context), kind, static_cast<unsigned>(instruction.raw(begin)),
            static_cast<unsigned>(instruction.raw(end)), instruction.raw(Field::uimm))) {
      return rejected(context, std::move(*failed));
    }
  }
  if (frame.instruction_pc != machine.pc || frame.kind != kind) {
    return rejected(context,
                    reject(rules::frame_resume, machine.pc, "it was started at {:#x}", frame.instruction_pc));
  }
  if (!frame.stack_adjusted) {
    machine.write_gpr(stack_pointer(context),
                      kind == FrameKind::Entry ? frame.caller_sp - frame.frame_size : frame.caller_sp);
    frame.stack_adjusted = true;
  }
  while (frame.progress < frame.register_count) {
    if (Check failed = kind == FrameKind::Entry ? store_next(machine) : load_next(machine)) {
      return rejected(context, std::move(*failed));
    }
  }
  finish(machine);
  const bool returns = kind == FrameKind::ReturnAddress || kind == FrameKind::ReturnStack;
  return returns ? Next::Written : Next::Sequential;
}

}  // namespace

Next frame_entry(Context& context, const Instruction& instruction) {
  return run(context, instruction, FrameKind::Entry, Field::SrcBegin, Field::SrcEnd);
}
Next frame_exit(Context& context, const Instruction& instruction) {
  return run(context, instruction, FrameKind::Exit, Field::DstBegin, Field::DstEnd);
}
Next frame_return_address(Context& context, const Instruction& instruction) {
  return run(context, instruction, FrameKind::ReturnAddress, Field::DstBegin, Field::DstEnd);
}
Next frame_return_stack(Context& context, const Instruction& instruction) {
  return run(context, instruction, FrameKind::ReturnStack, Field::DstBegin, Field::DstEnd);
}

}  // namespace pto::exec::block
