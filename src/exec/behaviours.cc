#include "exec/behaviours.h"

#include <array>

#include "exec/block/commands.h"

namespace pto::exec {

namespace {

using isa::Behaviour;

struct Entry {
  Behaviour behaviour;
  Behave function;
};

constexpr Entry entries[] = {
    {Behaviour::BlockStart, block::start},
    {Behaviour::BlockStop, block::stop},
    {Behaviour::HintTrace, block::hint_trace},
    {Behaviour::SetControlAttributes, block::set_control_attributes},
    {Behaviour::SetDataAttributes, block::set_data_attributes},
    {Behaviour::SetFixedPointAttributes, block::set_fixed_point_attributes},
    {Behaviour::SetDimension, block::set_dimension},
    {Behaviour::Hint, block::set_hint},
    {Behaviour::BindScalarIO, block::bind_scalar_io},
    {Behaviour::BindTileIO, block::bind_tile_io},
    {Behaviour::BindSharedIO, block::bind_shared_io},
    {Behaviour::FrameEntry, block::frame_entry},
    {Behaviour::FrameExit, block::frame_exit},
    {Behaviour::FrameReturnAddress, block::frame_return_address},
    {Behaviour::FrameReturnStack, block::frame_return_stack},
    {Behaviour::MemoryCopy, block::memory_copy},
    {Behaviour::MemorySet, block::memory_set},
    {Behaviour::QueueMove, block::queue_move},
    {Behaviour::QueuePop, block::queue_pop},
    {Behaviour::QueuePush, block::queue_push},
    {Behaviour::SaveContext, block::outside_profile},
    {Behaviour::RecoverContext, block::outside_profile},
    {Behaviour::CrossBlock, block::outside_profile},
};

// Behaviours without a function yet; a step reports them as unsupported, by mnemonic. A behaviour in neither
// list does not compile.
constexpr bool awaited(Behaviour behaviour) {
  return behaviour == Behaviour::Subview || behaviour == Behaviour::Assemble ||
         behaviour > Behaviour::CrossBlock;
}

constexpr auto table = [] {
  std::array<Behave, isa::behaviour_count> functions{};
  for (const Entry& entry : entries) functions[static_cast<std::size_t>(entry.behaviour)] = entry.function;
  return functions;
}();

constexpr bool complete = [] {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if ((table[i] == nullptr) != awaited(static_cast<Behaviour>(i))) return false;
  }
  return true;
}();
static_assert(complete, "every behaviour has a function or is listed as awaited, and not both");

}  // namespace

Behave behaviour_function(Behaviour behaviour) { return table[static_cast<std::size_t>(behaviour)]; }

}  // namespace pto::exec
