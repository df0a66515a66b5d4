// ptosim check: run conformance vectors and report.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "cli/commands.h"
#include "exec/rule.h"
#include "vectors/check.h"

namespace pto::cli {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  vectors::Options check;
  bool json = false;
  bool table = false;
  bool strict = false;
  bool markdown = false;
  bool rules = false;
};

void print_failure(const vectors::Failure& failure) {
  fmt::print("FAILED {} ({}:{}, {})\n", failure.id, failure.file, failure.line, failure.instruction);
  if (!failure.status.empty()) fmt::print("  status: {}\n", failure.status);
  for (const state::Difference& difference : failure.differences) {
    fmt::print("  {}: expected {}, got {}\n", difference.path, difference.expected, difference.actual);
  }
}

void print_table(const vectors::Report& report) {
  fmt::print("{:<24} {:>9} {:>12} {:>9} {:>12}\n", "instruction", "passed", "of them", "failed",
             "unsupported");
  fmt::print("{:<24} {:>9} {:>12} {:>9} {:>12}\n", "", "", "rejected", "", "");
  for (const auto& [name, totals] : report.by_instruction) {
    fmt::print("{:<24} {:>9} {:>12} {:>9} {:>12}\n", name, totals.passed, totals.rejected, totals.failed,
               totals.unsupported);
  }
}

// docs/CONFORMANCE.md: the table as a page.
void print_markdown(const vectors::Report& report, const std::vector<std::string>& files) {
  fmt::print("# Conformance\n\nWritten by `./do conformance`. Vectors:");
  for (const std::string& file : files) {
    const std::size_t slash = file.rfind('/');
    fmt::print(" `{}`", slash == std::string::npos ? file : file.substr(slash + 1));
  }
  const vectors::Totals& all = report.totals;
  fmt::print(".\n\n{} steps: {} passed ({} executed, {} rejected), {} failed, {} unsupported.\n\n",
             all.total(), all.passed, all.passed - all.rejected, all.rejected, all.failed, all.unsupported);
  fmt::print(
      "| instruction or operation | executed | rejected | failed | unsupported |\n|---|--:|--:|--:|--:|\n");
  for (const auto& [name, totals] : report.by_instruction) {
    fmt::print("| {} | {} | {} | {} | {} |\n", name, totals.passed - totals.rejected, totals.rejected,
               totals.failed, totals.unsupported);
  }
}

// Every rule and how many steps it rejected, so that the ones nobody fired can be seen.
void print_rules(const vectors::Report& report) {
  for (const exec::Rule* rule : exec::all_rules()) {
    const auto found = report.rules.find(std::string(rule->name));
    fmt::print("{:<32} {:>9}\n", rule->name, found == report.rules.end() ? 0 : found->second);
  }
}

// What is missing, the most frequent first.
void print_unsupported(const vectors::Report& report) {
  constexpr std::size_t shown = 24;
  if (report.unsupported.empty()) return;
  std::vector<std::pair<std::string, std::size_t>> names(report.unsupported.begin(),
                                                         report.unsupported.end());
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  fmt::print("not supported yet:");
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) {
    fmt::print(" {} ({})", names[i].first, names[i].second);
  }
  if (names.size() > shown) fmt::print(" and {} more (--json lists them)", names.size() - shown);
  fmt::print("\n");
}

void print_report(const vectors::Report& report, double seconds, bool table) {
  for (const vectors::Failure& failure : report.failures) print_failure(failure);
  if (report.totals.failed > report.failures.size()) {
    fmt::print("... and {} more failures (--failures N shows more)\n",
               report.totals.failed - report.failures.size());
  }
  if (table || report.totals.failed != 0) print_table(report);
  print_unsupported(report);
  fmt::print("{} steps: {} passed, {} failed, {} unsupported ({:.0f} steps/s)\n", report.totals.total(),
             report.totals.passed, report.totals.failed, report.totals.unsupported,
             static_cast<double>(report.totals.total()) / std::max(seconds, 1e-9));
}

void print_json(const vectors::Report& report) {
  nlohmann::json out{{"total", report.totals.total()},
                     {"passed", report.totals.passed},
                     {"failed", report.totals.failed},
                     {"unsupported", report.totals.unsupported},
                     {"unsupported_names", report.unsupported},
                     {"by_instruction", nlohmann::json::object()},
                     {"rules", report.rules},
                     {"failures", nlohmann::json::array()}};
  for (const auto& [name, totals] : report.by_instruction) {
    out["by_instruction"][name] = {{"passed", totals.passed},
                                   {"rejected", totals.rejected},
                                   {"failed", totals.failed},
                                   {"unsupported", totals.unsupported}};
  }
  for (const vectors::Failure& failure : report.failures) {
    nlohmann::json differences = nlohmann::json::array();
    for (const state::Difference& difference : failure.differences) {
      differences.push_back(
          {{"path", difference.path}, {"expected", difference.expected}, {"actual", difference.actual}});
    }
    out["failures"].push_back({{"file", failure.file},
                               {"line", failure.line},
                               {"id", failure.id},
                               {"instruction", failure.instruction},
                               {"status", failure.status},
                               {"differences", std::move(differences)}});
  }
  fmt::print("{}\n", out.dump());
}

Exit run_check(CheckOptions options) {
  // A person watching a long check sees it move.
  const bool watched = isatty(STDERR_FILENO) != 0;
  if (watched) options.check.progress = [](std::size_t steps) { fmt::print(stderr, "\r{} steps", steps); };
  const auto begin = std::chrono::steady_clock::now();
  const Result<vectors::Report> report = vectors::check_files(options.files, options.check);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (watched) fmt::print(stderr, "\r\033[K");
  if (!report.ok()) {
    print_error(report.error());
    return Exit::BadInput;
  }
  if (report->totals.total() == 0) {
    print_error({.message = options.check.only.empty()
                                ? "the vector files hold no steps"
                                : fmt::format("no step's id contains '{}'", options.check.only),
                 .place = {},
                 .hint = {},
                 .excerpt = {}});
    return Exit::BadInput;
  }
  if (options.markdown) {
    print_markdown(*report, options.files);
  } else if (options.json) {
    print_json(*report);
  } else {
    if (options.rules) print_rules(*report);
    print_report(*report, elapsed.count(), options.table);
  }
  if (report->totals.failed != 0) return Exit::Faulted;
  return options.strict && report->totals.unsupported != 0 ? Exit::Unsupported : Exit::Completed;
}

}  // namespace

void add_check(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "Run conformance vectors (pto-step/1, plain or zstd) and compare");
  command->add_option("VECTORS", options->files, "Vector files; - is standard input")->required();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->add_flag("--table", options->table, "Print the totals per instruction");
  command->add_flag("--rules", options->rules, "Print how many steps each rule rejected");
  command->add_flag("--markdown", options->markdown, "Print the table as a page");
  command->add_flag("--strict", options->strict, "Unsupported steps end with exit status 4 too");
  command->add_option("--failures", options->check.failure_limit, "Failures shown with their differences")
      ->capture_default_str();
  command->add_option("--differences", options->check.difference_limit, "Differences shown per failure")
      ->capture_default_str();
  command->add_option("--only", options->check.only, "Only steps whose id contains this text");
  command->add_option("--threads", options->check.threads, "Threads; 0: one per core")
      ->check(CLI::Range(0u, 256u))
      ->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return run_check(*options); }; });
}

}  // namespace pto::cli
