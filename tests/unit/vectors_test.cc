// Checking vectors: what is counted, and what a broken file is told.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "vectors/check.h"

namespace pto::vectors {
namespace {

class Vectors : public testing::Test {
 protected:
  std::string file(const std::string& content) {
    path_ = testing::TempDir() + "ptosim-vectors-" + std::to_string(::getpid()) + ".jsonl";
    std::ofstream(path_, std::ios::binary) << content;
    return path_;
  }
  void TearDown() override { std::remove(path_.c_str()); }
  std::string error_of(const std::string& content) {
    const Result<Report> report = check_files({file(content)}, {});
    return report.ok() ? "accepted" : report.error().render().substr(path_.size());
  }
  std::string path_;
};

// The store-conditional of SCHEMA 8.1.
const std::string good_step =
    R"({"format":"pto-step/1","id":"T#1","isa":"0.58.3","kind":"atomicity","entry":"scalar","input":{"bits":32,"word":"0x2221930b"},"status":"executed","pre":{"gpr":{"0":{"2":"0x80","3":"0x11223344","5":"0xffffffff80000001"}},"memory":[{"addr":"0x80","bytes":"01"},{"addr":"0x83","bytes":"80"}],"pc":"0x4","reservation":{"address":"0x80","size":4,"valid":true},"system_registers":{"cycle":"0x1"}},"post":{"gpr":{"0":{"2":"0x80","3":"0x11223344","5":"0xffffffff80000001"}},"memory":[{"addr":"0x80","bytes":"44332211"}],"pc":"0x8","reservation":{"address":"0x80","size":4},"system_registers":{"cycle":"0x2"}}})"
    "\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_F(Vectors, AStepThatAgreesPasses) {
  const Result<Report> report = check_files({file(good_step + "\n" + good_step)}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->totals.passed, 2u);
  EXPECT_EQ(report->by_instruction.at("SC.W").passed, 2u);
}

TEST_F(Vectors, AStepThatDisagreesFailsWithItsPath) {
  const Result<Report> report =
      check_files({file(good_step + replaced(good_step, "44332211", "44332212"))}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->totals.passed, 1u);
  ASSERT_EQ(report->failures.size(), 1u);
  EXPECT_EQ(report->failures[0].line, 2u);
  ASSERT_EQ(report->failures[0].differences.size(), 1u);
  EXPECT_EQ(report->failures[0].differences[0].path, "memory[0x83]");
  EXPECT_EQ(report->failures[0].differences[0].expected, "0x12");
  EXPECT_EQ(report->failures[0].differences[0].actual, "0x11");
}

TEST_F(Vectors, AWrongStatusFailsEvenWhenTheStateAgrees) {
  const Result<Report> report = check_files({file(replaced(good_step, "\"executed\"", "\"rejected\""))}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->totals.failed, 1u);
}

TEST_F(Vectors, BrokenLinesAreRefusedWithTheirPlace) {
  EXPECT_TRUE(error_of(good_step + "{\"format\":").starts_with(":2:11: not a JSON document"));
  EXPECT_TRUE(error_of("\x01\x02\xff\n").starts_with(":1:1: not a JSON document"));
  EXPECT_TRUE(error_of(replaced(good_step, "pto-step/1", "pto-step/9"))
                  .starts_with(":1: format: expected \"pto-step/1\""));
  EXPECT_TRUE(
      error_of(replaced(good_step, "0.58.3", "0.58.9")).starts_with(":1: isa: '0.58.9' is not a release"));
  EXPECT_TRUE(error_of(replaced(good_step, "\"entry\":\"scalar\"", "\"entry\":\"skalar\""))
                  .starts_with(":1: entry: 'skalar'"));
  EXPECT_TRUE(error_of(replaced(good_step, "\"bits\":32", "\"bits\":33")).starts_with(":1: input.bits"));
  EXPECT_TRUE(error_of(replaced(good_step, "\"reservation\":{", "\"reservatoin\":{"))
                  .starts_with(":1: pre: unknown member"));
}

// A direct call that adds two unallocated tiles.
const std::string tile_step =
    R"({"format":"pto-step/1","id":"T#1","isa":"0.58.3","kind":"fault","entry":"tile","input":{"function":"ExecuteTileBinary","operands":{"destination":2,"op":"ADD","source_left":0,"source_right":1},"operation":"ExecuteTileBinary"},"status":"none","pre":{},"post":{}})"
    "\n";

TEST_F(Vectors, ADirectCallOutsideItsPreconditionFails) {
  const Result<Report> report = check_files({file(tile_step)}, {});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->failures.size(), 1u);
  EXPECT_TRUE(report->failures[0].status.starts_with("expected none, got rejected (tile.allocated"))
      << report->failures[0].status;
}

TEST_F(Vectors, ABrokenDirectCallIsRefusedWithItsMember) {
  const auto broken = [&](const std::string& from, const std::string& to) {
    return error_of(replaced(tile_step, from, to));
  };
  EXPECT_TRUE(broken("\"function\":\"ExecuteTileBinary\"", "\"function\":\"ExecuteTileTernary\"")
                  .starts_with(":1: input.function: 'ExecuteTileTernary' is not a function"));
  EXPECT_TRUE(broken("\"op\":\"ADD\"", "\"op\":\"ADDC\"")
                  .starts_with(":1: input.operands.op: 'ADDC' is none of ADD, SUB"));
  EXPECT_TRUE(broken("\"source_left\":0", "\"source_left\":64")
                  .starts_with(":1: input.operands.source_left: expected an integer from 0 to 63"));
  EXPECT_TRUE(broken("\"source_left\":0,", "").starts_with(":1: input.operands.source_left: expected"));
  EXPECT_TRUE(broken("\"destination\":2", "\"destination\":2,\"axis\":\"Row\"")
                  .starts_with(":1: input.operands.axis: the function has no such operand"));
  EXPECT_TRUE(
      broken("\"status\":\"none\"", "\"status\":\"none\",\"result\":0").starts_with(":1: result: expected"));
}

TEST_F(Vectors, AFileThatIsNotThereOrCutOffIsRefused) {
  EXPECT_FALSE(check_files({"/nowhere/at/all"}, {}).ok());
  EXPECT_FALSE(check_files({testing::TempDir()}, {}).ok()) << "a directory";
  const std::string whole = PTOSIM_SOURCE_DIR "/tests/vectors/avs-arch.jsonl.zst";
  std::ifstream in(whole, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const Result<Report> cut = check_files({file(bytes.substr(0, bytes.size() / 2))}, {});
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.error().message.find("truncated"), std::string::npos) << cut.error().message;
}

}  // namespace
}  // namespace pto::vectors
