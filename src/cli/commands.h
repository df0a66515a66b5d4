// The commands of the program: each file beside this one adds its own to the command line and, when the user
// chose it, leaves what to run in `chosen`. main.cc is the list.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace pto::cli {

// How a command ends. Verdicts never blur: each has a word (in --json) and an exit status of its own.
enum class Exit : int {
  Completed = 0,    // done, nothing to complain about
  Faulted = 1,      // the program faulted; a check failed
  BadInput = 2,     // a file, option or word is wrong; nothing was written
  Unfinished = 3,   // the step limit ended the run
  Unsupported = 4,  // ptosim has no behaviour for it yet
  Unspecified = 5,  // the public specification leaves it open
};

using Command = std::function<Exit()>;

void add_asm(CLI::App& app, Command& chosen);
void add_check(CLI::App& app, Command& chosen);
void add_dis(CLI::App& app, Command& chosen);
void add_explain(CLI::App& app, Command& chosen);
void add_isa(CLI::App& app, Command& chosen);
void add_run(CLI::App& app, Command& chosen);

// Prints "ptosim: error: ..." to standard error.
void print_error(const Error& error);

}  // namespace pto::cli
