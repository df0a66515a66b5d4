// What `explain` knows, for the commands that give reasons.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "isa/form.h"
#include "isa/release.h"

namespace pto::cli {

// One line: why a word is no legal instruction of a release. Empty: it is one.
std::string explain_rejection(Word word, unsigned bits, Release release);

// A word, an instruction and a tile operation in full.
std::string explain_word(Word word, unsigned bits, Release release);
std::string explain_form(const isa::Form& form, Release release);
std::optional<std::string> explain_name(std::string_view name, Release release);

// The allowed values of a constraint, "0-14, 16-20, 24-28".
std::string allowed_text(const isa::Constraint& constraint);

// Other things that can be explained (faults, rules, system registers): rooms that know them add a function
// here, which answers with text when the name is one of its own.
using Explainer = std::function<std::optional<std::string>(std::string_view name, Release release)>;
std::vector<Explainer>& explainers();

}  // namespace pto::cli
