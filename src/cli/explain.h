// What `explain` knows, for the commands that give reasons.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "isa/form.h"
#include "isa/release.h"
#include "isa/tile/operations.h"

namespace pto::cli {

// One line: why a word is no legal instruction of a release. Empty: it is one.
std::string explain_rejection(Word word, unsigned bits, Release release);

// A word, an instruction and a tile operation in full.
std::string explain_word(Word word, unsigned bits, Release release);
std::string explain_form(const isa::Form& form, Release release);
std::optional<std::string> explain_name(std::string_view name, Release release);

// One line about a legal word that is not all it could be: a start whose code is no operation of the release.
std::string explain_remark(const isa::Form& form, Word word, Release release);

// A word that selects an operation, and the bits of it that every such word has.
struct StartWord {
  const isa::Form* form = nullptr;
  Word mask = 0, match = 0;
};
std::vector<StartWord> starts_of(const isa::TileOperation& row, Release release);

// Whether an operation bears the name: MGATHER_MASK and MGATHER.MASK are one.
bool is_called(const isa::TileOperation& row, std::string_view name);

// A fault, a rule (by its name, or by its clause all rules of it), an erratum or an open point; "rules",
// "faults", "errata" and "unspecified" list all of a kind.
std::optional<std::string> explain_reason(std::string_view name);
std::vector<std::string_view> reason_names();

// One line for each rule of a clause.
std::string rules_of_clause(std::string_view clause);

}  // namespace pto::cli
