#include "cli/run_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "exec/trap.h"
#include "isa/decode.h"
#include "text/disassembler.h"
#include "text/operand_kinds.h"

namespace pto::cli {

namespace {

// The text of the instruction at an address, and its length; empty where nothing can be read.
struct Line {
  std::string text;
  unsigned bytes = 0;
};
Line instruction_at(const RunReport& report, Word address) {
  const state::Memory& memory = report.machine.memory;
  if (!memory.permitted(address, 2, state::Access::Read, 0)) return {};
  const unsigned bits = isa::length_bits(static_cast<std::uint16_t>(memory.load(address, 2)));
  if (!memory.permitted(address, bits / 8, state::Access::Read, 0)) return {};
  Line line;
  line.bytes = bits / 8;
  (void)text::disassemble(line.text, memory.load(address, line.bytes), bits,
                          {.release = report.config.release, .address = address, .names = nullptr});
  return line;
}

// The block that was open when the fault came, from the context the trap saved.
const state::TrapContext* faulted_block(const state::Machine& machine) {
  const state::TrapContext& saved = machine.trap_contexts[machine.current_acr];
  return saved.valid && saved.bundle_active ? &saved : nullptr;
}

bool completes_block(const RunReport& report, Word pc) {
  const state::Memory& memory = report.machine.memory;
  if (!memory.permitted(pc, 2, state::Access::Read, 0)) return false;
  const unsigned bits = isa::length_bits(static_cast<std::uint16_t>(memory.load(pc, 2)));
  const isa::Decoded decoded = isa::decode(memory.load(pc, bits / 8), bits, report.config.release);
  return decoded.form != nullptr && (decoded.form->does == isa::Behaviour::BlockStart ||
                                     decoded.form->does == isa::Behaviour::BlockStop);
}

std::string fault_activity(const RunReport& report) {
  const Word pc = report.result.fault_pc;
  if (report.result.rejection.fault == state::Fault::InstructionPage || (pc & 1) != 0)
    return fmt::format("fetching at {:#x}", pc);
  const state::TrapContext* block = faulted_block(report.machine);
  if (block != nullptr && completes_block(report, pc)) {
    return fmt::format("completing the block at {:#x} ({})", block->bpc,
                       instruction_at(report, block->bpc).text);
  }
  const Line line = instruction_at(report, pc);
  return line.text.empty() ? fmt::format("at {:#x}", pc)
                           : fmt::format("executing '{}' at {:#x}", line.text, pc);
}

// The header commands between the start of the block and the fault.
std::string block_so_far(const RunReport& report) {
  constexpr unsigned shown = 32;
  const state::TrapContext* block = faulted_block(report.machine);
  if (block == nullptr) return {};
  std::string out;
  Word at = block->bpc;
  at += instruction_at(report, at).bytes;
  for (unsigned i = 0; i < shown && at < report.result.fault_pc; ++i) {
    const Line line = instruction_at(report, at);
    if (line.bytes == 0) break;
    out += fmt::format("{}{}", out.empty() ? "" : " · ", line.text);
    at += line.bytes;
  }
  return out;
}

std::string describe_fault(const RunReport& report) {
  const exec::Rejection& why = report.result.rejection;
  std::string out = fmt::format("{}: {} {}   [PTO ISA {}]\n", report.program.place(report.result.fault_pc),
                                name_of(why.fault), fault_activity(report), name_of(report.config.release));
  if (why.rule != nullptr) {
    out += fmt::format("  {} ({})\n", why.values, why.rule->clause);
    out += fmt::format("  rule {}: {}\n", why.rule->name, why.rule->sentence);
  }
  if (const std::string block = block_so_far(report); !block.empty())
    out += fmt::format("  block so far: {}\n", block);
  return out;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string ending(const RunReport& report) {
  switch (report.result.stop) {
    case exec::Stop::Exit: return fmt::format("exit {}", report.result.exit_code);
    case exec::Stop::Address:
      if (report.returned) return "returned";
      if (report.at_natural_end) return "reached the end of its section";
      return fmt::format("reached {}", report.program.place(report.machine.pc));
    case exec::Stop::StepLimit:
      return fmt::format("step limit, at {}", report.program.place(report.machine.pc));
    case exec::Stop::Interrupted:
      return fmt::format("interrupted, at {}", report.program.place(report.machine.pc));
    case exec::Stop::Fault: return fmt::format("{}", name_of(report.result.rejection.fault));
    case exec::Stop::Unspecified:
    case exec::Stop::Unsupported:
      return fmt::format("{} at {}", report.result.unsupported, report.program.place(report.machine.pc));
  }
  return {};
}

}  // namespace

Verdict verdict_of(const exec::RunResult& result) {
  switch (result.stop) {
    case exec::Stop::Exit:
    case exec::Stop::Address: return {"completed", Exit::Completed};
    case exec::Stop::Fault: return {"faulted", Exit::Faulted};
    case exec::Stop::Unsupported: return {"unsupported", Exit::Unsupported};
    case exec::Stop::Unspecified: return {"unspecified", Exit::Unspecified};
    case exec::Stop::StepLimit:
    case exec::Stop::Interrupted: break;
  }
  return {"unfinished", Exit::Unfinished};
}

std::string describe_run(const RunReport& report) {
  std::string out;
  if (report.result.stop == exec::Stop::Fault) out += describe_fault(report);
  const double rate = static_cast<double>(report.result.steps) / std::max(report.seconds, 1e-9);
  out += fmt::format("{}: {} after {} step{}", verdict_of(report.result).word, ending(report),
                     grouped(report.result.steps), report.result.steps == 1 ? "" : "s");
  constexpr std::uint64_t worth_a_rate = 1'000'000;
  if (report.result.steps >= worth_a_rate) out += fmt::format(" ({:.0f} million/s)", rate / 1e6);
  return out + "\n";
}

std::string describe_machine(const state::Machine& machine, const state::RegisterFile& initial) {
  constexpr std::size_t per_line = 4;
  constexpr std::size_t cell_width = 24;
  std::vector<std::string> cells;
  for (unsigned i = 1; i < state::gpr_count; ++i) {
    const Word value = machine.read_gpr(i);
    if (value == 0 || value == initial.x[i]) continue;
    cells.push_back(fmt::format("{:>3} {:#x}", text::name_of_register(i), value));
  }
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool last = i % per_line == per_line - 1 || i + 1 == cells.size();
    out += i % per_line == 0 ? "  " : "";
    out += last ? cells[i] + "\n" : fmt::format("{:<{}}", cells[i], cell_width);
  }
  constexpr std::string_view hands = "tumn";
  for (unsigned i = 0; i < state::tile_count; ++i) {
    const state::Tile& tile = machine.tiles[i];
    if (!tile.allocated) continue;
    out += fmt::format(
        "  {}#{:<2} {} {} {}x{}, {} bytes, PEs {:04b}\n", hands[i / 16], i % 16 + 1,
        tile.storage_kind == state::StorageKind::Predicate ? "predicate" : name_of(tile.data_type),
        name_of(tile.layout), tile.valid_rows, tile.valid_columns, tile.capacity_bytes, tile.allocation_mask);
  }
  return out;
}

std::string run_json(const RunReport& report, const std::vector<Error>& complaints) {
  nlohmann::ordered_json out{{"verdict", verdict_of(report.result).word},
                             {"steps", report.result.steps},
                             {"pc", fmt::format("{:#x}", report.machine.pc)},
                             {"isa", name_of(report.config.release)},
                             {"ending", ending(report)}};
  nlohmann::ordered_json errata = nlohmann::ordered_json::array();
  for (const exec::Erratum& row : exec::errata_rows) {
    if (report.config.errata.*row.flag) errata.push_back(row.name);
  }
  out["errata"] = std::move(errata);
  if (report.result.stop == exec::Stop::Exit) out["exit_code"] = report.result.exit_code;
  if (report.result.stop == exec::Stop::Fault) {
    const exec::Rejection& why = report.result.rejection;
    out["fault"] = name_of(why.fault);
    out["fault_pc"] = fmt::format("{:#x}", report.result.fault_pc);
    out["fault_address"] = fmt::format("{:#x}", why.address);
    out["place"] = report.program.place(report.result.fault_pc);
    out["rule"] = why.rule != nullptr ? why.rule->name : "";
    out["clause"] = why.rule != nullptr ? why.rule->clause : "";
    out["message"] = describe_fault(report);
    if (const std::string block = block_so_far(report); !block.empty()) out["block"] = block;
  }
  if (report.result.stop == exec::Stop::Unsupported) out["unsupported"] = report.result.unsupported;
  if (report.result.stop == exec::Stop::Unspecified) out["unspecified"] = report.result.unsupported;
  if (!complaints.empty()) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Error& complaint : complaints) list.push_back(complaint.render());
    out["output_errors"] = std::move(list);
  }
  return out.dump() + "\n";
}

}  // namespace pto::cli
