// The lines of a trace: what one instruction did, as JSON and in columns.
#pragma once

#include <string>

#include "cli/instruction_lines.h"
#include "exec/effects.h"

namespace pto::cli {

struct TraceLine {
  const exec::ObservedStep& step;
  const InstructionLine& line;
  const exec::Effects& effects;
  const state::Machine& machine;  // after it
  unsigned pe = 0;                // before it
  unsigned ring = 0;
  std::size_t limit = 64;
};

// What was loaded where, before the first line of a trace or log.
void append_json_head(std::string& out, const ProgramSource& program, Release release, Word begins_at);
void append_log_head(std::string& out, const ProgramSource& program, Release release, Word begins_at);

void append_json_line(std::string& out, const TraceLine& told);
void append_log_line(std::string& out, const TraceLine& told);

}  // namespace pto::cli
