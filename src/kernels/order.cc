#include "kernels/order.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/numbers.h"

namespace pto::kernels {

namespace {

// The rank of a number; all ones for NaNs, which no number has.
template <class T>
class Ranks {
 public:
  explicit Ranks(RowOrder order)
      : bits_(float_bits<T>(order.type)), turn_(order.descending ? static_cast<T>(~T{0}) : T{0}) {}
  T operator()(T value) const {
    const T magnitude = static_cast<T>(value & static_cast<T>(~bits_.sign));
    const T negative = (value & bits_.sign) != 0 ? static_cast<T>(~T{0}) : T{0};
    // Ascending in magnitude above the middle for positive numbers, descending below it for negative ones;
    // zeros of both signs in the middle.
    const T distance = static_cast<T>((magnitude ^ negative) - negative);
    const T rank = static_cast<T>((bits_.sign + distance) ^ turn_);
    return magnitude > bits_.largest ? static_cast<T>(~T{0}) : rank;
  }

 private:
  FloatBits<T> bits_;
  T turn_;
};

template <class T>
std::vector<T> ranks_of(RowOrder order, const std::uint8_t* row, std::size_t count) {
  const Ranks<T> rank(order);
  std::vector<T> ranks(count);
  for (std::size_t i = 0; i < count; ++i) ranks[i] = rank(load_carrier<T>(row + i * sizeof(T)));
  return ranks;
}

template <class Work>
decltype(auto) with_float(ElementType type, Work work) {
  return element_bits(type) == 16 ? work(std::uint16_t{}) : work(std::uint32_t{});
}

// A rank above the place it was at: no two are equal, so any sort is stable.
constexpr unsigned place_bits = 8;
std::uint64_t keyed(std::uint64_t rank, std::size_t place) { return rank << place_bits | place; }

// Few keys are sorted best by putting each in its place.
void sort_keys(std::uint64_t* keys, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    const std::uint64_t key = keys[i];
    std::size_t at = i;
    for (; at > 0 && key < keys[at - 1]; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

}  // namespace

void sort_groups(RowOrder order, const std::uint8_t* row, std::size_t count, std::size_t group,
                 std::uint8_t* sorted, std::uint8_t* places) {
  with_float(order.type, [&](auto carrier) {
    using T = decltype(carrier);
    const Ranks<T> rank(order);
    std::array<std::uint64_t, largest_sort_group> keys;
    for (std::size_t first = 0; first < count; first += group) {
      const std::size_t here = std::min(group, count - first);
      const std::uint8_t* numbers = row + first * sizeof(T);
      for (std::size_t i = 0; i < here; ++i)
        keys[i] = keyed(rank(load_carrier<T>(numbers + i * sizeof(T))), i);
      sort_keys(keys.data(), here);
      for (std::size_t i = 0; i < here; ++i) {
        const auto place = static_cast<std::uint32_t>(keys[i] & mask_of(place_bits));
        store_carrier(sorted + (first + i) * sizeof(T), load_carrier<T>(numbers + place * sizeof(T)));
        store_carrier(places + (first + i) * sizeof place, place);
      }
    }
  });
}

std::size_t ordered_prefix(RowOrder order, const std::uint8_t* row, std::size_t count) {
  return with_float(order.type, [&](auto carrier) {
    using T = decltype(carrier);
    const std::vector<T> ranks = ranks_of<T>(order, row, count);
    T any = 0;
    for (std::size_t i = 1; i < count; ++i) any = static_cast<T>(any | (ranks[i] < ranks[i - 1] ? 1 : 0));
    if (any == 0) return count;
    return static_cast<std::size_t>(std::is_sorted_until(ranks.begin(), ranks.end()) - ranks.begin());
  });
}

void merge_rows(RowOrder order, const std::uint8_t* left, std::size_t left_count, const std::uint8_t* right,
                std::size_t right_count, std::uint8_t* out) {
  with_float(order.type, [&](auto carrier) {
    using T = decltype(carrier);
    const std::vector<T> left_ranks = ranks_of<T>(order, left, left_count);
    const std::vector<T> right_ranks = ranks_of<T>(order, right, right_count);
    std::size_t l = 0, r = 0;
    while (l < left_count && r < right_count) {
      const bool takes_right = right_ranks[r] < left_ranks[l];
      const std::uint8_t* from = takes_right ? right + r * sizeof(T) : left + l * sizeof(T);
      store_carrier(out, load_carrier<T>(from));
      out += sizeof(T);
      r += takes_right ? 1 : 0;
      l += takes_right ? 0 : 1;
    }
    std::memcpy(out, left + l * sizeof(T), (left_count - l) * sizeof(T));
    out += (left_count - l) * sizeof(T);
    std::memcpy(out, right + r * sizeof(T), (right_count - r) * sizeof(T));
  });
}

bool strictly_before(RowOrder order, Word left, Word right) {
  const numeric::Classified a = numeric::classify(order.type, left);
  const numeric::Classified b = numeric::classify(order.type, right);
  if (a.is_nan() || b.is_nan()) return !a.is_nan() && b.is_nan();
  if ((a.is_zero() && b.is_zero()) || left == right) return false;
  const Word ka = numeric::order_key(order.type, left);
  const Word kb = numeric::order_key(order.type, right);
  return order.descending ? ka > kb : ka < kb;
}

}  // namespace pto::kernels
