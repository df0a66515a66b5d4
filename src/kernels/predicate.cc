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

// Ones where the comparison holds.
template <Comparison comparison, class T, class Order>
HWY_INLINE T Decide(Order left, Order right) {
  switch (comparison) {
    case Comparison::EQ: return Mask<T>(left == right);
    case Comparison::NE: return Mask<T>(left != right);
    case Comparison::LT: return Mask<T>(left < right);
    case Comparison::LE: return Mask<T>(left <= right);
    case Comparison::GT: return Mask<T>(left > right);
    default: return Mask<T>(left >= right);
  }
}

// masks[i] = ones where the comparison holds.
template <Comparison comparison, NumberKind kind, bool scalar, class T>
HWY_NOINLINE StatusFlags Loop(ElementType type, const std::uint8_t* HWY_RESTRICT left,
                              const std::uint8_t* HWY_RESTRICT right, std::size_t count,
                              T* HWY_RESTRICT masks) {
  const FloatBits<T> bits = float_bits<T>(type);
  const T one = scalar ? load_carrier<T>(right) : T{0};
  Seen<T> seen;
  for (std::size_t i = 0; i < count; ++i) {
    T a = load_carrier<T>(left + i * sizeof(T));
    T b = scalar ? one : load_carrier<T>(right + i * sizeof(T));
    if constexpr (kind == NumberKind::Float) {
      const T nan = static_cast<T>(NanMask(a, bits) | NanMask(b, bits));
      seen.signaling = static_cast<T>(seen.signaling | SignalingMask(a, bits) | SignalingMask(b, bits));
      // Zeros of both signs are equal.
      a = Select(Mask<T>(a == bits.sign), T{0}, a);
      b = Select(Mask<T>(b == bits.sign), T{0}, b);
      const T holds = Decide<comparison, T>(OrderOf<kind>(a), OrderOf<kind>(b));
      masks[i] = comparison == Comparison::NE ? static_cast<T>(holds | nan)
                                              : static_cast<T>(holds & static_cast<T>(~nan));
    } else {
      masks[i] = Decide<comparison, T>(OrderOf<kind>(a), OrderOf<kind>(b));
    }
  }
  return seen.Flags();
}

template <class T>
HWY_NOINLINE void MasksToFlags(const T* HWY_RESTRICT masks, std::size_t count,
                               std::uint8_t* HWY_RESTRICT flags) {
  for (std::size_t i = 0; i < count; ++i) flags[i] = static_cast<std::uint8_t>(masks[i] & 1);
}

template <bool scalar, class T>
HWY_INLINE StatusFlags CompareGroup(Comparison comparison, ElementType type, const std::uint8_t* left,
                                    const std::uint8_t* right, std::size_t count, T* masks) {
  const auto loop = [&]<Comparison of>() {
    switch (kind_of(type)) {
      case NumberKind::Signed:
        return Loop<of, NumberKind::Signed, scalar, T>(type, left, right, count, masks);
      case NumberKind::Unsigned:
        return Loop<of, NumberKind::Unsigned, scalar, T>(type, left, right, count, masks);
      default: return Loop<of, NumberKind::Float, scalar, T>(type, left, right, count, masks);
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
    T masks[group];
    std::uint8_t flags[group];
    StatusFlags status = numeric::status::none;
    for (std::size_t at = 0; at < count; at += group) {
      const std::size_t here = std::min(group, count - at);
      const std::uint8_t* a = left + at * sizeof(T);
      status |= scalar ? CompareGroup<true, T>(comparison, type, a, right, here, masks)
                       : CompareGroup<false, T>(comparison, type, a, right + at * sizeof(T), here, masks);
      MasksToFlags(masks, here, flags);
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
