// The library as a user embeds it: only its public header.

#include "pto/simulator.h"

#include <gtest/gtest.h>

#include <array>

namespace {

constexpr unsigned a0 = 2, a1 = 3;

TEST(Simulator, RunsAProgramThatItsHostGaveNumbers) {
  pto::Simulator simulator;
  ASSERT_TRUE(simulator.load_source("        add a0, a1, ->a0\n        slli a0, 1, ->a0\n", "sum.s").empty());
  simulator.set_register(a0, 20);
  simulator.set_register(a1, 1);
  const pto::RunReport report = simulator.run();
  EXPECT_EQ(report.outcome, pto::Outcome::Completed);
  EXPECT_EQ(report.steps, 2u);
  EXPECT_EQ(simulator.read_register(a0), 42u);
}

TEST(Simulator, SharesMemoryWithItsHost) {
  pto::Simulator simulator;
  ASSERT_TRUE(
      simulator.load_source("        lwui [a0, 0], ->a1\n        swi a1, [a0, 4]\n", "copy.s").empty());
  ASSERT_TRUE(simulator.map(0x4000, 8));
  const std::array<std::uint8_t, 4> word{1, 2, 3, 4};
  ASSERT_TRUE(simulator.write(0x4000, word));
  simulator.set_register(a0, 0x4000);
  EXPECT_EQ(simulator.run().outcome, pto::Outcome::Completed);
  std::array<std::uint8_t, 4> copy{};
  ASSERT_TRUE(simulator.read(0x4004, copy));
  EXPECT_EQ(copy, word);
  EXPECT_FALSE(simulator.read(0x123456789, copy)) << "not mapped";
}

TEST(Simulator, SaysWhichRuleAProgramBroke) {
  pto::Simulator simulator;
  ASSERT_TRUE(simulator.load_source("        ldi [zero, 64], ->a0\n", "bad.s").empty());
  const pto::RunReport report = simulator.run();
  ASSERT_EQ(report.outcome, pto::Outcome::Faulted);
  EXPECT_EQ(report.fault->fault, "DataPage");
  EXPECT_EQ(report.fault->rule, "memory.permitted");
  EXPECT_EQ(report.fault->pc, 0x10000u);
}

TEST(Simulator, StopsAfterSoManyStepsAndGoesOn) {
  pto::Simulator simulator;
  ASSERT_TRUE(simulator.load_source("        addi a0, 1, ->a0\n        addi a0, 1, ->a0\n", "two.s").empty());
  EXPECT_EQ(simulator.run(1).outcome, pto::Outcome::Unfinished);
  EXPECT_EQ(simulator.read_register(a0), 1u);
  EXPECT_EQ(simulator.run().outcome, pto::Outcome::Completed);
  EXPECT_EQ(simulator.read_register(a0), 2u);
}

TEST(Simulator, RefusesBadSourcesElfFilesAndReleases) {
  pto::Simulator simulator;
  const std::vector<std::string> errors = simulator.load_source("  ad a0\n  frob\n", "bad.s");
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_TRUE(errors[0].starts_with("bad.s:1:3:")) << errors[0];
  EXPECT_EQ(simulator.load_source("", "empty.s").size(), 1u);
  const std::array<std::uint8_t, 4> garbage{0x7f, 'E', 'L', 'F'};
  EXPECT_EQ(simulator.load_elf(garbage, "cut.elf").size(), 1u);
  pto::Simulator other({.isa = "0.59"});
  EXPECT_EQ(other.load_source("  addi a0, 1, ->a0\n", "x.s").size(), 1u);
}

TEST(Simulator, GivesItsWholeStateAndTheTextOfWords) {
  pto::Simulator simulator;
  ASSERT_TRUE(simulator.load_source("        addi zero, 7, ->a0\n", "x.s").empty());
  (void)simulator.run();
  EXPECT_NE(simulator.state().find("\"gpr\""), std::string::npos);
  EXPECT_EQ(pto::disassemble(0x00110115, 32), "addi a0, 1, ->a0");
  EXPECT_EQ(pto::disassemble(0, 24), "");
}

}  // namespace
