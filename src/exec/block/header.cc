// Header commands: each fills its part of the block state and decides nothing about the operation; that is
// judged when the block completes.
//
// The order of the checks in each command is the specification's: it decides which fault wins. Two commands
// act even outside a block: B.IOT and B.IOS whose PEMode selects no PE do nothing but note it.

#include <algorithm>

#include "exec/block/commands.h"
#include "exec/rules.h"
#include "exec/scalar_operands.h"

namespace pto::exec::block {

using isa::Field;
using state::Machine;
using state::OperationClass;

namespace {

constexpr unsigned max_local_size_code_0583 = 10;
constexpr unsigned max_size_code = 12;

// The PEs that a PEMode names, PE0 in the most significant bit.
constexpr std::array<std::uint8_t, 8> pe_masks{0b0000, 0b1000, 0b0100, 0b0010,
                                               0b0001, 0b1100, 0b1110, 0b1111};

// Whether a header command may stand here at all; if so, the header is about to change.
Check check_in_header(Machine& machine) {
  if (!machine.bundle_active) return reject(rules::no_open_block, machine.pc, "no block is open");
  if (machine.bundle_body_active) return reject(rules::header_only, machine.pc, "the block's body has begun");
  machine.block.header_may_be_set = true;
  return passed;
}

Check check_once(Machine& machine, bool present, std::string_view what) {
  if (Check failed = check_in_header(machine)) return failed;
  if (present) return reject(rules::given_twice, machine.pc, "this block has {} already", what);
  return passed;
}

std::uint8_t byte_field(const Instruction& instruction, Field field) {
  return static_cast<std::uint8_t>(instruction.raw(field));
}

unsigned tile_binding_count(const state::BlockState& block) {
  return static_cast<unsigned>(std::count_if(block.tile_bindings.begin(), block.tile_bindings.end(),
                                             [](const auto& b) { return b.valid; }));
}

bool stream_closed(const state::BlockState& block) {
  return std::any_of(block.tile_bindings.begin(), block.tile_bindings.end(),
                     [](const auto& b) { return b.valid && b.last; });
}

// The first bound mask that differs from `mask`, if any.
template <class Bindings>
std::optional<std::uint8_t> other_mask(const Bindings& bindings, std::uint8_t mask) {
  for (const auto& binding : bindings) {
    if (binding.valid && binding.pe_mask != mask) return binding.pe_mask;
  }
  return std::nullopt;
}

// A binding of no PE is a strict no-op, but a block remembers that it saw one.
Next bind_nothing(Machine& machine, RangeRoles roles) {
  if (machine.bundle_active && !machine.bundle_body_active) {
    machine.block.zero_participation_seen = true;
    machine.block.header_may_be_set = true;
    open_range_group(machine.block, state::RangeGroupKind::None, 0, roles);
  }
  return Next::Sequential;
}

}  // namespace

Next set_control_attributes(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  if (Check failed = check_once(machine, machine.block.control_attributes.present, "B.CATR")) {
    return rejected(context, std::move(*failed));
  }
  machine.block.control_attributes = {.present = true,
                                      .trap_enabled = instruction.flag(Field::trap),
                                      .atomic = instruction.flag(Field::atom),
                                      .acquire = instruction.flag(Field::aq),
                                      .release = instruction.flag(Field::rl),
                                      .far = instruction.flag(Field::far),
                                      .dimension_reduction = instruction.flag(Field::DR)};
  return Next::Sequential;
}

Next set_data_attributes(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  if (Check failed = check_once(machine, machine.block.data_attributes_present, "B.DATR")) {
    return rejected(context, std::move(*failed));
  }
  // The row's constraints have admitted only assigned data types and layouts.
  machine.block.data_attributes = {.data_type_present = true,
                                   .data_type = byte_field(instruction, Field::DataType),
                                   .data_layout = byte_field(instruction, Field::Layout),
                                   .pad_value = byte_field(instruction, Field::PadValueOrByteId),
                                   .comparison_mode = byte_field(instruction, Field::CMode),
                                   .rounding_mode = byte_field(instruction, Field::RMode),
                                   .saturating = instruction.flag(Field::Sat),
                                   .canonicalize = instruction.flag(Field::Canonicalize)};
  machine.block.data_attributes_present = true;
  return Next::Sequential;
}

Next set_fixed_point_attributes(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  state::BlockState& block = machine.block;
  if (Check failed = check_once(machine, block.fixed_point_attributes.valid, "B.FPATR")) {
    return rejected(context, std::move(*failed));
  }
  if (block.operation.valid && block.operation.operation_class != OperationClass::TileMatrix) {
    return rejected(context, reject(rules::fixed_point_placement, machine.pc, "this is a {} block",
                                    name_of(block.barg.block_type)));
  }
  const bool bound = block.scalar_bindings[0].valid || tile_binding_count(block) != 0 ||
                     std::any_of(block.shared_bindings.begin(), block.shared_bindings.end(),
                                 [](const auto& binding) { return binding.valid; });
  if (bound)
    return rejected(context, reject(rules::fixed_point_placement, machine.pc, "a binding came before it"));

  const state::FixedPointAttributes attributes{.valid = true,
                                               .pre_quant_mode = byte_field(instruction, Field::PreQuantMode),
                                               .relu_mode = byte_field(instruction, Field::ReluMode),
                                               .group_n_code = byte_field(instruction, Field::GroupNCode),
                                               .row_max_en = instruction.flag(Field::RowMaxEn),
                                               .group_max_en = instruction.flag(Field::GroupMaxEn),
                                               .row_max_init = instruction.flag(Field::RowMaxInit),
                                               .max_abs_en = instruction.flag(Field::MaxAbsEn),
                                               .trans_a = instruction.flag(Field::TransA),
                                               .trans_b = instruction.flag(Field::TransB),
                                               .c_scale_en = instruction.flag(Field::CScaleEn)};
  const bool fits = (attributes.row_max_en || !attributes.row_max_init) &&
                    attributes.group_max_en == (attributes.group_n_code != 0) &&
                    (attributes.row_max_en || attributes.group_max_en || !attributes.max_abs_en);
  if (!fits) {
    return rejected(context,
                    reject(rules::fixed_point_fields, machine.pc,
                           "RowMaxEn {:d}, RowMaxInit {:d}, GroupMaxEn {:d}, GroupNCode {}, MaxAbsEn {:d}",
                           attributes.row_max_en, attributes.row_max_init, attributes.group_max_en,
                           attributes.group_n_code, attributes.max_abs_en));
  }
  block.fixed_point_attributes = attributes;
  return Next::Sequential;
}

Next set_dimension(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  if (Check failed = check_in_header(machine)) return rejected(context, std::move(*failed));
  const unsigned index = instruction.has(Field::LoopNest)
                             ? static_cast<unsigned>(instruction.raw(Field::LoopNest))
                             : instruction.form->dimension;
  if (machine.block.dimension_present[index]) {
    return rejected(context, reject(rules::given_twice, machine.pc, "this block has LB{} already", index));
  }
  Word value = instruction.raw(Field::imm8);
  if (instruction.has(Field::RegSrc)) {
    const Word sum = read_source(machine, static_cast<unsigned>(instruction.raw(Field::RegSrc))) +
                     instruction.raw(Field::uimm17);
    value = sum & mask_of(16);
  }
  machine.block.dimension_present[index] = true;
  machine.block.dimensions[index] = value;
  return Next::Sequential;
}

Next set_hint(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  if (Check failed = check_once(machine, machine.block.hint.present, "B.HINT")) {
    return rejected(context, std::move(*failed));
  }
  machine.block.last_bundle_hint_payload = instruction.word;
  machine.block.hint = {.present = true,
                        .trace = false,
                        .trace_end = false,
                        .branch_valid = instruction.flag(Field::V),
                        .branch_likely = instruction.flag(Field::L_UL),
                        .temperature = byte_field(instruction, Field::temp),
                        .prefetch_size = static_cast<std::uint16_t>(instruction.raw(Field::prefetch_size))};
  ++machine.maintenance.bundle_hint_epoch;
  return Next::Sequential;
}

Next bind_scalar_io(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  if (Check failed = check_once(machine, machine.block.scalar_bindings[0].valid, "B.IOR")) {
    return rejected(context, std::move(*failed));
  }
  machine.block.scalar_bindings[0] = {.valid = true,
                                      .destination = byte_field(instruction, Field::RegDst),
                                      .source0 = byte_field(instruction, Field::RegSrc0),
                                      .source1 = byte_field(instruction, Field::RegSrc1),
                                      .source2 = byte_field(instruction, Field::RegSrc2),
                                      .source_count = 3};
  return Next::Sequential;
}

Next bind_tile_io(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  state::BlockState& block = machine.block;
  const bool has_destination = instruction.has(Field::DstTile);
  const unsigned size = byte_field(instruction, Field::SizeCode);
  const unsigned largest =
      context.config.release == Release::v0_58_3 ? max_local_size_code_0583 : max_size_code;
  if (has_destination ? size < 1 || size > largest : size != 0) {
    return rejected(context, reject(rules::tile_size, machine.pc, "SizeCode is {}", size));
  }
  const std::uint8_t mask = pe_masks[instruction.raw(Field::PEMode)];
  const RangeRoles roles{.source0 = instruction.has(Field::SrcTile0),
                         .source1 = instruction.has(Field::SrcTile1),
                         .destination = has_destination};
  if (mask == 0) return bind_nothing(machine, roles);
  if (Check failed = check_in_header(machine)) return rejected(context, std::move(*failed));
  if (stream_closed(block)) {
    return rejected(context,
                    reject(rules::tile_stream_closed, machine.pc, "an earlier B.IOT is marked last"));
  }
  if (const std::optional<std::uint8_t> other = other_mask(block.tile_bindings, mask)) {
    return rejected(
        context, reject(rules::tile_mask, machine.pc, "mask {:04b} after an earlier {:04b}", mask, *other));
  }
  // 0.58.3 functions 9 and 10 move a Local tile into a Shared one.
  const unsigned function = block.operation.selector & 31u;
  const bool local_to_shared = block.operation.valid &&
                               block.operation.operation_class == OperationClass::TileMemory &&
                               block.operation.selector_valid && (function == 9 || function == 10);
  if (local_to_shared && has_destination) {
    return rejected(context, reject(rules::tile_destination, machine.pc, "the binding has a destination"));
  }
  const auto free = std::find_if(block.tile_bindings.begin(), block.tile_bindings.end(),
                                 [](const auto& binding) { return !binding.valid; });
  if (free == block.tile_bindings.end()) {
    return rejected(context, reject(rules::tile_bindings_full, machine.pc, "all 16 bindings are taken"));
  }
  const std::uint8_t hand = byte_field(instruction, Field::DstTile);
  *free = {.valid = true,
           .destination_valid = has_destination,
           .destination = hand,
           .destination_hand = hand,
           .destination_allocated_by_bundle = false,
           .destination_size = static_cast<std::uint8_t>(has_destination ? size : 0),
           .pe_mask = mask,
           .source0_valid = instruction.has(Field::SrcTile0),
           .source1_valid = instruction.has(Field::SrcTile1),
           .source0 = byte_field(instruction, Field::SrcTile0),
           .source1 = byte_field(instruction, Field::SrcTile1),
           .last = instruction.flag(Field::L)};
  open_range_group(block, state::RangeGroupKind::Local,
                   static_cast<unsigned>(free - block.tile_bindings.begin()), roles);
  return Next::Sequential;
}

Next bind_shared_io(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  state::BlockState& block = machine.block;
  const std::uint8_t size = byte_field(instruction, Field::SizeCode);
  if (size > max_size_code)
    return rejected(context, reject(rules::shared_size, machine.pc, "SizeCode is {}", size));
  const std::uint8_t mask = pe_masks[instruction.raw(Field::PEMode)];
  const RangeRoles roles{.source0 = size == 0, .source1 = false, .destination = size != 0};
  if (mask == 0) return bind_nothing(machine, roles);
  if (Check failed = check_in_header(machine)) return rejected(context, std::move(*failed));

  std::optional<std::uint8_t> other = other_mask(block.tile_bindings, mask);
  if (!other) other = other_mask(block.shared_bindings, mask);
  if (other) {
    return rejected(
        context, reject(rules::shared_mask, machine.pc, "mask {:04b} after an earlier {:04b}", mask, *other));
  }
  const std::uint8_t id = byte_field(instruction, Field::SharedTID);
  const bool bound =
      std::any_of(block.shared_bindings.begin(), block.shared_bindings.end(),
                  [&](const auto& binding) { return binding.valid && binding.shared_id == id; });
  if (bound) return rejected(context, reject(rules::shared_twice, machine.pc, "S{} is bound already", id));
  const auto free = std::find_if(block.shared_bindings.begin(), block.shared_bindings.end(),
                                 [](const auto& binding) { return !binding.valid; });
  if (free == block.shared_bindings.end()) {
    return rejected(context, reject(rules::shared_twice, machine.pc, "S{} would be the fifth", id));
  }
  *free = {.valid = true, .shared_id = id, .size_code = size, .pe_mask = mask, .consumed = false};
  open_range_group(block, state::RangeGroupKind::Shared,
                   static_cast<unsigned>(free - block.shared_bindings.begin()), roles);
  return Next::Sequential;
}

}  // namespace pto::exec::block
