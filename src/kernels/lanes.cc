#include "kernels/lanes.h"

#include <algorithm>
#include <bit>

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lanes.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

template <class Index>
HWY_NOINLINE void WidenByAll(Reach& reach, Word base, const std::uint8_t* HWY_RESTRICT numbers,
                             std::size_t count) {
  using Unsigned = std::make_unsigned_t<Index>;
  const auto origin = static_cast<Unsigned>(base);
  Index least = std::numeric_limits<Index>::max();
  Index greatest = std::numeric_limits<Index>::min();
  Unsigned low_bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Index number = load_carrier<Index>(numbers + i * sizeof(Index));
    least = std::min(least, number);
    greatest = std::max(greatest, number);
    low_bits =
        static_cast<Unsigned>(low_bits | static_cast<Unsigned>(static_cast<Unsigned>(number) + origin));
  }
  reach.least = std::min(reach.least, static_cast<std::int64_t>(least));
  reach.greatest = std::max(reach.greatest, static_cast<std::int64_t>(greatest));
  reach.low_bits |= low_bits;
}

void Widen(Reach& reach, Word base, Displacements displacements, std::size_t count) {
  if (count == 0) return;
  with_carrier(displacements.bytes, [&](auto carrier) {
    using Unsigned = decltype(carrier);
    using Signed = std::make_signed_t<Unsigned>;
    if (sizeof(Unsigned) == 8 || displacements.with_sign) {
      WidenByAll<Signed>(reach, base, displacements.numbers, count);
    } else if constexpr (sizeof(Unsigned) < 8) {
      WidenByAll<Unsigned>(reach, base, displacements.numbers, count);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Widen);

namespace {

// Up to 64 bits of a bitmap from bit `first` on.
std::uint64_t load_bits(const std::uint8_t* bitmap, std::uint64_t first, unsigned count) {
  const auto low = load_carrier<std::uint64_t>(bitmap + first / 8);
  const unsigned shift = static_cast<unsigned>(first % 8);
  std::uint64_t bits = low >> shift;
  if (shift + count > 64) bits |= std::uint64_t{bitmap[first / 8 + 8]} << (64 - shift);
  return bits & mask_of(count);
}

// Calls visit(lane) for the lanes that take part.
template <class Visit>
void for_each_lane(LaneMask mask, std::size_t count, Visit visit) {
  if (mask.bits == nullptr) {
    for (std::size_t lane = 0; lane < count; ++lane) visit(lane);
    return;
  }
  for (std::size_t group = 0; group < count; group += 64) {
    const auto here = static_cast<unsigned>(std::min<std::size_t>(64, count - group));
    for (std::uint64_t bits = load_bits(mask.bits, mask.first + group, here); bits != 0; bits &= bits - 1)
      visit(group + static_cast<std::size_t>(std::countr_zero(bits)));
  }
}

// Calls work with a function that gives a lane's displacement.
template <class Work>
void with_displacements(Displacements displacements, Work work) {
  with_carrier(displacements.bytes, [&](auto carrier) {
    using Unsigned = decltype(carrier);
    using Signed = std::make_signed_t<Unsigned>;
    const std::uint8_t* numbers = displacements.numbers;
    if (sizeof(Unsigned) == 8 || displacements.with_sign) {
      work([numbers](std::size_t lane) {
        return static_cast<std::int64_t>(load_carrier<Signed>(numbers + lane * sizeof(Signed)));
      });
    } else if constexpr (sizeof(Unsigned) < 8) {
      work([numbers](std::size_t lane) {
        return std::int64_t{load_carrier<Unsigned>(numbers + lane * sizeof(Unsigned))};
      });
    }
  });
}

}  // namespace

void widen(Reach& reach, Word base, Displacements displacements, LaneMask mask, std::size_t count) {
  if (mask.bits == nullptr) return HWY_DYNAMIC_DISPATCH(Widen)(reach, base, displacements, count);
  with_displacements(displacements, [&](auto displacement) {
    for_each_lane(mask, count, [&](std::size_t lane) {
      const std::int64_t number = displacement(lane);
      reach.least = std::min(reach.least, number);
      reach.greatest = std::max(reach.greatest, number);
      reach.low_bits |= base + static_cast<Word>(number);
    });
  });
}

void gather_lanes(unsigned bytes, Piece<const std::uint8_t> memory, Displacements displacements,
                  LaneMask mask, std::size_t count, std::uint8_t* out) {
  with_displacements(displacements, [&](auto displacement) {
    with_carrier(bytes, [&](auto carrier) {
      using T = decltype(carrier);
      for_each_lane(mask, count, [&](std::size_t lane) {
        store_carrier(out + lane * sizeof(T), load_carrier<T>(memory.at(displacement(lane))));
      });
    });
  });
}

void scatter_lanes(unsigned bytes, Piece<std::uint8_t> memory, Displacements displacements, LaneMask mask,
                   std::size_t count, const std::uint8_t* in) {
  with_displacements(displacements, [&](auto displacement) {
    with_carrier(bytes, [&](auto carrier) {
      using T = decltype(carrier);
      for_each_lane(mask, count, [&](std::size_t lane) {
        store_carrier(memory.at(displacement(lane)), load_carrier<T>(in + lane * sizeof(T)));
      });
    });
  });
}

void exchange_lanes(unsigned bytes, Piece<std::uint8_t> memory, Displacements displacements,
                    std::size_t count, const std::uint8_t* expected, const std::uint8_t* replacement,
                    std::uint8_t* out) {
  with_displacements(displacements, [&](auto displacement) {
    with_carrier(bytes, [&](auto carrier) {
      using T = decltype(carrier);
      for (std::size_t lane = 0; lane < count; ++lane) {
        std::uint8_t* at = memory.at(displacement(lane));
        const T old = load_carrier<T>(at);
        if (old == load_carrier<T>(expected + lane * sizeof(T)))
          store_carrier(at, load_carrier<T>(replacement + lane * sizeof(T)));
        store_carrier(out + lane * sizeof(T), old);
      }
    });
  });
}

}  // namespace pto::kernels
#endif
