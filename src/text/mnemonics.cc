// Mnemonics: which forms bear a name, in any case and with its aliases, and what to say about a name that no
// form bears.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "isa/tile/operations.h"
#include "text/instruction.h"
#include "text/nearest.h"
#include "text/template.h"

namespace pto::text {

namespace {

using isa::Form;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = to_lower(c);
  return result;
}

struct Alias {
  std::string_view name;
  std::string_view form;
};
// Other names of whole mnemonics. BSTART.TLSU and BSTART.CUBE name the engine and take the operation as an
// operand.
constexpr std::array aliases = std::to_array<Alias>({
    {"bstart.vec", "bstart.tepl"},
    {"bstart.sfu", "bstart.tepl"},
    {"c.break", "c.ebreak"},
});

class Table {
 public:
  explicit Table(Release release) {
    for (const Form* form : isa::all_forms()) {
      if (form->in(release)) forms_[lower(form->name)].push_back(form);
    }
    for (const Alias& alias : aliases) forms_[std::string(alias.name)] = forms_.at(std::string(alias.form));
  }

  [[nodiscard]] const std::vector<const Form*>* find(std::string_view name) const {
    const auto found = forms_.find(lower(name));
    return found == forms_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const std::unordered_map<std::string, std::vector<const Form*>>& all() const {
    return forms_;
  }

 private:
  std::unordered_map<std::string, std::vector<const Form*>> forms_;
};

const Table& table(Release release) {
  static const std::array<Table, all_releases.size()> tables{Table(all_releases[0]), Table(all_releases[1])};
  return tables[static_cast<std::size_t>(release)];
}

// How the block of an operation is started.
std::string start_of(const isa::TileOperation& row) {
  return row.family == isa::TileFamily::TEPL
             ? fmt::format("BSTART.{} {}, TYPE", isa::name_of(row.engine), row.name)
             : fmt::format("{} TYPE", row.start);
}

// An operation is no mnemonic, with BSTART before it or without: its start is.
std::string hint_of_operation(std::string_view name, Release release) {
  constexpr std::string_view start = "bstart.";
  if (name.size() > start.size() && equal_ignoring_case(name.substr(0, start.size()), start))
    name.remove_prefix(start.size());
  for (const isa::TileOperation& row : isa::tile_operations()) {
    const bool called = std::ranges::equal(
        row.name, name, [](char a, char b) { return to_lower(a) == to_lower(b) || (a == '_' && b == '.'); });
    if (!called) continue;
    if (row.in(release)) return "its block begins with " + start_of(row);
    return fmt::format("it is an operation of release {}, whose block begins with {}",
                       name_of(row.since > release ? row.since : row.until), start_of(row));
  }
  return {};
}

}  // namespace

std::string mnemonic_text(const Form& form) {
  return form.surface() == isa::Surface::Block ? std::string(form.name) : lower(form.name);
}

std::string allowed_text(const isa::Constraint& constraint, const Spelling& spell) {
  const auto text_of = [&spell](Word value) { return spell ? spell(value) : fmt::format("{}", value); };
  if (constraint.kind == isa::Constraint::Kind::NotEqual)
    return fmt::format("must not be {}", text_of(constraint.value));
  std::string text = "must be one of ";
  bool first = true;
  for (unsigned low = 0; low < 64; ++low) {
    if (!constraint.allows(low)) continue;
    unsigned high = low;
    while (high < 63 && constraint.allows(high + 1)) ++high;
    text += first ? "" : ", ";
    text +=
        high == low ? text_of(low) : fmt::format("{}{}{}", text_of(low), spell ? " to " : "-", text_of(high));
    first = false;
    low = high;
  }
  return text;
}

Complaint unknown_mnemonic(std::size_t position, std::string_view name, Release release) {
  for (const Release other : all_releases) {
    if (other != release && find_mnemonic(name, other)) {
      return {position, fmt::format("'{}' does not exist in release {}", name, name_of(release)),
              fmt::format("release {} has it: --isa {}", name_of(other), name_of(other)), false};
    }
  }
  std::string hint = hint_of_operation(name, release);
  if (hint.empty()) {
    Nearest nearest(name, name.size() > 1 ? 1 : 0);
    for (const auto& [known, forms] : table(release).all()) {
      // Commands are suggested as they are written, in capitals.
      const bool is_command =
          forms.front()->surface() == isa::Surface::Block && known == lower(forms.front()->name);
      nearest.offer(is_command ? forms.front()->name : std::string_view(known));
    }
    hint = nearest.hint();
  }
  return {position, fmt::format("unknown mnemonic '{}'", name), std::move(hint), false};
}

std::optional<Mnemonic> find_mnemonic(std::string_view name, Release release) {
  if (const auto* forms = table(release).find(name)) return Mnemonic{*forms, {}};
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return std::nullopt;
  const auto* forms = table(release).find(name.substr(0, dot));
  if (forms == nullptr || template_of(*forms->front()).suffix == nullptr) return std::nullopt;
  return Mnemonic{*forms, name.substr(dot + 1)};
}

std::vector<std::string_view> mnemonics(Release release) {
  std::vector<std::string_view> names;
  for (const auto& [name, forms] : table(release).all()) names.push_back(name);
  return names;
}

}  // namespace pto::text
