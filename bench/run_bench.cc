// Scalar programs, in instructions per second on one core without observers: register arithmetic, loads and
// stores, calls. And what the smallest tile block costs in a program, header and all.
//
// `Ratio` compares with a plain interpreter written below, a switch in a loop over decoded instructions of a
// machine with registers and one flat memory: what somebody writes in an afternoon, without permissions,
// blocks, queues or faults. It runs a loop of the same shape right before, in the same process. `Qemu` is
// what qemu-riscv64, a translator, reaches with a RISC-V loop of that shape; it appears where that is
// installed.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "exec/runner.h"
#include "riscv_program.h"
#include "text/assembler.h"

namespace {

using namespace pto;  // NOLINT

constexpr std::uint64_t turns = 1'000'000;

// --- The plain interpreter ---

enum class Plain : std::uint8_t {
  Add,
  AddImmediate,
  Xor,
  Sub,
  Mul,
  Load,
  Store,
  BranchNotZero,
  Call,
  Return,
  End
};

struct PlainInstruction {
  Plain operation;
  std::uint8_t destination;
  std::uint8_t left;
  std::uint8_t right;
  std::int64_t immediate;
};

struct PlainMachine {
  std::vector<std::uint64_t> x = std::vector<std::uint64_t>(32);
  std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(64);
};

std::uint64_t run_plain(const std::vector<PlainInstruction>& program, PlainMachine& machine) {
  std::uint64_t* const x = machine.x.data();
  std::uint64_t steps = 0;
  for (std::size_t pc = 0;;) {
    const PlainInstruction& i = program[pc];
    ++steps;
    ++pc;
    switch (i.operation) {
      case Plain::Add: x[i.destination] = x[i.left] + x[i.right]; break;
      case Plain::AddImmediate: x[i.destination] = x[i.left] + static_cast<std::uint64_t>(i.immediate); break;
      case Plain::Xor: x[i.destination] = x[i.left] ^ x[i.right]; break;
      case Plain::Sub: x[i.destination] = x[i.left] - x[i.right]; break;
      case Plain::Mul: x[i.destination] = x[i.left] * x[i.right]; break;
      case Plain::Load:
        x[i.destination] = machine.memory[(x[i.left] + static_cast<std::uint64_t>(i.immediate)) / 8 % 64];
        break;
      case Plain::Store:
        machine.memory[(x[i.left] + static_cast<std::uint64_t>(i.immediate)) / 8 % 64] = x[i.right];
        break;
      case Plain::BranchNotZero:
        if (x[i.left] != 0) pc = static_cast<std::size_t>(i.immediate);
        break;
      case Plain::Call:
        x[1] = pc;
        pc = static_cast<std::size_t>(i.immediate);
        break;
      case Plain::Return: pc = x[1]; break;
      case Plain::End: return steps;
    }
  }
}

// --- Measuring ---

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Instructions per second, the best of several runs.
template <class Run>
double best_rate(Run run) {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto steps = static_cast<double>(run());
    best = std::max(best, steps / seconds_since(start));
  }
  return best;
}

// A program ready to run again and again.
class Program {
 public:
  explicit Program(const std::string& source) {
    const text::Assembled assembled = text::assemble(source, "bench.s", {});
    if (!assembled.ok()) {
      std::fprintf(stderr, "%s\n", assembled.errors.front().render().c_str());
      return;
    }
    const text::Program& program = assembled.program;
    for (const text::Section& section : program.sections) {
      if (!machine_->memory.map(section.address, section.bytes.size(),
                                {.read = true, .write = section.writable, .execute = section.executable})) {
        return;
      }
      machine_->memory.write(section.address, section.bytes);
    }
    entry_ = program.entry;
    options_.final_addresses.push_back(program.sections.front().address +
                                       program.sections.front().bytes.size());
    ready_ = true;
  }
  [[nodiscard]] bool ready() const { return ready_; }
  std::uint64_t run() {
    machine_->pc = entry_;
    const exec::RunResult result = runner_.run(options_);
    return result.stop == exec::Stop::Address ? result.steps : 0;
  }
  // What ACRC asks for: all tiles become free, which no instruction does.
  void free_tiles_on_request() {
    options_.host = [](state::Machine& machine) {
      for (state::Tile& tile : machine.tiles) tile.allocated = false;
      return exec::HostReply{};
    };
  }

 private:
  std::unique_ptr<state::Machine> machine_ = std::make_unique<state::Machine>();
  exec::Config config_{.errata = exec::Errata::all()};
  exec::Runner runner_{*machine_, config_};
  exec::RunOptions options_;
  Word entry_ = 0;
  bool ready_ = false;
};

// What the loop is for RISC-V: `body`, what lies behind its end, and what calls execute beyond the body in a
// turn.
struct RiscvLoop {
  std::vector<riscv::Word> body;
  std::vector<riscv::Word> behind;
  double called = 0;
};

double rate_under_qemu(const RiscvLoop& loop) {
  constexpr riscv::Word upper_turns = 0x4000;
  constexpr double qemu_turns = upper_turns * 4096.0;
  const double per_turn = static_cast<double>(loop.body.size()) + 2 + loop.called;
  return riscv::qemu_rate(riscv::counted(loop.body, upper_turns, loop.behind), qemu_turns * per_turn);
}

void measure(benchmark::State& state, const std::string& source, const std::vector<PlainInstruction>& plain,
             const RiscvLoop& riscv_loop) {
  Program program(source);
  if (!program.ready() || program.run() == 0) return state.SkipWithError("the program does not run");
  const double plain_rate = best_rate([&] {
    PlainMachine machine;
    machine.x[2] = turns;
    const std::uint64_t steps = run_plain(plain, machine);
    benchmark::DoNotOptimize(machine.x.data());
    return steps;
  });
  const double rate = best_rate([&] { return program.run(); });
  std::uint64_t steps = 0;
  for ([[maybe_unused]] auto _ : state) steps += program.run();
  state.SetItemsProcessed(static_cast<std::int64_t>(steps));
  state.counters["Plain"] = benchmark::Counter(plain_rate);
  state.counters["Ratio"] = rate / plain_rate;
  if (const double qemu = rate_under_qemu(riscv_loop); qemu > 0)
    state.counters["Qemu"] = benchmark::Counter(qemu);
}

// --- The loops ---

std::string looped(const std::string& body) {
  return "        HL.LIU  " + std::to_string(turns) + ", ->a0\n" + R"(
        HL.LIU  room, ->s0
loop:
)" + body +
         R"(
        BSTART  COND, loop
        subi    a0, 1, ->a0
        setc.ne a0, zero
        BSTOP
        j       end
function:
        addi    a1, 3, ->a1
        BSTART.STD RET
        BSTOP
end:
        .data
room:   .zero   512
)";
}

// The plain loop ends in the same three: count, compare, branch.
std::vector<PlainInstruction> plain_loop(std::vector<PlainInstruction> body) {
  body.push_back({Plain::AddImmediate, 2, 2, 0, -1});
  body.push_back({Plain::AddImmediate, 9, 2, 0, 0});
  body.push_back({Plain::BranchNotZero, 0, 9, 0, 0});
  body.push_back({Plain::End, 0, 0, 0, 0});
  return body;
}

void Arithmetic(benchmark::State& state) {
  measure(state, looped(R"(
        add     a1, a0, ->a1
        xor     a2, a1, ->a2
        addi    a3, 7, ->a3
        sub     a4, a2, ->a4
        mul     a5, a1, ->a5
        add     a6, a3, ->a6
        xor     a7, a4, ->a7
        sub     s1, a5, ->s1
)"),
          plain_loop({{Plain::Add, 3, 3, 2, 0},
                      {Plain::Xor, 4, 4, 3, 0},
                      {Plain::AddImmediate, 5, 5, 0, 7},
                      {Plain::Sub, 6, 6, 4, 0},
                      {Plain::Mul, 7, 7, 3, 0},
                      {Plain::Add, 8, 8, 5, 0},
                      {Plain::Xor, 10, 10, 6, 0},
                      {Plain::Sub, 11, 11, 7, 0}}),
          {.body = {riscv::add(11, 11, 10), riscv::exclusive_or(12, 12, 11), riscv::addi(13, 13, 7),
                    riscv::sub(14, 14, 12), riscv::mul(15, 15, 11), riscv::add(16, 16, 13),
                    riscv::exclusive_or(18, 18, 14), riscv::sub(19, 19, 15)},
           .behind = {}});
}
BENCHMARK(Arithmetic)->Unit(benchmark::kMillisecond);

void LoadsAndStores(benchmark::State& state) {
  measure(
      state, looped(R"(
        ldi     [s0, 0], ->a1
        addi    a1, 1, ->a1
        sdi     a1, [s0, 8]
        ldi     [s0, 64], ->a2
        add     a2, a1, ->a2
        sdi     a2, [s0, 64]
        ldi     [s0, 128], ->a3
        sdi     a3, [s0, 136]
)"),
      plain_loop({{Plain::Load, 3, 12, 0, 0},
                  {Plain::AddImmediate, 3, 3, 0, 1},
                  {Plain::Store, 0, 12, 3, 8},
                  {Plain::Load, 4, 12, 0, 64},
                  {Plain::Add, 4, 4, 3, 0},
                  {Plain::Store, 0, 12, 4, 64},
                  {Plain::Load, 5, 12, 0, 128},
                  {Plain::Store, 0, 12, 5, 136}}),
      {.body = {riscv::ld(11, 8, 0), riscv::addi(11, 11, 1), riscv::sd(11, 8, 8), riscv::ld(12, 8, 64),
                riscv::add(12, 12, 11), riscv::sd(12, 8, 64), riscv::ld(13, 8, 128), riscv::sd(13, 8, 136)},
       .behind = {}});
}
BENCHMARK(LoadsAndStores)->Unit(benchmark::kMillisecond);

void Calls(benchmark::State& state) {
  measure(state, looped(R"(
        BSTART.CALL function, 1f, ->ra
        BSTOP
1:      BSTART.CALL function, 2f, ->ra
        BSTOP
2:      BSTART.CALL function, 3f, ->ra
        BSTOP
3:
)"),
          // Three calls of two instructions each, then the count; the function follows the end.
          {{Plain::Call, 0, 0, 0, 7},
           {Plain::Call, 0, 0, 0, 7},
           {Plain::Call, 0, 0, 0, 7},
           {Plain::AddImmediate, 2, 2, 0, -1},
           {Plain::AddImmediate, 9, 2, 0, 0},
           {Plain::BranchNotZero, 0, 9, 0, 0},
           {Plain::End, 0, 0, 0, 0},
           {Plain::AddImmediate, 3, 3, 0, 3},
           {Plain::Return, 0, 0, 0, 0}},
          // From the first call on, eight words: three calls, count, branch, three to end.
          {.body = {riscv::jal(1, 32), riscv::jal(1, 28), riscv::jal(1, 24)},
           .behind = {riscv::addi(11, 11, 3), riscv::jalr(0, 1)},
           .called = 6});
}
BENCHMARK(Calls)->Unit(benchmark::kMillisecond);

// Blocks of 128 bytes as a program writes them: five instructions each; the request that frees their tiles
// after each fifteen counts as well.
void BlockOf128Bytes(benchmark::State& state) {
  constexpr unsigned rounds = 1000, blocks = 15;
  Program program("        HL.LIU  " + std::to_string(rounds) + R"(, ->s0
loop:
        .rept   15
        BSTART.VEC TEXPANDS, U32
        B.DIM   zero, 32, ->LB0
        B.IOR   a0
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        .endr
        BSTART.SYS FALL
        acrc    1
        BSTOP
        BSTART  COND, loop
        subi    s0, 1, ->s0
        setc.ne s0, zero
        BSTOP
)");
  program.free_tiles_on_request();
  if (!program.ready() || program.run() == 0) return state.SkipWithError("the program does not run");
  for ([[maybe_unused]] auto _ : state) program.run();
  state.counters["Block"] = benchmark::Counter(static_cast<double>(state.iterations()) * rounds * blocks,
                                               benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(BlockOf128Bytes)->Unit(benchmark::kMillisecond);

}  // namespace
