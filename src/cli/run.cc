// ptosim run: load a program, run it, say how it ended.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/io.h"
#include "cli/program_source.h"
#include "cli/run_observers.h"
#include "cli/run_report.h"
#include "door/convention.h"
#include "state/describe.h"
#include "text/operand_kinds.h"

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
  unsigned ring = 2;
  unsigned pe = 0;
  std::uint64_t stack_bytes = std::uint64_t{1} << 20;
  bool json = false;
  bool quiet = false;
  bool force = false;
  bool exit_code = false;
  ObserverOptions observers;
};

using door::a0, door::a1, door::ra, door::sp;
using door::return_sentinel, door::stack_top;
constexpr Word largest_dump = Word{1} << 32;

std::atomic<bool> interrupted{false};
void on_interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

struct Range {
  Word address = 0;
  Word size = 0;
};

struct Dump {
  Range range;
  std::string file;
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
    if (command_.ring >= state::ring_count)
      return option_error("--ring", std::to_string(command_.ring), "no such ring", "rings are 0 to 15");
    if (command_.pe >= state::pe_count)
      return option_error("--pe", std::to_string(command_.pe), "no such PE", "PEs are 0 to 3");
    const Result<std::uint64_t> address = parse_address(command_.address);
    if (!address) return address.error();
    program_options = {.format = command_.format, .release = *release, .address = *address};
    return {};
  }

  // Everything that needs the program's symbols.
  Result<void> apply(const ProgramSource& program, state::Machine& machine) {
    if (Result<void> checked = check_image(program.image); !checked.ok()) return checked;
    if (Result<void> placed = load::place(program.image, machine); !placed.ok()) return placed;
    Result<Word> entry = command_.entry.empty() ? Result<Word>(start_of(program.image))
                                                : address_of(command_.entry, program.image);
    if (!entry) return entry.error();
    machine.pc = *entry;
    machine.current_acr = static_cast<std::uint8_t>(command_.ring);
    machine.system_registers.core_state = command_.ring;
    machine.current_memory_agent = static_cast<std::uint8_t>(command_.pe);
    if (Result<void> stack = make_stack(machine); !stack.ok()) return stack;
    for (const std::string& map : command_.maps) {
      if (Result<void> mapped = map_range(map, program.image, machine); !mapped.ok()) return mapped;
    }
    for (const std::string& load : command_.loads) {
      if (Result<void> loaded = load_file(load, program.image, machine); !loaded.ok()) return loaded;
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
    for (const std::string& dump : command_.dumps) {
      if (Result<void> planned = plan_dump(dump, program.image, machine); !planned.ok()) return planned;
    }
    if ((machine.pc & 1) == 0 &&
        !machine.memory.permitted(machine.pc, 2, state::Access::Execute, command_.ring)) {
      return Error{.message = fmt::format("there is no instruction at the entry {:#x}", machine.pc),
                   .place = {program.image.file, 0, 0},
                   .hint = "--entry names another place to begin",
                   .excerpt = {}};
    }
    return plan_stops(program);
  }

  // Files asked for, once the run is over.
  Result<void> write_files(const state::Machine& machine) const {
    for (const Dump& dump : dumps) {
      std::vector<std::uint8_t> bytes(dump.range.size);
      machine.memory.read(dump.range.address, bytes);
      if (Result<void> written = write_output(dump.file, bytes); !written.ok()) return written;
    }
    if (command_.state_out.empty()) return {};
    return write_output(command_.state_out, state::write_state(machine).dump(2) + "\n");
  }

  exec::Config config;
  ProgramOptions program_options;
  exec::RunOptions run;
  std::vector<Dump> dumps;

  static Result<Word> address_of(const std::string& text, const load::Image& image) {
    if (const load::Symbol* symbol = image.find_symbol(text)) return symbol->value;
    const Result<std::uint64_t> number = parse_address(text);
    if (number) return *number;
    return Error{.message = fmt::format("'{}' is neither a symbol of the program nor an address", text),
                 .place = {},
                 .hint = "addresses are written 0x1000",
                 .excerpt = {}};
  }

 private:
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

  // ADDRESS:LENGTH, either of them a symbol.
  static Result<Range> range_of(const std::string& text, const load::Image& image) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) {
      return Error{.message = fmt::format("'{}' is not ADDRESS:LENGTH", text),
                   .place = {},
                   .hint = "for example result:4096",
                   .excerpt = {}};
    }
    const Result<Word> address = address_of(text.substr(0, colon), image);
    if (!address) return address.error();
    const Result<Word> size = address_of(text.substr(colon + 1), image);
    if (!size) return size.error();
    if (*size == 0 || *size > largest_dump || *address + (*size - 1) < *address) {
      return Error{.message = fmt::format("'{}': a length from 1 to {} that does not wrap is needed", text,
                                          largest_dump),
                   .place = {},
                   .hint = {},
                   .excerpt = {}};
    }
    return Range{*address, *size};
  }

  // Splits LEFT=FILE.
  static Result<std::pair<std::string, std::string>> split(std::string_view option, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return option_error(option, text, "an '=' with something on both sides is needed",
                          option == "--dump"   ? "--dump ADDRESS:LENGTH=FILE"
                          : option == "--load" ? "--load ADDRESS=FILE"
                                               : "--set a0=5");
    }
    return std::pair{text.substr(0, equals), text.substr(equals + 1)};
  }

  [[nodiscard]] Error no_room() const {
    return option_error("--stack", std::to_string(command_.stack_bytes),
                        "the program's name and arguments need more", "the default is 1 MiB");
  }

  Result<void> make_stack(state::Machine& machine) const {
    if (command_.stack_bytes == 0) return {};
    constexpr Word largest_stack = Word{1} << 32;
    if (command_.stack_bytes > largest_stack)
      return option_error("--stack", std::to_string(command_.stack_bytes), "too large", "at most 4 GiB");
    const Word bottom = stack_top - command_.stack_bytes;
    if (!machine.memory.map(bottom, command_.stack_bytes, {.read = true, .write = true, .execute = false})) {
      return option_error("--stack", std::to_string(command_.stack_bytes), "cannot be mapped", "");
    }
    // Strings, then the pointer array, then an aligned sp.
    Word at = stack_top;
    std::vector<Word> pointers;
    std::vector<std::string> all{command_.file};
    all.insert(all.end(), command_.arguments.begin(), command_.arguments.end());
    for (const std::string& argument : all) {
      if (argument.size() + 1 > at - bottom) return no_room();
      at -= argument.size() + 1;
      machine.memory.write(at,
                           {reinterpret_cast<const std::uint8_t*>(argument.c_str()), argument.size() + 1});
      pointers.push_back(at);
    }
    const Word array_bytes = (pointers.size() + 1) * 8;
    if (array_bytes + 16 > at - bottom) return no_room();
    at = (at - array_bytes) & ~Word{15};
    for (std::size_t i = 0; i < pointers.size(); ++i) machine.memory.store(at + i * 8, 8, pointers[i]);
    for (unsigned pe = 0; pe < state::pe_count; ++pe) {
      machine.gpr[pe].x[sp] = at;
      machine.gpr[pe].x[ra] = return_sentinel;
    }
    if (!command_.arguments.empty()) {
      machine.write_gpr(a0, pointers.size());
      machine.write_gpr(a1, at);
    }
    machine.return_address = return_sentinel;
    return {};
  }

  static Result<void> map_range(const std::string& text, const load::Image& image, state::Machine& machine) {
    const Result<Range> range = range_of(text, image);
    if (!range) return range.error();
    if (!machine.memory.map(range->address, range->size, {.read = true, .write = true, .execute = false})) {
      return option_error("--map", text, "wraps around the address space", "");
    }
    return {};
  }

  static Result<void> load_file(const std::string& text, const load::Image& image, state::Machine& machine) {
    const auto parts = split("--load", text);
    if (!parts) return parts.error();
    const Result<Word> address = address_of(parts->first, image);
    if (!address) return address.error();
    const Result<std::string> bytes = read_input(parts->second);
    if (!bytes) return bytes.error();
    if (bytes->empty()) return {};
    if (!machine.memory.map(*address, bytes->size(), {.read = true, .write = true, .execute = false})) {
      return option_error("--load", text, "wraps around the address space", "");
    }
    machine.memory.write(*address, {reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
    return {};
  }

  // a0=5, r7=0x10, pc=loop, pe1.a0=...
  static Result<void> set_register(const std::string& text, const load::Image& image,
                                   state::Machine& machine) {
    const auto parts = split("--set", text);
    if (!parts) return parts.error();
    const Result<Word> value = address_of(parts->second, image);
    if (!value) return value.error();
    std::string name = parts->first;
    unsigned pe = machine.current_memory_agent;
    if (name.size() > 4 && name.starts_with("pe") && name[2] >= '0' && name[2] <= '3' && name[3] == '.') {
      pe = static_cast<unsigned>(name[2] - '0');
      name = name.substr(4);
    }
    if (name == "pc") {
      machine.pc = *value;
      return {};
    }
    const std::optional<unsigned> index = text::register_of_name(name);
    if (!index || *index >= state::gpr_count || *index == 0) {
      return option_error(
          "--set", text, "no register of that name can be set",
          "registers are sp, a0-a7, ra, s0-s8, x0-x3, r1-r23 and pc; pe1.a0 names another PE's");
    }
    machine.gpr[pe].x[*index] = *value;
    if (*index == ra) machine.return_address = *value;
    return {};
  }

  Result<void> plan_dump(const std::string& text, const load::Image& image, const state::Machine& machine) {
    const auto parts = split("--dump", text);
    if (!parts) return parts.error();
    const Result<Range> range = range_of(parts->first, image);
    if (!range) return range.error();
    if (!machine.memory.permitted(range->address, range->size, state::Access::Read, 0)) {
      return option_error("--dump", text, "the range is not all mapped and readable",
                          "--map ADDRESS:LENGTH maps memory");
    }
    dumps.push_back({*range, parts->second});
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
    run.deliver_traps = command_.traps == "deliver";
    for (const std::string& stop : command_.stops) {
      const Result<Word> address = address_of(stop, program.image);
      if (!address) return address.error();
      run.stop_addresses.push_back(*address);
    }
    run.final_addresses.push_back(return_sentinel);
    run.code_ends = load::code_ends(program.image);
    if (program.natural_end) run.final_addresses.push_back(*program.natural_end);
    return {};
  }

  const RunCommand& command_;
};

Exit refuse(const RunCommand& command, const std::vector<Error>& errors) {
  for (const Error& error : errors) print_error(error);
  if (command.json && !errors.empty()) {
    const nlohmann::ordered_json out{{"verdict", "bad-input"},
                                     {"steps", 0},
                                     {"pc", "0x0"},
                                     {"isa", command.release},
                                     {"message", errors.front().render()}};
    fmt::print("{}\n", out.dump());
  }
  return Exit::BadInput;
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
  if (const Result<void> applied = plan.apply(program, *machine); !applied.ok())
    return refuse(command, {applied.error()});

  const state::RegisterFile initial = machine->gpr[machine->current_memory_agent];
  Host host(process_streams());
  if (command.host == "serve") plan.run.host = [&host](state::Machine& asking) { return host.serve(asking); };
  plan.run.interrupt = &interrupted;
  RunObservers observers;
  if (command.observers.any()) {
    const auto find = [&](const std::string& text) { return Plan::address_of(text, program.image); };
    if (const Result<void> ready = observers.prepare(command.observers, program, plan.config.release, find);
        !ready.ok())
      return refuse(command, {ready.error()});
    plan.run.observers = observers.list();
  }
  std::signal(SIGINT, on_interrupt);
  exec::Runner runner(*machine, plan.config);
  const auto begin = std::chrono::steady_clock::now();
  const exec::RunResult result = runner.run(plan.run);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  const RunReport report{.program = program,
                         .machine = *machine,
                         .config = plan.config,
                         .result = result,
                         .seconds = elapsed.count(),
                         .returned = machine->pc == return_sentinel,
                         .at_natural_end = program.natural_end == machine->pc};
  if (const Result<void> written = plan.write_files(*machine); !written.ok())
    return refuse(command, {written.error()});
  if (const Result<void> finished = observers.finish(program, *machine); !finished.ok())
    return refuse(command, {finished.error()});
  if (command.json) {
    fmt::print("{}", run_json(report));
  } else if (!command.quiet || result.stop == exec::Stop::Fault) {
    fmt::print("{}", describe_run(report));
    if (!command.quiet) fmt::print("{}", describe_machine(*machine, initial));
  }
  if (host.refused() != 0) {
    fmt::print(stderr,
               "ptosim: warning: {} host request{} refused (served: 63 read, 64 write, 93 and 94 exit, 113 "
               "clock, 222 map, "
               "1024 release tiles)\n",
               host.refused(), host.refused() == 1 ? " was" : "s were");
  }
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
