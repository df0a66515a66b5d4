// Who looks on during `run`: the trace, the log, the profile, states at chosen points. The options are taken
// from the command line here and understood once the program's symbols are known.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/outputs.h"
#include "cli/profile.h"
#include "cli/trace.h"

namespace CLI {
class App;
}

namespace pto::cli {

struct ObserverOptions {
  std::string trace, log, profile;
  std::vector<std::string> trace_ranges;
  std::string trace_kinds;
  std::string trace_pe;  // empty: all of them
  std::string trace_limit = "64";
  std::vector<std::string> states_at;  // ADDRESS=FILE
};
void add_observer_options(CLI::App& command, ObserverOptions& options);

class StateKeeper;

class RunObservers {
 public:
  RunObservers();
  ~RunObservers();
  using FindAddress = std::function<Result<Word>(const std::string&)>;
  // Understands the options and opens the files, which `outputs` keeps.
  Result<void> prepare(const ObserverOptions& options, const ProgramSource& program, Release release,
                       const FindAddress& find, Outputs& outputs);
  [[nodiscard]] std::vector<exec::Observer*> list() const;
  // After the run: ends the files and writes the profile.
  Result<void> finish(const ProgramSource& program, const state::Machine& machine);
  // States at points the program never came to have no file; the first of them is an error.
  Result<void> drop_unreached(Outputs& outputs);

 private:
  Result<void> read_trace_options(const ObserverOptions& options, const FindAddress& find,
                                  TraceOptions& trace) const;

  Release release_ = default_release;
  OutputFile* profile_file_ = nullptr;
  std::unique_ptr<TraceWatcher> trace_;
  std::unique_ptr<Profiler> profiler_;
  std::unique_ptr<StateKeeper> states_;
};

}  // namespace pto::cli
