// The library's door: everything behind it works with values of its own; here they become plain ones.
#include "pto/simulator.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "door/convention.h"
#include "door/program_image.h"
#include "exec/runner.h"
#include "state/describe.h"
#include "text/assembler.h"
#include "text/disassembler.h"

namespace pto {

namespace {

using door::a0, door::a7, door::ra, door::sp;
using door::request_exit, door::request_exit_group;
using door::return_sentinel, door::stack_top;
constexpr state::Permissions data{.read = true, .write = true, .execute = false};

exec::HostReply serve_exit(state::Machine& machine) {
  constexpr std::int64_t not_implemented = -38;
  const Word request = machine.read_gpr(a7);
  if (request == request_exit || request == request_exit_group)
    return {.exit = true, .exit_code = static_cast<int>(machine.read_gpr(a0) & 0xff)};
  machine.write_gpr(a0, static_cast<Word>(not_implemented));
  return {};
}

RunReport report_of(const exec::RunResult& result, const state::Machine& machine) {
  RunReport report{.steps = result.steps, .pc = machine.pc, .exit_code = result.exit_code};
  switch (result.stop) {
    case exec::Stop::Exit:
    case exec::Stop::Address: report.outcome = Outcome::Completed; break;
    case exec::Stop::StepLimit:
    case exec::Stop::Interrupted: report.outcome = Outcome::Unfinished; break;
    case exec::Stop::Unspecified:
      report.outcome = Outcome::Unspecified;
      report.unsupported = result.unsupported;
      break;
    case exec::Stop::Unsupported:
      report.outcome = Outcome::Unsupported;
      report.unsupported = result.unsupported;
      break;
    case exec::Stop::Fault: {
      report.outcome = Outcome::Faulted;
      const exec::Rejection& why = result.rejection;
      FaultReport fault{
          .fault = std::string(name_of(why.fault)), .message = why.values, .pc = result.fault_pc};
      if (why.rule != nullptr) {
        fault.rule = why.rule->name;
        fault.clause = why.rule->clause;
      }
      report.fault = std::move(fault);
      break;
    }
  }
  return report;
}

}  // namespace

struct Simulator::Machine {
  SimulatorOptions options;
  exec::Config config;
  std::unique_ptr<state::Machine> state = std::make_unique<state::Machine>();
  load::Image image;
  std::vector<Word> ends;

  // What is wrong with the options, if anything.
  std::optional<std::string> configure() {
    const std::optional<Release> release = release_of_name(options.isa);
    if (!release) return "unknown release '" + options.isa + "'; known releases are 0.58.3 and 0.58.5";
    config.release = *release;
    config.errata = options.errata ? exec::Errata::all() : exec::Errata::none();
    return std::nullopt;
  }

  std::vector<std::string> place(Result<load::Image> read) {
    if (!read) return {read.error().render()};
    auto fresh = std::make_unique<state::Machine>();
    if (const Result<void> placed = load::place(*read, *fresh); !placed.ok())
      return {placed.error().render()};
    fresh->pc = read->entry;
    if (options.stack_bytes != 0) {
      if (options.stack_bytes > stack_top / 2 ||
          !fresh->memory.map(stack_top - options.stack_bytes, options.stack_bytes, data))
        return {"the stack cannot be mapped"};
    }
    for (state::RegisterFile& registers : fresh->gpr) {
      registers.x[sp] = options.stack_bytes != 0 ? stack_top - 16 : 0;
      registers.x[ra] = return_sentinel;
    }
    fresh->return_address = return_sentinel;
    image = std::move(*read);
    state = std::move(fresh);
    return {};
  }
};

Simulator::Simulator(SimulatorOptions options) : machine_(std::make_unique<Machine>()) {
  machine_->options = std::move(options);
}
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

std::vector<std::string> Simulator::load_source(std::string_view source, const std::string& name) {
  if (std::optional<std::string> wrong = machine_->configure()) return {*wrong};
  const text::Assembled assembled = text::assemble(source, name,
                                                   {.release = machine_->config.release,
                                                    .text_address = machine_->options.text_address,
                                                    .read_file = {},
                                                    .limits = {}});
  std::vector<std::string> errors;
  for (const Error& error : assembled.errors) errors.push_back(error.render());
  if (!errors.empty()) return errors;
  if (assembled.program.sections.empty()) return {name + ":1:1: the source has no instructions"};
  errors = machine_->place(door::image_of(assembled.program, name));
  if (!errors.empty()) return errors;
  const load::Segment* text = machine_->image.segment_at(machine_->image.entry);
  machine_->ends = {return_sentinel};
  if (text != nullptr) machine_->ends.push_back(text->address + text->size);
  return {};
}

std::vector<std::string> Simulator::load_elf(std::span<const std::uint8_t> bytes, const std::string& name) {
  if (std::optional<std::string> wrong = machine_->configure()) return {*wrong};
  Result<load::Image> image = load::read_elf(bytes, name);
  if (image) {
    if (const Result<void> fits = load::check_release(*image, machine_->config.release); !fits.ok())
      return {fits.error().render()};
    if (const Result<void> begins = load::check_entry(*image); !begins.ok()) return {begins.error().render()};
  }
  machine_->ends = {return_sentinel};
  return machine_->place(std::move(image));
}

std::optional<std::uint64_t> Simulator::symbol(std::string_view name) const {
  const load::Symbol* found = machine_->image.find_symbol(name);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

std::uint64_t Simulator::read_register(unsigned number) const {
  return number < state::gpr_count ? machine_->state->read_gpr(number) : 0;
}

void Simulator::set_register(unsigned number, std::uint64_t value) {
  if (number != 0 && number < state::gpr_count) machine_->state->write_gpr(number, value);
}

bool Simulator::map(std::uint64_t address, std::uint64_t size) {
  return size == 0 || machine_->state->memory.map(address, size, data);
}

bool Simulator::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  if (!machine_->state->memory.permitted(address, bytes.size(), state::Access::Read, 0)) return false;
  machine_->state->memory.write(address, bytes);
  return true;
}

bool Simulator::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  if (!machine_->state->memory.permitted(address, bytes.size(), state::Access::Read, 0)) return false;
  machine_->state->memory.read(address, bytes);
  return true;
}

RunReport Simulator::run(std::uint64_t max_steps) {
  exec::RunOptions options;
  options.max_steps = max_steps;
  options.final_addresses = machine_->ends;
  options.code_ends = load::code_ends(machine_->image);
  options.fetch_ends = load::fetch_ends(machine_->image);
  options.host = serve_exit;
  exec::Runner runner(*machine_->state, machine_->config);
  return report_of(runner.run(options), *machine_->state);
}

std::string Simulator::state() const {
  return state::write_state(*machine_->state).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string disassemble(std::uint64_t word, unsigned bits, const std::string& isa) {
  const std::optional<Release> release = release_of_name(isa);
  if (!release || (bits != 16 && bits != 32 && bits != 48 && bits != 64)) return {};
  std::string text;
  (void)text::disassemble(text, word & mask_of(bits), bits,
                          {.release = *release, .address = {}, .names = nullptr});
  return text;
}

}  // namespace pto
