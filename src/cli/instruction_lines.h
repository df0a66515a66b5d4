// What the instructions of a running program look like: text, row and place of each, found once per address
// and again when the word there changes.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "cli/program_source.h"
#include "exec/observe.h"
#include "isa/form.h"
#include "text/operand_kinds.h"

namespace pto::cli {

struct InstructionLine {
  Word word = 0;
  unsigned bits = ~0u;
  const isa::Form* form = nullptr;  // null: no legal instruction
  std::string text;
  std::string place;
  std::string json;     // the members of a trace line that depend on nothing else
  std::string columns;  // likewise of a line of the log
};

class InstructionLines {
 public:
  InstructionLines(const ProgramSource& program, Release release);
  const InstructionLine& at(const exec::ObservedStep& step);

 private:
  void describe(const exec::ObservedStep& step, InstructionLine& line) const;

  struct Recent {
    Word pc = ~Word{0};
    InstructionLine* line = nullptr;
  };
  static constexpr std::size_t recent_entries = 4096;

  const ProgramSource& program_;
  Release release_;
  text::AddressName names_;
  std::unordered_map<Word, std::unique_ptr<InstructionLine>> lines_;
  std::array<Recent, recent_entries> recent_{};
};

}  // namespace pto::cli
