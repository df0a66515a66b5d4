// One tile block, described in a few lines and completed as often as wanted.
//
// The block state is what the header `BSTART NAME, TYPE; B.DIM…; B.IOR…; B.IOT…` leaves behind. Sources are
// registers t#1, t#2, …; results go to the hands m and n.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>

#include "isa/tile/operations.h"
#include "tile_blocks.h"

namespace pto::bench {

class OperationBlock {
 public:
  OperationBlock(std::string_view name, ElementType type, Release release = default_release)
      : operation_(*isa::find_tile_operation(name, release)) {
    config.release = release;
    machine.system_registers.tile_capacity = 0x100000;
    describe(machine, class_of(operation_.family), operation_.code(), type);
  }

  Tile& source(Tile tile) {
    Tile& placed = machine.tiles[sources_++];
    placed = std::move(tile);
    placed.allocation_mask = pe_mask;
    return placed;
  }
  template <class Make>
  Tile& source(Tile tile, Make make) {
    Tile& placed = source(std::move(tile));
    fill_bytes(placed, make);
    return placed;
  }
  void shape(std::uint32_t columns, std::uint32_t rows) {
    dimension(machine, 0, columns);
    dimension(machine, 1, rows);
  }
  void scalars(Word first, Word second = 0) {
    machine.gpr[0].x[4] = first;
    machine.gpr[0].x[5] = second;
    const std::uint8_t other = operation_.operands.scalars() > 1 ? 5 : 0;
    machine.block.scalar_bindings[0] = {
        .valid = true, .destination = 0, .source0 = 4, .source1 = other, .source2 = 0, .source_count = 3};
  }
  state::DataAttributes& attributes(unsigned data_type = 0) {
    machine.block.data_attributes_present = true;
    state::DataAttributes& given = machine.block.data_attributes;
    given.data_type_present = true;
    given.data_type = static_cast<std::uint8_t>(data_type);
    given.pad_value = 0;
    return given;
  }
  // B.IOT: two sources each, a result in as many of the last as there are.
  void results(unsigned count, unsigned size_code = size_code_64k) {
    const unsigned lines = std::max((sources_ + 1) / 2, std::max(count, 1u));
    for (unsigned line = 0; line < lines; ++line) {
      const auto nth = [&](unsigned number) { return number < sources_ ? static_cast<int>(number) : -1; };
      const bool gives = line + count >= lines;
      state::TileBinding& bound = machine.block.tile_bindings[line];
      bound = binding(nth(2 * line), nth(2 * line + 1), gives, line + 1 == lines);
      bound.pe_mask = pe_mask;
      if (gives) bound.destination_size = static_cast<std::uint8_t>(size_code);
      if (gives) bound.destination = bound.destination_hand = line + 1 == lines ? 3 : 2;
    }
  }

  // Completes it under the benchmark, as a fraction of the speed of `plain`. Where `agrees` is given it has
  // run `plain` and says whether the result, n#1, is the same.
  template <class Plain>
  void against(benchmark::State& state, Plain plain,
               const std::function<bool(const Tile& result)>& agrees = {}) {
    exec::Context context{machine, config};
    const exec::Completion first = exec::complete_tile_operation(context);
    if (first.status != exec::CompletionStatus::Executed) {
      return state.SkipWithError(
          first.status == exec::CompletionStatus::Unsupported
              ? "unsupported"
              : (std::string(first.rejection.rule->name) + ": " + first.rejection.values).c_str());
    }
    if (agrees && !agrees(machine.tiles[first_n])) return state.SkipWithError("another result");
    bench::release(machine);
    bench::against(state, context, [&] {
      plain();
      benchmark::ClobberMemory();
    });
  }

  Machine machine;
  exec::Config config{.release = default_release, .errata = exec::Errata::all()};  // as programs run
  static constexpr std::uint8_t pe_mask = 1;
  static constexpr std::size_t first_n = 48;

 private:
  static state::OperationClass class_of(isa::TileFamily family) {
    switch (family) {
      case isa::TileFamily::TLSU: return state::OperationClass::TileMemory;
      case isa::TileFamily::CUBE: return state::OperationClass::TileMatrix;
      default: return state::OperationClass::TileElement;
    }
  }
  const isa::TileOperation& operation_;
  unsigned sources_ = 0;
};

}  // namespace pto::bench
