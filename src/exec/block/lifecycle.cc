// The life of a block: a start closes the block before it and opens its own; a stop closes it.
//
// Closing is where a block takes effect. Everything that can refuse the close is asked before its first
// effect: the continuation, the attributes, then the tile operation, which undoes itself when it is refused.
// After that only the post-commit trap of B.CATR remains, and it finds a clean, closed block.

#include <optional>

#include "exec/block/commands.h"
#include "exec/rules.h"
#include "exec/tile/complete.h"
#include "isa/tile/operations.h"

namespace pto::exec::block {

using isa::Field;
using state::BlockType;
using state::Machine;
using state::OperationClass;
using state::Transfer;

namespace {

constexpr unsigned return_register = 10;  // ra

bool selects_candidate(const state::Barg& barg) {
  switch (barg.transfer_type) {
    case Transfer::Direct:
    case Transfer::Call:
    case Transfer::Return:
    case Transfer::Indirect:
    case Transfer::IndirectCall: return true;
    case Transfer::Conditional: return barg.taken;
    case Transfer::Fallthrough: break;
  }
  return false;
}

bool is_tile_class(OperationClass operation_class) {
  return operation_class == OperationClass::TileElement || operation_class == OperationClass::TileMemory ||
         operation_class == OperationClass::TileMatrix;
}

isa::TileFamily family_of(OperationClass operation_class) {
  switch (operation_class) {
    case OperationClass::TileMemory: return isa::TileFamily::TLSU;
    case OperationClass::TileMatrix: return isa::TileFamily::CUBE;
    default: return isa::TileFamily::TEPL;
  }
}

// The movement variants of 0.58.3 share their operation: functions 9 to 12 are TMOV, 14 is TSTORE.
unsigned operation_code(const state::Operation& operation) {
  if (operation.operation_class != OperationClass::TileMemory || operation.mode_valid)
    return operation.selector;
  const unsigned function = operation.selector & 31u;
  if (function >= 9 && function <= 12) return 2;
  return function == 14 ? 1 : operation.selector;
}

state::Operation describe_operation(const Instruction& instruction) {
  const isa::Form& form = *instruction.form;
  state::Operation operation;
  operation.valid = true;
  operation.form_identity = form.identity;
  operation.operation_class = form.start.operation_class;
  const std::optional<std::uint16_t> selector = isa::selector_of(form, instruction.word);
  operation.selector_valid = selector.has_value();
  operation.selector = selector.value_or(0);
  operation.data_type_valid = instruction.has(Field::DataType);
  operation.data_type = static_cast<std::uint8_t>(instruction.raw(Field::DataType));
  operation.mode_valid = instruction.has(Field::Mode);
  operation.mode = static_cast<std::uint8_t>(instruction.raw(Field::Mode));
  operation.branch_type_valid = instruction.has(Field::BrType);
  operation.branch_type = static_cast<std::uint8_t>(instruction.raw(Field::BrType));
  return operation;
}

Check check_operation(const Context& context, const state::Operation& operation) {
  const Word pc = context.machine.pc;
  if (operation.branch_type_valid && !isa::transfer_of_branch_type(operation.branch_type)) {
    return reject(rules::operand_constraint, pc, "BrType is {}", operation.branch_type);
  }
  if (operation.operation_class == OperationClass::FixedPoint) {
    return reject(rules::fixed_point_block, pc, "the start selects a fixed-point block");
  }
  if (!is_tile_class(operation.operation_class)) return passed;
  const isa::TileOperation* row =
      operation.selector_valid && operation.data_type_valid
          ? isa::find_tile_operation(family_of(operation.operation_class), operation_code(operation),
                                     context.config.release)
          : nullptr;
  if (row == nullptr) {
    return reject(rules::bad_selector, pc, "selector {:#x} names no operation of ISA {}", operation.selector,
                  name_of(context.config.release));
  }
  const bool concrete = element_type_of_code(operation.data_type).has_value();
  const bool may_omit = row->does == isa::TileBehaviour::Move && operation.data_type == no_element_type_code;
  if (!concrete && !may_omit) {
    return reject(rules::bad_selector, pc, "{} with data type code {}", row->name, operation.data_type);
  }
  return passed;
}

std::optional<Field> offset_field(const Instruction& instruction) {
  for (const Field field : {Field::simm12, Field::simm17, Field::simm25}) {
    if (instruction.has(field)) return field;
  }
  return std::nullopt;
}

// Opens a block at `start_pc`; the previous one is closed.
void begin(Machine& machine, Word start_pc, BlockType type, Transfer transfer, Word target, Word sequential,
           Word return_target, bool taken) {
  state::BlockState& block = machine.block;
  machine.bundle_active = true;
  machine.bundle_body_active = false;
  block.commit_target_set = false;
  block.condition_set = false;
  block.system_block_terminal_pending = false;
  block.barg.block_type = type;
  // A System block has no candidate continuation.
  const bool system = type == BlockType::System;
  block.barg.transfer_type = system ? Transfer::Fallthrough : transfer;
  block.barg.taken = !system && taken;
  block.barg.bpcn = system ? 0 : target;
  block.sequential_pc = sequential;
  block.frame_stack_return_target = return_target;
  machine.bpc = start_pc;
  machine.pc = sequential;
  if (transfer == Transfer::Call || transfer == Transfer::IndirectCall) {
    machine.return_address = return_target;
    machine.write_gpr(return_register, return_target);
  }
}

// Closes the block for good; its effects are done.
void close(Machine& machine, Word next_pc) {
  machine.bundle_active = false;
  machine.bundle_body_active = false;
  clear_header(machine.block);
  machine.block.barg = {};
  machine.block.sequential_pc = 0;
  machine.block.frame_stack_return_target = 0;
  machine.bpc = 0;
  machine.pc = next_pc;
}

}  // namespace

void clear_header_commands(state::BlockState& block) {
  block.dimensions = {};
  block.dimension_present = {};
  // Clearing a binding withdraws it; what it named stays readable state.
  for (state::ScalarBinding& binding : block.scalar_bindings) {
    binding.valid = false;
    binding.source_count = 0;
  }
  for (state::TileBinding& binding : block.tile_bindings) {
    binding.valid = false;
    binding.destination_valid = false;
    binding.destination_allocated_by_bundle = false;
    binding.source0_valid = false;
    binding.source1_valid = false;
    binding.last = false;
    binding.source0_subview = binding.source1_subview = binding.destination_assemble = {};
  }
  block.shared_bindings = {};
  block.range_group = {};
  block.zero_participation_seen = false;
  block.control_attributes = {};
  block.data_attributes = {};
  block.data_attributes_present = false;
  block.hint = {};
  block.fixed_point_attributes = {};
  block.header_may_be_set = false;
}

Next complete(Context& context, Word continuation) {
  Machine& machine = context.machine;
  state::BlockState& block = machine.block;
  close_range_group(block);
  if (!machine.bundle_active)
    return rejected(context, reject(rules::no_open_block, machine.pc, "no block is open"));

  const Word next_pc = selects_candidate(block.barg) ? block.barg.bpcn : continuation;
  if ((continuation & 1) != 0 || (next_pc & 1) != 0) {
    return rejected(context, reject(rules::odd_target, next_pc, "the block continues at {:#x}", next_pc));
  }
  if (block.control_attributes.dimension_reduction && block.barg.block_type != BlockType::TileElement &&
      block.barg.block_type != BlockType::TileMemory) {
    return rejected(context, reject(rules::dimension_reduction, machine.pc, "this is a {} block",
                                    name_of(block.barg.block_type)));
  }
  if (block.operation.valid && is_tile_class(block.operation.operation_class)) {
    Completion completion = complete_tile_operation(context);
    if (completion.status == CompletionStatus::Rejected)
      return rejected(context, std::move(completion.rejection));
    if (completion.status == CompletionStatus::Unsupported)
      return not_supported(context, completion.unsupported);
    if (completion.status == CompletionStatus::Unspecified)
      return unspecified(context, completion.unsupported);
  } else if (block.operation.valid && block.operation.operation_class == OperationClass::FixedPoint) {
    return rejected(context,
                    reject(rules::fixed_point_block, machine.pc, "the block is a fixed-point block"));
  }

  const bool trap = block.control_attributes.trap_enabled;
  close(machine, next_pc);
  if (trap) return rejected(context, reject(rules::post_commit, next_pc, "the block has committed"));
  return Next::Written;
}

namespace {

// Where control goes and returns to, as the start declares it.
struct Destination {
  Transfer transfer;
  Word target;
  Word return_target;
};

Check find_destination(const Machine& machine, const Instruction& instruction, Transfer transfer,
                       Destination& out) {
  const Word pc = machine.pc;
  const Word fallthrough = pc + instruction.bytes();
  const BlockType retiring = machine.block.barg.block_type;
  out = {.transfer = transfer, .target = fallthrough, .return_target = fallthrough};
  switch (transfer) {
    case Transfer::Fallthrough: break;
    case Transfer::Return: out.target = machine.return_address; break;
    case Transfer::Indirect:
    case Transfer::IndirectCall:
      if (!(machine.bundle_active && (retiring == BlockType::Standard || retiring == BlockType::Floating))) {
        return reject(rules::indirect_target, pc, "{}",
                      machine.bundle_active ? "the open block has no candidate target" : "no block is open");
      }
      out.target = machine.block.barg.bpcn;
      break;
    default:
      // A start without an offset field has left `immediate` at its own length.
      out.target = pc + instruction.immediate;
      break;
  }
  if ((out.target & 1) != 0) return reject(rules::odd_target, out.target, "the target is {:#x}", out.target);
  if (instruction.has(Field::uimm5)) {
    out.return_target = pc + instruction.bytes() - 2 + (instruction.raw(Field::uimm5) << 1);
  }
  return passed;
}

// What a start does with an open block: completes it. An answer ends the instruction: the completion was
// refused, or (commit-target-wins) it sends control elsewhere.
std::optional<Next> close_before_start(Context& context) {
  const Machine& machine = context.machine;
  if (!machine.bundle_active) return std::nullopt;
  const Word pc = machine.pc;
  const Next closed = complete(context, pc);
  const bool leaves = context.config.errata.commit_target_wins && machine.pc != pc;
  if (!executed(closed) || leaves) return closed;
  return std::nullopt;
}

// Closes the open block and opens the start's own, with no operation yet. An answer ends the instruction.
std::optional<Next> reopen(Context& context, const Instruction& instruction, const Destination& to) {
  Machine& machine = context.machine;
  const Word pc = machine.pc;
  if (const std::optional<Next> ended = close_before_start(context)) return ended;
  clear_header(machine.block);
  begin(machine, pc, instruction.form->start.kind, to.transfer, to.target, pc + instruction.bytes(),
        to.return_target, to.transfer != Transfer::Conditional);
  return std::nullopt;
}

// A start that selects no operation and carries no branch type: nothing in it can be illegal.
Next start_control(Context& context, const Instruction& instruction) {
  close_range_group(context.machine.block);
  Destination to;
  if (Check failed = find_destination(context.machine, instruction, instruction.form->start.transfer, to)) {
    return rejected(context, std::move(*failed));
  }
  if (const std::optional<Next> ended = reopen(context, instruction, to)) return *ended;
  // Member by member: a whole operation made here would be read back before it is written out.
  state::Operation& operation = context.machine.block.operation;
  operation.valid = true;
  operation.form_identity = instruction.form->identity;
  return Next::Written;
}

// A block without header commands and without an operation: closing it can be refused for an odd target
// alone.
bool closes_plainly(const state::BlockState& block) {
  return !block.header_may_be_set && block.operation.operation_class == OperationClass::Control;
}

// The same where the open block, if any, closes plainly and nothing is odd, which is what programs mostly do.
// False: it is not so plain, and nothing happened.
template <Transfer transfer>
[[gnu::always_inline]] inline bool start_plainly(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const state::Barg& barg = machine.block.barg;
  const Word pc = machine.pc;
  const Word fallthrough = pc + instruction.bytes();
  Word target = fallthrough;
  if constexpr (transfer == Transfer::Return) target = machine.return_address;
  if constexpr (transfer == Transfer::Direct || transfer == Transfer::Conditional ||
                transfer == Transfer::Call)
    target = pc + instruction.immediate;
  if ((target & 1) != 0 || machine.block.header_may_be_set) [[unlikely]]
    return false;
  if (machine.bundle_active) {
    const bool leaves = selects_candidate(barg) && barg.bpcn != pc;
    if (!closes_plainly(machine.block) || (leaves && (barg.bpcn & 1) != 0)) [[unlikely]]
      return false;
    if (leaves && context.config.errata.commit_target_wins) {
      close(machine, barg.bpcn);
      return true;
    }
  }
  clear_header(machine.block);
  begin(machine, pc, instruction.form->start.kind, transfer, target, fallthrough, fallthrough,
        transfer != Transfer::Conditional);
  machine.block.operation.valid = true;
  machine.block.operation.form_identity = instruction.form->identity;
  return true;
}

template <Transfer transfer>
Next start_plain(Context& context, const Instruction& instruction) {
  return start_plainly<transfer>(context, instruction) ? Next::Written : start_control(context, instruction);
}

// Its link. A scalar instruction that follows enters the body of the block, where it does so at all.
template <Transfer transfer, unsigned bytes>
std::uint64_t start_link(Context& context, const Instruction* instruction, Word pc, std::uint64_t left) {
  if (!start_plainly<transfer>(context, *instruction)) [[unlikely]]
    return left;
  --left;
  Machine& machine = context.machine;
  if (machine.pc != pc + bytes) [[unlikely]]
    return chain::jump(context, instruction, pc, left);
  const Instruction* follows = instruction + bytes / 2;
  constexpr std::uint8_t enters = Scalar | Linked;
  if (left != 0 && (follows->traits & enters) == enters && may_enter_body(context))
    machine.bundle_body_active = true;
  return chain::go_on(context, follows, machine.pc, left);
}

template <Transfer transfer>
constexpr Function plain_start = {start_plain<transfer>, start_link<transfer, 2>, start_link<transfer, 4>,
                                  start_link<transfer, 6>};

Function plain_start_of(const Instruction& instruction) {
  // A start that says where a call returns to is rare.
  if (instruction.has(Field::uimm5)) return alone(start_control);
  switch (instruction.form->start.transfer) {
    case Transfer::Fallthrough: return plain_start<Transfer::Fallthrough>;
    case Transfer::Direct: return plain_start<Transfer::Direct>;
    case Transfer::Conditional: return plain_start<Transfer::Conditional>;
    case Transfer::Call: return plain_start<Transfer::Call>;
    case Transfer::Return: return plain_start<Transfer::Return>;
    default: return alone(start_control);
  }
}

Next start_any(Context& context, const Instruction& instruction) {
  close_range_group(context.machine.block);
  const state::Operation operation = describe_operation(instruction);
  if (Check failed = check_operation(context, operation)) return rejected(context, std::move(*failed));
  const Transfer transfer = operation.branch_type_valid ? *isa::transfer_of_branch_type(operation.branch_type)
                                                        : instruction.form->start.transfer;
  Destination to;
  if (Check failed = find_destination(context.machine, instruction, transfer, to)) {
    return rejected(context, std::move(*failed));
  }
  if (const std::optional<Next> ended = reopen(context, instruction, to)) return *ended;
  state::BlockState& block = context.machine.block;
  block.operation = operation;
  if (operation.data_type_valid) block.data_attributes.data_type = operation.data_type;
  return Next::Written;
}

// Closes the open block where nothing can refuse that. False: it is not so plain, and nothing happened.
bool stop_plainly(Machine& machine, Word sequential) {
  if (!machine.bundle_active || !closes_plainly(machine.block)) return false;
  const Word next_pc = selects_candidate(machine.block.barg) ? machine.block.barg.bpcn : sequential;
  if ((next_pc & 1) != 0) return false;
  close(machine, next_pc);
  return true;
}

Next stop(Context& context, const Instruction& instruction) {
  const Word sequential = context.machine.pc + instruction.bytes();
  return stop_plainly(context.machine, sequential) ? Next::Written : complete(context, sequential);
}

template <unsigned bytes>
std::uint64_t stop_link(Context& context, const Instruction* instruction, Word pc, std::uint64_t left) {
  if (!stop_plainly(context.machine, pc + bytes)) return left;
  return chain::jump(context, instruction, pc, left - 1);
}

}  // namespace

Function resolve_start(Instruction& instruction) {
  const std::optional<Field> offset = offset_field(instruction);
  instruction.immediate = offset ? instruction.value(*offset) << 1 : instruction.bytes();
  const isa::BlockStart& row = instruction.form->start;
  const bool plain = row.operation_class == OperationClass::Control &&
                     row.selector_source == isa::SelectorSource::None && !instruction.has(Field::BrType) &&
                     !instruction.has(Field::DataType) && !instruction.has(Field::Mode);
  return plain ? plain_start_of(instruction) : alone(start_any);
}

Function resolve_stop(Instruction&) { return {stop, stop_link<2>, stop_link<4>, stop_link<6>}; }

Next hint_trace(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Word pc = machine.pc;
  if (const std::optional<Next> ended = close_before_start(context)) return *ended;
  clear_header(machine.block);
  const Word sequential = pc + instruction.bytes();
  if ((sequential & 1) != 0) {
    return rejected(context,
                    reject(rules::odd_target, sequential, "the trace block begins at {:#x}", sequential));
  }
  begin(machine, machine.pc, BlockType::Standard, Transfer::Fallthrough, sequential, sequential, sequential,
        true);
  machine.block.last_bundle_hint_payload = instruction.word;
  machine.block.header_may_be_set = true;
  machine.block.hint = {.present = true, .trace = true, .trace_end = instruction.flag(Field::B_E)};
  ++machine.maintenance.bundle_hint_epoch;
  return Next::Written;
}

}  // namespace pto::exec::block
