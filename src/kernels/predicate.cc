#include "kernels/predicate.h"

#include <algorithm>

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/predicate.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

using numeric::BinaryOperation;
using numeric::Comparison;
using numeric::StatusFlags;

#include "kernels/apply.h"  // NOLINT

// Predicates are worked on in groups of one byte each; bits are packed and unpacked by the group.
constexpr std::size_t group = 256;

template <Comparison comparison>
HWY_INLINE bool Decide(bool less, bool equal) {
  switch (comparison) {
    case Comparison::EQ: return equal;
    case Comparison::NE: return !equal;
    case Comparison::LT: return less;
    case Comparison::LE: return less | equal;
    case Comparison::GT: return !(less | equal);
    default: return !less;
  }
}

// flags[i] = 1 where the comparison holds.
template <Comparison comparison, NumberKind kind, bool scalar, class T>
HWY_NOINLINE StatusFlags Loop(ElementType type, const std::uint8_t* HWY_RESTRICT left,
                              const std::uint8_t* HWY_RESTRICT right, std::size_t count,
                              std::uint8_t* HWY_RESTRICT flags) {
  const FloatBits<T> bits = float_bits<T>(type);
  const T one = scalar ? load_carrier<T>(right) : T{0};
  Seen<T> seen;
  for (std::size_t i = 0; i < count; ++i) {
    T a = load_carrier<T>(left + i * sizeof(T));
    T b = scalar ? one : load_carrier<T>(right + i * sizeof(T));
    bool holds;
    if constexpr (kind == NumberKind::Float) {
      const bool nan = IsNan(a, bits) | IsNan(b, bits);
      const bool signaling = IsSignaling(a, bits) | IsSignaling(b, bits);
      seen.signaling = static_cast<T>(seen.signaling | (signaling ? 1 : 0));
      // Zeros of both signs are equal.
      a = a == bits.sign ? T{0} : a;
      b = b == bits.sign ? T{0} : b;
      const auto ka = OrderOf<kind>(a);
      const auto kb = OrderOf<kind>(b);
      holds = Decide<comparison>(ka < kb, ka == kb);
      holds = nan ? comparison == Comparison::NE : holds;
    } else {
      const auto ka = OrderOf<kind>(a);
      const auto kb = OrderOf<kind>(b);
      holds = Decide<comparison>(ka < kb, ka == kb);
    }
    flags[i] = holds ? 1 : 0;
  }
  return seen.Flags();
}

template <bool scalar, class T>
HWY_INLINE StatusFlags CompareGroup(Comparison comparison, ElementType type, const std::uint8_t* left,
                                    const std::uint8_t* right, std::size_t count, std::uint8_t* flags) {
  const auto loop = [&]<Comparison of>() {
    switch (kind_of(type)) {
      case NumberKind::Signed:
        return Loop<of, NumberKind::Signed, scalar, T>(type, left, right, count, flags);
      case NumberKind::Unsigned:
        return Loop<of, NumberKind::Unsigned, scalar, T>(type, left, right, count, flags);
      default: return Loop<of, NumberKind::Float, scalar, T>(type, left, right, count, flags);
    }
  };
  switch (comparison) {
    case Comparison::EQ: return loop.template operator()<Comparison::EQ>();
    case Comparison::NE: return loop.template operator()<Comparison::NE>();
    case Comparison::LT: return loop.template operator()<Comparison::LT>();
    case Comparison::LE: return loop.template operator()<Comparison::LE>();
    case Comparison::GT: return loop.template operator()<Comparison::GT>();
    default: return loop.template operator()<Comparison::GE>();
  }
}

// Eight bytes of 0 or 1 as the bits of one.
HWY_INLINE std::uint8_t Packed(const std::uint8_t* flags) {
  return static_cast<std::uint8_t>(load_carrier<std::uint64_t>(flags) * 0x0102040810204080u >> 56);
}

HWY_INLINE void PackBits(const std::uint8_t* flags, std::size_t count, std::uint8_t* bits,
                         std::uint64_t first) {
  std::size_t i = 0;
  const auto set_one = [&] {
    std::uint8_t& byte = bits[(first + i) / 8];
    const unsigned shift = (first + i) % 8;
    byte = static_cast<std::uint8_t>((byte & ~(1u << shift)) | unsigned{flags[i]} << shift);
    ++i;
  };
  while (i < count && (first + i) % 8 != 0) set_one();
  for (; i + 8 <= count; i += 8) bits[(first + i) / 8] = Packed(flags + i);
  while (i < count) set_one();
}

StatusFlags Compare(Comparison comparison, ElementType type, bool scalar, const std::uint8_t* left,
                    const std::uint8_t* right, std::size_t count, std::uint8_t* bits, std::uint64_t first) {
  return with_carrier(carrier_bytes(type), [&](auto carrier) {
    using T = decltype(carrier);
    std::uint8_t flags[group];
    StatusFlags status = numeric::status::none;
    for (std::size_t at = 0; at < count; at += group) {
      const std::size_t here = std::min(group, count - at);
      const std::uint8_t* a = left + at * sizeof(T);
      status |= scalar ? CompareGroup<true, T>(comparison, type, a, right, here, flags)
                       : CompareGroup<false, T>(comparison, type, a, right + at * sizeof(T), here, flags);
      PackBits(flags, here, bits, first + at);
    }
    return status;
  });
}

// flags[i] = bit first + i, as a byte.
HWY_INLINE void UnpackBits(const std::uint8_t* bits, std::uint64_t first, std::size_t count,
                           std::uint8_t* flags) {
  std::size_t i = 0;
  const auto get_one = [&] {
    flags[i] = bits[(first + i) / 8] >> (first + i) % 8 & 1;
    ++i;
  };
  while (i < count && (first + i) % 8 != 0) get_one();
  for (; i + 8 <= count; i += 8) {
    // The byte eight times, one bit of each kept, moved down to bit 0.
    std::uint64_t spread = bits[(first + i) / 8] * 0x0101010101010101u & 0x8040201008040201u;
    spread = (spread + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    std::memcpy(flags + i, &spread, sizeof spread);
  }
  while (i < count) get_one();
}

template <bool scalar, class T>
HWY_NOINLINE void ChooseGroup(const std::uint8_t* HWY_RESTRICT flags, const std::uint8_t* HWY_RESTRICT set,
                              const std::uint8_t* HWY_RESTRICT clear, std::uint8_t* HWY_RESTRICT out,
                              std::size_t count) {
  const T one = scalar ? load_carrier<T>(clear) : T{0};
  for (std::size_t i = 0; i < count; ++i) {
    const T a = load_carrier<T>(set + i * sizeof(T));
    const T b = scalar ? one : load_carrier<T>(clear + i * sizeof(T));
    store_carrier(out + i * sizeof(T), flags[i] != 0 ? a : b);
  }
}

void Choose(unsigned bytes, bool scalar, const std::uint8_t* bits, std::uint64_t first,
            const std::uint8_t* set, const std::uint8_t* clear, std::uint8_t* out, std::size_t count) {
  with_carrier(bytes, [&](auto carrier) {
    using T = decltype(carrier);
    std::uint8_t flags[group];
    for (std::size_t at = 0; at < count; at += group) {
      const std::size_t here = std::min(group, count - at);
      const std::size_t byte = at * sizeof(T);
      UnpackBits(bits, first + at, here, flags);
      if (scalar) {
        ChooseGroup<true, T>(flags, set + byte, clear, out + byte, here);
      } else {
        ChooseGroup<false, T>(flags, set + byte, clear + byte, out + byte, here);
      }
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Compare);
HWY_EXPORT(Choose);

numeric::StatusFlags compare(numeric::Comparison comparison, ElementType type, const std::uint8_t* left,
                             const std::uint8_t* right, std::size_t count, std::uint8_t* bits,
                             std::uint64_t first) {
  return HWY_DYNAMIC_DISPATCH(Compare)(comparison, type, false, left, right, count, bits, first);
}
numeric::StatusFlags compare_scalar(numeric::Comparison comparison, ElementType type,
                                    const std::uint8_t* left, Word right, std::size_t count,
                                    std::uint8_t* bits, std::uint64_t first) {
  std::uint8_t number[sizeof right];
  std::memcpy(number, &right, sizeof right);
  return HWY_DYNAMIC_DISPATCH(Compare)(comparison, type, true, left, number, count, bits, first);
}
void choose(unsigned bytes, const std::uint8_t* bits, std::uint64_t first, const std::uint8_t* set,
            const std::uint8_t* clear, std::uint8_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(Choose)(bytes, false, bits, first, set, clear, out, count);
}
void choose_scalar(unsigned bytes, const std::uint8_t* bits, std::uint64_t first, const std::uint8_t* set,
                   Word clear, std::uint8_t* out, std::size_t count) {
  std::uint8_t number[sizeof clear];
  std::memcpy(number, &clear, sizeof clear);
  HWY_DYNAMIC_DISPATCH(Choose)(bytes, true, bits, first, set, number, out, count);
}

}  // namespace pto::kernels
#endif
