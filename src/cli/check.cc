// ptosim check: run conformance vectors and report.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "cli/commands.h"
#include "vectors/check.h"

namespace pto::cli {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  vectors::Options check;
  bool json = false;
  bool table = false;
  bool strict = false;
};

void print_failure(const vectors::Failure& failure) {
  fmt::print("FAILED {} ({}:{}, {})\n", failure.id, failure.file, failure.line, failure.instruction);
  if (!failure.status.empty()) fmt::print("  status: {}\n", failure.status);
  for (const state::Difference& difference : failure.differences) {
    fmt::print("  {}: expected {}, got {}\n", difference.path, difference.expected, difference.actual);
  }
}

void print_table(const vectors::Report& report) {
  fmt::print("{:<24} {:>9} {:>9} {:>12}\n", "instruction", "passed", "failed", "unsupported");
  for (const auto& [name, totals] : report.by_instruction) {
    fmt::print("{:<24} {:>9} {:>9} {:>12}\n", name, totals.passed, totals.failed, totals.unsupported);
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
  nlohmann::json out{{"total", report.totals.total()},          {"passed", report.totals.passed},
                     {"failed", report.totals.failed},          {"unsupported", report.totals.unsupported},
                     {"unsupported_names", report.unsupported}, {"by_instruction", nlohmann::json::object()},
                     {"failures", nlohmann::json::array()}};
  for (const auto& [name, totals] : report.by_instruction) {
    out["by_instruction"][name] = {
        {"passed", totals.passed}, {"failed", totals.failed}, {"unsupported", totals.unsupported}};
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
  if (options.json) {
    print_json(*report);
  } else {
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
  command->add_flag("--strict", options->strict, "Unsupported steps end with exit status 4 too");
  command->add_option("--failures", options->check.failure_limit, "Failures shown with their differences")
      ->capture_default_str();
  command->add_option("--differences", options->check.difference_limit, "Differences shown per failure")
      ->capture_default_str();
  command->add_option("--only", options->check.only, "Only steps whose id contains this text");
  command->add_option("--threads", options->check.threads, "Threads; 0: one per core")->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return run_check(*options); }; });
}

}  // namespace pto::cli
