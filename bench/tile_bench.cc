// Whole tile blocks against what the same bytes cost a plain loop: bind, check, run, publish.
//
// `Ratio` counters compare with the plain work measured right before, in the same run.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <random>
#include <vector>

#include "tile_blocks.h"

namespace {

using namespace pto;         // NOLINT
using namespace pto::bench;  // NOLINT

void permute(benchmark::State& state, TileLayout layout) {
  const std::uint32_t rows = layout == TileLayout::CUBE_M32 ? 32 : 16;
  Machine machine;
  machine.system_registers.tile_capacity = 0x40000;
  const exec::Config config{.release = default_release, .errata = exec::Errata::all()};
  std::mt19937 random(1);
  const std::uint32_t words = tile_bytes / 4 / rows;
  machine.tiles[0] = cube_tile(layout, ElementType::U32, rows, words);
  machine.tiles[1] = cube_tile(layout, ElementType::U32, rows, words);
  machine.tiles[2] = cube_tile(layout, ElementType::U8, rows, words * 4);
  const unsigned limit = layout == TileLayout::CUBE_M32 ? 8 : 16;
  fill_bytes(machine.tiles[0], random);
  fill_bytes(machine.tiles[1], random);
  fill_bytes(machine.tiles[2], [&] { return random() % limit; });
  describe(machine, state::OperationClass::TileElement, 0x75, ElementType::U32);
  machine.block.tile_bindings[0] = binding(0, 1, false, false);
  machine.block.tile_bindings[1] = binding(2, -1, true, true);
  exec::Context context{machine, config};
  std::vector<std::uint8_t> a(tile_bytes, 1), b(tile_bytes, 2), c(tile_bytes, 3), out(tile_bytes);
  against(state, context, [&] {
    // Three tiles read, one written.
    std::memcpy(out.data(), a.data(), tile_bytes);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
    std::memcpy(out.data(), b.data(), tile_bytes);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
    std::memcpy(out.data(), c.data(), tile_bytes);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  });
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * 4 * tile_bytes);
}
void TPERMUTE_M32(benchmark::State& state) { permute(state, TileLayout::CUBE_M32); }
void TPERMUTE_M16(benchmark::State& state) { permute(state, TileLayout::CUBE_M16); }
BENCHMARK(TPERMUTE_M32);
BENCHMARK(TPERMUTE_M16);

void MGATHER_MASK(benchmark::State& state) {
  constexpr Word window = Word{16} << 20;
  constexpr Word base = 0x10000000;
  constexpr std::uint32_t lanes = 16384;
  Machine machine;
  const exec::Config config{.release = default_release, .errata = exec::Errata::all()};
  if (!machine.memory.map(base, window, {.read = true, .write = true, .execute = false})) return;
  std::mt19937_64 random(2);
  std::vector<std::uint32_t> flat(window / 4);
  for (std::size_t i = 0; i < flat.size(); ++i) {
    flat[i] = static_cast<std::uint32_t>(random());
    machine.memory.store(base + 4 * i, 4, flat[i]);
  }
  std::vector<std::uint32_t> offsets(lanes);
  std::vector<std::uint8_t> enabled(lanes);
  machine.tiles[0] = row_major(ElementType::U32, 128, 128);
  define(machine.tiles[0]);
  machine.tiles[1] = row_major(ElementType::U8, 128, 128);
  machine.tiles[1].storage_kind = state::StorageKind::Predicate;
  define(machine.tiles[1]);
  for (std::uint32_t i = 0; i < lanes; ++i) {
    offsets[i] = static_cast<std::uint32_t>(random() % (window / 4) * 4);
    enabled[i] = random() % 2 == 0;
    machine.tiles[0].set_element(i, offsets[i]);
    machine.tiles[1].set_element(i, enabled[i]);
  }
  describe(machine, state::OperationClass::TileMemory, 6, ElementType::U32);
  dimension(machine, 0, 128);
  dimension(machine, 1, 128);
  machine.gpr[0].x[4] = base;
  machine.block.scalar_bindings[0] = {
      .valid = true, .destination = 0, .source0 = 4, .source1 = 0, .source2 = 0, .source_count = 3};
  machine.block.tile_bindings[0] = binding(0, 1, true, true);
  exec::Context context{machine, config};
  std::vector<std::uint32_t> out(lanes);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(flat.data());
  against(state, context, [&] {
    for (std::uint32_t i = 0; i < lanes; ++i) {
      std::uint32_t value = 0;
      if (enabled[i] != 0) {
        const Word address = base + offsets[i];
        if (address % 4 != 0 || address < base || address - base > window - 4) std::abort();
        std::memcpy(&value, bytes + (address - base), 4);
      }
      out[i] = value;
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(MGATHER_MASK);

// What the smallest block costs, whatever it does.
void TEXPANDS_128_bytes(benchmark::State& state) {
  Machine machine;
  const exec::Config config{.release = default_release, .errata = exec::Errata::all()};
  describe(machine, state::OperationClass::TileElement, 0x3b, ElementType::U32);
  dimension(machine, 0, 32);
  machine.block.tile_bindings[0] = binding(-1, -1, true, true);
  machine.block.tile_bindings[0].destination_size = 1;
  exec::Context context{machine, config};
  if (!complete(context)) return state.SkipWithError("the block was refused");
  for ([[maybe_unused]] auto _ : state) complete(context);
}
BENCHMARK(TEXPANDS_128_bytes);

void TPERMUTE_128_bytes(benchmark::State& state) {
  Machine machine;
  const exec::Config config{.release = default_release, .errata = exec::Errata::all()};
  for (unsigned i = 0; i < 3; ++i) {
    machine.tiles[i] =
        cube_tile(TileLayout::CUBE_M32, i == 2 ? ElementType::U8 : ElementType::U32, 32, i == 2 ? 4 : 1);
    machine.tiles[i].capacity_bytes = 128;
    fill_bytes(machine.tiles[i], [] { return 5; });
  }
  describe(machine, state::OperationClass::TileElement, 0x75, ElementType::U32);
  machine.block.tile_bindings[0] = binding(0, 1, false, false);
  machine.block.tile_bindings[1] = binding(2, -1, true, true);
  machine.block.tile_bindings[1].destination_size = 1;
  exec::Context context{machine, config};
  if (!complete(context)) return state.SkipWithError("the block was refused");
  for ([[maybe_unused]] auto _ : state) complete(context);
}
BENCHMARK(TPERMUTE_128_bytes);

}  // namespace
