// The names of all operand fields an instruction word can have.
//
// A field's name is the ISA's own; the few that are not C++ identifiers (`L/UL`) have a second spelling here
// and keep the original in the name table, which is what row pictures use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pto::isa {

// Both lists are laid out in the same lines.
// clang-format off
enum class Field : std::uint8_t {
  // Registers.
  RegDst, RegDst0, RegDst1, SrcL, SrcR, SrcD, SrcD1, SrcA, SrcP, SrcZero,
  RegSrc, RegSrc0, RegSrc1, RegSrc2, SrcBegin, SrcEnd, DstBegin, DstEnd,
  // How a scalar source is modified, and types of scalar floating point.
  SrcRType, shamt, SrcType, DstType,
  // Immediates.
  imm, imm4, imm5, imm8, imm20, imm32, imml, imms, immr,
  simm, simm5, simm12, simm17, simm22, simm24, simm25, simm32,
  uimm, uimm5, uimm11, uimm12, uimm17, uimm19, uimm24, uimm32,
  // System, memory order, queues.
  RST_Type, RRA_Type, SSRID, SSR_ID, LSR_ID, PRED_IMM, SUCC_IMM, model, aq, rl, far,
  e, i, r, s, h, ACR_ID, CROSS_BID,
  // Block attributes and hints.
  DR, trap, atom, CMode, PadValueOrByteId, Sat, Canonicalize, DataType, RMode, Layout,
  L_UL, V, prefetch_size, temp, B_E, LoopNest, BrType,
  PreQuantMode, ReluMode, GroupNCode, RowMaxEn, GroupMaxEn, RowMaxInit, MaxAbsEn, Func, ElementWiseEn,
  CScaleEn, TransA, TransB, Reserved, Opc1, Opcode, W,
  // Tile operations and their bindings.
  Mode, Function, SrcTile0, SrcTile1, DstTile, L, SizeCode, PEMode, SharedTID,
  SrcSelect, SubviewSizeCode, INIT, LAST, ParentSizeCode,
};

inline constexpr std::array field_names = std::to_array<std::string_view>({
    "RegDst", "RegDst0", "RegDst1", "SrcL", "SrcR", "SrcD", "SrcD1", "SrcA", "SrcP", "SrcZero",
    "RegSrc", "RegSrc0", "RegSrc1", "RegSrc2", "SrcBegin", "SrcEnd", "DstBegin", "DstEnd",
    "SrcRType", "shamt", "SrcType", "DstType",
    "imm", "imm4", "imm5", "imm8", "imm20", "imm32", "imml", "imms", "immr",
    "simm", "simm5", "simm12", "simm17", "simm22", "simm24", "simm25", "simm32",
    "uimm", "uimm5", "uimm11", "uimm12", "uimm17", "uimm19", "uimm24", "uimm32",
    "RST_Type", "RRA_Type", "SSRID", "SSR_ID", "LSR_ID", "PRED_IMM", "SUCC_IMM", "model", "aq", "rl", "far",
    "e", "i", "r", "s", "h", "ACR-ID", "CROSS-BID",
    "DR", "trap", "atom", "CMode", "PadValueOrByteId", "Sat", "Canonicalize", "DataType", "RMode", "Layout",
    "L/UL", "V", "prefetch_size", "temp", "B/E", "LoopNest", "BrType",
    "PreQuantMode", "ReluMode", "GroupNCode", "RowMaxEn", "GroupMaxEn", "RowMaxInit", "MaxAbsEn", "Func",
    "ElementWiseEn",
    "CScaleEn", "TransA", "TransB", "Reserved", "Opc1", "Opcode", "W",
    "Mode", "Function", "SrcTile0", "SrcTile1", "DstTile", "L", "SizeCode", "PEMode", "SharedTID",
    "SrcSelect", "SubviewSizeCode", "INIT", "LAST", "ParentSizeCode",
});
// clang-format on

inline constexpr std::size_t field_count = field_names.size();
static_assert(field_count == static_cast<std::size_t>(Field::ParentSizeCode) + 1,
              "every Field has a name, in the order of the enumeration");

constexpr std::string_view name_of(Field field) { return field_names[static_cast<std::size_t>(field)]; }

constexpr std::optional<Field> field_of_name(std::string_view name) {
  for (std::size_t index = 0; index < field_count; ++index) {
    if (field_names[index] == name) return static_cast<Field>(index);
  }
  return std::nullopt;
}

// A field named simm... is a two's complement number; every other field is read without a sign.
constexpr bool is_signed(Field field) { return name_of(field).starts_with("simm"); }

}  // namespace pto::isa
