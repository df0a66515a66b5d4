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
  const bool negative = (value & bits.sign) != 0;
  const bool zero = magnitude == 0;
  const bool infinite = bits.has_infinity & (magnitude == bits.infinity);
  const bool nan = IsNan(value, bits);
  seen.signaling = static_cast<T>(seen.signaling | (IsSignaling(value, bits) ? 1 : 0));
  T made = value;
  if constexpr (operation == UnaryOperation::Relu) {
    made = negative ? T{0} : value;
  } else if constexpr (operation == UnaryOperation::Exp) {
    made = static_cast<T>(value + 1u);
    made = infinite ? (negative ? T{0} : value) : made;
    made = zero ? bits.one : made;
  } else if constexpr (operation == UnaryOperation::Recip) {
    // The profile divides the 64-bit carrier of ones.
    made = zero ? T{0} : static_cast<T>(~std::uint64_t{0} / value);
    made = infinite ? (negative ? bits.sign : T{0}) : made;
  } else {
    // LOG, SQRT and RSQRT leave numbers as they are; negative ones have no result.
    seen.signaling = static_cast<T>(seen.signaling | (negative & !zero & !nan ? 1 : 0));
    made = negative ? bits.nan : made;
    if constexpr (operation == UnaryOperation::Rsqrt) made = infinite & !negative ? T{0} : made;
    if constexpr (operation == UnaryOperation::Log) made = value == bits.one ? T{0} : made;
    if constexpr (operation == UnaryOperation::Sqrt) made = zero ? value : made;
  }
  if constexpr (operation == UnaryOperation::Recip || operation == UnaryOperation::Rsqrt ||
                operation == UnaryOperation::Log) {
    // Without an infinity both signs give the same NaN.
    const bool sign = operation == UnaryOperation::Log || negative;
    const T unbounded = sign && bits.has_infinity ? static_cast<T>(bits.infinity | bits.sign) : bits.infinity;
    made = zero ? unbounded : made;
    seen.zero_divisor = static_cast<T>(seen.zero_divisor | (zero ? 1 : 0));
  }
  return nan ? bits.nan : made;
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
      const bool a_infinite = bits.has_infinity & (ma == bits.infinity);
      const bool b_infinite = bits.has_infinity & (mb == bits.infinity);
      const bool c_infinite = bits.has_infinity & (mc == bits.infinity);
      const bool zero_times_infinity = ((ma == 0) & b_infinite) | (a_infinite & (mb == 0));
      // The sign of a NaN does not count.
      const bool a_negative = ((a & bits.sign) != 0) & (ma <= bits.largest);
      const bool b_negative = ((b & bits.sign) != 0) & (mb <= bits.largest);
      const bool opposite =
          (a_infinite | b_infinite) & c_infinite & ((a_negative != b_negative) != ((c & bits.sign) != 0));
      const bool invalid =
          zero_times_infinity | opposite | IsSignaling(a, bits) | IsSignaling(b, bits) | IsSignaling(c, bits);
      seen.signaling = static_cast<T>(seen.signaling | (invalid ? 1 : 0));
      made = invalid ? bits.nan : made;
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
