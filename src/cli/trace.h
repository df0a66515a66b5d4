// `run --trace` and `run --log`: what every instruction did, one line each, as JSON for programs and in
// columns for people.
//
// One watcher compares the machine before and after an instruction (exec/effects.h) and hands the result to
// the writers that are wanted. Lines are put together by hand in one buffer: a trace has millions of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/byte_stream.h"
#include "cli/instruction_lines.h"
#include "exec/effects.h"

namespace pto::cli {

struct TraceOptions {
  struct Range {
    Word address = 0;
    Word size = 0;
  };
  std::vector<Range> ranges;  // empty: everywhere
  unsigned kinds = ~0u;       // bits of TraceKind
  std::optional<unsigned> pe;
  std::size_t limit = 64;  // elements of a tile and bytes of memory told per effect
};

// What an instruction is about; it may be several.
enum TraceKind : unsigned {
  kind_scalar = 1,  // a scalar instruction
  kind_memory = 2,  // a load, store or atomic, or whatever wrote memory
  kind_block = 4,   // a block command
  kind_tile = 8,    // the start of a tile block, or what changed a tile
};
// "scalar,tile" as bits; the error lists the kinds.
Result<unsigned> parse_trace_kinds(std::string_view text);

class TraceWatcher : public exec::Observer {
 public:
  TraceWatcher(const ProgramSource& program, Release release, TraceOptions options)
      : program_(program), release_(release), options_(std::move(options)), lines_(program, release) {}
  void write_json(std::unique_ptr<ByteStream> to) { json_ = std::move(to); }
  void write_log(std::unique_ptr<ByteStream> to) { log_ = std::move(to); }

  void begin(state::Machine& machine) override;
  void before(const state::Machine& machine, const exec::ObservedStep& step) override;
  void after(const state::Machine& machine, const exec::ObservedStep& step) override;
  void end(state::Machine& machine) override;

  // The first thing that went wrong with a file.
  Result<void> close();

 private:
  [[nodiscard]] bool wanted(const InstructionLine& line, const exec::Effects& effects, Word pc) const;

  const ProgramSource& program_;
  Release release_;
  TraceOptions options_;
  InstructionLines lines_;
  exec::EffectTracker tracker_;
  std::unique_ptr<ByteStream> json_;
  std::unique_ptr<ByteStream> log_;
  unsigned pe_ = 0;
  unsigned ring_ = 0;
};

}  // namespace pto::cli
