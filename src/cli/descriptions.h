// What the rows say of an instruction, an operation, a word, a fault or a rule, as data: `--json` prints it,
// the reference pages and the texts of `explain` are made of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "exec/rule.h"
#include "isa/form.h"
#include "isa/release.h"
#include "isa/tile/operations.h"
#include "text/operand_kinds.h"

namespace pto::cli {

using Json = nlohmann::ordered_json;

// A run of bits of a word with one owner, from the high end.
struct BitRun {
  unsigned high = 0, low = 0;
  std::string name;  // a field or a piece of one ("simm[16:12]"), "fixed" or "ignored"
  const isa::FieldSpec* field = nullptr;
};
std::vector<BitRun> bit_runs(const isa::Form& form);

// Whether the form fixes the value of one of its fields.
bool is_fixed(const isa::Form& form, const isa::FieldSpec& spec);

// The clause a form's own rules name: PTO-BLOCK-B-IOT.
std::string clause_of(const isa::Form& form);

// A legal use of the form, as `asm` accepts it.
std::string example_of(const isa::Form& form, Release release);
// A block of the operation, line by line, with the roles of its operands as comments.
std::vector<std::string> example_of(const isa::TileOperation& row);

// How the template of the form writes a field; null: it is not an operand.
const text::OperandKind* kind_of(const isa::Form& form, isa::Field field);
// What a field is for, and the values of it that have names ("0 fd, 1 fs"; empty: none has).
std::string meaning_of(const isa::Form& form, isa::Field field);
std::string named_values(const isa::Form& form, isa::Field field);
// The name of one value; empty: it has none.
std::string name_of_value(const isa::Form& form, isa::Field field, Word value);
// A field or an engine by its name, and what has it.
std::optional<std::string> explain_field_or_engine(std::string_view name, Release release);

// The rules an instruction of the form can break, beyond those of fetching and decoding it.
std::vector<const exec::Rule*> rules_of(const isa::Form& form);

// What the instruction can raise, with the reason: "DataPage: a byte of the access is not mapped or
// permitted".
std::vector<std::string> faults_of(const isa::Form& form);

// What a block must look like for the operation, one demand a line.
std::vector<std::string> block_schema_of(const isa::TileOperation& row);

Json describe(const isa::Form& form, Release release);
Json describe(const isa::TileOperation& row);
Json describe_word(Word word, unsigned bits, Release release);

}  // namespace pto::cli
