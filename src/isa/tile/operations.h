// The tile operations: what a tile block can compute (PTO ISA, "Tile instructions").
//
// A block start selects an operation by family and code; for BSTART.TEPL the code is Mode and Function side
// by side, for every other start it is the start's own function number. A row says everything about an
// operation that is data: its operands and their roles, the B.DATR fields it reads, the behaviour it shares
// with its siblings and what tells it apart from them. The schema checker, the assembler and `explain` read
// rows; only `Behaviour` has code behind it, in the executing room.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/release.h"

namespace pto::isa {

enum class TileFamily : std::uint8_t { TEPL, TLSU, CUBE };
enum class Engine : std::uint8_t { VEC, SFU, TLSU, CUBE };

// How an operation works; siblings differ by `TileVariant` and `TileAxis`.
enum class TileBehaviour : std::uint8_t {
  Binary,
  Compare,
  Unary,
  Select,
  Convert,
  MultiplyAdd,
  BinaryScalar,
  CompareScalar,
  SelectScalar,
  FillScalar,
  Reduce,
  Expand,
  Concat,
  Extract,
  Insert,
  ImageToColumn,
  FillPad,
  Sequence,
  Triangle,
  Histogram,
  Quantize,
  Dequantize,
  Sort,
  MergeSort,
  Transpose,
  Gather,
  Scatter,
  Partial,
  Permute,
  Shuffle,
  Pack,
  Unpack,
  Load,
  Store,
  Move,
  Prefetch,
  MemoryGather,
  MemoryScatter,
  MemoryGatherMask,
  MemoryScatterMask,
  MemoryCompareSwap,
  PeerMove,
  Matrix,
};

enum class TileVariant : std::uint8_t {
  None,
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Max,
  Min,
  Abs,
  Not,
  Neg,
  Exp,
  Log,
  Recip,
  Sqrt,
  Rsqrt,
  Relu,
  Copy,
  ExpDif,
  ArgMax,
  ArgMin,
};

enum class TileAxis : std::uint8_t { Row, Column };

// Where an operation finds a value: tiles through B.IOT in binding order, scalars through B.IOR densely
// packed in the order address, scalar0, scalar1, diagonal, flag0; the rest through B.DIM and B.DATR.
enum class TileOperand : std::uint8_t {
  destination0,
  destination1,
  source0,
  source1,
  source2,
  source3,
  source4,
  address,
  scalar0,
  scalar1,
  diagonal,
  flag0,
  natural0,
  natural1,
  positive0,
  positive1,
  positive2,
  sort_width,
  selected_byte,
  comparison,
  numeric_control,
  pad_value,
};

constexpr bool is_destination(TileOperand operand) { return operand <= TileOperand::destination1; }
constexpr bool is_source(TileOperand operand) {
  return operand >= TileOperand::source0 && operand <= TileOperand::source4;
}
constexpr bool is_scalar(TileOperand operand) {
  return operand >= TileOperand::address && operand <= TileOperand::flag0;
}

struct TileOperandUse {
  TileOperand operand{};
  std::string_view role;
};

// The operands of an operation, destination first, in the order its mnemonic writes them.
struct TileOperands {
  std::array<TileOperandUse, 6> uses{};
  std::uint8_t count = 0;

  template <class... Uses>
  static constexpr TileOperands of(Uses... list) {
    return {{list...}, sizeof...(list)};
  }
  [[nodiscard]] constexpr std::span<const TileOperandUse> all() const { return {uses.data(), count}; }
  [[nodiscard]] constexpr bool has(TileOperand operand) const {
    for (const TileOperandUse& use : all()) {
      if (use.operand == operand) return true;
    }
    return false;
  }
  [[nodiscard]] constexpr unsigned sources() const {
    unsigned total = 0;
    for (const TileOperandUse& use : all()) total += is_source(use.operand) ? 1 : 0;
    return total;
  }
  [[nodiscard]] constexpr unsigned destinations() const {
    unsigned total = 0;
    for (const TileOperandUse& use : all()) total += is_destination(use.operand) ? 1 : 0;
    return total;
  }
  [[nodiscard]] constexpr unsigned scalars() const {
    unsigned total = 0;
    for (const TileOperandUse& use : all()) total += is_scalar(use.operand) ? 1 : 0;
    return total;
  }
};

// What the two pad bits of B.DATR mean to an operation.
enum class PadUnion : std::uint8_t { MustZero, PadValue, HistogramByte };

// The B.DATR fields an operation reads. Every other field must be encoded as zero when B.DATR is present.
struct DatrContract {
  bool comparison_mode = false;
  bool pad = false;
  bool saturating = false;
  bool canonicalize = false;
  bool data_type = false;
  bool rounding_mode = false;
  bool layout = false;
  PadUnion pad_union = PadUnion::MustZero;
};

struct TileOperation {
  std::string_view name;
  Engine engine{};
  TileFamily family{};
  std::uint8_t mode = 0;  // TEPL only
  std::uint8_t function = 0;
  std::string_view start;   // the block start that selects it
  std::string_view clause;  // the clause of the specification that owns it
  TileBehaviour does{};
  TileVariant variant{};
  TileAxis axis{};
  TileOperands operands{};
  DatrContract datr{};
  Release since = Release::v0_58_3;
  Release until = all_releases.back();

  // What the open block records as its selector.
  [[nodiscard]] constexpr unsigned code() const { return unsigned{mode} << 5 | function; }
  [[nodiscard]] constexpr bool in(Release release) const { return since <= release && release <= until; }
};

// Functions 9 to 12 and 14 of the starts of tile memory blocks are TMOV and TSTORE of Shared tiles (release
// 0.58.3): variants that have no row of their own. The function whose row says what they are.
constexpr unsigned operation_function(unsigned function) {
  if (function >= 9 && function <= 12) return 2;
  return function == 14 ? 1 : function;
}

// Every operation of every release, by family and code.
std::span<const TileOperation> tile_operations();

const TileOperation* find_tile_operation(TileFamily family, unsigned code, Release release);
const TileOperation* find_tile_operation(std::string_view name, Release release);

std::string_view name_of(Engine engine);
std::string_view name_of(TileFamily family);
std::string_view name_of(TileOperand operand);

}  // namespace pto::isa
