// What an instruction does, by name: one name per function of the executing room. Many forms share a
// behaviour; what distinguishes them (which operation, how many bytes, signed or not) is data of the row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pto::isa {

// clang-format off
enum class Behaviour : std::uint8_t {
  // Block commands.
  BlockStart, BlockStop, SetControlAttributes, SetDataAttributes, SetFixedPointAttributes, SetDimension,
  BindSharedIO, BindScalarIO, BindTileIO, Hint, HintTrace, Subview, Assemble,
  SaveContext, RecoverContext, FrameEntry, FrameExit, FrameReturnAddress, FrameReturnStack,
  QueueMove, QueuePop, QueuePush, MemoryCopy, MemorySet, CrossBlock,
  // AGU: loads, stores, prefetches. The row's Access says address, size, sign and update.
  Load, LoadPair, Store, StorePair, Prefetch,
  // ALU. A final W: the low 32 bits, sign-extended.
  Binary, BinaryW, Multiply, MultiplyW, MultiplyAdd, MultiplyAddW, MultiplyImmediateAdd,
  Divide, DivideW, Remainder, RemainderW,
  MultiplyPair, MultiplyAddPair, DividePair, DividePairW, RemainderPair, RemainderPairW,
  ConcatenatePair, ConcatenatePairW,
  CountBits, ExtractBits, InsertBits, ModifyBits, ReverseBytes, Extend, Move, Select,
  MaterializeUpper, MaterializeLong, MaterializeLongUpper,
  // BRU.
  Compare, CompareLogical, SetCommit, SetCommitLogical, SetCommitTarget, SetReturnAddress, AddToPC,
  JumpRelative, JumpRegister,
  // AMO.
  AtomicReadModifyWrite, CompareAndSwap, LoadReserved, StoreConditional, DmaCopy,
  // FSU.
  FloatUnary, FloatBinary, FloatFused, FloatCompare, FloatConvert,
  // SYS.
  SystemRegisterGet, SystemRegisterSet, SystemRegisterSwap, LocalStateRegisterGet,
  ControlRequest, Maintenance, FenceData, FenceInstruction, Breakpoint, Assert, CloseRequest, EnterRequest,
};

inline constexpr std::size_t behaviour_count = static_cast<std::size_t>(Behaviour::EnterRequest) + 1;

// Which member of its family a form is: the arithmetic of Binary, the condition of Compare, the service of
// Maintenance. One list, because a form has at most one.
enum class Operation : std::uint8_t {
  None,
  // Arithmetic and logic (Binary, AtomicReadModifyWrite, FloatBinary, ...). A final U: unsigned.
  Add, Sub, And, Or, Xor, Sll, Srl, Sra, Min, MinU, Max, MaxU, Mul, MulU, Div, DivU, Rem, RemU, Swap,
  // Conditions (Compare, SetCommit, FloatCompare).
  Eq, Ne, Lt, Ge, LtU, GeU,
  // Bit fields.
  CountOnes, CountLeadingZeros, CountTrailingZeros, Clear, Set, Signed, Unsigned,
  // Extend: from the low 8, 16 or 32 bits; Signed and Unsigned are the row's Access.
  Sign, Zero,
  // Move.
  Immediate, Register,
  // Floating point.
  Abs, Exp, Recip, Sqrt, MulAdd, MulSub, NegMulAdd, NegMulSub,
  Convert, ToIntegerNearestAway, ToIntegerMinus, ToIntegerNearest, ToIntegerPlus, ToIntegerZero,
  FromSigned, FromUnsigned,
  // Requests and maintenance.
  SendEvent, WaitEvent, WaitInterrupt, WaitTimeout,
  BC_IALL, BC_IVA, IC_IALL, IC_IVA,
  DC_IALL, DC_IVA, DC_CVA, DC_CIVA,
  DC_ISW, DC_CSW, DC_CISW, DC_ZVA,
  TLB_IALL, TLB_IA, TLB_IV, TLB_IAV,
};
// clang-format on

// How a memory form finds its address.
enum class Addressing : std::uint8_t { None, Immediate, Register, PcRelative };
// When a memory form writes the address back.
enum class Update : std::uint8_t { None, PreIndex, PostIndex };

// The memory side of a row; also the size of Extend, CompareAndSwap and the other atomics.
struct Access {
  std::uint8_t bytes = 0;
  bool is_signed = false;
  std::uint8_t scale = 0;  // an immediate or register offset is multiplied by 1 << scale
  Addressing addressing = Addressing::None;
  Update update = Update::None;
  bool returns_address = false;  // a prefetch that also writes its address
  bool signaling = false;        // a floating comparison that raises invalid for quiet NaNs too
};

// What the start of a block declares.
enum class BlockKind : std::uint8_t {
  Standard,
  Floating,
  System,
  TileElement,
  TileMemory,
  TileMatrix,
  FrameTemplate
};
enum class Transfer : std::uint8_t { Fallthrough, Direct, Conditional, Call, Return, Indirect, IndirectCall };
enum class OperationClass : std::uint8_t { Control, TileElement, TileMemory, TileMatrix, FixedPoint };

// What selects the tile operation of a block.
enum class SelectorSource : std::uint8_t {
  None,          // a control block: no operation
  Constant,      // the row's own number (tile memory and matrix blocks)
  ModeFunction,  // Mode << 5 | Function of the word
};

std::string_view name_of(Behaviour behaviour);
std::string_view name_of(BlockKind kind);
std::string_view name_of(Transfer transfer);
std::string_view name_of(OperationClass operation_class);

}  // namespace pto::isa
