// The written language: lines assembled and words disassembled a second, on one core.
//
// The source is what a compiler writes: scalar code with labels and branches, blocks with their headers,
// data.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "text/assembler.h"
#include "text/disassembler.h"

namespace {

using namespace pto;  // NOLINT

constexpr unsigned turns = 2000;

std::string compiled_source() {
  std::string source = "        .text\n";
  for (unsigned turn = 0; turn < turns; ++turn) {
    const std::string label = ".L" + std::to_string(turn);
    source += label + ":\n";
    source += "        ldi     [sp, 16], ->a0\n";
    source += "        lwui    [a0, 4], ->t               # a comment\n";
    source += "        add     t#1, a1.sw<<2, ->a2\n";
    source += "        c.addi  a2, 3, ->t\n";
    source += "        HL.LIU  0x12345678, ->s0\n";
    source += "        sdi     a2, [sp, -8]\n";
    source += "        BSTART.TLOAD U32\n";
    source += "        B.DATR  ND2M32, DTYPE_NONE\n";
    source += "        B.DIM   zero, 32, ->lb0\n";
    source += "        B.IOR   s0, zero\n";
    source += "        B.IOT   mask=1111, last, ->t<4KB>\n";
    source += "        BSTART  COND, " + label + "\n";
    source += "        setc.ltu a0, a1\n";
    source += "        BSTOP\n";
  }
  source += "        .data\n";
  for (unsigned turn = 0; turn < turns; ++turn)
    source += "        .word   1, 2, 3, " + std::to_string(turn) + "\n";
  return source;
}

void AssembleLines(benchmark::State& bench) {
  const std::string source = compiled_source();
  const auto lines = static_cast<std::int64_t>(std::count(source.begin(), source.end(), '\n'));
  for (auto _ : bench) {
    const text::Assembled assembled = text::assemble(source, "bench.s", {});
    if (!assembled.ok()) {
      bench.SkipWithError(assembled.errors[0].render().c_str());
      return;
    }
    benchmark::DoNotOptimize(assembled.program);
  }
  bench.SetItemsProcessed(bench.iterations() * lines);
  bench.counters["lines/min"] =
      benchmark::Counter(static_cast<double>(bench.iterations() * lines) * 60, benchmark::Counter::kIsRate);
}
BENCHMARK(AssembleLines)->Unit(benchmark::kMillisecond);

// Random bytes: every form appears, and words that are none.
void DisassembleWords(benchmark::State& bench) {
  std::vector<std::uint8_t> image(std::size_t{1} << 20);
  std::mt19937 random(1);
  for (std::uint8_t& byte : image) byte = static_cast<std::uint8_t>(random());
  std::int64_t words = 0;
  for (auto _ : bench) {
    std::size_t characters = 0;
    text::disassemble_stream(image, {.release = default_release, .address = 0, .names = nullptr},
                             [&](const text::Piece& piece) {
                               characters += piece.text.size();
                               ++words;
                             });
    benchmark::DoNotOptimize(characters);
  }
  bench.SetItemsProcessed(words);
}
BENCHMARK(DisassembleWords)->Unit(benchmark::kMillisecond);

}  // namespace
