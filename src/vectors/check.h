// Conformance checking: run recorded steps and compare (tests/vectors/SCHEMA.md, `pto-step/1`).
//
// A step is independent of every other: reset the bounded machine, load `pre`, make the call, compare the
// returned status and the whole state with `post`. Nothing is filtered; a step that needs a behaviour ptosim
// does not have is counted as unsupported, never as passed.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "state/describe.h"

namespace pto::vectors {

struct Totals {
  std::size_t passed = 0;
  std::size_t rejected = 0;  // of those passed: steps that the specification rejects
  std::size_t failed = 0;
  std::size_t unsupported = 0;
  [[nodiscard]] std::size_t total() const { return passed + failed + unsupported; }
};

struct Failure {
  std::string file;
  std::size_t line = 0;
  std::string id;
  std::string instruction;  // what the step executed: a mnemonic, or the operation a block completed
  std::string status;       // "expected executed, got rejected: ..." when the returned status differs
  std::vector<state::Difference> differences;
};

struct Report {
  Totals totals;
  std::map<std::string, Totals> by_instruction;
  std::map<std::string, std::size_t> unsupported;  // what was missing -> steps
  std::map<std::string, std::size_t> rules;        // rule -> steps it rejected
  std::vector<Failure> failures;                   // in file order, at most Options::failure_limit
};

struct Options {
  unsigned threads = 0;                             // 0: as many as the machine has
  std::size_t failure_limit = 20;                   // failures kept with their differences
  std::size_t difference_limit = 1;                 // differences kept per failure
  std::string only;                                 // when not empty: steps whose id contains this
  std::function<void(std::size_t steps)> progress;  // called now and then from the reading thread
};

// Checks every step of `files` ("-": standard input). An unreadable file or a malformed line is an error, and
// then there is no report.
Result<Report> check_files(const std::vector<std::string>& files, const Options& options);

}  // namespace pto::vectors
