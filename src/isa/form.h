// A row of the instruction set: one form of one instruction, everything about it in named fields.
//
// The rows lie in block/ and scalar/, one file per family. Encode, decode, the assembler, the disassembler
// and `explain` read nothing else; what the form does is named (Behaviour) and lives in the executing room.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/bits.h"
#include "isa/behaviour.h"
#include "isa/constraint.h"
#include "isa/field.h"
#include "isa/picture.h"
#include "isa/release.h"

namespace pto::isa {

enum class Surface : std::uint8_t { Block, Scalar };
enum class Family : std::uint8_t { CMD, BBD, AGU, ALU, AMO, BRU, FSU, SYS };

struct BlockStart {
  BlockKind kind = BlockKind::Standard;
  Transfer transfer = Transfer::Fallthrough;  // a form with a BrType field: transfer_of_branch_type instead
  OperationClass operation_class = OperationClass::Control;
  SelectorSource selector_source = SelectorSource::None;
  std::uint16_t selector = 0;
};

struct Form {
  std::string_view name;  // the mnemonic, in the capitals of the catalog
  std::string_view id;    // the catalog's identifier of the form
  Family family{};
  Encoding bits;
  std::string_view text;  // the operands as they are written; see docs/ASSEMBLY.md, "Operand templates"
  Behaviour does{};
  Operation operation = Operation::None;
  Access access{};
  BlockStart start{};
  std::uint8_t identity =
      0;  // block forms: the index of the form in the catalog, as a block start records it
  std::uint8_t dimension = 0;  // SetDimension without a LoopNest field: which of LB0..LB2
  std::array<Constraint, 5> constraints{};
  Release since = Release::v0_58_3;
  Release until = all_releases.back();

  [[nodiscard]] constexpr Surface surface() const {
    return family == Family::CMD || family == Family::BBD ? Surface::Block : Surface::Scalar;
  }
  [[nodiscard]] constexpr bool in(Release release) const { return since <= release && release <= until; }
  [[nodiscard]] constexpr bool matches(Word word) const { return (word & bits.mask) == bits.match; }
  [[nodiscard]] constexpr bool has(Field field) const {
    return bits.slot[static_cast<std::size_t>(field)] != 0;
  }
  [[nodiscard]] constexpr std::span<const FieldSpec> fields() const {
    return {bits.fields.data(), bits.fields_used};
  }
  // The layout of a field; null: the form does not have it.
  [[nodiscard]] constexpr const FieldSpec* spec(Field field) const {
    const std::uint8_t slot = bits.slot[static_cast<std::size_t>(field)];
    return slot == 0 ? nullptr : &bits.fields[slot - 1u];
  }
  // The encoded bits of a field, in their places in the value; 0 when the form does not have the field.
  [[nodiscard]] constexpr Word raw(Word word, Field field) const {
    const FieldSpec* layout = spec(field);
    if (layout == nullptr) return 0;
    Word value = 0;
    for (std::size_t index = 0; index < layout->pieces_used; ++index) {
      const FieldPiece& piece = layout->pieces[index];
      value |= bits_of(word, piece.word_lsb, piece.width) << piece.value_lsb;
    }
    return value;
  }
  // The field as a 64-bit number: sign-extended where the row says so.
  [[nodiscard]] constexpr Word value(Word word, Field field) const {
    const Word number = raw(word, field);
    return is_signed(field) && has(field) ? sign_extend(number, spec(field)->width) : number;
  }
  // `word` with the field set; bits of `value` that the field cannot hold are dropped.
  [[nodiscard]] constexpr Word with(Word word, Field field, Word number) const {
    const FieldSpec* layout = spec(field);
    if (layout == nullptr) return word;
    for (std::size_t index = 0; index < layout->pieces_used; ++index) {
      const FieldPiece& piece = layout->pieces[index];
      const Word mask = (mask_of(piece.width) << piece.word_lsb) & ~bits.mask;
      word = (word & ~mask) | ((bits_of(number, piece.value_lsb, piece.width) << piece.word_lsb) & mask);
    }
    return word;
  }
  // The first constraint of `release` that the operands of `word` break; null: they are legal.
  [[nodiscard]] constexpr const Constraint* violated(Word word, Release release) const {
    for (const Constraint& constraint : constraints) {
      if (constraint.applies(release) && !constraint.allows(raw(word, constraint.field))) return &constraint;
    }
    return nullptr;
  }
};

// The operation a block start selects, if it selects one.
constexpr std::optional<std::uint16_t> selector_of(const Form& form, Word word) {
  switch (form.start.selector_source) {
    case SelectorSource::None: return std::nullopt;
    case SelectorSource::Constant: return form.start.selector;
    case SelectorSource::ModeFunction:
      return static_cast<std::uint16_t>(form.raw(word, Field::Mode) << 5 | form.raw(word, Field::Function));
  }
  return std::nullopt;
}

// The transfer a BrType field names: 1 falls through, 5 is indirect, 6 an indirect call, 7 returns.
constexpr std::optional<Transfer> transfer_of_branch_type(unsigned branch_type) {
  switch (branch_type) {
    case 1: return Transfer::Fallthrough;
    case 5: return Transfer::Indirect;
    case 6: return Transfer::IndirectCall;
    case 7: return Transfer::Return;
    default: return std::nullopt;
  }
}

// All rows of all releases, in the order of the source.
std::span<const Form* const> all_forms();
// The rows of one surface.
std::span<const Form* const> forms_of(Surface surface);

std::string_view name_of(Surface surface);
std::string_view name_of(Family family);

}  // namespace pto::isa
