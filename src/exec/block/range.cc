// B.SUBVIEW and B.ASSEMBLE: ranges of CELLs that a binding reads instead of its whole source, or writes
// instead of its whole destination (PTO ISA 0.58.4 and later, "Range modifiers").
//
// A binder opens a group; the modifiers that directly follow it belong to it, in the order source 0, source
// 1, destination, each at most once. Whatever else comes closes the group. A binder of no PE opens a group
// whose modifiers are discarded. Modifiers only note what they say: what a range means is judged when the
// block completes (exec/tile/range_views.cc). The form's constraints have refused reserved registers and
// sizes.

#include "exec/block/commands.h"
#include "exec/rules.h"
#include "exec/scalar_operands.h"

namespace pto::exec::block {

using isa::Field;
using state::Machine;
using state::RangeGroup;
using state::RangeGroupKind;

namespace {

enum class Role : std::uint8_t { Source0, Source1, Destination };

constexpr std::string_view name_of(Role role) {
  constexpr std::array<std::string_view, 3> names{"source 0", "source 1", "the destination"};
  return names[static_cast<std::size_t>(role)];
}

Check check_role(const Machine& machine, Role role) {
  const RangeGroup& group = machine.block.range_group;
  const bool allowed[] = {group.source0_allowed, group.source1_allowed, group.destination_allowed};
  const bool seen[] = {group.source0_seen, group.source1_seen, group.destination_seen};
  const auto wanted = static_cast<std::size_t>(role);
  if (!allowed[wanted])
    return reject(rules::range_role, machine.pc, "the binder does not have {}", name_of(role));
  for (std::size_t other = wanted; other < std::size(seen); ++other) {
    if (!seen[other]) continue;
    if (other == wanted)
      return reject(rules::range_role, machine.pc, "{} has a range already", name_of(role));
    return reject(rules::range_role, machine.pc, "{} comes after {}", name_of(role),
                  name_of(static_cast<Role>(other)));
  }
  return passed;
}

void mark_seen(RangeGroup& group, Role role) {
  bool* const seen[] = {&group.source0_seen, &group.source1_seen, &group.destination_seen};
  *seen[static_cast<std::size_t>(role)] = true;
}

// Where the open group keeps the range of a role.
state::RangeModifier& range_of(state::BlockState& block, Role role) {
  const RangeGroup& group = block.range_group;
  if (group.kind == RangeGroupKind::Shared) {
    state::SharedBinding& bound = block.shared_bindings[group.shared_binding];
    return role == Role::Source0 ? bound.source0_subview : bound.destination_assemble;
  }
  state::TileBinding& bound = block.tile_bindings[group.tile_binding];
  if (role == Role::Destination) return bound.destination_assemble;
  return role == Role::Source0 ? bound.source0_subview : bound.source1_subview;
}

Next note(Context& context, const Instruction& instruction, Role role, Field size, bool init, bool last) {
  Machine& machine = context.machine;
  const auto reg = static_cast<unsigned>(instruction.raw(Field::RegSrc));
  const Word addend = instruction.raw(Field::uimm11);
  range_of(machine.block, role) = {.valid = true,
                                   .reg_src = static_cast<std::uint8_t>(reg),
                                   .uimm11 = static_cast<std::uint16_t>(addend),
                                   .size_code = static_cast<std::uint8_t>(instruction.raw(size)),
                                   .offset = read_source(machine, reg) + addend,
                                   .init = init,
                                   .last = last};
  mark_seen(machine.block.range_group, role);
  return Next::Sequential;
}

Check check_group(const Machine& machine) {
  if (machine.block.range_group.open) return passed;
  return reject(rules::range_group, machine.pc, "{}",
                machine.bundle_active ? "the command before it is none of them" : "no block is open");
}

}  // namespace

void open_range_group(state::BlockState& block, RangeGroupKind kind, unsigned binding, RangeRoles roles) {
  block.range_group = {.open = true, .zero_mode = kind == RangeGroupKind::None, .kind = kind};
  RangeGroup& group = block.range_group;
  if (kind == RangeGroupKind::Local) group.tile_binding = static_cast<std::uint8_t>(binding);
  if (kind == RangeGroupKind::Shared) group.shared_binding = static_cast<std::uint8_t>(binding);
  group.source0_allowed = roles.source0;
  group.source1_allowed = roles.source1;
  group.destination_allowed = roles.destination;
}

Next apply_subview(Context& context, const Instruction& instruction) {
  const Machine& machine = context.machine;
  if (Check failed = check_group(machine)) return rejected(context, std::move(*failed));
  if (machine.block.range_group.zero_mode) return Next::Sequential;
  const Role role = instruction.flag(Field::SrcSelect) ? Role::Source1 : Role::Source0;
  if (Check failed = check_role(machine, role)) return rejected(context, std::move(*failed));
  return note(context, instruction, role, Field::SubviewSizeCode, false, false);
}

Next apply_assemble(Context& context, const Instruction& instruction) {
  const Machine& machine = context.machine;
  if (Check failed = check_group(machine)) return rejected(context, std::move(*failed));
  if (machine.block.range_group.zero_mode) return Next::Sequential;
  if (Check failed = check_role(machine, Role::Destination)) return rejected(context, std::move(*failed));
  const bool init = instruction.flag(Field::INIT);
  const Word size = instruction.raw(Field::ParentSizeCode);
  if (init != (size != 0)) {
    return rejected(
        context, reject(rules::assemble_size, machine.pc, "INIT is {:d}, ParentSizeCode is {}", init, size));
  }
  return note(context, instruction, Role::Destination, Field::ParentSizeCode, init,
              instruction.flag(Field::LAST));
}

}  // namespace pto::exec::block
