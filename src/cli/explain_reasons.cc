// What `explain` says of the reasons a program can be refused for: faults, rules, errata and open points, one
// by one by name and all of a kind as a list.

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "base/cursor.h"
#include "cli/explain.h"
#include "exec/errata.h"
#include "exec/open_points.h"
#include "exec/rule.h"
#include "exec/trap.h"
#include "state/enums.h"

namespace pto::cli {

namespace {

using state::Fault;

// In the order of Fault.
constexpr std::array<std::string_view, 16> fault_meanings{
    "Nothing is wrong.",
    "A context restored after a trap does not describe a state the machine can be in.",
    "The word is no instruction of the release, or its operands are not legal for it.",
    "Control went to an address that is not even.",
    "An instruction lies in memory that is not mapped or not executable.",
    "A data access is not aligned to its size.",
    "A data access touches memory that is not mapped or not permitted to the current ring.",
    "EBREAK asked for the debugger.",
    "A hardware breakpoint matched.",
    "A hardware watchpoint matched.",
    "ASSERT found its register zero.",
    "Tiles, types, layouts or shapes do not suit the operation of a block.",
    "No tile is free, or it does not fit what is left of the capacity.",
    "Commands do not follow each other as a block must be built.",
    "A block that asked for a trap after it has committed.",
    "ACRC called a service.",
};

std::string rule_line(const exec::Rule& rule) {
  return fmt::format("  {:<32} {:<19} {}\n", rule.name, name_of(rule.fault), rule.sentence);
}

std::string rule_text(const exec::Rule& rule) {
  return fmt::format("rule {}: {}\n  fault  {}\n  clause {}\n", rule.name, rule.sentence, name_of(rule.fault),
                     rule.clause);
}

std::string fault_line(Fault fault) {
  return fmt::format("  {:<20} trap {:<3} {}\n", name_of(fault), exec::trap_number(fault),
                     fault_meanings[static_cast<std::size_t>(fault)]);
}

std::string fault_text(Fault fault) {
  std::string out = fmt::format("fault {}: {}\n  reported as trap number {}\n", name_of(fault),
                                fault_meanings[static_cast<std::size_t>(fault)], exec::trap_number(fault));
  std::string rules;
  for (const exec::Rule* rule : exec::all_rules()) {
    if (rule->fault == fault)
      fmt::format_to(std::back_inserter(rules), "  {:<32} {}\n", rule->name, rule->sentence);
  }
  return rules.empty() ? out : out + "rules whose fault it is:\n" + rules;
}

std::string erratum_text(const exec::Erratum& row) {
  return fmt::format("erratum {} (--errata)\n  the text   {}\n  the intent {}\n  who needs it: {}\n",
                     row.name, row.text, row.intent, row.relied_on);
}

std::string open_point_text(const exec::OpenPoint& row) {
  return fmt::format("unspecified: {}\n  open       {}\n  ptosim     {}\n", row.name, row.question,
                     row.choice);
}

template <class Rows, class Line>
std::string all_of(std::string_view title, const Rows& rows, Line line) {
  std::string out = fmt::format("{}\n", title);
  for (const auto& row : rows) out += line(row);
  return out;
}

std::optional<std::string> list_called(std::string_view name) {
  if (equal_ignoring_case(name, "rules")) {
    return all_of("Rules: every reason for which ptosim refuses something", exec::all_rules(),
                  [](const exec::Rule* rule) { return rule_line(*rule); });
  }
  if (equal_ignoring_case(name, "faults")) {
    std::string out = "Faults: what the architecture sees when a rule is broken\n";
    for (std::size_t i = 1; i < fault_meanings.size(); ++i) out += fault_line(static_cast<Fault>(i));
    return out;
  }
  if (equal_ignoring_case(name, "errata")) {
    return all_of("Errata: where ptosim follows the intent instead of the text", exec::errata_rows,
                  erratum_text);
  }
  if (equal_ignoring_case(name, "unspecified")) {
    return all_of("Unspecified: what the specification leaves open, and what ptosim does", exec::open_points,
                  open_point_text);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string_view> reason_names() {
  std::vector<std::string_view> names{"rules", "faults", "errata", "unspecified"};
  for (const exec::Rule* rule : exec::all_rules()) names.push_back(rule->name);
  for (std::size_t i = 1; i < fault_meanings.size(); ++i) names.push_back(name_of(static_cast<Fault>(i)));
  for (const exec::Erratum& row : exec::errata_rows) names.push_back(row.name);
  for (const exec::OpenPoint& row : exec::open_points) names.push_back(row.name);
  return names;
}

std::string rules_of_clause(std::string_view clause) {
  std::string out;
  for (const exec::Rule* rule : exec::all_rules()) {
    if (equal_ignoring_case(rule->clause, clause)) out += rule_line(*rule);
  }
  return out;
}

std::optional<std::string> explain_reason(std::string_view name) {
  if (std::optional<std::string> list = list_called(name)) return list;
  for (std::size_t i = 1; i < fault_meanings.size(); ++i) {
    if (equal_ignoring_case(name, name_of(static_cast<Fault>(i)))) return fault_text(static_cast<Fault>(i));
  }
  for (const exec::Erratum& row : exec::errata_rows) {
    if (equal_ignoring_case(name, row.name)) return erratum_text(row);
  }
  for (const exec::OpenPoint& row : exec::open_points) {
    if (equal_ignoring_case(name, row.name)) return open_point_text(row);
  }
  for (const exec::Rule* rule : exec::all_rules()) {
    if (equal_ignoring_case(name, rule->name)) return rule_text(*rule);
  }
  if (const std::string rules = rules_of_clause(name); !rules.empty()) {
    return fmt::format("clause {}; rules it is checked by:\n{}", name, rules);
  }
  return std::nullopt;
}

}  // namespace pto::cli
