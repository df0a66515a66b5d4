// What a run keeps and gives up: decoded instructions within bounds and true to memory, and the state of a
// machine when somebody asks the run to end.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <memory>

#include "exec/runner.h"
#include "state/describe.h"
#include "text/assembler.h"

namespace pto::exec {
namespace {

using state::Access;
using state::Machine;
using state::Memory;

constexpr Word code_start = 0x10000;
constexpr state::Permissions all{.read = true, .write = true, .execute = true};

std::vector<std::uint8_t> code_of(const std::string& text) {
  const text::Assembled assembled = text::assemble(text, "test.s", {});
  EXPECT_TRUE(assembled.ok());
  return assembled.program.sections.front().bytes;
}

std::unique_ptr<Machine> machine_with(const std::string& text, state::Permissions permissions = all) {
  auto machine = std::make_unique<Machine>();
  EXPECT_TRUE(machine->memory.map(code_start, 0x1000, permissions));
  machine->memory.write(code_start, code_of(text));
  machine->pc = code_start;
  return machine;
}

void expect_equal(const Machine& expected, const Machine& actual) {
  for (const state::Difference& difference : state::compare_states(expected, actual, 5))
    ADD_FAILURE() << difference.path << ": " << difference.expected << " / " << difference.actual;
}

std::size_t most_memory_used() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) << 10;
}

TEST(Runner, AProgramThatWandersThroughMemoryKeepsFewDecodedPages) {
  constexpr Word pages = 6'000, start = 0x1000'0000;
  const auto machine = std::make_unique<Machine>();
  ASSERT_TRUE(machine->memory.map(start, pages * Memory::page_bytes, all));
  const std::vector<std::uint8_t> hop = code_of("add a0, a1, ->a0\njr a0, 0\n");
  for (Word page = 0; page < pages; ++page) machine->memory.write(start + page * Memory::page_bytes, hop);
  machine->pc = machine->gpr[0].x[2] = start;
  machine->gpr[0].x[3] = Memory::page_bytes;
  const Config config{.errata = Errata::all()};
  RunOptions options;
  options.max_steps = 3 * pages;
  const std::size_t before = most_memory_used();
  const RunResult result = Runner(*machine, config).run(options);
  EXPECT_EQ(result.stop, Stop::Fault) << "behind the last page";
  EXPECT_EQ(result.steps, 2 * pages);
  EXPECT_LT(most_memory_used() - before, std::size_t{512} << 20) << "all of them would take 750 MiB";
}

TEST(Runner, CodeThatBecomesWritableWhileItRunsIsWatched) {
  Memory memory;
  ASSERT_TRUE(memory.map(0x1000, 0x1000, {.read = true, .write = false, .execute = true}));
  memory.watch_page(1);
  EXPECT_FALSE(memory.permitted(0x1000, 8, Access::Write, 2));
  EXPECT_FALSE(memory.has_watched_writes());
  ASSERT_TRUE(memory.map(0x1000, 1, {.read = false, .write = true, .execute = false}));
  EXPECT_EQ(memory.granted(0x1000, 8, Access::Write), nullptr);
  EXPECT_TRUE(memory.permitted(0x1000, 8, Access::Write, 2));
  EXPECT_TRUE(memory.has_watched_writes());
  EXPECT_EQ(memory.take_watched_writes(), std::vector<Word>{1});
  EXPECT_TRUE(memory.permitted(0x1000, 8, Access::Write, 2));
  EXPECT_FALSE(memory.has_watched_writes()) << "once is enough";
}

TEST(Runner, MaintenanceOfInstructionCachesForgetsWhatWasDecodedEvenIfNobodySawTheWrite) {
  const std::vector<std::uint8_t> patch = code_of("addi a0, 16, ->a0\n");
  for (const std::string maintenance : {"ic.iall", "bc.iall"}) {
    SCOPED_TRACE(maintenance);
    const auto machine = machine_with("loop: addi a0, 1, ->a0\nBSTART.SYS FALL\n" + maintenance +
                                      "\nacrc 1\nBSTOP\nBSTART DIRECT, loop\nBSTOP\n");
    RunOptions options;
    unsigned turns = 0;
    options.host = [&](Machine& asking) {
      // Behind the back of whoever watches: `write` asks nobody.
      if (turns++ == 0) asking.memory.write(code_start, patch);
      return HostReply{.exit = turns == 3};
    };
    const Config config{.errata = Errata::all()};
    EXPECT_EQ(Runner(*machine, config).run(options).stop, Stop::Exit);
    EXPECT_EQ(machine->read_gpr(2), 1u + 16u + 16u);
  }
}

TEST(Runner, ARunThatStopsAtOnceKeepsTheLastFault) {
  const auto machine = machine_with("addi a0, 1, ->a0\n");
  machine->last_fault = state::Fault::DataPage;
  machine->fault_address = 0x1234;
  const auto before = std::make_unique<Machine>(*machine);
  const Config config{.errata = Errata::all()};
  RunOptions options;
  options.stop_addresses = {code_start};
  EXPECT_EQ(Runner(*machine, config).run(options).stop, Stop::Address);
  expect_equal(*before, *machine);
}

TEST(Runner, ARequestThatIsInterruptedWasNeverMade) {
  const auto machine = machine_with("BSTART.SYS FALL\nacrc 1\nBSTOP\naddi a1, 1, ->a1\n");
  const auto expected = std::make_unique<Machine>(*machine);
  const Config config{.errata = Errata::all()};
  RunOptions options;
  options.max_steps = 1;
  EXPECT_EQ(Runner(*expected, config).run(options).steps, 1u);

  options.max_steps = 3;
  bool wait = true;
  options.host = [&](Machine& asking) {
    if (!wait) asking.write_gpr(2, 7);
    return HostReply{.exit = false, .exit_code = 0, .interrupted = wait};
  };
  const RunResult result = Runner(*machine, config).run(options);
  EXPECT_EQ(result.stop, Stop::Interrupted);
  EXPECT_EQ(result.steps, 1u);
  expect_equal(*expected, *machine);

  wait = false;
  options.max_steps = 3;
  EXPECT_EQ(Runner(*machine, config).run(options).stop, Stop::StepLimit);
  EXPECT_EQ(machine->read_gpr(2), 7u);
  EXPECT_EQ(machine->read_gpr(3), 1u);
}

TEST(Runner, AnInterruptedCopyGoesOnWhereItWas) {
  constexpr Word source = 0x100000, destination = 0x300000, size = 0x50003;
  const auto machine = machine_with("MCOPY [a0, a1, a2]\naddi a3, 1, ->a3\n");
  ASSERT_TRUE(machine->memory.map(source, size, all));
  ASSERT_TRUE(machine->memory.map(destination, size, all));
  for (Word at = 0; at < size; at += 8) machine->memory.store(source + at, 8, at * 0x9e3779b97f4a7c15);
  machine->gpr[0].x[2] = destination;
  machine->gpr[0].x[3] = source;
  machine->gpr[0].x[4] = size;
  const auto expected = std::make_unique<Machine>(*machine);
  const Config config{.errata = Errata::all()};
  RunOptions options;
  options.max_steps = 2;
  EXPECT_EQ(Runner(*expected, config).run(options).steps, 2u);

  // As if asked to end after 128 KiB: the template is what it would be if it had faulted there.
  const std::atomic<bool> asked{true};
  Context context{*machine, config};
  context.interrupt = &asked;
  const std::vector<std::uint8_t> word = code_of("MCOPY [a0, a1, a2]\n");
  Word code = 0;
  std::copy(word.begin(), word.end(), reinterpret_cast<std::uint8_t*>(&code));
  const auto attempt = [&] {
    return execute_instruction(context, code, static_cast<unsigned>(word.size()) * 8).status;
  };
  EXPECT_EQ(attempt(), StepStatus::Interrupted);
  EXPECT_TRUE(machine->block.memory_copy_template.active);
  EXPECT_EQ(machine->pc, code_start);
  for (Word at = 0; at < 0x20000; at += 8)
    machine->memory.store(destination + at, 8, machine->memory.load(source + at, 8));
  machine->block.memory_copy_template.progress = 0x20000;
  EXPECT_EQ(attempt(), StepStatus::Interrupted);
  EXPECT_EQ(machine->block.memory_copy_template.progress, 0x20000u);
  machine->system_registers.cycle = 0;  // what the runner gives back
  EXPECT_EQ(Runner(*machine, config).run(options).steps, 2u);
  expect_equal(*expected, *machine);
}

}  // namespace
}  // namespace pto::exec
