// Tiles loaded, stored, cut, joined and rearranged, 64 KiB each, against plain loops.
#include "exec/tile/direct.h"
#include "native_loops.h"
#include "operation_block.h"

namespace {

using namespace pto;         // NOLINT
using namespace pto::bench;  // NOLINT
using benchmark::State;
using u8 = std::uint8_t;
using u32 = std::uint32_t;

constexpr std::uint32_t rows = 64, columns = 256;

Tile words(u32 tile_rows = rows, u32 tile_columns = columns) {
  Tile tile = row_major(ElementType::U32, tile_rows, tile_columns);
  tile.capacity_bytes = tile_rows * tile_columns * 4;
  return tile;
}
template <class T>
const T* numbers(const OperationBlock& block, unsigned source) {
  return reinterpret_cast<const T*>(block.machine.tiles[source].storage.payload().data());
}

// --- Memory ---

constexpr Word address = 0x10000000;
constexpr std::size_t memory_bytes = 1 << 20;

void map(OperationBlock& block) {
  if (!block.machine.memory.map(address, memory_bytes, {.read = true, .write = true, .execute = false}))
    std::abort();
  std::mt19937_64 random(5);
  for (std::size_t at = 0; at < memory_bytes; at += 8) block.machine.memory.store(address + at, 8, random());
}

// Rows of 1 KiB, `stride` bytes apart.
void load(State& state, Word stride) {
  OperationBlock block("TLOAD", ElementType::U32);
  map(block);
  block.scalars(address, stride);
  block.shape(columns, rows);
  block.results(1);
  std::vector<u8> memory(memory_bytes), out(tile_bytes);
  block.against(state, [&] {
    native::copy_rows(memory.data(), stride, out.data(), 1024, rows, 1024);
    benchmark::DoNotOptimize(out.data());
  });
}
void store(State& state, Word stride) {
  OperationBlock block("TSTORE", ElementType::U32);
  map(block);
  block.source(words(), std::mt19937(1));
  block.scalars(address, stride);
  block.shape(columns, rows);
  block.results(0);
  std::vector<u8> memory(memory_bytes);
  block.against(state, [&] {
    native::copy_rows(numbers<u8>(block, 0), 1024, memory.data(), stride, rows, 1024);
    benchmark::DoNotOptimize(memory.data());
  });
}
void TLOAD_NORM(State& state) { load(state, 1024); }
void TLOAD_NORM_strided(State& state) { load(state, 4096); }
void TSTORE_NORM(State& state) { store(state, 1024); }
void TSTORE_NORM_strided(State& state) { store(state, 4096); }
BENCHMARK(TLOAD_NORM);
BENCHMARK(TLOAD_NORM_strided);
BENCHMARK(TSTORE_NORM);
BENCHMARK(TSTORE_NORM_strided);

constexpr unsigned to_m32 = 21, to_m16 = 22, to_n8 = 23, from_m32 = 24, from_m16 = 25;

void load_cells(State& state, unsigned layout, u32 tile_rows, u32 tile_columns) {
  OperationBlock block("TLOAD", ElementType::U8);
  map(block);
  block.scalars(address, tile_columns);
  block.shape(tile_columns, tile_rows);
  block.attributes(31).data_layout = static_cast<u8>(layout);
  block.results(1);
  std::vector<u8> memory(memory_bytes), out(tile_bytes);
  block.against(state, [&] {
    if (layout == to_n8) {
      native::columns_to_cells(memory.data(), out.data(), tile_rows, tile_columns);
    } else {
      native::rows_to_cells(memory.data(), out.data(), tile_rows, tile_columns, tile_rows, 128 / tile_rows);
    }
  });
}
void store_cells(State& state, unsigned layout, TileLayout tile_layout, u32 tile_rows, u32 tile_columns) {
  OperationBlock block("TSTORE", ElementType::U8);
  map(block);
  block.source(cube_tile(tile_layout, ElementType::U8, tile_rows, tile_columns), std::mt19937(1));
  block.scalars(address, tile_columns);
  block.shape(tile_columns, tile_rows);
  block.attributes(31).data_layout = static_cast<u8>(layout);
  block.results(0);
  std::vector<u8> memory(memory_bytes);
  block.against(state, [&] {
    native::cells_to_rows(numbers<u8>(block, 0), memory.data(), tile_rows, tile_columns, tile_rows,
                          128 / tile_rows);
  });
}
void TLOAD_ND2M32(State& state) { load_cells(state, to_m32, 32, 2048); }
void TLOAD_ND2M16(State& state) { load_cells(state, to_m16, 16, 4096); }
void TLOAD_ND2N8(State& state) { load_cells(state, to_n8, 256, 256); }
void TSTORE_M322ND(State& state) { store_cells(state, from_m32, TileLayout::CUBE_M32, 32, 2048); }
void TSTORE_M162ND(State& state) { store_cells(state, from_m16, TileLayout::CUBE_M16, 16, 4096); }
BENCHMARK(TLOAD_ND2M32);
BENCHMARK(TLOAD_ND2M16);
BENCHMARK(TLOAD_ND2N8);
BENCHMARK(TSTORE_M322ND);
BENCHMARK(TSTORE_M162ND);

void MSCATTER_MASK(State& state) {
  OperationBlock block("MSCATTER_MASK", ElementType::U32);
  map(block);
  std::mt19937 random(1);
  block.source(words(), random);
  Tile& offsets = block.source(words());
  Tile mask = row_major(ElementType::U8, rows, columns);
  mask.storage_kind = state::StorageKind::Predicate;
  define(offsets);
  Tile& enabled = block.source(std::move(mask));
  define(enabled);
  std::vector<u8> flags(rows * columns);
  for (u32 i = 0; i < rows * columns; ++i) {
    offsets.set_element(i, random() % (memory_bytes / 4) * 4);
    enabled.set_element(i, flags[i] = random() % 2);
  }
  block.scalars(address);
  block.shape(columns, rows);
  block.results(0);
  std::vector<u8> memory(memory_bytes);
  block.against(state, [&] {
    if (!native::scatter(memory.data(), memory_bytes, numbers<u32>(block, 1), flags.data(),
                         numbers<u32>(block, 0), rows * columns))
      std::abort();
  });
}
BENCHMARK(MSCATTER_MASK);

void MGATHER_CAS(State& state) {
  OperationBlock block("MGATHER_CAS", ElementType::U32);
  map(block);
  std::mt19937 random(1);
  Tile& offsets = block.source(words());
  define(offsets);
  for (u32 i = 0; i < rows * columns; ++i) offsets.set_element(i, i * 2654435761u % (memory_bytes / 4) * 4);
  block.source(words(), random);
  block.source(words(), random);
  block.scalars(address);
  block.shape(columns, rows);
  block.results(1);
  std::vector<u8> memory(memory_bytes);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    if (!native::compare_swap(memory.data(), memory_bytes, numbers<u32>(block, 0), numbers<u32>(block, 1),
                              numbers<u32>(block, 2), out.data(), out.size()))
      std::abort();
  });
}
BENCHMARK(MGATHER_CAS);

void MGATHER_U32(State& state) {
  OperationBlock block("MGATHER", ElementType::U32);
  map(block);
  std::mt19937 random(1);
  Tile& offsets = block.source(words());
  define(offsets);
  for (u32 i = 0; i < rows * columns; ++i) offsets.set_element(i, random() % (memory_bytes / 4) * 4);
  block.scalars(address);
  block.shape(columns, rows);
  block.results(1);
  std::vector<u8> memory(memory_bytes), enabled(rows * columns, 1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    if (!native::gather(memory.data(), memory_bytes, numbers<u32>(block, 0), enabled.data(), out.data(),
                        out.size()))
      std::abort();
  });
}
BENCHMARK(MGATHER_U32);

// Four-bit elements: two in a byte.
void TLOAD_U4(State& state) {
  OperationBlock block("TLOAD", ElementType::U4X2);
  map(block);
  block.scalars(address, 1024);
  block.shape(2048, rows);
  block.results(1);
  std::vector<u8> memory(memory_bytes), out(tile_bytes);
  block.against(state, [&] {
    native::copy_rows(memory.data(), 1024, out.data(), 1024, rows, 1024);
    benchmark::DoNotOptimize(out.data());
  });
}
void TSTORE_U4(State& state) {
  OperationBlock block("TSTORE", ElementType::U4X2);
  map(block);
  block.source(row_major(ElementType::U4X2, rows, 2048), std::mt19937(1));
  block.scalars(address, 1024);
  block.shape(2048, rows);
  block.results(0);
  std::vector<u8> memory(memory_bytes);
  block.against(state, [&] {
    native::copy_rows(numbers<u8>(block, 0), 1024, memory.data(), 1024, rows, 1024);
    benchmark::DoNotOptimize(memory.data());
  });
}
BENCHMARK(TLOAD_U4);
BENCHMARK(TSTORE_U4);

// --- Tiles ---

void TINSERT_U32(State& state) {
  OperationBlock block("TINSERT", ElementType::U32);
  block.source(words(), std::mt19937(1));
  block.source(words(rows / 2, columns / 2), std::mt19937(2));
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    native::copy_block(numbers<u32>(block, 0), columns, out.data(), columns, rows, columns);
    native::copy_block(numbers<u32>(block, 1), columns / 2, out.data(), columns, rows / 2, columns / 2);
  });
}
BENCHMARK(TINSERT_U32);

// A direct call: no block allocates the Matrix location it needs.
void TIMG2COL_U8(State& state) {
  constexpr u32 height = 64, width = 64;
  Machine machine;
  exec::Config config;
  exec::Context context{machine, config};
  machine.system_registers.tile_capacity = 0x100000;
  const auto matrix = [&](unsigned number, u32 tile_rows, u32 tile_columns, u32 valid_columns) -> Tile& {
    Tile& tile = machine.tiles[number] = row_major(ElementType::U8, tile_rows, tile_columns);
    tile.location = state::TileLocation::Matrix;
    tile.valid_columns = valid_columns;
    return tile;
  };
  fill_bytes(matrix(0, height * 16, width, width), std::mt19937(1));
  define(matrix(1, height * width, 16, 9));
  state::FeatureMap& map = machine.tile_feature_maps.at(0);
  map.valid = true;
  map.height = height;
  map.width = width;
  map.filter_height = map.filter_width = 3;
  map.pad_left = map.pad_right = map.pad_top = map.pad_bottom = 1;
  exec::DecodedCall call;
  call.family = isa::TileFamily::TEPL;
  call.code = isa::find_tile_operation("TIMG2COL", config.release)->code();
  call.operands.destinations[0] = 1;
  call.operands.sources[0] = 0;
  const auto run = [&] {
    return exec::execute_decoded_call(context, call).status == exec::StepStatus::Executed;
  };
  if (!run()) return state.SkipWithError("the call was refused");
  std::vector<u8> out(height * width * 9);
  const double call_time = best_of([&] { run(); });
  const double plain_time = best_of([&] {
    native::unroll_windows(machine.tiles[0].storage.payload().data(), out.data(), height, width);
    benchmark::DoNotOptimize(out.data());
  });
  for ([[maybe_unused]] auto _ : state) run();
  state.counters["Ratio"] = plain_time / call_time;
  state.counters["PlainNs"] = plain_time;
}
BENCHMARK(TIMG2COL_U8);

void TCONCAT_U32(State& state) {
  OperationBlock block("TCONCAT", ElementType::U32);
  for (unsigned seed : {1u, 2u}) block.source(words(rows, columns / 2), std::mt19937(seed));
  block.shape(columns, rows);
  dimension(block.machine, 2, columns);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    native::copy_block(numbers<u32>(block, 0), columns / 2, out.data(), columns, rows, columns / 2);
    native::copy_block(numbers<u32>(block, 1), columns / 2, out.data() + columns / 2, columns, rows,
                       columns / 2);
  });
}
void TTRANS_U32(State& state) {
  OperationBlock block("TTRANS", ElementType::U32, Release::v0_58_3);
  block.source(words(128, 128), std::mt19937(1));
  block.shape(128, 128);
  block.results(1);
  std::vector<u32> out(128 * 128);
  block.against(state, [&] { native::transpose(numbers<u32>(block, 0), out.data(), 128, 128); });
}
void TFILLPAD_U32(State& state) {
  OperationBlock block("TFILLPAD", ElementType::U32, Release::v0_58_3);
  block.source(words(rows, columns / 2), std::mt19937(1));
  block.shape(columns, rows);
  dimension(block.machine, 2, columns);
  block.scalars(7);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    native::fill(7, out.data(), out.size());
    native::copy_block(numbers<u32>(block, 0), columns / 2, out.data(), columns, rows, columns / 2);
  });
}
void TPARTADD_U32(State& state) {
  OperationBlock block("TPARTADD", ElementType::U32, Release::v0_58_3);
  for (unsigned seed : {1u, 2u}) block.source(words(), std::mt19937(seed));
  block.shape(columns, rows);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state,
                [&] { native::add(numbers<u32>(block, 0), numbers<u32>(block, 1), out.data(), out.size()); });
}
void TTRI_U32(State& state) {
  OperationBlock block("TTRI", ElementType::U32);
  block.shape(columns, rows);
  block.scalars(0, 1);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] { native::triangle(out.data(), rows, columns); });
}
void TCI_U32(State& state) {
  OperationBlock block("TCI", ElementType::U32);
  block.shape(rows * columns, 1);
  block.scalars(5);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] { native::sequence(5, out.data(), out.size()); });
}
void TEXPANDS_U32(State& state) {
  OperationBlock block("TEXPANDS", ElementType::U32);
  block.shape(columns, rows);
  block.scalars(5);
  block.results(1);
  std::vector<u32> out(rows * columns);
  block.against(state, [&] {
    native::fill(5, out.data(), out.size());
    benchmark::DoNotOptimize(out.data());
  });
}
BENCHMARK(TCONCAT_U32);
BENCHMARK(TTRANS_U32);
BENCHMARK(TFILLPAD_U32);
BENCHMARK(TPARTADD_U32);
BENCHMARK(TTRI_U32);
BENCHMARK(TCI_U32);
BENCHMARK(TEXPANDS_U32);

// --- CELLs of 32 rows by one word ---

constexpr u32 cell_words = 512;

OperationBlock cells(const char* name, unsigned sources, Word control) {
  OperationBlock block(name, ElementType::U32);
  for (unsigned number = 0; number < sources; ++number)
    block.source(cube_tile(TileLayout::CUBE_M32, ElementType::U32, 32, cell_words), std::mt19937(number));
  block.scalars(control);
  block.results(1);
  return block;
}
void TSHUF_butterfly(State& state) {
  OperationBlock block = cells("TSHUF", 2, 0x402);
  std::vector<u32> out(32 * cell_words);
  block.against(state, [&] {
    native::shuffle_butterfly(numbers<u32>(block, 0), numbers<u32>(block, 1), out.data(), out.size());
  });
}
void TPACK(State& state) {
  OperationBlock block = cells("TPACK", 2, 0x202);
  std::vector<u32> out(32 * cell_words);
  block.against(
      state, [&] { native::pack(numbers<u32>(block, 0), numbers<u32>(block, 1), out.data(), out.size()); });
}
void TUNPACK(State& state) {
  OperationBlock block = cells("TUNPACK", 1, 0x201);
  std::vector<u32> out(32 * cell_words);
  block.against(state, [&] { native::unpack(numbers<u32>(block, 0), out.data(), out.size()); });
}
BENCHMARK(TSHUF_butterfly);
BENCHMARK(TPACK);
BENCHMARK(TUNPACK);

}  // namespace
