// Folds and expansions along rows and columns, sorts, histograms and row gathers on 64 KiB tiles against
// plain loops.
#include <numeric>

#include "native_loops.h"
#include "operation_block.h"

namespace {

using namespace pto;         // NOLINT
using namespace pto::bench;  // NOLINT
using benchmark::State;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

constexpr std::uint32_t rows = 64, columns = 256;

Tile words(ElementType type = ElementType::U32) { return row_major(type, rows, columns); }
Tile sized(Tile tile, std::uint32_t bytes) {
  tile.capacity_bytes = bytes;
  return tile;
}
template <class T>
const T* numbers(const OperationBlock& block, unsigned source) {
  return reinterpret_cast<const T*>(block.machine.tiles[source].storage.payload().data());
}
// Bytes of random finite FP32 numbers.
struct Floats {
  std::mt19937 random{1};
  std::uniform_real_distribution<float> number{-1000, 1000};
  unsigned at = 0;
  float value = 0;
  std::uint8_t operator()() {
    if (at % 4 == 0) value = number(random);
    std::uint8_t bytes[4];
    std::memcpy(bytes, &value, 4);
    return bytes[at++ % 4];
  }
};

// --- Folds ---

template <class T>
void fold(State& state, const char* name, ElementType type, std::uint32_t results,
          void (*loop)(const T*, T*, std::size_t, std::size_t)) {
  OperationBlock block(name, type);
  block.source(words(type), Floats{});
  block.shape(columns, rows);
  block.results(1, results == rows ? 2 : 4);
  std::vector<T> out(results);
  block.against(state, [&] { loop(numbers<T>(block, 0), out.data(), rows, columns); });
}
void TROWSUM_U32(State& state) { fold<u32>(state, "TROWSUM", ElementType::U32, rows, native::row_sums); }
void TROWMAX_U32(State& state) { fold<u32>(state, "TROWMAX", ElementType::U32, rows, native::row_maxima); }
void TROWMAX_FP32(State& state) {
  fold<float>(state, "TROWMAX", ElementType::FP32, rows, native::row_maxima);
}
void TROWARGMAX_U32(State& state) {
  fold<u32>(state, "TROWARGMAX", ElementType::U32, rows, native::row_maximum_places);
}
void TCOLARGMAX_U32(State& state) {
  fold<u32>(state, "TCOLARGMAX", ElementType::U32, columns, native::column_maximum_places);
}
void TCOLSUM_U32(State& state) {
  fold<u32>(state, "TCOLSUM", ElementType::U32, columns, native::column_sums);
}
BENCHMARK(TROWSUM_U32);
BENCHMARK(TROWMAX_U32);
BENCHMARK(TROWMAX_FP32);
BENCHMARK(TROWARGMAX_U32);
BENCHMARK(TCOLARGMAX_U32);
BENCHMARK(TCOLSUM_U32);

// --- Expansions ---

void TROWEXPAND_U32(State& state) {
  OperationBlock block("TROWEXPAND", ElementType::U32);
  block.source(sized(row_major(ElementType::U32, rows, 1), rows * 4), std::mt19937(1));
  block.shape(columns, rows);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] { native::spread_rows(numbers<u32>(block, 0), out.data(), rows, columns); });
}
void TROWEXPANDADD_U32(State& state) {
  OperationBlock block("TROWEXPANDADD", ElementType::U32);
  block.source(words(), std::mt19937(1));
  block.source(sized(row_major(ElementType::U32, rows, 1), rows * 4), std::mt19937(2));
  block.shape(columns, rows);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    native::add_column(numbers<u32>(block, 0), numbers<u32>(block, 1), out.data(), rows, columns);
  });
}
void TCOLEXPANDMUL_U32(State& state) {
  OperationBlock block("TCOLEXPANDMUL", ElementType::U32);
  block.source(words(), std::mt19937(1));
  block.source(sized(row_major(ElementType::U32, 1, columns), columns * 4), std::mt19937(2));
  block.shape(columns, rows);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    native::multiply_row(numbers<u32>(block, 0), numbers<u32>(block, 1), out.data(), rows, columns);
  });
}
BENCHMARK(TROWEXPAND_U32);
BENCHMARK(TROWEXPANDADD_U32);
BENCHMARK(TCOLEXPANDMUL_U32);

void TROWEXPANDEXPDIF_FP32(State& state) {
  OperationBlock block("TROWEXPANDEXPDIF", ElementType::FP32);
  block.source(words(ElementType::FP32), Floats{});
  block.source(sized(row_major(ElementType::FP32, rows, 1), rows * 4), Floats{});
  block.shape(columns, rows);
  block.results(1);
  std::vector<u32> difference(rows * columns), out(rows * columns);
  block.against(state, [&] {
    native::add_column(numbers<u32>(block, 0), numbers<u32>(block, 1), difference.data(), rows, columns);
    native::exponential(difference.data(), out.data(), out.size());
  });
}
BENCHMARK(TROWEXPANDEXPDIF_FP32);

// --- Orders and counts ---

void TSORT_FP32(State& state) {
  OperationBlock block("TSORT", ElementType::FP32);
  block.source(words(ElementType::FP32), Floats{});
  block.results(2);
  std::vector<float> out(rows * columns);
  std::vector<u32> places(rows * columns);
  block.against(state, [&] {
    native::sort_groups(numbers<float>(block, 0), out.data(), places.data(), rows, columns, 32);
  });
}
void TMRGSORT_FP32(State& state) {
  constexpr std::uint32_t half = 8192;
  OperationBlock block("TMRGSORT", ElementType::FP32);
  for (unsigned number = 0; number < 2; ++number) {
    Tile& tile = block.source(sized(row_major(ElementType::FP32, 1, half), half * 4), Floats{});
    auto* values = reinterpret_cast<float*>(tile.storage.mutable_payload().data());
    std::sort(values, values + half);
  }
  block.results(1);
  std::vector<float> out(2 * half);
  block.against(state,
                [&] { native::merge(numbers<float>(block, 0), numbers<float>(block, 1), out.data(), half); });
}
void THISTOGRAM_U16(State& state) {
  OperationBlock block("THISTOGRAM", ElementType::U16);
  block.source(row_major(ElementType::U16, rows, 512), std::mt19937(1));
  block.source(sized(row_major(ElementType::U8, 128, 1), 128), std::mt19937(2));
  block.attributes(row_of(ElementType::U32).code).pad_value = 1;  // the high byte
  block.results(1);
  std::vector<u32> out(rows * 256);
  block.against(state, [&] { native::histogram(numbers<u16>(block, 0), out.data(), rows, 512); });
}
BENCHMARK(TSORT_FP32);
BENCHMARK(TMRGSORT_FP32);
BENCHMARK(THISTOGRAM_U16);

// --- Rows picked by number ---

// A permutation of the rows for every column.
void fill_indices(Tile& tile) {
  std::mt19937 random(3);
  define(tile);
  std::vector<u32> order(rows);
  for (u32 column = 0; column < columns; ++column) {
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    for (u32 row = 0; row < rows; ++row) tile.set_element(row * columns + column, order[row]);
  }
}
void pick_rows(State& state, const char* name,
               bool (*loop)(const u32*, const u32*, u32*, std::size_t, std::size_t)) {
  OperationBlock block(name, ElementType::U32);
  block.source(words(), std::mt19937(1));
  fill_indices(block.source(words()));
  block.shape(columns, rows);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state,
                [&] { loop(numbers<u32>(block, 0), numbers<u32>(block, 1), out.data(), rows, columns); });
}
void TGATHER_U32(State& state) { pick_rows(state, "TGATHER", native::gather_rows); }
void TSCATTER_U32(State& state) { pick_rows(state, "TSCATTER", native::scatter_rows); }
BENCHMARK(TGATHER_U32);
BENCHMARK(TSCATTER_U32);

}  // namespace
