// Tile blocks built straight into a machine, so that completing one is all that is measured.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <random>
#include <vector>

#include "exec/tile/complete.h"

namespace pto::bench {

using state::Machine;
using state::Tile;
using state::TileLayout;

constexpr std::uint32_t tile_bytes = 65536;
constexpr unsigned size_code_64k = 10;

inline Tile cube_tile(TileLayout layout, ElementType type, std::uint32_t rows, std::uint32_t columns) {
  Tile tile;
  tile.allocated = true;
  tile.allocation_mask = 0xf;
  tile.capacity_bytes = tile_bytes;
  tile.layout = layout;
  tile.location = state::TileLocation::Matrix;
  tile.data_type = type;
  tile.valid_rows = rows;
  tile.valid_columns = columns;
  const state::CubeGeometry geometry = state::cube_geometry(layout, rows, columns, type, Release::v0_58_5);
  tile.rows = geometry.rows;
  tile.columns = geometry.columns;
  tile.cube_k_repeat = geometry.k_repeat;
  tile.cube_n_repeat = geometry.n_repeat;
  tile.cube_cell_count = geometry.cells;
  tile.cube_storage_bytes = geometry.bytes;
  return tile;
}

inline Tile row_major(ElementType type, std::uint32_t rows, std::uint32_t columns) {
  Tile tile;
  tile.allocated = true;
  tile.allocation_mask = 1;
  tile.capacity_bytes = tile_bytes;
  tile.data_type = type;
  tile.rows = tile.valid_rows = rows;
  tile.columns = tile.valid_columns = columns;
  return tile;
}

inline void define(Tile& tile) {
  tile.fresh_storage();
  for (std::uint64_t& word : tile.storage.mutable_defined()) word = ~std::uint64_t{0};
  tile.contents_defined = true;
  tile.defined_valid_elements = tile.valid_rows * tile.valid_columns;
}

template <class Make>
inline void fill_bytes(Tile& tile, Make make) {
  define(tile);
  for (std::uint8_t& byte : tile.storage.mutable_payload()) byte = static_cast<std::uint8_t>(make());
}

inline state::TileBinding binding(int source0, int source1, bool destination, bool last) {
  state::TileBinding bound;
  bound.valid = true;
  bound.pe_mask = 1;
  bound.source0_valid = source0 >= 0;
  bound.source1_valid = source1 >= 0;
  bound.source0 = static_cast<std::uint8_t>(std::max(source0, 0));
  bound.source1 = static_cast<std::uint8_t>(std::max(source1, 0));
  bound.destination_valid = destination;
  bound.destination = bound.destination_hand = destination ? 3 : 0;
  bound.destination_size = destination ? size_code_64k : 0;
  bound.last = last;
  return bound;
}

inline void describe(Machine& machine, state::OperationClass kind, unsigned selector, ElementType type) {
  state::Operation& operation = machine.block.operation;
  operation.valid = operation.selector_valid = operation.data_type_valid = true;
  operation.operation_class = kind;
  operation.selector = static_cast<std::uint16_t>(selector);
  operation.mode_valid = kind == state::OperationClass::TileElement;
  operation.mode = static_cast<std::uint8_t>(selector >> 5);
  operation.data_type = row_of(type).code;
  machine.bundle_active = true;
}

inline void dimension(Machine& machine, unsigned number, Word value) {
  machine.block.dimensions[number] = value;
  machine.block.dimension_present[number] = true;
}

// Frees what a completed block made, so that it can be completed again.
inline void release(Machine& machine) {
  for (state::TileBinding& bound : machine.block.tile_bindings) {
    if (!bound.valid || !bound.destination_allocated_by_bundle) continue;
    machine.tiles[bound.destination].allocated = false;
    bound.destination = bound.destination_hand;
    bound.destination_allocated_by_bundle = false;
  }
}

inline bool complete(exec::Context& context) {
  const exec::Completion completion = exec::complete_tile_operation(context);
  release(context.machine);
  return completion.status == exec::CompletionStatus::Executed;
}

// Nanoseconds of one call, the best of many.
template <class Work>
double best_of(Work work) {
  double best = 1e18;
  for (int i = 0; i < 200; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

// Runs the block under the benchmark and reports its speed as a fraction of `plain`'s.
template <class Plain>
inline void against(benchmark::State& state, exec::Context& context, Plain plain) {
  if (!complete(context)) return state.SkipWithError("the block was refused");
  const double block_time = best_of([&] { complete(context); });
  const double plain_time = best_of(plain);
  for ([[maybe_unused]] auto _ : state) complete(context);
  state.counters["Ratio"] = plain_time / block_time;
  state.counters["PlainNs"] = plain_time;
}

}  // namespace pto::bench
