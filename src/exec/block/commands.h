// The block commands, one function per behaviour; exec/behaviours.cc maps rows to them.
#pragma once

#include "exec/chain.h"

namespace pto::exec::block {

// Starts and stops (lifecycle.cc). A start's offset is finished when it is resolved.
Function resolve_start(Instruction& instruction);
Function resolve_stop(Instruction& instruction);
Next hint_trace(Context& context, const Instruction& instruction);

// Header commands (header.cc).
Next set_control_attributes(Context& context, const Instruction& instruction);
Next set_data_attributes(Context& context, const Instruction& instruction);
Next set_fixed_point_attributes(Context& context, const Instruction& instruction);
Next set_dimension(Context& context, const Instruction& instruction);
Next set_hint(Context& context, const Instruction& instruction);
Next bind_scalar_io(Context& context, const Instruction& instruction);
Next bind_tile_io(Context& context, const Instruction& instruction);
Next bind_shared_io(Context& context, const Instruction& instruction);

// Range modifiers (range.cc).
Next apply_subview(Context& context, const Instruction& instruction);
Next apply_assemble(Context& context, const Instruction& instruction);
// The roles that a binder offers to the modifiers that follow it.
struct RangeRoles {
  bool source0 = false;
  bool source1 = false;
  bool destination = false;
};
void open_range_group(state::BlockState& block, state::RangeGroupKind kind, unsigned binding,
                      RangeRoles roles);
// Every command but a modifier ends the group before it.
inline void close_range_group(state::BlockState& block) {
  if (block.header_may_be_set) block.range_group = {};
}

// Frames, bulk memory, queues, context (one file each).
Next frame_entry(Context& context, const Instruction& instruction);
Next frame_exit(Context& context, const Instruction& instruction);
Next frame_return_address(Context& context, const Instruction& instruction);
Next frame_return_stack(Context& context, const Instruction& instruction);
Next memory_copy(Context& context, const Instruction& instruction);
Next memory_set(Context& context, const Instruction& instruction);
Next queue_move(Context& context, const Instruction& instruction);
Next queue_pop(Context& context, const Instruction& instruction);
Next queue_push(Context& context, const Instruction& instruction);
Next outside_profile(Context& context, const Instruction& instruction);

// Completes the open block, continuing at `continuation`.
Next complete(Context& context, Word continuation);

// Forgets what the header commands of the block said.
void clear_header_commands(state::BlockState& block);
// The same, and what its start selected.
inline void clear_header(state::BlockState& block) {
  block.commit_target_set = false;
  block.condition_set = false;
  block.system_block_terminal_pending = false;
  block.bundle_argument = 0;
  block.bundle_argument_kind = 0;
  block.operation = {};
  block.data_attributes.data_type = no_element_type_code;
  if (block.header_may_be_set) clear_header_commands(block);
}

}  // namespace pto::exec::block
