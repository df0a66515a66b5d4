// ptosim explain: a word, a mnemonic, an operation, or a reason for which programs are refused.

#include "cli/explain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/cursor.h"
#include "cli/commands.h"
#include "cli/descriptions.h"
#include "cli/explain_names.h"
#include "cli/io.h"
#include "exec/rule.h"
#include "isa/tile/operations.h"
#include "text/instruction.h"
#include "text/nearest.h"

namespace pto::cli {

namespace {

struct ExplainOptions {
  std::vector<std::string> what;
  std::string release{name_of(default_release)};
  bool json = false;
};

Error unknown(const std::string& what, Release release) {
  text::Nearest nearest(what);
  for (const std::string_view name : text::mnemonics(release)) nearest.offer(name);
  for (const isa::TileOperation& row : isa::tile_operations()) nearest.offer(row.name);
  for (const std::string_view name : reason_names()) nearest.offer(name);
  for (const std::string_view name : operand_names()) nearest.offer(name);
  std::string hint = nearest.hint();
  for (const Release other : all_releases) {
    if (other != release && text::find_mnemonic(what, other)) {
      hint = fmt::format("release {} has it: --isa {}", name_of(other), name_of(other));
    }
  }
  return {.message = "nothing is known about '" + what + "'",
          .place = {},
          .hint = hint.empty() && !miscounted_digits(what).empty() ? miscounted_digits(what)
                  : hint.empty() ? "give a word in hexadecimal, a mnemonic, an operation, a fault or a rule; "
                                   "'faults', 'rules', 'errata' and 'unspecified' list them"
                                 : hint,
          .excerpt = {}};
}

// The same as data. A name lists what bears it; a word is taken apart.
Json as_json(const std::string& what, const std::string& text, Release release) {
  Json out{{"what", what}, {"isa", name_of(release)}};
  Json forms = Json::array(), operations = Json::array(), rules = Json::array();
  if (const std::optional<text::Mnemonic> mnemonic = text::find_mnemonic(what, release)) {
    for (const isa::Form* form : mnemonic->forms) forms.push_back(describe(*form, release));
  }
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (is_called(row, what)) operations.push_back(describe(row));
  }
  for (const exec::Rule* rule : exec::all_rules()) {
    if (!equal_ignoring_case(rule->name, what) && !equal_ignoring_case(rule->clause, what) &&
        !equal_ignoring_case(name_of(rule->fault), what))
      continue;
    rules.push_back({{"rule", rule->name},
                     {"clause", rule->clause},
                     {"fault", name_of(rule->fault)},
                     {"sentence", rule->sentence}});
  }
  if (!forms.empty()) out["forms"] = forms;
  if (!operations.empty()) out["operations"] = operations;
  if (!rules.empty()) out["rules"] = rules;
  const std::optional<HexWord> given = parse_hex_word(what);
  if (given && !explain_name(what, release)) out["word"] = describe_word(given->word, given->bits, release);
  out["text"] = text;
  return out;
}

Exit run_explain(const ExplainOptions& options) {
  const Result<Release> release = parse_release(options.release);
  if (!release) {
    print_error(release.error());
    return Exit::BadInput;
  }
  Json list = Json::array();
  std::string out;
  for (const std::string& what : options.what) {
    // A name wins over a word: "add" is hexadecimal too. 0x settles it.
    std::optional<std::string> text = explain_name(what, *release);
    if (!text) {
      if (const std::optional<HexWord> given = parse_hex_word(what))
        text = explain_word(given->word, given->bits, *release);
    }
    if (!text) {
      print_error(unknown(what, *release));
      return Exit::BadInput;
    }
    if (options.json) list.push_back(as_json(what, *text, *release));
    out += (out.empty() ? "" : "\n") + *text;
  }
  if (options.json) out = list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  const Result<void> written = write_output("-", out);
  if (written) return Exit::Completed;
  print_error(written.error());
  return Exit::BadInput;
}

}  // namespace

void add_explain(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a word, a mnemonic, an operation, an operand's name, a fault or a rule");
  command
      ->add_option("WHAT", options->what,
                   "A word in hexadecimal, or a name; faults, rules, errata, unspecified: lists")
      ->required();
  command->add_option("--isa", options->release, "Release of the ISA")->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &chosen] { chosen = [options] { return run_explain(*options); }; });
}

}  // namespace pto::cli
