// Elementwise blocks on 64 KiB tiles against the loop a person would write for this machine.

#include "native_loops.h"
#include "tile_blocks.h"

namespace {

using namespace pto;         // NOLINT
using namespace pto::bench;  // NOLINT

constexpr unsigned tadd = 0, tmul = 2;

template <class T>
using Loop = void (*)(const T*, const T*, T*, std::size_t);

template <class T>
void elementwise(benchmark::State& state, unsigned selector, ElementType type, Loop<T> loop) {
  constexpr std::uint32_t rows = 64, columns = tile_bytes / sizeof(T) / rows;
  Machine machine;
  machine.system_registers.tile_capacity = 0x40000;
  const exec::Config config;
  std::mt19937 random(1);
  for (unsigned number : {0u, 1u}) {
    machine.tiles[number] = row_major(type, rows, columns);
    fill_bytes(machine.tiles[number], random);
  }
  describe(machine, state::OperationClass::TileElement, selector, type);
  dimension(machine, 0, columns);
  dimension(machine, 1, rows);
  machine.block.tile_bindings[0] = binding(0, 1, true, true);
  exec::Context context{machine, config};
  constexpr std::size_t count = tile_bytes / sizeof(T);
  std::vector<T> left(count, 3), right(count, 5), out(count);
  against(state, context, [&] {
    loop(left.data(), right.data(), out.data(), count);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  });
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * 3 * tile_bytes);
}

void TADD_U32(benchmark::State& state) {
  elementwise<std::uint32_t>(state, tadd, ElementType::U32, native::add);
}
void TADD_U8(benchmark::State& state) {
  elementwise<std::uint8_t>(state, tadd, ElementType::U8, native::add);
}
void TMUL_U32(benchmark::State& state) {
  elementwise<std::uint32_t>(state, tmul, ElementType::U32, native::multiply);
}
void TMUL_U8(benchmark::State& state) {
  elementwise<std::uint8_t>(state, tmul, ElementType::U8, native::multiply);
}
BENCHMARK(TADD_U32);
BENCHMARK(TADD_U8);
BENCHMARK(TMUL_U32);
BENCHMARK(TMUL_U8);

}  // namespace
