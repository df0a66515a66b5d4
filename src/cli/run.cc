// ptosim run: load a program, run it, say how it ended.

#include <fmt/format.h>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/io.h"
#include "cli/outputs.h"
#include "cli/program_source.h"
#include "cli/run_observers.h"
#include "cli/run_report.h"
#include "cli/run_setup.h"
#include "door/convention.h"
#include "state/describe.h"

namespace pto::cli {

namespace {

struct RunCommand {
  std::string file;
  std::vector<std::string> arguments;
  std::string format = "auto";
  std::string release{name_of(default_release)};
  std::string address = "0x10000";
  std::string entry;
  std::vector<std::string> stops;
  std::string stop_hits = "1";
  std::string max_steps;
  std::vector<std::string> sets;
  std::vector<std::string> loads;
  std::vector<std::string> dumps;
  std::vector<std::string> maps;
  std::string state_in;
  std::string state_out;
  std::string errata = "all";
  std::string traps = "stop";
  std::string host = "serve";
  std::string ring = "2";
  std::string pe = "0";
  std::string stack_bytes = "1048576";
  bool json = false;
  bool quiet = false;
  bool force = false;
  bool exit_code = false;
  ObserverOptions observers;
};

using door::return_sentinel;

struct Dump {
  Range range;
  OutputFile* file = nullptr;
};

// The command line, understood.
class Plan {
 public:
  explicit Plan(const RunCommand& command) : command_(command) {}

  Result<void> prepare() {
    const Result<Release> release = parse_release(command_.release);
    if (!release) return release.error();
    config.release = *release;
    if (Result<void> errata = read_errata(); !errata.ok()) return errata;
    if (command_.traps != "stop" && command_.traps != "deliver") {
      return option_error("--traps", command_.traps, "unknown mode", "modes are stop and deliver");
    }
    if (command_.host != "serve" && command_.host != "none") {
      return option_error("--host", command_.host, "unknown mode", "modes are serve and none");
    }
    const Result<std::uint64_t> ring = parse_address(command_.ring);
    if (!ring || *ring >= state::ring_count)
      return option_error("--ring", command_.ring, "no such ring", "rings are 0 to 15");
    ring_ = static_cast<unsigned>(*ring);
    const Result<std::uint64_t> pe = parse_address(command_.pe);
    if (!pe || *pe >= state::pe_count)
      return option_error("--pe", command_.pe, "no such PE", "PEs are 0 to 3");
    pe_ = static_cast<unsigned>(*pe);
    const Result<std::uint64_t> stack = parse_address(command_.stack_bytes);
    if (!stack)
      return option_error("--stack", command_.stack_bytes, "a number of bytes is needed", "0 is no stack");
    stack_bytes_ = *stack;
    const Result<std::uint64_t> address = parse_address(command_.address);
    if (!address) return address.error();
    program_options = {.format = command_.format, .release = *release, .address = *address};
    return {};
  }

  // Everything that needs the program's symbols.
  Result<void> apply(const ProgramSource& program, state::Machine& machine, Outputs& outputs) {
    if (Result<void> checked = check_image(program.image); !checked.ok()) return checked;
    if (Result<void> placed = load::place(program.image, machine); !placed.ok()) return placed;
    Result<Word> entry = command_.entry.empty() ? Result<Word>(start_of(program.image))
                                                : address_of(command_.entry, program.image);
    if (!entry) return entry.error();
    machine.pc = *entry;
    machine.current_acr = static_cast<std::uint8_t>(ring_);
    machine.system_registers.core_state = ring_;
    machine.current_memory_agent = static_cast<std::uint8_t>(pe_);
    std::vector<std::string> arguments{command_.file};
    arguments.insert(arguments.end(), command_.arguments.begin(), command_.arguments.end());
    if (Result<void> stack = make_stack(stack_bytes_, arguments, program.image, machine); !stack.ok())
      return stack;
    for (const std::string& map : command_.maps) {
      if (Result<void> mapped = map_range(map, program.image, machine); !mapped.ok()) return mapped;
    }
    for (const std::string& load : command_.loads) {
      if (Result<void> loaded = load_file(load, stack_bytes_, program.image, machine); !loaded.ok())
        return loaded;
    }
    if (!command_.state_in.empty()) {
      const Result<std::string> text = read_input(command_.state_in);
      if (!text) return text.error();
      if (Result<void> read = state::read_state_text(*text, display_name(command_.state_in), machine);
          !read.ok())
        return read;
    }
    for (const std::string& set : command_.sets) {
      if (Result<void> done = set_register(set, program.image, machine); !done.ok()) return done;
    }
    // From here on there is something to clean up.
    catch_interrupts();
    for (const std::string& dump : command_.dumps) {
      if (Result<void> planned = plan_dump(dump, program.image, machine, outputs); !planned.ok())
        return planned;
    }
    if (!command_.state_out.empty()) {
      const Result<OutputFile*> file = outputs.add("--state", command_.state_out);
      if (!file.ok()) return file.error();
      state_file_ = *file;
    }
    if ((machine.pc & 1) == 0 &&
        !machine.memory.permitted(machine.pc, 2, state::Access::Execute, machine.current_acr))
      return no_instruction(program, machine.pc);
    if (Result<void> planned = plan_stops(program); !planned.ok()) return planned;
    // A state may be that of a program at its end; a program does not begin there.
    const bool at_end = std::ranges::find(run.final_addresses, machine.pc) != run.final_addresses.end();
    if (at_end && command_.state_in.empty()) return no_instruction(program, machine.pc);
    return {};
  }

  // Files asked for, once the run is over.
  Result<void> write_files(const state::Machine& machine) const {
    for (const Dump& dump : dumps_) {
      std::vector<std::uint8_t> bytes(dump.range.size);
      machine.memory.read(dump.range.address, bytes);
      const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      if (Result<void> written = dump.file->write(content); !written.ok()) return written;
    }
    if (state_file_ == nullptr) return {};
    return state_file_->write(state::write_state(machine).dump(2) + "\n");
  }

  exec::Config config;
  ProgramOptions program_options;
  exec::RunOptions run;

 private:
  static Error no_instruction(const ProgramSource& program, Word pc) {
    return {.message = fmt::format("there is no instruction at the entry {:#x}", pc),
            .place = {program.image.file, 0, 0},
            .hint = "--entry names another place to begin",
            .excerpt = {}};
  }

  Result<void> read_errata() {
    config.errata = exec::Errata::none();
    if (command_.errata == "all") config.errata = exec::Errata::all();
    if (command_.errata == "all" || command_.errata == "none") return {};
    std::string_view rest = command_.errata;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      const std::string_view name = rest.substr(0, comma);
      rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
      const exec::Erratum* row = exec::find_erratum(name);
      if (row == nullptr) {
        std::string known = "errata are all, none";
        for (const exec::Erratum& erratum : exec::errata_rows) known += fmt::format(", {}", erratum.name);
        return option_error("--errata", std::string(name), "no such erratum", known);
      }
      config.errata.*row->flag = true;
    }
    return {};
  }

  Result<void> check_image(const load::Image& image) const {
    if (Result<void> fits = load::check_release(image, config.release); !fits.ok() && !command_.force) {
      Error error = fits.error();
      error.hint += error.hint.empty() ? "--force runs it all the same" : ", or with --force";
      return error;
    }
    return command_.entry.empty() ? load::check_entry(image) : Result<void>{};
  }

  static Word start_of(const load::Image& image) {
    const load::Symbol* start = image.relocatable ? image.find_symbol("_start") : nullptr;
    return start != nullptr ? start->value : image.entry;
  }

  Result<void> plan_dump(const std::string& text, const load::Image& image, const state::Machine& machine,
                         Outputs& outputs) {
    const auto parts = split("--dump", text);
    if (!parts) return parts.error();
    const Result<Range> range = range_of(parts->first, image);
    if (!range) return range.error();
    if (!machine.memory.permitted(range->address, range->size, state::Access::Read, 0)) {
      return option_error("--dump", text, "the range is not all mapped and readable",
                          "--map ADDRESS:LENGTH maps memory");
    }
    const Result<OutputFile*> file = outputs.add("--dump", parts->second);
    if (!file.ok()) return file.error();
    dumps_.push_back({*range, *file});
    return {};
  }

  static Result<void> read_count(std::string_view option, const std::string& text, std::uint64_t& count) {
    if (text.empty()) return {};
    const Result<std::uint64_t> number = parse_address(text);
    if (!number) return option_error(option, text, "a count is needed", "for example 1000000");
    count = *number;
    return {};
  }

  Result<void> plan_stops(const ProgramSource& program) {
    if (Result<void> counted = read_count("--max-steps", command_.max_steps, run.max_steps); !counted.ok())
      return counted;
    if (Result<void> counted = read_count("--stop-hits", command_.stop_hits, run.stop_hits); !counted.ok())
      return counted;
    if (command_.stops.empty() && command_.stop_hits != RunCommand{}.stop_hits)
      return option_error("--stop-hits", command_.stop_hits, "there is no stop to be reached",
                          "--stop SYMBOL names one");
    if (run.stop_hits == 0)
      return option_error("--stop-hits", command_.stop_hits, "a stop is reached at least once",
                          "1 stops the first time");
    run.deliver_traps = command_.traps == "deliver";
    for (const std::string& stop : command_.stops) {
      const Result<Word> address = address_of(stop, program.image);
      if (!address) return address.error();
      run.stop_addresses.push_back(*address);
    }
    run.final_addresses.push_back(return_sentinel);
    run.code_ends = load::code_ends(program.image);
    run.fetch_ends = load::fetch_ends(program.image);
    if (program.natural_end) run.final_addresses.push_back(*program.natural_end);
    return {};
  }

  const RunCommand& command_;
  unsigned ring_ = 0;
  unsigned pe_ = 0;
  std::uint64_t stack_bytes_ = 0;
  std::vector<Dump> dumps_;
  OutputFile* state_file_ = nullptr;
};

// Standard output for the report, unless an interrupt has left nobody to take it; then standard error.
void print_report(const std::string& text) {
  if (!interrupted()) {
    fmt::print("{}", text);
    return;
  }
  if (write_all(STDOUT_FILENO, text) != Written::All) (void)write_all(STDERR_FILENO, text);
}

void print_warning(const std::string& text) {
  (void)write_all(STDERR_FILENO, "ptosim: warning: " + text + "\n");
}

Exit refuse(const RunCommand& command, const std::vector<Error>& errors) {
  for (const Error& error : errors) print_error(error);
  if (command.json && !errors.empty()) {
    const nlohmann::ordered_json out{{"verdict", "bad-input"},
                                     {"steps", 0},
                                     {"pc", "0x0"},
                                     {"isa", command.release},
                                     {"message", errors.front().render()}};
    print_report(out.dump() + "\n");
  }
  return Exit::BadInput;
}

// No output may replace what the run reads.
Result<void> protect_inputs(const RunCommand& command, const ProgramSource& program, Outputs& outputs) {
  outputs.protect(command.file, "this is the program itself");
  for (const std::string& included : program.included) outputs.protect(included, "the program includes it");
  for (const std::string& load : command.loads) {
    const auto parts = split("--load", load);
    if (!parts) return parts.error();
    outputs.protect(parts->second, "--load reads it");
  }
  if (!command.state_in.empty()) outputs.protect(command.state_in, "--initial-state reads it");
  return {};
}

// What the run has to say for itself, then what there is to say about it.
void tell(const RunCommand& command, const RunReport& report, const state::RegisterFile& initial,
          const std::vector<Error>& complaints) {
  if (command.json) {
    print_report(run_json(report, complaints));
  } else if (!command.quiet || report.result.stop == exec::Stop::Fault) {
    std::string text = describe_run(report);
    if (!command.quiet) text += describe_machine(report.machine, initial);
    print_report(text);
  }
  if (!complaints.empty()) std::fflush(stdout);  // the run comes first
  for (const Error& complaint : complaints) print_error(complaint);
}

void warn(const RunCommand& command, const exec::RunOptions& options, const RunReport& report,
          const Outputs& outputs, std::uint64_t refused) {
  for (const std::string& output : outputs.given_up())
    print_warning(output + ": nobody took the rest of it after the interrupt");
  const std::vector<Word>& stops = options.stop_addresses;
  const bool stopped =
      report.result.stop == exec::Stop::Address && std::ranges::find(stops, report.machine.pc) != stops.end();
  if (!stops.empty() && !stopped) {
    print_warning(fmt::format("--stop {}: the run ended without stopping there{}", command.stops.front(),
                              options.stop_hits > 1 ? " as often as --stop-hits says" : ""));
  }
  if (refused != 0) {
    print_warning(
        fmt::format("{} host request{} refused (served: 63 read, 64 write, 93 and 94 exit, 113 clock, 222 "
                    "map, 1024 release tiles)",
                    refused, refused == 1 ? " was" : "s were"));
  }
}

// Ends the files of a run that is over. The first of every kind of thing that went wrong.
std::vector<Error> end_files(const Plan& plan, RunObservers& observers, const ProgramSource& program,
                             const state::Machine& machine, Outputs& outputs) {
  const Result<void> written = plan.write_files(machine);
  const Result<void> finished = observers.finish(program, machine);
  const Result<void> reached = observers.drop_unreached(outputs);
  std::vector<Error> complaints;
  for (const Result<void>* result : {&written, &finished})
    if (!result->ok()) complaints.push_back(result->error());
  // All of the files or none.
  if (complaints.empty()) {
    if (const Result<void> committed = outputs.commit(); !committed.ok())
      complaints.push_back(committed.error());
  }
  if (!reached.ok()) complaints.push_back(reached.error());
  return complaints;
}

Exit run_run(const RunCommand& command) {
  Plan plan(command);
  if (const Result<void> prepared = plan.prepare(); !prepared.ok())
    return refuse(command, {prepared.error()});
  ProgramResult read = read_program(command.file, plan.program_options);
  if (!read.program) return refuse(command, read.errors);
  const ProgramSource& program = *read.program;
  for (const std::string& warning : program.image.warnings)
    fmt::print(stderr, "ptosim: warning: {}: {}\n", program.image.file, warning);

  auto machine = std::make_unique<state::Machine>();
  Outputs outputs;
  RunObservers observers;
  const auto find = [&](const std::string& text) { return address_of(text, program.image); };
  Result<void> ready = protect_inputs(command, program, outputs);
  if (ready.ok()) ready = plan.apply(program, *machine, outputs);
  if (ready.ok()) ready = observers.prepare(command.observers, program, plan.config.release, find, outputs);
  // Interrupted while it waited for somebody to read an output, the run ends before its first instruction.
  if (!ready.ok() && !interrupted()) return refuse(command, {ready.error()});

  const state::RegisterFile initial = machine->gpr[machine->current_memory_agent];
  // With --json, standard output is the report's alone.
  Host host(process_streams(command.json ? STDERR_FILENO : STDOUT_FILENO));
  if (command.host == "serve") plan.run.host = [&host](state::Machine& asking) { return host.serve(asking); };
  plan.run.interrupt = &interrupt_flag();
  plan.run.observers = observers.list();
  exec::RunResult result{.stop = exec::Stop::Interrupted, .rejection = {}, .unsupported = {}};
  exec::Runner runner(*machine, plan.config);
  const auto begin = std::chrono::steady_clock::now();
  if (ready.ok()) result = runner.run(plan.run);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  const RunReport report{.program = program,
                         .machine = *machine,
                         .config = plan.config,
                         .result = result,
                         .seconds = elapsed.count(),
                         .returned = machine->pc == return_sentinel,
                         .at_natural_end = program.natural_end == machine->pc};
  std::vector<Error> complaints;
  if (ready.ok()) complaints = end_files(plan, observers, program, *machine, outputs);
  tell(command, report, initial, complaints);
  warn(command, plan.run, report, outputs, host.refused());
  if (!complaints.empty()) return Exit::BadInput;
  if (command.exit_code && result.stop == exec::Stop::Exit) return static_cast<Exit>(result.exit_code);
  return verdict_of(result).exit;
}

}  // namespace

void add_run(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<RunCommand>();
  CLI::App* command = app.add_subcommand("run", "Run an assembly source, an ELF file or an image");
  command->add_option("FILE", options->file, "The program; - is standard input")->required();
  command->add_option("ARGUMENT", options->arguments, "What the program gets as argv[1]...");
  command->add_option("--isa", options->release, "Release to follow: 0.58.3 or 0.58.5")
      ->capture_default_str();
  command->add_option("--format", options->format, "auto, asm, elf, raw or hex")->capture_default_str();
  command->add_option("--address", options->address, "Where a source's text or an image begins")
      ->capture_default_str();
  command->add_option("--entry", options->entry, "Where to begin: a symbol or an address");
  command->add_option("--stop", options->stops, "Stop before the instruction at this symbol or address")
      ->allow_extra_args(false);
  command->add_option("--stop-hits", options->stop_hits, "Stop the N-th time a stop is reached")
      ->capture_default_str();
  command->add_option("--max-steps", options->max_steps, "Give up after so many instructions");
  command->add_option("--set", options->sets, "Set a register first: a0=5, pe1.a0=7, pc=0x1000")
      ->allow_extra_args(false);
  command->add_option("--load", options->loads, "Put a file into memory first: ADDRESS=FILE")
      ->allow_extra_args(false);
  command->add_option("--map", options->maps, "Map zeroed memory first: ADDRESS:LENGTH")
      ->allow_extra_args(false);
  command->add_option("--dump", options->dumps, "Write memory to a file at the end: ADDRESS:LENGTH=FILE")
      ->allow_extra_args(false);
  command->add_option("--initial-state", options->state_in, "Begin from this state file (members it names)");
  command->add_option("--state", options->state_out, "Write the final state as JSON; - is standard output");
  command->add_option("--errata", options->errata, "all, none, or names separated by commas")
      ->capture_default_str();
  command
      ->add_option("--traps", options->traps,
                   "stop: a fault ends the run; deliver: the program's handler gets it")
      ->capture_default_str();
  command
      ->add_option("--host", options->host,
                   "serve: ACRC asks the host; none: it traps to the ring above, as the architecture says")
      ->capture_default_str();
  command->add_option("--ring", options->ring, "Access-control ring to begin in")->capture_default_str();
  command->add_option("--pe", options->pe, "Processing element to begin on")->capture_default_str();
  command->add_option("--stack", options->stack_bytes, "Bytes of stack; 0: none")->capture_default_str();
  add_observer_options(*command, options->observers);
  command->add_flag("--json", options->json, "Print one JSON object");
  command->add_flag("--quiet", options->quiet, "Say nothing unless the program faults");
  command->add_flag("--force", options->force, "Run a program made for another release");
  command->add_flag("--exit-code", options->exit_code, "End with the program's own exit code");
  command->callback([options, &chosen] { chosen = [options] { return run_run(*options); }; });
}

}  // namespace pto::cli
