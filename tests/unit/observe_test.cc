// Watching a run changes nothing about it and misses nothing: every program of tests/golden/run runs twice,
// alone and watched, and what the watcher was told rebuilds the machine.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "exec/effects.h"
#include "exec/runner.h"
#include "isa/decode.h"
#include "state/describe.h"
#include "text/assembler.h"

namespace pto::exec {
namespace {

using state::Machine;
using state::Memory;

constexpr std::uint64_t step_limit = 20'000;
constexpr Word stack_top = 0x7fff0000, stack_bytes = 0x10000;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::unique_ptr<Machine> machine_with(const text::Program& program) {
  auto machine = std::make_unique<Machine>();
  for (const text::Section& section : program.sections) {
    EXPECT_TRUE(
        machine->memory.map(section.address, section.bytes.size(),
                            {.read = true, .write = section.writable, .execute = section.executable}));
    machine->memory.write(section.address, section.bytes);
  }
  EXPECT_TRUE(machine->memory.map(stack_top - stack_bytes, stack_bytes,
                                  {.read = true, .write = true, .execute = false}));
  machine->gpr[0].x[1] = stack_top;
  machine->pc = program.entry;
  return machine;
}

RunOptions options_for(const text::Program& program) {
  RunOptions options;
  options.max_steps = step_limit;
  options.deliver_traps = true;
  options.final_addresses.push_back(program.sections.front().address + program.sections.front().bytes.size());
  options.host = [](Machine& machine) {
    machine.write_gpr(2, 0);
    return HostReply{};
  };
  return options;
}

// Keeps a memory and nothing else up to date by what it is told, and counts what it is told late.
class Rebuilder : public Observer {
 public:
  void begin(Machine& machine) override {
    memory_ = machine.memory;
    tracker_.begin(machine);
  }
  void before(const Machine&, const ObservedStep&) override { tracker_.before(); }
  void after(const Machine& machine, const ObservedStep& step) override {
    const isa::Decoded decoded = isa::decode(step.word, step.bits, default_release);
    const Effects& effects = tracker_.after(machine, reach_of(step.bits == 0 ? nullptr : decoded.form));
    for (const Memory::WriteLog::Range& range : effects.memory.ranges) {
      std::vector<std::uint8_t> bytes(range.size);
      memory_.read(range.address, bytes);
      const std::span old_bytes = std::span(effects.memory.bytes).subspan(range.old_bytes, range.size);
      EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), old_bytes.begin()) || range.size > 8)
          << "old bytes at " << std::hex << step.pc;
      machine.memory.read(range.address, bytes);
      memory_.write(range.address, bytes);
    }
  }
  void end(Machine& machine) override {
    tracker_.before();
    const Effects& late = tracker_.after(machine, Reach::Everything);
    EXPECT_TRUE(late.registers.empty());
    EXPECT_FALSE(late.t_queue.changed);
    EXPECT_FALSE(late.u_queue.changed);
    EXPECT_TRUE(late.tiles.empty());
    for (const Change& change : late.members) ADD_FAILURE() << "told late: " << late.path(change);
    tracker_.end(machine);
    Word address = 0;
    EXPECT_FALSE(Memory::first_difference(memory_, machine.memory, address)) << "at " << std::hex << address;
  }

 private:
  Memory memory_;
  EffectTracker tracker_;
};

TEST(Observe, WatchingChangesNothingAndMissesNothing) {
  const std::filesystem::path folder = std::filesystem::path(PTOSIM_SOURCE_DIR) / "tests/golden/run";
  unsigned programs = 0;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".s") continue;
    SCOPED_TRACE(entry.path().filename());
    const text::Assembled assembled = text::assemble(read_file(entry.path()), "program.s", {});
    if (!assembled.ok()) continue;
    ++programs;
    const Config config{.errata = Errata::all()};
    const RunOptions alone = options_for(assembled.program);
    const std::unique_ptr<Machine> expected = machine_with(assembled.program);
    const RunResult wanted = Runner(*expected, config).run(alone);

    Rebuilder rebuilder;
    RunOptions watched = alone;
    watched.observers.push_back(&rebuilder);
    const std::unique_ptr<Machine> machine = machine_with(assembled.program);
    const RunResult result = Runner(*machine, config).run(watched);
    EXPECT_EQ(result.steps, wanted.steps);
    EXPECT_EQ(result.stop, wanted.stop);
    for (const state::Difference& difference : state::compare_states(*expected, *machine, 5))
      ADD_FAILURE() << difference.path << ": " << difference.expected << ", watched " << difference.actual;
  }
  EXPECT_GE(programs, 28u);
}

TEST(Observe, ALogOfWritesEndsWithoutATrace) {
  Memory memory;
  ASSERT_TRUE(memory.map(0x1000, 0x2000, {.read = true, .write = true, .execute = false}));
  Memory::WriteLog log;
  memory.log_writes(&log);
  EXPECT_EQ(memory.granted(0x1000, 8, state::Access::Write), nullptr);
  EXPECT_TRUE(memory.permitted(0x1000, 8, state::Access::Write, 2));
  memory.store(0x1000, 8, 7);
  EXPECT_TRUE(memory.permitted(0x1008, 8, state::Access::Write, 2));
  ASSERT_EQ(log.ranges.size(), 1u) << "neighbours join";
  EXPECT_EQ(log.ranges[0].size, 16u);
  EXPECT_EQ(memory.granted(0x1000, 8, state::Access::Write), nullptr) << "every write asks";
  memory.watch_page(2);
  EXPECT_TRUE(memory.permitted(0x2000, 1, state::Access::Write, 2));
  EXPECT_TRUE(memory.has_watched_writes()) << "a watch works while a log is kept";
  memory.log_writes(nullptr);
  EXPECT_TRUE(memory.permitted(0x1010, 8, state::Access::Write, 2));
  EXPECT_NE(memory.granted(0x1000, 8, state::Access::Write), nullptr);
  EXPECT_EQ(log.ranges.size(), 2u);
}

}  // namespace
}  // namespace pto::exec
