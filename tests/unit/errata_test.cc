// Errata: what each one changes, with it and without it.

#include <gtest/gtest.h>

#include <cstring>

#include "exec/step.h"
#include "isa/decode.h"
#include "text/assembler.h"

namespace pto::exec {
namespace {

// Executes a source from address 0x100 instruction by instruction until one is rejected or the text ends.
struct Outcome {
  state::Machine machine = state::Machine::conformance();
  StepResult last;
};

Outcome execute(const std::string& source, const Errata& errata) {
  const text::Assembled assembled = text::assemble(
      source, "test.s", {.release = Release::v0_58_3, .text_address = 0x100, .read_file = {}, .limits = {}});
  EXPECT_TRUE(assembled.ok());
  Outcome outcome;
  const text::Section& text = assembled.program.sections.at(0);
  outcome.machine.memory.write(text.address, text.bytes);
  outcome.machine.pc = text.address;
  const Config config{.release = Release::v0_58_3, .errata = errata};
  Context context{outcome.machine, config};
  for (unsigned steps = 0; steps < 100 && outcome.machine.pc - text.address < text.bytes.size(); ++steps) {
    const Word pc = outcome.machine.pc;
    const unsigned bits = isa::length_bits(static_cast<std::uint16_t>(outcome.machine.memory.load(pc, 2)));
    outcome.last = execute_instruction(context, outcome.machine.memory.load(pc, bits / 8), bits);
    if (outcome.last.status != StepStatus::Executed) break;
  }
  return outcome;
}

TEST(Errata, EveryErratumSaysWhatWhyAndForWhom) {
  for (const Erratum& row : errata_rows) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.text.empty()) << row.name;
    EXPECT_FALSE(row.intent.empty()) << row.name;
    EXPECT_FALSE(row.relied_on.empty()) << row.name;
    EXPECT_EQ(find_erratum(row.name), &row);
    EXPECT_TRUE(Errata::all().*row.flag) << row.name;
    EXPECT_FALSE(Errata::none().*row.flag) << row.name;
  }
}

TEST(Errata, WithoutEnterBlockBodySetcIsRefusedInEveryBlock) {
  const std::string source = "BSTART COND, 0x100\n setc.eq zero, zero\n";
  const Outcome refused = execute(source, Errata::none());
  EXPECT_EQ(refused.last.rejection.fault, state::Fault::BundleControl);
  const Outcome entered = execute(source, {.enter_block_body = true});
  EXPECT_EQ(entered.last.status, StepStatus::Executed);
  EXPECT_TRUE(entered.machine.block.barg.taken);
}

TEST(Errata, WithoutCommitTargetWinsABranchClosedByAStartIsLost) {
  // The first block jumps to 0x10c; the start behind it closes it.
  const std::string source =
      "BSTART DIRECT, 0x10c\n BSTART DIRECT, 0x100\n addi zero, 1, ->a0\n addi zero, 2, ->a1\n";
  const Outcome lost = execute(source, Errata::none());
  EXPECT_EQ(lost.machine.bpc, 0x104u) << "the second block was opened";
  const Outcome taken = execute(source, {.commit_target_wins = true});
  EXPECT_FALSE(taken.machine.bundle_active);
  EXPECT_EQ(taken.machine.gpr[0].x[3], 2u);
  EXPECT_EQ(taken.machine.gpr[0].x[2], 0u) << "the instruction between was skipped";
}

TEST(Errata, FrameStackPointerChoosesTheRegister) {
  const std::string source = "FENTRY [s0 ~ s1], sp!, 32\n";
  Outcome outcome;
  for (const bool on : {false, true}) {
    state::Machine machine = state::Machine::conformance();
    machine.gpr[0].x[1] = 0x400;
    machine.gpr[0].x[2] = 0x800;
    const text::Assembled assembled = text::assemble(source, "test.s", {});
    const std::vector<std::uint8_t>& bytes = assembled.program.sections.at(0).bytes;
    Word word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    const Config config{.release = Release::v0_58_3, .errata = {.frame_stack_pointer = on}};
    Context context{machine, config};
    ASSERT_EQ(execute_command(context, word, 32).status, StepStatus::Executed);
    EXPECT_EQ(machine.gpr[0].x[1], on ? 0x3e0u : 0x400u);
    EXPECT_EQ(machine.gpr[0].x[2], on ? 0x800u : 0x7e0u);
  }
}

}  // namespace
}  // namespace pto::exec
