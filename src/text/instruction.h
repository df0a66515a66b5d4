// One instruction as text: from a mnemonic and operands to a word, and back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/cursor.h"
#include "isa/form.h"
#include "text/operand_kinds.h"

namespace pto::text {

struct Encoded {
  const isa::Form* form = nullptr;
  Word word = 0;
  [[nodiscard]] unsigned bytes() const { return form->bits.bits / 8u; }
};

// The forms of a mnemonic in one release, and the text behind the form's own name.
struct Mnemonic {
  std::span<const isa::Form* const> forms;
  std::string_view suffix;  // without its dot; empty: none
};

// Finds the forms of a mnemonic in any case; aliases (BSTART.VEC, c.break) included.
std::optional<Mnemonic> find_mnemonic(std::string_view name, Release release);
// "add", "B.IOT": as the mnemonic of a form is written.
std::string mnemonic_text(const isa::Form& form);
// What to say of a name that is no mnemonic of the release.
Complaint unknown_mnemonic(std::size_t position, std::string_view name, Release release);
// The values a constraint allows: "must be one of 0-14, 16-20", "must not be 10". `spell` says how a value is
// written where that is no number.
using Spelling = std::function<std::string(Word value)>;
std::string allowed_text(const isa::Constraint& constraint, const Spelling& spell = {});
// Every mnemonic of a release, lower case.
std::vector<std::string_view> mnemonics(Release release);

// Reads a whole instruction at the cursor up to the end of the cursor's text.
std::variant<Encoded, Complaint> parse_instruction(Cursor cursor, Release release, Word address,
                                                   const Symbols& symbols);
// The length in bytes of the instruction at the cursor, which depends on its mnemonic alone.
std::variant<unsigned, Complaint> measure_instruction(Cursor cursor, Release release);

// Appends the text of a word whose form is known; parse_instruction turns it back into the same word.
struct PrintOptions {
  Release release = default_release;
  std::optional<Word> address;
  const AddressName* names = nullptr;
};
void print_instruction(std::string& out, const isa::Form& form, Word word, const PrintOptions& options);

}  // namespace pto::text
