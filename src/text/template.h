// Operand templates: how the `text` of a row describes the operands as they are written.
//
//     SrcL, SrcR{.SrcRType:arithmetic}{<<shamt}, ->RegDst
//
//     Field          an operand of the kind the field usually has
//     Field:kind     ... of another kind (operand_kinds.cc lists them)
//     'word'         this very word, in any case
//     [ ] -> << =    punctuation, as it is
//     {...}          may be left out: its fields then have the value the kind calls its default
//     {!...}         may be left out, but is always printed
//     set(a, b, c)   any of these operands, in any order; printed when they are not the default
//     ~kind          a suffix of the mnemonic (fields: memory order, types, queue flags, ...)
//     a | b          two ways to write the operands; b when a cannot express the word
//
// A field that the template does not mention is zero unless it is written behind the operands as Name=value.
// A comma outside brackets separates operands. The same tree is walked to parse and to print, so the two
// cannot disagree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/form.h"

namespace pto::text {

struct OperandKind;
struct SuffixKind;

struct Element {
  enum class Type : std::uint8_t { Word, Punctuation, Operand, Optional, Set };

  Type type = Type::Punctuation;
  std::string_view literal;           // Word, Punctuation
  isa::Field field{};                 // Operand
  const OperandKind* kind = nullptr;  // Operand
  bool always_printed = false;        // Optional
  std::vector<Element> parts;         // Optional: in sequence; Set: one Optional each
};

// One operand: elements in sequence.
using Sequence = std::vector<Element>;

// One way to write the operands of a form.
struct Alternative {
  std::vector<Sequence> operands;
  std::vector<isa::Field> implied;  // fields of the row that are not mentioned
};

struct Template {
  const SuffixKind* suffix = nullptr;
  std::vector<Alternative> alternatives;  // at least one
};

// The template of a row; all are parsed once, at the first call. A malformed template has no operands and is
// listed by malformed_templates(), which a test expects to be empty.
const Template& template_of(const isa::Form& form);
std::vector<std::string> malformed_templates();

}  // namespace pto::text
