// What `run` says at the end, to a person and as JSON.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/program_source.h"
#include "exec/runner.h"

namespace pto::cli {

struct Verdict {
  std::string_view word;  // completed, faulted, unfinished, unsupported
  Exit exit;
};
Verdict verdict_of(const exec::RunResult& result);

// Everything a report needs.
struct RunReport {
  const ProgramSource& program;
  const state::Machine& machine;
  const exec::Config& config;
  const exec::RunResult& result;
  double seconds = 0;
  bool returned = false;        // reached the address an empty call stack returns to
  bool at_natural_end = false;  // ran off the end of its section
};

// "completed: exit 0 after 1,204 steps", and after a fault the rule, the place and the block.
std::string describe_run(const RunReport& report);
// The current PE's registers that are neither zero nor what they were when the run began, and the allocated
// tiles.
std::string describe_machine(const state::Machine& machine, const state::RegisterFile& initial);
// `complaints`: what went wrong with the files of the run.
std::string run_json(const RunReport& report, const std::vector<Error>& complaints);

}  // namespace pto::cli
