// Matrix blocks against a plain triple loop over row-major matrices.
#include "native_loops.h"
#include "operation_block.h"

namespace {

using namespace pto;         // NOLINT
using namespace pto::bench;  // NOLINT
using benchmark::State;

Tile sized(Tile tile) {
  tile.capacity_bytes = 128;
  while (tile.capacity_bytes < tile.cube_storage_bytes) tile.capacity_bytes *= 2;
  return tile;
}

// One word in the first slot of B.IOR.
void machine_scalar(OperationBlock& block, Word word) {
  block.machine.gpr[0].x[4] = word;
  block.machine.block.scalar_bindings[0] = {
      .valid = true, .destination = 0, .source0 = 4, .source1 = 0, .source2 = 0, .source_count = 3};
}

// The valid elements, row by row.
template <class T>
std::vector<T> numbers_of(const Tile& tile) {
  std::vector<T> numbers;
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < tile.valid_columns; ++column)
      numbers.push_back(static_cast<T>(tile.element(state::storage_index(tile, row, column))));
  }
  return numbers;
}

template <class In, class Out>
void product(State& state, const char* name, ElementType type, std::uint32_t m, std::uint32_t n,
             std::uint32_t k) {
  OperationBlock block(name, type, Release::v0_58_3);
  const TileLayout layout = m <= 16 ? TileLayout::CUBE_M16 : TileLayout::CUBE_M32;
  const Tile& left_tile = block.source(sized(cube_tile(layout, type, m, k)), std::mt19937(1));
  const Tile& right_tile = block.source(sized(cube_tile(TileLayout::CUBE_N8, type, k, n)), std::mt19937(2));
  dimension(block.machine, 0, m);
  dimension(block.machine, 1, n);
  dimension(block.machine, 2, k);
  block.machine.block.fixed_point_attributes.valid = true;
  block.results(1);
  const std::vector<In> left = numbers_of<In>(left_tile), right = numbers_of<In>(right_tile);
  std::vector<Out> out(m * n);
  const auto plain = [&] {
    native::matrix_product(left.data(), right.data(), out.data(), m, n, k);
    benchmark::DoNotOptimize(out.data());
  };
  block.against(state, plain, [&](const Tile& result) {
    plain();
    return numbers_of<Out>(result) == out;
  });
}
void TMATMUL_S8_16x128x128(State& state) {
  product<std::int8_t, std::int32_t>(state, "TMATMUL", ElementType::S8, 16, 128, 128);
}
void TMATMUL_S8_32x256x128(State& state) {
  product<std::int8_t, std::int32_t>(state, "TMATMUL", ElementType::S8, 32, 256, 128);
}
void TMATMUL_U8_16x128x128(State& state) {
  product<std::uint8_t, std::uint32_t>(state, "TMATMUL", ElementType::U8, 16, 128, 128);
}
void TMATMUL_FP16_16x128x128(State& state) {
  product<std::uint16_t, std::uint32_t>(state, "TMATMUL", ElementType::FP16, 16, 128, 128);
}
void TGEMV_S8_1x128x128(State& state) {
  product<std::int8_t, std::int32_t>(state, "TGEMV", ElementType::S8, 1, 128, 128);
}
BENCHMARK(TMATMUL_S8_16x128x128);
BENCHMARK(TMATMUL_S8_32x256x128);
BENCHMARK(TMATMUL_U8_16x128x128);
BENCHMARK(TMATMUL_FP16_16x128x128);
BENCHMARK(TGEMV_S8_1x128x128);

// Sums quantized on their way out.
void quantized(State& state, ElementType type, unsigned mode) {
  constexpr std::uint32_t m = 16, n = 128, k = 128;
  OperationBlock block("TMATMUL", type, Release::v0_58_3);
  block.source(sized(cube_tile(TileLayout::CUBE_M16, type, m, k)), std::mt19937(1));
  block.source(sized(cube_tile(TileLayout::CUBE_N8, type, k, n)), std::mt19937(2));
  dimension(block.machine, 0, m);
  dimension(block.machine, 1, n);
  dimension(block.machine, 2, k);
  state::FixedPointAttributes& post = block.machine.block.fixed_point_attributes;
  post.valid = true;
  post.pre_quant_mode = static_cast<std::uint8_t>(mode);
  block.attributes(row_of(type).code);
  machine_scalar(block, Word{117} << 23);
  block.results(1);
  std::vector<std::int8_t> left(m * k, 3), right(k * n, 5), out(m * n);
  std::vector<std::int32_t> sums(m * n);
  block.against(state, [&] {
    native::matrix_product(left.data(), right.data(), sums.data(), m, n, k);
    native::quantize_sums(sums.data(), 0.001f, 0, out.data(), out.size());
    benchmark::DoNotOptimize(out.data());
  });
}
void TMATMUL_S8_into_S8(State& state) { quantized(state, ElementType::S8, 3); }
void TMATMUL_S8_into_FP16(State& state) { quantized(state, ElementType::S8, 5); }
void TMATMUL_E5M2_into_E4M3(State& state) { quantized(state, ElementType::E5M2, 26); }
BENCHMARK(TMATMUL_S8_into_S8);
BENCHMARK(TMATMUL_S8_into_FP16);
BENCHMARK(TMATMUL_E5M2_into_E4M3);

}  // namespace
