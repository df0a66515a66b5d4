// Elementwise blocks and conversions on 64 KiB tiles against the loop a person would write for this machine.
#include "native_loops.h"
#include "operation_block.h"

namespace {

using namespace pto;         // NOLINT
using namespace pto::bench;  // NOLINT
using benchmark::State;

constexpr std::uint32_t rows = 64;
template <class T>
constexpr std::size_t count_of = tile_bytes / sizeof(T);
template <class T>
constexpr std::uint32_t columns_of = tile_bytes / sizeof(T) / rows;

template <class T>
Tile tile_of(ElementType type) {
  return row_major(type, rows, columns_of<T>);
}

// The numbers of a tile, and room for a loop's results.
template <class T>
const T* numbers(const OperationBlock& block, unsigned source) {
  return reinterpret_cast<const T*>(block.machine.tiles[source].storage.payload().data());
}
template <class T>
std::vector<T> room() {
  return std::vector<T>(count_of<T>);
}

// An operation on tiles of one type: `sources` tiles of random bytes.
template <class T>
OperationBlock elementwise(const char* name, ElementType type, unsigned sources, unsigned lowest_byte = 0) {
  OperationBlock block(name, type);
  std::mt19937 random(1);
  for (unsigned number = 0; number < sources; ++number)
    block.source(tile_of<T>(type), [&] { return random() % 256 | lowest_byte; });
  block.shape(columns_of<T>, rows);
  block.results(1);
  return block;
}

template <class T>
using Loop = void (*)(const T*, const T*, T*, std::size_t);

template <class T>
void two_tiles(State& state, const char* name, ElementType type, Loop<T> loop, unsigned lowest_byte = 0) {
  OperationBlock block = elementwise<T>(name, type, 2, lowest_byte);
  std::vector<T> out = room<T>();
  block.against(state, [&] { loop(numbers<T>(block, 0), numbers<T>(block, 1), out.data(), out.size()); });
}

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;

void TADD_U32(State& state) { two_tiles<u32>(state, "TADD", ElementType::U32, native::add); }
void TADD_U8(State& state) { two_tiles<u8>(state, "TADD", ElementType::U8, native::add); }
void TMUL_U32(State& state) { two_tiles<u32>(state, "TMUL", ElementType::U32, native::multiply); }
void TMUL_U8(State& state) { two_tiles<u8>(state, "TMUL", ElementType::U8, native::multiply); }
void TDIV_U32(State& state) { two_tiles<u32>(state, "TDIV", ElementType::U32, native::divide, 1); }
void TDIV_S32(State& state) { two_tiles<s32>(state, "TDIV", ElementType::S32, native::divide, 1); }
void TDIV_U8(State& state) { two_tiles<u8>(state, "TDIV", ElementType::U8, native::divide, 1); }
void TSHL_U32(State& state) { two_tiles<u32>(state, "TSHL", ElementType::U32, native::shift_left); }
void TMAX_S32(State& state) { two_tiles<s32>(state, "TMAX", ElementType::S32, native::larger); }
void TMAX_FP32(State& state) { two_tiles<float>(state, "TMAX", ElementType::FP32, native::larger_float); }
BENCHMARK(TADD_U32);
BENCHMARK(TADD_U8);
BENCHMARK(TMUL_U32);
BENCHMARK(TMUL_U8);
BENCHMARK(TDIV_U32);
BENCHMARK(TDIV_S32);
BENCHMARK(TDIV_U8);
BENCHMARK(TSHL_U32);
BENCHMARK(TMAX_S32);
BENCHMARK(TMAX_FP32);

void TADDS_U32(State& state) {
  OperationBlock block = elementwise<u32>("TADDS", ElementType::U32, 1);
  block.scalars(12345);
  std::vector<u32> out = room<u32>();
  block.against(state,
                [&] { native::add_scalar(numbers<u32>(block, 0), u32{12345}, out.data(), out.size()); });
}
BENCHMARK(TADDS_U32);

template <class T>
void one_tile(State& state, const char* name, ElementType type, void (*loop)(const T*, T*, std::size_t)) {
  OperationBlock block = elementwise<T>(name, type, 1);
  std::vector<T> out = room<T>();
  block.against(state, [&] { loop(numbers<T>(block, 0), out.data(), out.size()); });
}
void TABS_FP32(State& state) { one_tile<u32>(state, "TABS", ElementType::FP32, native::absolute); }
void TRELU_FP32(State& state) { one_tile<float>(state, "TRELU", ElementType::FP32, native::relu); }
void TEXP_FP32(State& state) { one_tile<u32>(state, "TEXP", ElementType::FP32, native::exponential); }
BENCHMARK(TABS_FP32);
BENCHMARK(TRELU_FP32);
BENCHMARK(TEXP_FP32);

void TFMA_U32(State& state) {
  OperationBlock block = elementwise<u32>("TFMA", ElementType::U32, 3);
  std::vector<u32> out = room<u32>();
  block.against(state, [&] {
    native::multiply_add(numbers<u32>(block, 0), numbers<u32>(block, 1), numbers<u32>(block, 2), out.data(),
                         out.size());
  });
}
BENCHMARK(TFMA_U32);

// --- Predicates ---

constexpr unsigned less_than = 2;

template <class T>
void comparison(State& state, ElementType type) {
  OperationBlock block = elementwise<T>("TCMP", type, 2);
  block.attributes().comparison_mode = less_than;
  std::vector<u8> out(count_of<T> / 8);
  block.against(
      state, [&] { native::less_than(numbers<T>(block, 0), numbers<T>(block, 1), out.data(), count_of<T>); });
}
void TCMP_U32(State& state) { comparison<u32>(state, ElementType::U32); }
void TCMP_FP32(State& state) { comparison<float>(state, ElementType::FP32); }
BENCHMARK(TCMP_U32);
BENCHMARK(TCMP_FP32);

void TSEL_U32(State& state) {
  OperationBlock block("TSEL", ElementType::U32);
  std::mt19937 random(1);
  Tile mask = row_major(ElementType::U8, rows, columns_of<u32>);
  mask.storage_kind = state::StorageKind::Predicate;
  block.source(std::move(mask), random);
  block.source(tile_of<u32>(ElementType::U32), random);
  block.source(tile_of<u32>(ElementType::U32), random);
  block.shape(columns_of<u32>, rows);
  block.results(1);
  std::vector<u32> out = room<u32>();
  block.against(state, [&] {
    native::select(numbers<u8>(block, 0), numbers<u32>(block, 1), numbers<u32>(block, 2), out.data(),
                   out.size());
  });
}
BENCHMARK(TSEL_U32);

// --- Conversions: the wider side fills the tile ---

template <class From, class To>
void conversion(State& state, const char* name, ElementType from, ElementType to, bool saturating,
                void (*loop)(const From*, To*, std::size_t)) {
  constexpr std::size_t count = tile_bytes / std::max(sizeof(From), sizeof(To));
  constexpr std::uint32_t columns = count / rows;
  OperationBlock block(name, from);
  std::mt19937 random(1);
  Tile tile = row_major(from, rows, columns);
  tile.capacity_bytes = count * sizeof(From);
  if (element_bits(from) == 32 && from == ElementType::FP32) {
    // Numbers of a size that quantization can hold.
    std::uniform_real_distribution<float> number(to == ElementType::E8M0 ? 1e-3f : -100, 100);
    float value = 0;
    unsigned at = 0;
    block.source(std::move(tile), [&] {
      if (at % 4 == 0) value = number(random);
      u8 bytes[4];
      std::memcpy(bytes, &value, 4);
      return bytes[at++ % 4];
    });
  } else {
    block.source(std::move(tile), random);
  }
  block.shape(columns, rows);
  block.attributes(row_of(to).code).saturating = saturating;
  unsigned size_code = size_code_64k;
  for (std::size_t bytes = count * sizeof(To); bytes < tile_bytes; bytes *= 2) --size_code;
  block.results(1, size_code);
  if (std::string_view(name) != "TCVT") block.scalars(0x3f000000, 3);  // half, and a zero point of 3
  std::vector<To> out(count);
  block.against(state, [&] { loop(numbers<From>(block, 0), out.data(), count); });
}
void TCVT_S8_to_S32(State& state) {
  conversion<std::int8_t, s32>(state, "TCVT", ElementType::S8, ElementType::S32, false, native::convert);
}
void TCVT_S32_to_S8(State& state) {
  conversion<s32, std::int8_t>(state, "TCVT", ElementType::S32, ElementType::S8, false, native::convert);
}
void TCVT_S32_to_S8_saturating(State& state) {
  conversion<s32, std::int8_t>(state, "TCVT", ElementType::S32, ElementType::S8, true, native::saturate);
}
void TCVT_FP32_to_FP16(State& state) {
  conversion<u32, std::uint16_t>(state, "TCVT", ElementType::FP32, ElementType::FP16, false, native::convert);
}
void TQUANT_S8(State& state) {
  conversion<float, std::int8_t>(state, "TQUANT", ElementType::FP32, ElementType::S8, true,
                                 [](const float* in, std::int8_t* out, std::size_t count) {
                                   native::quantize(in, 0.5f, 3, out, count);
                                 });
}
void TDEQUANT_S8(State& state) {
  conversion<std::int8_t, float>(state, "TDEQUANT", ElementType::S8, ElementType::FP32, false,
                                 [](const std::int8_t* in, float* out, std::size_t count) {
                                   native::dequantize(in, 0.5f, 3, out, count);
                                 });
}
void TCVT_FP32_to_E8M0(State& state) {
  conversion<u32, u8>(state, "TCVT", ElementType::FP32, ElementType::E8M0, false, native::exponents);
}
BENCHMARK(TCVT_FP32_to_E8M0);
BENCHMARK(TCVT_S8_to_S32);
BENCHMARK(TCVT_S32_to_S8);
BENCHMARK(TCVT_S32_to_S8_saturating);
BENCHMARK(TCVT_FP32_to_FP16);
BENCHMARK(TQUANT_S8);
BENCHMARK(TDEQUANT_S8);

}  // namespace
