// ptosim isa: list and search the instruction set of a release.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/cursor.h"
#include "cli/commands.h"
#include "cli/descriptions.h"
#include "cli/io.h"
#include "cli/reference.h"
#include "isa/tile/operations.h"

namespace pto::cli {

namespace {

struct IsaOptions {
  std::string search;
  std::string release{name_of(default_release)};
  std::string reference;
  bool json = false;
};

bool contains(std::string_view text, std::string_view part) {
  for (std::size_t at = 0; at + part.size() <= text.size(); ++at) {
    if (equal_ignoring_case(text.substr(at, part.size()), part)) return true;
  }
  return part.empty();
}

bool wanted(const isa::Form& form, std::string_view search) {
  return contains(form.name, search) || equal_ignoring_case(isa::name_of(form.family), search) ||
         equal_ignoring_case(isa::name_of(form.surface()), search);
}

bool wanted(const isa::TileOperation& row, std::string_view search) {
  return contains(row.name, search) || equal_ignoring_case(isa::name_of(row.engine), search) ||
         equal_ignoring_case("tile", search);
}

std::string table(const IsaOptions& options, Release release) {
  std::string out;
  std::set<std::string_view> forms;  // a form can have two rows
  std::size_t operations = 0;
  for (const isa::Form* form : isa::all_forms()) {
    if (!form->in(release) || !wanted(*form, options.search)) continue;
    forms.insert(form->id);
    fmt::format_to(std::back_inserter(out), "{:<26} {:<6} {} {:>2} bits  {:>0{}x}/{:>0{}x}  {}\n", form->name,
                   isa::name_of(form->surface()), isa::name_of(form->family), form->bits.bits,
                   form->bits.mask, form->bits.bits / 4, form->bits.match, form->bits.bits / 4, form->text);
  }
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (!row.in(release) || !wanted(row, options.search)) continue;
    ++operations;
    std::string operands;
    for (const isa::TileOperandUse& use : row.operands.all()) {
      operands += (operands.empty() ? "" : ", ") + std::string(isa::name_of(use.operand));
    }
    fmt::format_to(std::back_inserter(out), "{:<26} tile   {:<4} {} code {:#05x}  {}\n", row.name,
                   isa::name_of(row.engine), row.start, row.code(), operands);
  }
  fmt::format_to(std::back_inserter(out), "{} forms, {} tile operations of PTO ISA {}\n", forms.size(),
                 operations, name_of(release));
  return out;
}

std::string json(const IsaOptions& options, Release release) {
  nlohmann::ordered_json out{{"isa", name_of(release)},
                             {"forms", nlohmann::ordered_json::array()},
                             {"tile_operations", nlohmann::ordered_json::array()}};
  for (const isa::Form* form : isa::all_forms()) {
    if (form->in(release) && wanted(*form, options.search)) out["forms"].push_back(describe(*form, release));
  }
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (!row.in(release) || !wanted(row, options.search)) continue;
    out["tile_operations"].push_back(describe(row));
  }
  return out.dump(2) + "\n";
}

bool finds_something(std::string_view search, Release release) {
  const auto found = [&](const auto& row) { return row.in(release) && wanted(row, search); };
  return std::ranges::any_of(isa::all_forms(), [&](const isa::Form* form) { return found(*form); }) ||
         std::ranges::any_of(isa::tile_operations(), found);
}

Error nothing_found(const std::string& search, Release release) {
  Error error{.message = fmt::format("PTO ISA {} has no instruction with '{}' in its name, and no family or "
                                     "engine of that name",
                                     name_of(release), search),
              .place = {},
              .hint = "'ptosim isa' lists all of them, and 'ptosim explain' knows faults, rules and fields",
              .excerpt = {}};
  for (const Release other : all_releases) {
    if (other != release && finds_something(search, other))
      error.hint = fmt::format("release {0} has some: --isa {0}", name_of(other));
  }
  return error;
}

Exit run_isa(const IsaOptions& options) {
  const Result<Release> release = parse_release(options.release);
  if (!release) {
    print_error(release.error());
    return Exit::BadInput;
  }
  if (!options.reference.empty()) {
    const Result<unsigned> pages = write_reference(options.reference, *release);
    if (!pages) {
      print_error(pages.error());
      return Exit::BadInput;
    }
    fmt::print("{} pages; open {}/index.html\n", *pages, options.reference);
    return Exit::Completed;
  }
  if (!finds_something(options.search, *release)) {
    print_error(nothing_found(options.search, *release));
    return Exit::BadInput;
  }
  const Result<void> written =
      write_output("-", options.json ? json(options, *release) : table(options, *release));
  if (written) return Exit::Completed;
  print_error(written.error());
  return Exit::BadInput;
}

}  // namespace

void add_isa(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<IsaOptions>();
  CLI::App* command = app.add_subcommand("isa", "List and search the instruction set");
  command->add_option("SEARCH", options->search,
                      "Part of a name, a family (AGU, CMD, ...), an engine, scalar, block or tile");
  command->add_option("--isa", options->release, "Release of the ISA")->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->add_option("--reference", options->reference, "Write the reference, HTML pages, into this folder");
  command->callback([options, &chosen] { chosen = [options] { return run_isa(*options); }; });
}

}  // namespace pto::cli
