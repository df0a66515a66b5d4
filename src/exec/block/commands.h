// The block commands, one function per behaviour; exec/behaviours.cc maps rows to them.
#pragma once

#include "exec/outcome.h"

namespace pto::exec::block {

// Starts and stops (lifecycle.cc).
Outcome start(Context& context, const Instruction& instruction);
Outcome stop(Context& context, const Instruction& instruction);
Outcome hint_trace(Context& context, const Instruction& instruction);

// Header commands (header.cc).
Outcome set_control_attributes(Context& context, const Instruction& instruction);
Outcome set_data_attributes(Context& context, const Instruction& instruction);
Outcome set_fixed_point_attributes(Context& context, const Instruction& instruction);
Outcome set_dimension(Context& context, const Instruction& instruction);
Outcome set_hint(Context& context, const Instruction& instruction);
Outcome bind_scalar_io(Context& context, const Instruction& instruction);
Outcome bind_tile_io(Context& context, const Instruction& instruction);
Outcome bind_shared_io(Context& context, const Instruction& instruction);

// Frames, bulk memory, queues, context (one file each).
Outcome frame_entry(Context& context, const Instruction& instruction);
Outcome frame_exit(Context& context, const Instruction& instruction);
Outcome frame_return_address(Context& context, const Instruction& instruction);
Outcome frame_return_stack(Context& context, const Instruction& instruction);
Outcome memory_copy(Context& context, const Instruction& instruction);
Outcome memory_set(Context& context, const Instruction& instruction);
Outcome queue_move(Context& context, const Instruction& instruction);
Outcome queue_pop(Context& context, const Instruction& instruction);
Outcome queue_push(Context& context, const Instruction& instruction);
Outcome outside_profile(Context& context, const Instruction& instruction);

// Completes the open block, continuing at `continuation`.
Outcome complete(Context& context, Word continuation);

// Forgets what the header commands of the block said.
void clear_header(state::BlockState& block);

}  // namespace pto::exec::block
