#include "isa/behaviour.h"

#include <array>

namespace pto::isa {

namespace {

// In the lines of behaviour.h.
// clang-format off
constexpr std::array behaviour_names = std::to_array<std::string_view>({
    "BlockStart", "BlockStop", "SetControlAttributes", "SetDataAttributes", "SetFixedPointAttributes",
    "SetDimension",
    "BindSharedIO", "BindScalarIO", "BindTileIO", "Hint", "HintTrace", "Subview", "Assemble",
    "SaveContext", "RecoverContext", "FrameEntry", "FrameExit", "FrameReturnAddress", "FrameReturnStack",
    "QueueMove", "QueuePop", "QueuePush", "MemoryCopy", "MemorySet", "CrossBlock",
    "Load", "LoadPair", "Store", "StorePair", "Prefetch",
    "Binary", "BinaryW", "Multiply", "MultiplyW", "MultiplyAdd", "MultiplyAddW", "MultiplyImmediateAdd",
    "Divide", "DivideW", "Remainder", "RemainderW",
    "MultiplyPair", "MultiplyAddPair", "DividePair", "DividePairW", "RemainderPair", "RemainderPairW",
    "ConcatenatePair", "ConcatenatePairW",
    "CountBits", "ExtractBits", "InsertBits", "ModifyBits", "ReverseBytes", "Extend", "Move", "Select",
    "MaterializeUpper", "MaterializeLong", "MaterializeLongUpper",
    "Compare", "CompareLogical", "SetCommit", "SetCommitLogical", "SetCommitTarget", "SetReturnAddress",
    "AddToPC",
    "JumpRelative", "JumpRegister",
    "AtomicReadModifyWrite", "CompareAndSwap", "LoadReserved", "StoreConditional", "DmaCopy",
    "FloatUnary", "FloatBinary", "FloatFused", "FloatCompare", "FloatConvert",
    "SystemRegisterGet", "SystemRegisterSet", "SystemRegisterSwap", "LocalStateRegisterGet",
    "ControlRequest", "Maintenance", "FenceData", "FenceInstruction", "Breakpoint", "Assert", "CloseRequest",
    "EnterRequest",
});
// clang-format on
static_assert(behaviour_names.size() == behaviour_count, "every Behaviour has a name, in order");

constexpr std::array kind_names = std::to_array<std::string_view>(
    {"Standard", "Floating", "System", "TileElement", "TileMemory", "TileMatrix", "FrameTemplate"});
constexpr std::array transfer_names = std::to_array<std::string_view>(
    {"Fallthrough", "Direct", "Conditional", "Call", "Return", "Indirect", "IndirectCall"});
constexpr std::array class_names =
    std::to_array<std::string_view>({"Control", "TileElement", "TileMemory", "TileMatrix", "FixedPoint"});

}  // namespace

std::string_view name_of(Behaviour behaviour) { return behaviour_names[static_cast<std::size_t>(behaviour)]; }
std::string_view name_of(BlockKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }
std::string_view name_of(Transfer transfer) { return transfer_names[static_cast<std::size_t>(transfer)]; }
std::string_view name_of(OperationClass operation_class) {
  return class_names[static_cast<std::size_t>(operation_class)];
}

}  // namespace pto::isa
