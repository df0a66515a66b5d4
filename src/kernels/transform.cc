#include "kernels/transform.h"

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/transform.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

using numeric::BinaryOperation;
using numeric::StatusFlags;
using numeric::UnaryOperation;

#include "kernels/apply.h"  // NOLINT

template <UnaryOperation operation, class T>
HWY_INLINE T OfFloat(T value, const FloatBits<T>& bits, Seen<T>& seen) {
  const T magnitude = static_cast<T>(value & static_cast<T>(~bits.sign));
  if constexpr (operation == UnaryOperation::Abs) return magnitude;
  if constexpr (operation == UnaryOperation::Neg) return static_cast<T>(value ^ bits.sign);
  const T negative = Mask<T>((value & bits.sign) != 0);
  const T positive = static_cast<T>(~negative);
  const T zero = Mask<T>(magnitude == 0);
  const T infinite = Mask<T>(magnitude == bits.infinity);
  const T nan = NanMask(value, bits);
  seen.signaling = static_cast<T>(seen.signaling | SignalingMask(value, bits));
  T made = value;
  if constexpr (operation == UnaryOperation::Relu) {
    made = static_cast<T>(value & positive);
  } else if constexpr (operation == UnaryOperation::Exp) {
    made = static_cast<T>(value + 1u);
    made = Select(infinite, static_cast<T>(value & positive), made);
    made = Select(zero, bits.one, made);
  } else if constexpr (operation == UnaryOperation::Recip) {
    // The profile divides the 64-bit carrier of ones.
    made = magnitude == 0 ? T{0} : static_cast<T>(~std::uint64_t{0} / value);
    made = Select(infinite, static_cast<T>(negative & bits.sign), made);
  } else {
    // LOG, SQRT and RSQRT leave numbers as they are; negative ones have no result.
    seen.signaling = static_cast<T>(seen.signaling | (negative & ~zero & ~nan));
    made = Select(negative, bits.nan, made);
    if constexpr (operation == UnaryOperation::Rsqrt)
      made = static_cast<T>(made & static_cast<T>(~(infinite & positive)));
    if constexpr (operation == UnaryOperation::Log)
      made = static_cast<T>(made & static_cast<T>(~Mask<T>(value == bits.one)));
    if constexpr (operation == UnaryOperation::Sqrt) made = Select(zero, value, made);
  }
  if constexpr (operation == UnaryOperation::Recip || operation == UnaryOperation::Rsqrt ||
                operation == UnaryOperation::Log) {
    const T sign = operation == UnaryOperation::Log ? bits.unbounded_sign
                                                    : static_cast<T>(bits.unbounded_sign & negative);
    made = Select(zero, static_cast<T>(bits.unbounded | sign), made);
    seen.zero_divisor = static_cast<T>(seen.zero_divisor | zero);
  }
  return Select(nan, bits.nan, made);
}

template <UnaryOperation operation, NumberKind kind, class T>
HWY_INLINE T Of(T value, const FloatBits<T>& bits, Seen<T>& seen) {
  if constexpr (kind == NumberKind::Float) {
    if constexpr (operation != UnaryOperation::Not) return OfFloat<operation>(value, bits, seen);
    return value;
  } else {
    const bool negative = kind == NumberKind::Signed && static_cast<std::make_signed_t<T>>(value) < 0;
    if constexpr (operation == UnaryOperation::Abs) return negative ? static_cast<T>(0 - value) : value;
    if constexpr (operation == UnaryOperation::Not) return static_cast<T>(~value);
    if constexpr (operation == UnaryOperation::Neg) return static_cast<T>(0 - value);
    if constexpr (operation == UnaryOperation::Relu) return negative ? T{0} : value;
    return value;
  }
}

template <UnaryOperation operation, NumberKind kind, class T>
HWY_NOINLINE StatusFlags Loop(ElementType type, const std::uint8_t* HWY_RESTRICT in,
                              std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  const FloatBits<T> bits = float_bits<T>(type);
  Seen<T> seen;
  for (std::size_t i = 0; i < count; ++i)
    store_carrier(out + i * sizeof(T), Of<operation, kind>(load_carrier<T>(in + i * sizeof(T)), bits, seen));
  return seen.Flags();
}

StatusFlags Transform(UnaryOperation operation, ElementType type, const std::uint8_t* in, std::uint8_t* out,
                      std::size_t count) {
  return with_carrier(carrier_bytes(type), [&](auto carrier) {
    using T = decltype(carrier);
    const auto loop = [&]<UnaryOperation of>() {
      switch (kind_of(type)) {
        case NumberKind::Signed: return Loop<of, NumberKind::Signed, T>(type, in, out, count);
        case NumberKind::Unsigned: return Loop<of, NumberKind::Unsigned, T>(type, in, out, count);
        default: return Loop<of, NumberKind::Float, T>(type, in, out, count);
      }
    };
    switch (operation) {
      case UnaryOperation::Abs: return loop.template operator()<UnaryOperation::Abs>();
      case UnaryOperation::Not: return loop.template operator()<UnaryOperation::Not>();
      case UnaryOperation::Neg: return loop.template operator()<UnaryOperation::Neg>();
      case UnaryOperation::Exp: return loop.template operator()<UnaryOperation::Exp>();
      case UnaryOperation::Log: return loop.template operator()<UnaryOperation::Log>();
      case UnaryOperation::Recip: return loop.template operator()<UnaryOperation::Recip>();
      case UnaryOperation::Sqrt: return loop.template operator()<UnaryOperation::Sqrt>();
      case UnaryOperation::Rsqrt: return loop.template operator()<UnaryOperation::Rsqrt>();
      default: return loop.template operator()<UnaryOperation::Relu>();
    }
  });
}

template <bool floating, class T>
HWY_NOINLINE StatusFlags MultiplyAddLoop(ElementType type, const std::uint8_t* HWY_RESTRICT left,
                                         const std::uint8_t* HWY_RESTRICT right,
                                         const std::uint8_t* HWY_RESTRICT addend,
                                         std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  using Wide = std::common_type_t<T, unsigned>;
  const FloatBits<T> bits = float_bits<T>(type);
  const T positive = static_cast<T>(~bits.sign);
  Seen<T> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const T a = load_carrier<T>(left + i * sizeof(T));
    const T b = load_carrier<T>(right + i * sizeof(T));
    const T c = load_carrier<T>(addend + i * sizeof(T));
    T made = static_cast<T>(Wide{a} * Wide{b} + Wide{c});
    if constexpr (floating) {
      const T ma = a & positive, mb = b & positive, mc = c & positive;
      const T a_infinite = Mask<T>(ma == bits.infinity);
      const T b_infinite = Mask<T>(mb == bits.infinity);
      const T c_infinite = Mask<T>(mc == bits.infinity);
      const T zero_times_infinity =
          static_cast<T>((Mask<T>(ma == 0) & b_infinite) | (a_infinite & Mask<T>(mb == 0)));
      // The sign of a NaN does not count.
      const T a_sign = static_cast<T>(a & static_cast<T>(~NanMask(a, bits)));
      const T b_sign = static_cast<T>(b & static_cast<T>(~NanMask(b, bits)));
      const T opposite = static_cast<T>((a_infinite | b_infinite) & c_infinite &
                                        Mask<T>(((a_sign ^ b_sign ^ c) & bits.sign) != 0));
      const T invalid = static_cast<T>(zero_times_infinity | opposite | SignalingMask(a, bits) |
                                       SignalingMask(b, bits) | SignalingMask(c, bits));
      seen.signaling = static_cast<T>(seen.signaling | invalid);
      made = Select(invalid, bits.nan, made);
    }
    store_carrier(out + i * sizeof(T), made);
  }
  return seen.Flags();
}

StatusFlags MultiplyAdd(ElementType type, const std::uint8_t* left, const std::uint8_t* right,
                        const std::uint8_t* addend, std::uint8_t* out, std::size_t count) {
  return with_carrier(carrier_bytes(type), [&](auto carrier) {
    using T = decltype(carrier);
    return numeric::is_float(type) ? MultiplyAddLoop<true, T>(type, left, right, addend, out, count)
                                   : MultiplyAddLoop<false, T>(type, left, right, addend, out, count);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Transform);
HWY_EXPORT(MultiplyAdd);

bool transforms(ElementType type) { return numeric::type_sets::arithmetic.has(type); }

numeric::StatusFlags transform(numeric::UnaryOperation operation, ElementType type, const std::uint8_t* in,
                               std::uint8_t* out, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(Transform)(operation, type, in, out, count);
}

numeric::StatusFlags multiply_add(ElementType type, const std::uint8_t* left, const std::uint8_t* right,
                                  const std::uint8_t* addend, std::uint8_t* out, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(MultiplyAdd)(type, left, right, addend, out, count);
}

}  // namespace pto::kernels
#endif
