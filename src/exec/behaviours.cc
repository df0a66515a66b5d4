#include "exec/behaviours.h"

#include <array>

#include "exec/block/commands.h"
#include "exec/scalar/families.h"

namespace pto::exec {

namespace {

using isa::Behaviour;
using Resolver = Function (*)(Instruction&);

// A behaviour that is one function whatever the operands.
template <Behave function>
Function always(Instruction&) {
  return alone(function);
}

// The same for a command, which ends the group of range modifiers before it.
template <Behave function>
Next end_group(Context& context, const Instruction& instruction) {
  block::close_range_group(context.machine.block);
  return function(context, instruction);
}
template <Behave function>
Function command(Instruction&) {
  return alone(end_group<function>);
}

struct Entry {
  Behaviour behaviour;
  Resolver resolver;
};

constexpr Entry entries[] = {
    {Behaviour::BlockStart, block::resolve_start},
    {Behaviour::BlockStop, block::resolve_stop},
    {Behaviour::HintTrace, command<block::hint_trace>},
    {Behaviour::SetControlAttributes, command<block::set_control_attributes>},
    {Behaviour::SetDataAttributes, command<block::set_data_attributes>},
    {Behaviour::SetFixedPointAttributes, command<block::set_fixed_point_attributes>},
    {Behaviour::SetDimension, command<block::set_dimension>},
    {Behaviour::Hint, command<block::set_hint>},
    {Behaviour::BindScalarIO, command<block::bind_scalar_io>},
    {Behaviour::BindTileIO, command<block::bind_tile_io>},
    {Behaviour::BindSharedIO, command<block::bind_shared_io>},
    {Behaviour::Subview, always<block::apply_subview>},
    {Behaviour::Assemble, always<block::apply_assemble>},
    {Behaviour::FrameEntry, command<block::frame_entry>},
    {Behaviour::FrameExit, command<block::frame_exit>},
    {Behaviour::FrameReturnAddress, command<block::frame_return_address>},
    {Behaviour::FrameReturnStack, command<block::frame_return_stack>},
    {Behaviour::MemoryCopy, command<block::memory_copy>},
    {Behaviour::MemorySet, command<block::memory_set>},
    {Behaviour::QueueMove, command<block::queue_move>},
    {Behaviour::QueuePop, command<block::queue_pop>},
    {Behaviour::QueuePush, command<block::queue_push>},
    {Behaviour::SaveContext, command<block::outside_profile>},
    {Behaviour::RecoverContext, command<block::outside_profile>},
    {Behaviour::CrossBlock, command<block::outside_profile>},

    {Behaviour::Load, scalar::load},
    {Behaviour::LoadPair, scalar::load_pair},
    {Behaviour::Store, scalar::store},
    {Behaviour::StorePair, scalar::store_pair},
    {Behaviour::Prefetch, scalar::prefetch},

    {Behaviour::Binary, scalar::binary},
    {Behaviour::BinaryW, scalar::binary_word},
    {Behaviour::Multiply, scalar::multiply},
    {Behaviour::MultiplyW, scalar::multiply},
    {Behaviour::MultiplyAdd, scalar::multiply},
    {Behaviour::MultiplyAddW, scalar::multiply},
    {Behaviour::MultiplyImmediateAdd, scalar::multiply},
    {Behaviour::MultiplyPair, scalar::multiply},
    {Behaviour::MultiplyAddPair, scalar::multiply},
    {Behaviour::Divide, scalar::divide},
    {Behaviour::DivideW, scalar::divide},
    {Behaviour::Remainder, scalar::divide},
    {Behaviour::RemainderW, scalar::divide},
    {Behaviour::DividePair, scalar::divide},
    {Behaviour::DividePairW, scalar::divide},
    {Behaviour::RemainderPair, scalar::divide},
    {Behaviour::RemainderPairW, scalar::divide},
    {Behaviour::ConcatenatePair, scalar::bit_field},
    {Behaviour::ConcatenatePairW, scalar::bit_field},
    {Behaviour::CountBits, scalar::bit_field},
    {Behaviour::ExtractBits, scalar::bit_field},
    {Behaviour::InsertBits, scalar::bit_field},
    {Behaviour::ModifyBits, scalar::bit_field},
    {Behaviour::ReverseBytes, scalar::bit_field},
    {Behaviour::Extend, scalar::move},
    {Behaviour::Move, scalar::move},
    {Behaviour::Select, scalar::move},
    {Behaviour::MaterializeUpper, scalar::move},
    {Behaviour::MaterializeLong, scalar::move},
    {Behaviour::MaterializeLongUpper, scalar::move},

    {Behaviour::Compare, scalar::compare},
    {Behaviour::CompareLogical, scalar::compare},
    {Behaviour::SetCommit, scalar::compare},
    {Behaviour::SetCommitLogical, scalar::compare},
    {Behaviour::SetCommitTarget, scalar::control_flow},
    {Behaviour::SetReturnAddress, scalar::control_flow},
    {Behaviour::AddToPC, scalar::control_flow},
    {Behaviour::JumpRelative, scalar::control_flow},
    {Behaviour::JumpRegister, scalar::control_flow},

    {Behaviour::AtomicReadModifyWrite, scalar::atomic},
    {Behaviour::CompareAndSwap, scalar::atomic},
    {Behaviour::LoadReserved, scalar::atomic},
    {Behaviour::StoreConditional, scalar::atomic},
    {Behaviour::DmaCopy, scalar::atomic},

    {Behaviour::FloatUnary, scalar::floating},
    {Behaviour::FloatBinary, scalar::floating},
    {Behaviour::FloatFused, scalar::floating},
    {Behaviour::FloatCompare, scalar::floating},
    {Behaviour::FloatConvert, scalar::floating},

    {Behaviour::SystemRegisterGet, scalar::system},
    {Behaviour::SystemRegisterSet, scalar::system},
    {Behaviour::SystemRegisterSwap, scalar::system},
    {Behaviour::LocalStateRegisterGet, scalar::system},
    {Behaviour::ControlRequest, scalar::system},
    {Behaviour::Maintenance, scalar::system},
    {Behaviour::FenceData, scalar::system},
    {Behaviour::FenceInstruction, scalar::system},
    {Behaviour::Breakpoint, scalar::system},
    {Behaviour::Assert, scalar::system},
    {Behaviour::CloseRequest, scalar::system},
    {Behaviour::EnterRequest, scalar::system},
};

constexpr auto table = [] {
  std::array<Resolver, isa::behaviour_count> resolvers{};
  for (const Entry& entry : entries) resolvers[static_cast<std::size_t>(entry.behaviour)] = entry.resolver;
  return resolvers;
}();

// Counts entries rather than comparing functions with null, which g++ cannot do at compile time under UBSan.
constexpr bool complete = [] {
  std::array<unsigned, isa::behaviour_count> count{};
  for (const Entry& entry : entries) ++count[static_cast<std::size_t>(entry.behaviour)];
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] != 1) return false;
  }
  return true;
}();
static_assert(complete, "every behaviour has exactly one function");

}  // namespace

Function resolve(Instruction& instruction) {
  const Resolver resolver = table[static_cast<std::size_t>(instruction.form->does)];
  return resolver == nullptr ? alone(nullptr) : resolver(instruction);
}

}  // namespace pto::exec
