#include "cli/instruction_lines.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/disassembler.h"

namespace pto::cli {

InstructionLines::InstructionLines(const ProgramSource& program, Release release)
    : program_(program), release_(release) {
  names_ = [&program](Word address) -> std::optional<std::string> {
    const load::Symbol* symbol = program.image.symbol_at(address);
    if (symbol == nullptr || symbol->value != address) return std::nullopt;
    return symbol->name;
  };
}

const InstructionLine& InstructionLines::at(const exec::ObservedStep& step) {
  Recent& recent = recent_[step.pc / 2 % recent_entries];
  if (recent.pc != step.pc) {
    std::unique_ptr<InstructionLine>& line = lines_[step.pc];
    if (!line) line = std::make_unique<InstructionLine>();
    recent = {step.pc, line.get()};
  }
  InstructionLine& line = *recent.line;
  if (line.word != step.word || line.bits != step.bits) describe(step, line);
  return line;
}

void InstructionLines::describe(const exec::ObservedStep& step, InstructionLine& line) const {
  line.word = step.word;
  line.bits = step.bits;
  line.text.clear();
  line.form = nullptr;
  if (step.bits != 0) {
    const isa::Decoded decoded = text::disassemble(
        line.text, step.word, step.bits, {.release = release_, .address = step.pc, .names = &names_});
    if (decoded.violated == nullptr) line.form = decoded.form;
  }
  line.place = program_.place(step.pc);
  const std::string word = step.bits == 0 ? "" : fmt::format("{:0{}x}", step.word, step.bits / 4);
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  line.json = fmt::format(R"("pc":"{:#x}","word":"{}","text":{},"at":{})", step.pc,
                          word.empty() ? "" : "0x" + word, quoted(line.text), quoted(line.place));
  line.columns = fmt::format("{:#10x}  {:<16}  {:<36}", step.pc, word, line.text);
}

}  // namespace pto::cli
