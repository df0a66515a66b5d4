#include "load/elf_relocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "isa/decode.h"

namespace pto::load {

namespace {

// `width` bits of the value from `value_lsb` on go to the bits of the instruction from `lsb` on.
struct Piece {
  std::uint8_t value_lsb = 0;
  std::uint8_t width = 0;
  std::uint8_t lsb = 0;
};

enum class Range : std::uint8_t { Signed, Unsigned, Either };

struct Row {
  std::uint32_t type;
  std::string_view name;
  std::uint8_t bytes = 0;  // 0: nothing to patch
  bool pc_relative = false;
  std::uint8_t shift = 0;  // the value is a multiple of 1 << shift and loses those bits
  std::uint8_t bits = 0;   // what is left has so many
  Range range = Range::Signed;
  std::array<Piece, 3> pieces{};
  bool scaled = false;  // a PC-relative access: the instruction says from where and in which units it counts
  std::string_view refused{};  // why it is not applied
};

constexpr std::string_view dynamic = "only a dynamic loader applies it";
constexpr std::string_view needs_table = "it needs a global offset table, which a linker makes";
constexpr std::string_view thread_local_data = "thread-local data needs a linker";
constexpr std::string_view unsettled = "published linkers do not agree on how its two halves go together";
constexpr std::string_view no_branch = "PTO ISA has no branch of that form";
constexpr std::string_view too_long = "PTO ISA has no instruction of 64 bits";

// Values are unshifted bits of the instruction's field.
constexpr Row rows[] = {
    {.type = 0, .name = "R_LINX_NONE"},
    {.type = 1, .name = "R_LINX_B12_PCREL", .refused = no_branch},
    {.type = 2,
     .name = "R_LINX_J22_PCREL",
     .bytes = 4,
     .pc_relative = true,
     .shift = 1,
     .bits = 22,
     .pieces = {{{0, 17, 15}, {17, 5, 7}}}},
    {.type = 3,
     .name = "R_LINX_CBSTART12_PCREL",
     .bytes = 2,
     .pc_relative = true,
     .shift = 1,
     .bits = 12,
     .pieces = {{{0, 12, 4}}}},
    {.type = 4,
     .name = "R_LINX_B17_PCREL",
     .bytes = 4,
     .pc_relative = true,
     .shift = 1,
     .bits = 17,
     .pieces = {{{0, 17, 15}}}},
    {.type = 5, .name = "R_LINX_HL_BSTART30_PCREL", .refused = no_branch},
    {.type = 6,
     .name = "R_LINX_CSETRET5_PCREL",
     .bytes = 2,
     .pc_relative = true,
     .shift = 1,
     .bits = 5,
     .range = Range::Unsigned,
     .pieces = {{{0, 5, 6}}}},
    {.type = 7,
     .name = "R_LINX_SETRET20_PCREL",
     .bytes = 4,
     .pc_relative = true,
     .shift = 1,
     .bits = 20,
     .range = Range::Unsigned,
     .pieces = {{{0, 20, 12}}}},
    {.type = 8,
     .name = "R_LINX_HL_SETRET32_PCREL",
     .bytes = 6,
     .pc_relative = true,
     .shift = 1,
     .bits = 32,
     .pieces = {{{0, 20, 28}, {20, 12, 4}}}},
    {.type = 9, .name = "R_LINX_RELATIVE", .refused = dynamic},
    {.type = 10,
     .name = "R_LINX_64",
     .bytes = 8,
     .bits = 64,
     .range = Range::Either,
     .pieces = {{{0, 64, 0}}}},
    {.type = 11,
     .name = "R_LINX_32",
     .bytes = 4,
     .bits = 32,
     .range = Range::Either,
     .pieces = {{{0, 32, 0}}}},
    {.type = 12, .name = "R_LINX_JUMP_SLOT", .refused = dynamic},
    {.type = 13, .name = "R_LINX_GLOB_DAT", .refused = dynamic},
    {.type = 14, .name = "R_LINX_COPY", .refused = dynamic},
    {.type = 15, .name = "R_LINX_PCREL_HI20", .refused = unsettled},
    // In a program without dynamic parts a call through the procedure table is a call.
    {.type = 16,
     .name = "R_LINX_B17_PLT",
     .bytes = 4,
     .pc_relative = true,
     .shift = 1,
     .bits = 17,
     .pieces = {{{0, 17, 15}}}},
    {.type = 17, .name = "R_LINX_LO12", .refused = unsettled},
    {.type = 18,
     .name = "R_LINX_PCR17_LOAD",
     .bytes = 4,
     .pc_relative = true,
     .bits = 17,
     .pieces = {{{0, 17, 15}}},
     .scaled = true},
    {.type = 19,
     .name = "R_LINX_PCR17_STORE",
     .bytes = 4,
     .pc_relative = true,
     .bits = 17,
     .pieces = {{{0, 12, 20}, {12, 5, 7}}},
     .scaled = true},
    {.type = 20,
     .name = "R_LINX_HL_PCR29_LOAD",
     .bytes = 6,
     .pc_relative = true,
     .bits = 29,
     .pieces = {{{0, 17, 31}, {17, 12, 4}}},
     .scaled = true},
    {.type = 21,
     .name = "R_LINX_HL_PCR29_STORE",
     .bytes = 6,
     .pc_relative = true,
     .bits = 29,
     .pieces = {{{0, 12, 36}, {12, 5, 23}, {17, 12, 4}}},
     .scaled = true},
    {.type = 22,
     .name = "R_LINX_B25_PCREL",
     .bytes = 4,
     .pc_relative = true,
     .shift = 1,
     .bits = 25,
     .pieces = {{{0, 25, 7}}}},
    {.type = 23, .name = "R_LINX_GOT_HI20", .refused = needs_table},
    {.type = 24, .name = "R_LINX_GOT_LO12", .refused = needs_table},
    {.type = 25,
     .name = "R_LINX_32_PCREL",
     .bytes = 4,
     .pc_relative = true,
     .bits = 32,
     .pieces = {{{0, 32, 0}}}},
    {.type = 26, .name = "R_LINX_L_BSTART42_PCREL", .refused = too_long},
    {.type = 28, .name = "R_LINX_TLS_DTPMOD64", .refused = thread_local_data},
    {.type = 29, .name = "R_LINX_TLS_DTPREL64", .refused = thread_local_data},
    {.type = 30, .name = "R_LINX_TLS_TPREL64", .refused = thread_local_data},
    {.type = 31, .name = "R_LINX_TLSDESC", .refused = thread_local_data},
    {.type = 32, .name = "R_LINX_IRELATIVE", .refused = dynamic},
};

const Row* find(std::uint32_t type) {
  const auto* row =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.type == type; });
  return row == std::end(rows) ? nullptr : row;
}

Error wrong(std::string message) {
  return {.message = std::move(message), .place = {}, .hint = {}, .excerpt = {}};
}

bool fits(const Row& row, Word value) {
  if (row.bits == 64) return true;
  const bool as_signed = sign_extend(value & mask_of(row.bits), row.bits) == value;
  const bool as_unsigned = value <= mask_of(row.bits);
  switch (row.range) {
    case Range::Signed: return as_signed;
    case Range::Unsigned: return as_unsigned;
    case Range::Either: break;
  }
  return as_signed || as_unsigned;
}

}  // namespace

std::string relocation_name(std::uint32_t type) {
  const Row* row = find(type);
  return row == nullptr ? fmt::format("type {}", type) : std::string(row->name);
}

Result<unsigned> relocation_size(std::uint32_t type) {
  const Row* row = find(type);
  if (row == nullptr) return wrong("no published toolchain defines it");
  if (!row->refused.empty()) return wrong(std::string(row->refused));
  return unsigned{row->bytes};
}

Result<void> relocate(std::uint32_t type, std::span<std::uint8_t> bytes, Word place, Word target) {
  const Row& row = *find(type);
  Word word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) word |= Word{bytes[i]} << (8 * i);
  unsigned shift = row.shift;
  Word base = row.pc_relative ? place : 0;
  if (row.scaled) {
    const isa::Decoded decoded = isa::decode(word, static_cast<unsigned>(bytes.size()) * 8, default_release);
    if (decoded.form == nullptr || decoded.form->access.addressing != isa::Addressing::PcRelative)
      return wrong(fmt::format("the word {:#x} there is no PC-relative load or store", word));
    base = place & ~Word{3};
    shift = decoded.form->access.scale;
  }
  const Word distance = target - base;
  if ((distance & mask_of(shift)) != 0) {
    return wrong(fmt::format("the target {:#x} is {} bytes away, which is not a multiple of {}", target,
                             static_cast<std::int64_t>(distance), Word{1} << shift));
  }
  const Word value = shift == 0 ? distance : static_cast<Word>(static_cast<std::int64_t>(distance) >> shift);
  if (!fits(row, value)) {
    return wrong(row.pc_relative ? fmt::format("the target {:#x} is {} bytes away, too far for {} bits",
                                               target, static_cast<std::int64_t>(distance), row.bits + shift)
                                 : fmt::format("{:#x} does not fit {} bits", target, row.bits));
  }
  for (const Piece& piece : row.pieces) {
    if (piece.width == 0) continue;
    const Word mask = mask_of(piece.width);
    word = (word & ~(mask << piece.lsb)) | (value >> piece.value_lsb & mask) << piece.lsb;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(word >> (8 * i));
  return {};
}

}  // namespace pto::load
