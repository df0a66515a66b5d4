#include "kernels/order.h"

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/order.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

// The rank of a number; all ones for NaNs, which no number has.
template <class T>
class Ranks {
 public:
  explicit Ranks(RowOrder order)
      : bits_(float_bits<T>(order.type)), turn_(order.descending ? static_cast<T>(~T{0}) : T{0}) {}
  HWY_INLINE T operator()(T value) const {
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
HWY_NOINLINE void RanksOf(RowOrder order, const std::uint8_t* HWY_RESTRICT row, std::size_t count,
                          T* HWY_RESTRICT ranks) {
  const Ranks<T> rank(order);
  for (std::size_t i = 0; i < count; ++i) ranks[i] = rank(load_carrier<T>(row + i * sizeof(T)));
}

template <class Work>
HWY_INLINE decltype(auto) WithFloat(ElementType type, Work work) {
  return element_bits(type) == 16 ? work(std::uint16_t{}) : work(std::uint32_t{});
}

// --- Sorting ---

// A rank above the place it was at: no two are equal, so any sort is stable.
constexpr unsigned place_bits = 8;
HWY_INLINE std::uint64_t Keyed(std::uint64_t rank, std::size_t place) { return rank << place_bits | place; }

// Few keys are sorted best by putting each in its place.
HWY_INLINE void SortKeys(std::uint64_t* keys, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    const std::uint64_t key = keys[i];
    std::size_t at = i;
    for (; at > 0 && key < keys[at - 1]; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

void SortGroups(RowOrder order, const std::uint8_t* row, std::size_t count, std::size_t group,
                std::uint8_t* sorted, std::uint8_t* places) {
  WithFloat(order.type, [&](auto carrier) {
    using T = decltype(carrier);
    const Ranks<T> rank(order);
    std::array<std::uint64_t, largest_sort_group> keys;
    for (std::size_t first = 0; first < count; first += group) {
      const std::size_t here = std::min(group, count - first);
      const std::uint8_t* numbers = row + first * sizeof(T);
      for (std::size_t i = 0; i < here; ++i)
        keys[i] = Keyed(rank(load_carrier<T>(numbers + i * sizeof(T))), i);
      SortKeys(keys.data(), here);
      for (std::size_t i = 0; i < here; ++i) {
        const auto place = static_cast<std::uint32_t>(keys[i] & mask_of(place_bits));
        store_carrier(sorted + (first + i) * sizeof(T), load_carrier<T>(numbers + place * sizeof(T)));
        store_carrier(places + (first + i) * sizeof place, place);
      }
    }
  });
}

// --- Order ---

// Whether no rank is below the one before it.
template <class T>
HWY_NOINLINE bool Ascending(const T* ranks, std::size_t count) {
  T any = 0;
  for (std::size_t i = 1; i < count; ++i) any = static_cast<T>(any | (ranks[i] < ranks[i - 1] ? 1 : 0));
  return any == 0;
}

std::size_t OrderedPrefix(RowOrder order, const std::uint8_t* row, std::size_t count) {
  return WithFloat(order.type, [&](auto carrier) -> std::size_t {
    using T = decltype(carrier);
    constexpr std::size_t group = 1024;
    std::array<T, group> ranks;
    // Groups overlap by one number.
    for (std::size_t at = 0; at < count; at += group - 1) {
      const std::size_t here = std::min(group, count - at);
      RanksOf<T>(order, row + at * sizeof(T), here, ranks.data());
      if (!Ascending(ranks.data(), here)) {
        const auto* first = ranks.data();
        return at + static_cast<std::size_t>(std::is_sorted_until(first, first + here) - first);
      }
    }
    return count;
  });
}

// --- Merging ---

// Two rows with their ranks.
template <class T>
struct Pair {
  const T* left_ranks;
  const T* right_ranks;
  const std::uint8_t* left;
  const std::uint8_t* right;
};

// Part of a merge: how far it has come in both rows and how far it goes.
struct Part {
  std::size_t left, left_end;
  std::size_t right, right_end;

  [[nodiscard]] std::size_t to() const { return left + right; }
  // Numbers that it can surely take before a row ends.
  [[nodiscard]] std::size_t steps() const { return std::min(left_end - left, right_end - right); }
};

// Every step waits for the one before it, so parts take turns.
constexpr std::size_t parts = 4;
using Parts = std::array<Part, parts>;

// How many of the first `count` numbers of the merged row come from the left.
template <class T>
std::size_t LeftAmong(std::size_t count, const Pair<T>& rows, std::size_t left_count,
                      std::size_t right_count) {
  std::size_t least = count - std::min(count, right_count);
  std::size_t most = std::min(count, left_count);
  while (least < most) {
    const std::size_t middle = (least + most) / 2;
    if (rows.right_ranks[count - middle - 1] < rows.left_ranks[middle]) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

template <class T>
Parts PartsOf(const Pair<T>& rows, std::size_t left_count, std::size_t right_count) {
  Parts made;
  std::size_t left = 0, right = 0;
  for (std::size_t number = 0; number < parts; ++number) {
    const std::size_t end = (left_count + right_count) * (number + 1) / parts;
    const std::size_t left_end = LeftAmong(end, rows, left_count, right_count);
    made[number] = {left, left_end, right, end - left_end};
    left = left_end;
    right = end - left_end;
  }
  return made;
}

// Merges one number; nothing jumps, for the order of numbers is not to be foreseen. Returns all ones where
// the number came from the right row.
template <class T>
HWY_INLINE std::size_t Step(const Pair<T>& rows, std::size_t left, std::size_t right, std::uint8_t* out) {
  const std::size_t takes_right = std::size_t{0} - (rows.right_ranks[right] < rows.left_ranks[left] ? 1 : 0);
  const T from_left = load_carrier<T>(rows.left + left * sizeof(T));
  const T from_right = load_carrier<T>(rows.right + right * sizeof(T));
  store_carrier(out, static_cast<T>(from_left ^ ((from_left ^ from_right) & static_cast<T>(takes_right))));
  return takes_right;
}

template <class T>
void Finish(const Pair<T>& rows, Part part, std::uint8_t* out) {
  while (part.steps() != 0) {
    const std::size_t takes_right = Step(rows, part.left, part.right, out + part.to() * sizeof(T));
    part.right -= takes_right;
    part.left += 1 + takes_right;
  }
  const std::size_t left = part.left_end - part.left;
  std::memcpy(out + part.to() * sizeof(T), rows.left + part.left * sizeof(T), left * sizeof(T));
  part.left += left;
  std::memcpy(out + part.to() * sizeof(T), rows.right + part.right * sizeof(T),
              (part.right_end - part.right) * sizeof(T));
}

// Takes `steps` numbers in every part.
template <class T>
HWY_NOINLINE void TakeTurns(Pair<T> rows, Parts& merged, std::size_t steps, std::uint8_t* HWY_RESTRICT out) {
  std::array<std::size_t, parts> to, right;
  for (std::size_t number = 0; number < parts; ++number) {
    to[number] = merged[number].to();
    right[number] = merged[number].right;
  }
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t number = 0; number < parts; ++number) {
      const std::size_t at = to[number] + step;
      right[number] -= Step(rows, at - right[number], right[number], out + at * sizeof(T));
    }
  }
  for (std::size_t number = 0; number < parts; ++number) {
    merged[number].right = right[number];
    merged[number].left = to[number] + steps - right[number];
  }
}

void MergeRows(RowOrder order, const std::uint8_t* left, std::size_t left_count, const std::uint8_t* right,
               std::size_t right_count, std::uint8_t* out) {
  WithFloat(order.type, [&](auto carrier) {
    using T = decltype(carrier);
    const auto ranks = std::make_unique_for_overwrite<T[]>(left_count + right_count);
    RanksOf<T>(order, left, left_count, ranks.get());
    RanksOf<T>(order, right, right_count, ranks.get() + left_count);
    const Pair<T> rows{ranks.get(), ranks.get() + left_count, left, right};
    Parts merged = PartsOf(rows, left_count, right_count);
    const auto steps = [&] {
      return std::min({merged[0].steps(), merged[1].steps(), merged[2].steps(), merged[3].steps()});
    };
    constexpr std::size_t worthwhile = 8;
    while (steps() >= worthwhile) TakeTurns(rows, merged, steps(), out);
    for (const Part& part : merged) Finish(rows, part, out);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(SortGroups);
HWY_EXPORT(OrderedPrefix);
HWY_EXPORT(MergeRows);

void sort_groups(RowOrder order, const std::uint8_t* row, std::size_t count, std::size_t group,
                 std::uint8_t* sorted, std::uint8_t* places) {
  HWY_DYNAMIC_DISPATCH(SortGroups)(order, row, count, group, sorted, places);
}
std::size_t ordered_prefix(RowOrder order, const std::uint8_t* row, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(OrderedPrefix)(order, row, count);
}
void merge_rows(RowOrder order, const std::uint8_t* left, std::size_t left_count, const std::uint8_t* right,
                std::size_t right_count, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(MergeRows)(order, left, left_count, right, right_count, out);
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
#endif
