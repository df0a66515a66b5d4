#include "cli/trace.h"

#include <array>

#include "cli/trace_lines.h"

namespace pto::cli {

namespace {

struct KindRow {
  std::string_view name;
  TraceKind kind;
};
constexpr std::array<KindRow, 4> kind_rows{
    {{"scalar", kind_scalar}, {"memory", kind_memory}, {"block", kind_block}, {"tile", kind_tile}}};

bool starts_tile_block(const isa::Form& form) {
  using state::OperationClass;
  return form.does == isa::Behaviour::BlockStart &&
         (form.start.operation_class == OperationClass::TileElement ||
          form.start.operation_class == OperationClass::TileMemory ||
          form.start.operation_class == OperationClass::TileMatrix);
}

unsigned kinds_of(const InstructionLine& line, const exec::Effects& effects) {
  unsigned kinds = 0;
  if (line.form != nullptr) {
    const bool scalar = line.form->surface() == isa::Surface::Scalar;
    kinds |= scalar ? kind_scalar : kind_block;
    const bool accesses = line.form->family == isa::Family::AGU || line.form->family == isa::Family::AMO;
    if (accesses) kinds |= kind_memory;
    if (starts_tile_block(*line.form)) kinds |= kind_tile;
  }
  if (!effects.memory.ranges.empty()) kinds |= kind_memory;
  if (!effects.tiles.empty()) kinds |= kind_tile;
  return kinds;
}

}  // namespace

Result<unsigned> parse_trace_kinds(std::string_view text) {
  unsigned kinds = 0;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    unsigned found = 0;
    for (const KindRow& row : kind_rows) {
      if (row.name == name) found = row.kind;
    }
    if (found == 0) {
      return Error{.message = "--trace-kinds: no kind is called '" + std::string(name) + "'",
                   .place = {},
                   .hint = "kinds are scalar, memory, block and tile, separated by commas",
                   .excerpt = {}};
    }
    kinds |= found;
    if (comma == std::string_view::npos) return kinds;
    text.remove_prefix(comma + 1);
  }
}

bool TraceWatcher::wanted(const InstructionLine& line, const exec::Effects& effects, Word pc) const {
  if (options_.pe && *options_.pe != pe_) return false;
  bool inside = options_.ranges.empty();
  for (const TraceOptions::Range& range : options_.ranges)
    inside = inside || (pc >= range.address && pc - range.address < range.size);
  if (!inside) return false;
  // What faulted is told whatever it is.
  return effects.fault != state::Fault::None || options_.kinds == ~0u ||
         (kinds_of(line, effects) & options_.kinds) != 0;
}

void TraceWatcher::begin(state::Machine& machine) {
  if (json_) append_json_head(json_->buffer, program_, release_, machine.pc);
  if (log_) append_log_head(log_->buffer, program_, release_, machine.pc);
  tracker_.begin(machine);
}

void TraceWatcher::before(const state::Machine& machine, const exec::ObservedStep&) {
  tracker_.before();
  pe_ = machine.current_memory_agent;
  ring_ = machine.current_acr;
}

void TraceWatcher::after(const state::Machine& machine, const exec::ObservedStep& step) {
  const InstructionLine& line = lines_.at(step);
  const exec::Effects& effects = tracker_.after(machine, exec::reach_of(line.form));
  if (!wanted(line, effects, step.pc)) return;
  const TraceLine told{.step = step,
                       .line = line,
                       .effects = effects,
                       .machine = machine,
                       .pe = pe_,
                       .ring = ring_,
                       .limit = options_.limit};
  if (json_) {
    append_json_line(json_->buffer, told);
    json_->flush_if_full();
  }
  if (log_) {
    append_log_line(log_->buffer, told);
    log_->flush_if_full();
  }
}

void TraceWatcher::end(state::Machine& machine) { tracker_.end(machine); }

Result<void> TraceWatcher::close() {
  Result<void> result;
  for (ByteStream* stream : {json_.get(), log_.get()}) {
    if (stream == nullptr) continue;
    if (Result<void> closed = stream->close(); !closed.ok() && result.ok()) result = closed;
  }
  return result;
}

}  // namespace pto::cli
