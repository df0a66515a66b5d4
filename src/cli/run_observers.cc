#include "cli/run_observers.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/io.h"
#include "state/describe.h"

namespace pto::cli {

// Writes the state the first time the program reaches an address.
class StateKeeper : public exec::Observer {
 public:
  void add(Word address, OutputFile* file) { points_.push_back({address, file, false}); }
  void before(const state::Machine& machine, const exec::ObservedStep& step) override {
    for (Point& point : points_) {
      if (point.done || point.address != step.pc) continue;
      point.done = true;
      if (Result<void> written = point.file->write(state::write_state(machine).dump(2) + "\n");
          !written.ok() && result_.ok()) {
        result_ = written;
      }
    }
  }
  [[nodiscard]] const Result<void>& result() const { return result_; }
  // Gives up the files of points that were never reached; the first of them is an error.
  Result<void> drop_unreached(Outputs& outputs) {
    Result<void> missed;
    for (const Point& point : points_) {
      if (point.done) continue;
      outputs.drop(point.file);
      if (missed.ok())
        missed = option_error("--state-at", fmt::format("{:#x}", point.address),
                              "the program never came there", "its file was not written");
    }
    return missed;
  }

 private:
  struct Point {
    Word address = 0;
    OutputFile* file = nullptr;
    bool done = false;
  };
  std::vector<Point> points_;
  Result<void> result_;
};

void add_observer_options(CLI::App& command, ObserverOptions& options) {
  command.add_option(
      "--trace", options.trace,
      "Write a JSON line per instruction with all it changed; compressed when named *.zst; - is "
      "standard output");
  command.add_option("--log", options.log, "Write the same in columns for people");
  command
      .add_option("--trace-range", options.trace_ranges,
                  "Trace and log only instructions in ADDRESS:LENGTH; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--trace-kinds", options.trace_kinds,
                     "Trace and log only some of scalar, memory, block, tile, separated by commas");
  command.add_option("--trace-pe", options.trace_pe, "Trace and log only what runs on this PE");
  command
      .add_option("--trace-limit", options.trace_limit,
                  "Elements of a tile and bytes of a range told per instruction")
      ->capture_default_str();
  command.add_option("--profile", options.profile,
                     "Count instructions by kind, mnemonic, symbol and address; JSON when named *.json; - is "
                     "standard output");
  command
      .add_option("--state-at", options.states_at,
                  "Write the state when the program first comes to ADDRESS=FILE; may be repeated")
      ->allow_extra_args(false);
}

RunObservers::RunObservers() = default;
RunObservers::~RunObservers() = default;

namespace {

// What chooses lines of a trace says nothing without one.
Result<void> check_trace_options(const ObserverOptions& options) {
  if (!options.trace.empty() || !options.log.empty()) return {};
  const auto alone = [](std::string_view option, const std::string& value) {
    return option_error(option, value, "there is no trace to choose from", "--trace or --log writes one");
  };
  if (!options.trace_ranges.empty()) return alone("--trace-range", options.trace_ranges.front());
  if (!options.trace_kinds.empty()) return alone("--trace-kinds", options.trace_kinds);
  if (!options.trace_pe.empty()) return alone("--trace-pe", options.trace_pe);
  if (options.trace_limit != ObserverOptions{}.trace_limit)
    return alone("--trace-limit", options.trace_limit);
  return {};
}

}  // namespace

Result<void> RunObservers::read_trace_options(const ObserverOptions& options, const FindAddress& find,
                                              TraceOptions& trace) const {
  for (const std::string& text : options.trace_ranges) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos)
      return option_error("--trace-range", text, "ADDRESS:LENGTH is needed", "for example main:64");
    const Result<Word> address = find(text.substr(0, colon));
    if (!address) return address.error();
    const Result<Word> size = find(text.substr(colon + 1));
    if (!size) return size.error();
    if (*size == 0 || *address + (*size - 1) < *address)
      return option_error("--trace-range", text, "a length of at least 1 that does not wrap is needed",
                          "for example main:64");
    trace.ranges.push_back({*address, *size});
  }
  if (!options.trace_kinds.empty()) {
    const Result<unsigned> kinds = parse_trace_kinds(options.trace_kinds);
    if (!kinds) return kinds.error();
    trace.kinds = *kinds;
  }
  if (!options.trace_pe.empty()) {
    const Result<std::uint64_t> pe = parse_address(options.trace_pe);
    if (!pe || *pe >= state::pe_count)
      return option_error("--trace-pe", options.trace_pe, "no such PE", "PEs are 0 to 3");
    trace.pe = static_cast<unsigned>(*pe);
  }
  const Result<std::uint64_t> limit = parse_address(options.trace_limit);
  if (!limit)
    return option_error("--trace-limit", options.trace_limit, "a count is needed", "for example 64");
  trace.limit = *limit;
  return {};
}

Result<void> RunObservers::prepare(const ObserverOptions& options, const ProgramSource& program,
                                   Release release, const FindAddress& find, Outputs& outputs) {
  release_ = release;
  TraceOptions trace;
  if (Result<void> read = read_trace_options(options, find, trace); !read.ok()) return read;
  if (Result<void> used = check_trace_options(options); !used.ok()) return used;
  for (const std::string& text : options.states_at) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return option_error("--state-at", text, "an '=' with something on both sides is needed",
                          "--state-at ADDRESS=FILE");
    const Result<Word> address = find(text.substr(0, equals));
    if (!address) return address.error();
    const Result<OutputFile*> file = outputs.add("--state-at", text.substr(equals + 1));
    if (!file.ok()) return file.error();
    if (!states_) states_ = std::make_unique<StateKeeper>();
    states_->add(*address, *file);
  }
  if (!options.profile.empty()) {
    const Result<OutputFile*> file = outputs.add("--profile", options.profile);
    if (!file.ok()) return file.error();
    profile_file_ = *file;
    profiler_ = std::make_unique<Profiler>();
  }
  if (options.trace.empty() && options.log.empty()) return {};

  trace_ = std::make_unique<TraceWatcher>(program, release, std::move(trace));
  if (!options.trace.empty()) {
    const Result<OutputFile*> file = outputs.add("--trace", options.trace);
    if (!file.ok()) return file.error();
    trace_->write_json(std::make_unique<ByteStream>(**file));
  }
  if (!options.log.empty()) {
    const Result<OutputFile*> file = outputs.add("--log", options.log);
    if (!file.ok()) return file.error();
    trace_->write_log(std::make_unique<ByteStream>(**file));
  }
  return {};
}

std::vector<exec::Observer*> RunObservers::list() const {
  std::vector<exec::Observer*> out;
  if (states_) out.push_back(states_.get());
  if (trace_) out.push_back(trace_.get());
  if (profiler_) out.push_back(profiler_.get());
  return out;
}

Result<void> RunObservers::finish(const ProgramSource& program, const state::Machine& machine) {
  if (trace_) {
    if (Result<void> closed = trace_->close(); !closed.ok()) return closed;
  }
  if (profiler_) {
    const std::string text = profile_file_->path().ends_with(".json")
                                 ? profile_json(*profiler_, program, machine.memory, release_)
                                 : describe_profile(*profiler_, program, machine.memory, release_);
    if (Result<void> written = profile_file_->write(text); !written.ok()) return written;
  }
  return states_ ? states_->result() : Result<void>{};
}

Result<void> RunObservers::drop_unreached(Outputs& outputs) {
  return states_ ? states_->drop_unreached(outputs) : Result<void>{};
}

}  // namespace pto::cli
