#include "kernels/shuffle.h"

#include "kernels/numbers.h"

namespace pto::kernels {

void shuffle_words(const Shuffle& shuffle) {
  constexpr std::size_t cell_words = 32;
  constexpr std::size_t word_bytes = 4;
  const std::size_t row_words = cell_words / shuffle.lanes;
  for (std::size_t cell = 0; cell < shuffle.cells; ++cell) {
    const std::size_t base = cell * cell_words * word_bytes;
    for (unsigned lane = 0; lane < shuffle.lanes; ++lane) {
      for (std::size_t word = lane * row_words; word < (lane + 1) * row_words; ++word) {
        const std::uint8_t amount = shuffle.amounts[base + word * word_bytes] & 31;
        const std::uint8_t from = shuffle.lane_of[lane][amount];
        // A word of no lane is read in place, so that there is nothing to branch on.
        const std::size_t source = from == no_lane ? word : from * row_words + word % row_words;
        const auto value = load_carrier<std::uint32_t>(shuffle.words + base + source * word_bytes);
        const std::uint32_t kept = shuffle.zero_outside ? 0 : ~std::uint32_t{0};
        store_carrier(shuffle.out + base + word * word_bytes, from == no_lane ? value & kept : value);
      }
    }
  }
}

}  // namespace pto::kernels
