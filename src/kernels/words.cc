#include "kernels/words.h"

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/words.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

constexpr std::size_t word_bytes = 4;
constexpr std::size_t cell_words = 32;

template <class T>
HWY_NOINLINE void CountLoop(T start, T step, std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  using Wide = std::common_type_t<T, unsigned>;
  for (std::size_t i = 0; i < count; ++i)
    store_carrier(out + i * sizeof(T), static_cast<T>(Wide{start} + static_cast<Wide>(i) * Wide{step}));
}

void CountUp(unsigned bytes, Word start, Word step, std::uint8_t* out, std::size_t count) {
  with_carrier(bytes, [&](auto carrier) {
    using T = decltype(carrier);
    CountLoop<T>(static_cast<T>(start), static_cast<T>(step), out, count);
  });
}

void JoinWords(const std::uint8_t* HWY_RESTRICT first, const std::uint8_t* HWY_RESTRICT second,
               const WordFields& fields, std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  const auto low_mask = static_cast<std::uint32_t>(mask_of(fields.low_bits));
  const auto high_mask = static_cast<std::uint32_t>(mask_of(fields.high_bits));
  const unsigned shift = fields.shift;
  const unsigned above = fields.low_bits & 31;  // with all 32 low bits there is nothing above them
  for (std::size_t i = 0; i < count; ++i) {
    const auto low = load_carrier<std::uint32_t>(first + i * word_bytes) >> shift & low_mask;
    const auto high = load_carrier<std::uint32_t>(second + i * word_bytes) & high_mask;
    store_carrier(out + i * word_bytes, low | high << above);
  }
}

// By word of a CELL and amount: the word it becomes, or the zero behind them.
struct WordTable {
  std::uint32_t source[cell_words * 32];
};

HWY_NOINLINE void ShuffleCell(const WordTable& table, const std::uint32_t* HWY_RESTRICT words,
                              const std::uint8_t* HWY_RESTRICT amounts, std::uint8_t* HWY_RESTRICT out) {
  for (std::uint32_t word = 0; word < cell_words; ++word) {
    const std::uint32_t amount = load_carrier<std::uint32_t>(amounts + word * word_bytes) & 31;
    store_carrier(out + word * word_bytes, words[table.source[word * 32 + amount]]);
  }
}

void ShuffleWords(const Shuffle& shuffle) {
  WordTable table;
  const std::uint32_t row_words = cell_words / shuffle.lanes;
  for (std::uint32_t word = 0; word < cell_words; ++word) {
    for (std::uint32_t amount = 0; amount < 32; ++amount) {
      const std::uint8_t from = shuffle.lane_of[word / row_words][amount];
      table.source[word * 32 + amount] = from != no_lane        ? from * row_words + word % row_words
                                         : shuffle.zero_outside ? std::uint32_t{cell_words}
                                                                : word;
    }
  }
  std::uint32_t words[cell_words + 1];
  words[cell_words] = 0;
  for (std::size_t cell = 0; cell < shuffle.cells; ++cell) {
    const std::size_t base = cell * cell_words * word_bytes;
    std::memcpy(words, shuffle.words + base, cell_words * word_bytes);
    ShuffleCell(table, words, shuffle.amounts + base, shuffle.out + base);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(CountUp);
HWY_EXPORT(JoinWords);
HWY_EXPORT(ShuffleWords);

void count_up(unsigned bytes, Word start, Word step, std::uint8_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(CountUp)(bytes, start, step, out, count);
}
void join_words(const std::uint8_t* first, const std::uint8_t* second, const WordFields& fields,
                std::uint8_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(JoinWords)(first, second, fields, out, count);
}
void shuffle_words(const Shuffle& shuffle) { HWY_DYNAMIC_DISPATCH(ShuffleWords)(shuffle); }

}  // namespace pto::kernels
#endif
