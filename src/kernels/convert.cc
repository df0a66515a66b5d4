#include "kernels/convert.h"

#include <algorithm>
#include <array>

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convert.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

using numeric::Rounding;
using numeric::StatusFlags;
using numeric::reference::Control;

// --- Conversion ---

// What a conversion keeps of the value: its low bits, read as they are or as a signed number.
template <class From, class To>
HWY_NOINLINE void Resize(const std::uint8_t* HWY_RESTRICT in, std::uint8_t* HWY_RESTRICT out,
                         std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    store_carrier(out + i * sizeof(To), static_cast<To>(load_carrier<From>(in + i * sizeof(From))));
}

template <class From, class To>
HWY_NOINLINE void Clamp(From lowest, From highest, const std::uint8_t* HWY_RESTRICT in,
                        std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const From value = load_carrier<From>(in + i * sizeof(From));
    const From held = value < lowest ? lowest : value > highest ? highest : value;
    store_carrier(out + i * sizeof(To), static_cast<To>(held));
  }
}

// A bound of the result type in the source's carrier: one that the carrier cannot hold does not bind.
template <class From>
HWY_INLINE From LowestOf(ElementType to) {
  const auto lowest = static_cast<std::int64_t>(numeric::reference::integer_minimum(to));
  if constexpr (std::is_unsigned_v<From>) return 0;
  return static_cast<From>(std::max<std::int64_t>(lowest, std::numeric_limits<From>::min()));
}
template <class From>
HWY_INLINE From HighestOf(ElementType to) {
  const std::uint64_t highest = numeric::reference::integer_maximum(to);
  return static_cast<From>(std::min<std::uint64_t>(highest, std::numeric_limits<From>::max()));
}

// The definition, for what has no loop of its own.
StatusFlags ConvertPlainly(ElementType from, ElementType to, Control control, const std::uint8_t* in,
                           std::uint8_t* out, std::size_t count) {
  StatusFlags status = numeric::status::none;
  for (std::size_t i = 0; i < count; ++i) {
    Word value = 0;
    std::memcpy(&value, in + i * carrier_bytes(from), carrier_bytes(from));
    const numeric::Valued made = numeric::reference::convert(value, from, to, control);
    std::memcpy(out + i * carrier_bytes(to), &made.value, carrier_bytes(to));
    status |= made.flags;
  }
  return status;
}

constexpr std::size_t group = 128;

// When an exponent is rounded up: never, for an inexact number, for a negative exponent, for an even one, or
// for a fraction beyond the square root of two.
enum class Up : std::uint8_t { Never, Inexact, Negative, Even, BeyondRoot };

// The rounded exponents of positive normal numbers, and the union of all fractions. False: some number is no
// such, or too large.
template <Up up, class T>
HWY_NOINLINE bool Exponents(ElementType from, const std::uint8_t* HWY_RESTRICT in,
                            std::uint8_t* HWY_RESTRICT out, std::size_t count, T* HWY_RESTRICT fractions) {
  const numeric::FloatLayout layout = numeric::float_layout(from);
  const unsigned shift = layout.fraction_bits;
  const T one = static_cast<T>(T{1} << shift);
  const T fraction_mask = static_cast<T>(one - 1);
  const T bias = static_cast<T>(mask_of(layout.bits - 2u - shift));
  const T rebias = static_cast<T>(127 - bias);
  // Neither infinity and NaN, nor an exponent that rounding could take beyond E8M0; the sign counts as part
  // of it.
  const T exponents = static_cast<T>(std::min<Word>(mask_of(layout.bits - 1u - shift) - 1, 253 - rebias));
  const T limit = static_cast<T>(exponents << shift);
  // Of the square root of two, cut to the fraction: a fraction beyond it has a square beyond two.
  const T root = static_cast<T>(static_cast<double>(Word{1} << shift) * 0.41421356237309504);
  T largest = 0, any = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = load_carrier<T>(in + i * sizeof(T));
    largest = std::max(largest, static_cast<T>(value - one));
    any = static_cast<T>(any | value);
    // What a fraction that is rounded up needs to carry into the exponent.
    T carry = 0;
    if constexpr (up == Up::BeyondRoot) carry = static_cast<T>(fraction_mask - root);
    if constexpr (up == Up::Inexact) carry = fraction_mask;
    if constexpr (up == Up::Negative) carry = value < static_cast<T>(bias << shift) ? fraction_mask : T{0};
    if constexpr (up == Up::Even) carry = ((value >> shift ^ bias) & 1) == 0 ? fraction_mask : T{0};
    out[i] = static_cast<std::uint8_t>((static_cast<T>(value + carry) >> shift) + rebias);
  }
  *fractions = static_cast<T>(any & fraction_mask);
  return largest < limit;
}

// No number lies just in the middle of two powers of two, so the modes of rounding to nearest agree.
template <class T>
HWY_INLINE bool ExponentsOf(Rounding mode, ElementType from, const std::uint8_t* in, std::uint8_t* out,
                            std::size_t count, T* fractions) {
  switch (mode) {
    case Rounding::RTM: return Exponents<Up::Never, T>(from, in, out, count, fractions);
    case Rounding::RTP: return Exponents<Up::Inexact, T>(from, in, out, count, fractions);
    case Rounding::RTZ: return Exponents<Up::Negative, T>(from, in, out, count, fractions);
    case Rounding::RTO: return Exponents<Up::Even, T>(from, in, out, count, fractions);
    default: return Exponents<Up::BeyondRoot, T>(from, in, out, count, fractions);
  }
}

template <class T>
StatusFlags ConvertToExponents(ElementType from, Control control, const std::uint8_t* HWY_RESTRICT in,
                               std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  // One number that is none of the easy ones costs its group; mostly there is none.
  constexpr std::size_t groups = 8 * group;
  StatusFlags status = numeric::status::none;
  T fractions = 0;
  const auto easy = [&](std::size_t at, std::size_t here) {
    if (!ExponentsOf<T>(control.rounding, from, in + at * sizeof(T), out + at, here, &fractions))
      return false;
    if (fractions != 0) status |= numeric::status::inexact;
    return true;
  };
  for (std::size_t begin = 0; begin < count; begin += groups) {
    const std::size_t end = std::min(begin + groups, count);
    if (easy(begin, end - begin)) continue;
    for (std::size_t at = begin; at < end; at += group) {
      const std::size_t here = std::min(group, end - at);
      if (!easy(at, here))
        status |= ConvertPlainly(from, ElementType::E8M0, control, in + at * sizeof(T), out + at, here);
    }
  }
  return status;
}

StatusFlags Convert(ElementType from, ElementType to, Control control, const std::uint8_t* in,
                    std::uint8_t* out, std::size_t count);

// Signed four-bit numbers have no carrier of their own; those of bytes serve.
StatusFlags ConvertSignedNibbles(ElementType to, Control control, const std::uint8_t* in, std::uint8_t* out,
                                 std::size_t count) {
  std::array<std::uint8_t, group> bytes;
  for (std::size_t at = 0; at < count; at += group) {
    const std::size_t here = std::min(group, count - at);
    for (std::size_t i = 0; i < here; ++i) bytes[i] = static_cast<std::uint8_t>(((in[at + i] & 0xf) ^ 8) - 8);
    Convert(ElementType::S8, to, control, bytes.data(), out + at * carrier_bytes(to), here);
  }
  return numeric::status::none;
}

StatusFlags Convert(ElementType from, ElementType to, Control control, const std::uint8_t* in,
                    std::uint8_t* out, std::size_t count) {
  const bool integers = numeric::is_integer(from) && numeric::is_integer(to);
  if (to == ElementType::E8M0) {
    return carrier_bytes(from) == 4 ? ConvertToExponents<std::uint32_t>(from, control, in, out, count)
                                    : ConvertToExponents<std::uint16_t>(from, control, in, out, count);
  }
  if (integers && from == ElementType::S4X2) return ConvertSignedNibbles(to, control, in, out, count);
  with_carrier(carrier_bytes(from), [&](auto from_carrier) {
    with_carrier(carrier_bytes(to), [&](auto to_carrier) {
      using Unsigned = decltype(from_carrier);
      using Signed = std::make_signed_t<Unsigned>;
      using To = decltype(to_carrier);
      const bool with_sign = integers && numeric::is_signed(from);
      if (integers && control.saturating) {
        if (with_sign) {
          Clamp<Signed, To>(LowestOf<Signed>(to), HighestOf<Signed>(to), in, out, count);
        } else {
          Clamp<Unsigned, To>(0, HighestOf<Unsigned>(to), in, out, count);
        }
      } else if (with_sign) {
        Resize<Signed, To>(in, out, count);
      } else {
        Resize<Unsigned, To>(in, out, count);
      }
    });
  });
  return numeric::status::none;
}

// --- Quantization ---

// Quantities at or beyond this are left to the reference: a whole number below it has an exact double and a
// 32-bit integer, with room for the zero point.
constexpr double easy_limit = 1 << 30;

// Whether, as 1 or 0, a sum that lies `rest` beyond a whole number towards the product's sign is rounded that
// way. What is rounded is the sum: its parity and its sign count, not the product's. Both are 1 or 0.
template <Rounding mode>
HWY_INLINE std::int32_t RoundsAway(double rest, std::int32_t odd, std::int32_t negative) {
  const double distance = std::fabs(rest);
  const std::int32_t towards_zero = static_cast<std::int32_t>(rest > 0) ^ negative ^ 1;
  const std::int32_t beyond_half = distance > 0.5;
  const std::int32_t at_half = distance == 0.5;
  if constexpr (mode == Rounding::RNE) return beyond_half | (at_half & odd);
  if constexpr (mode == Rounding::RNA) return beyond_half | (at_half & (towards_zero ^ 1));
  if constexpr (mode == Rounding::RTM) return rest < 0;
  if constexpr (mode == Rounding::RTP) return rest > 0;
  return static_cast<std::int32_t>(rest != 0) & towards_zero;
}

// Rounds in[i] * multiplier + zero_point for numbers below the limit. False: some number is not.
template <Rounding mode>
HWY_NOINLINE bool QuantizeGroup(float multiplier, int zero_point, int lowest, int highest,
                                const std::uint8_t* HWY_RESTRICT in, std::int32_t* HWY_RESTRICT out,
                                std::int32_t* HWY_RESTRICT inexact, std::size_t count) {
  std::array<double, group> products;
  std::int32_t easy = 1;
  for (std::size_t i = 0; i < count; ++i) {
    // Exact: the product of two FP32 numbers has 48 significant bits.
    products[i] = static_cast<double>(load_carrier<float>(in + i * sizeof(float))) * double{multiplier};
    easy &= static_cast<std::int32_t>(std::fabs(products[i]) < easy_limit);  // not for NaN
  }
  if (easy == 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto whole = static_cast<std::int32_t>(products[i]);
    const double rest = products[i] - static_cast<double>(whole);
    const std::int32_t away = RoundsAway<mode>(rest, (whole + zero_point) & 1,
                                               static_cast<std::int32_t>(products[i] < -zero_point));
    const std::int32_t direction = 1 - 2 * static_cast<std::int32_t>(rest < 0);
    const std::int32_t rounded = whole + away * direction + zero_point;
    out[i] = std::max(lowest, std::min(highest, rounded));
    inexact[i] = static_cast<std::int32_t>(rest != 0);
  }
  return true;
}

using QuantizeFunction = bool (*)(float, int, int, int, const std::uint8_t*, std::int32_t*, std::int32_t*,
                                  std::size_t);
HWY_INLINE QuantizeFunction QuantizeOf(Rounding mode) {
  switch (mode) {
    case Rounding::RNE: return QuantizeGroup<Rounding::RNE>;
    case Rounding::RNA: return QuantizeGroup<Rounding::RNA>;
    case Rounding::RTM: return QuantizeGroup<Rounding::RTM>;
    case Rounding::RTP: return QuantizeGroup<Rounding::RTP>;
    case Rounding::RTZ: return QuantizeGroup<Rounding::RTZ>;
    default: return nullptr;
  }
}

StatusFlags QuantizePlainly(Word multiplier, Word zero_point, ElementType to, Control control,
                            const std::uint8_t* in, std::uint8_t* out, std::size_t count) {
  StatusFlags status = numeric::status::none;
  for (std::size_t i = 0; i < count; ++i) {
    const numeric::Valued made = numeric::reference::quantize(load_carrier<std::uint32_t>(in + i * 4),
                                                              multiplier, zero_point, to, control);
    out[i] = static_cast<std::uint8_t>(made.value);
    status |= made.flags;
  }
  return status;
}

StatusFlags Quantize(Word multiplier, Word zero_point, ElementType to, Control control,
                     const std::uint8_t* in, std::uint8_t* out, std::size_t count) {
  const QuantizeFunction loop = QuantizeOf(control.rounding);
  if (loop == nullptr) return QuantizePlainly(multiplier, zero_point, to, control, in, out, count);
  float scale;
  const auto scale_bits = static_cast<std::uint32_t>(multiplier);
  std::memcpy(&scale, &scale_bits, sizeof scale);
  const int offset = static_cast<int>(static_cast<std::int64_t>(numeric::widened(to, zero_point)));
  // A wrapping result keeps its low byte, whatever the bounds.
  const bool with_sign = numeric::is_signed(to);
  const int lowest = !control.saturating ? INT32_MIN : with_sign ? -128 : 0;
  const int highest = !control.saturating ? INT32_MAX : with_sign ? 127 : 255;
  StatusFlags status = numeric::status::none;
  std::array<std::int32_t, group> rounded;
  std::array<std::int32_t, group> inexact;
  for (std::size_t at = 0; at < count; at += group) {
    const std::size_t here = std::min(group, count - at);
    if (!loop(scale, offset, lowest, highest, in + at * 4, rounded.data(), inexact.data(), here)) {
      status |= QuantizePlainly(multiplier, zero_point, to, control, in + at * 4, out + at, here);
      continue;
    }
    std::int32_t any = 0;
    for (std::size_t i = 0; i < here; ++i) {
      out[at + i] = static_cast<std::uint8_t>(rounded[i]);
      any |= inexact[i];
    }
    if (any != 0) status |= numeric::status::inexact;
  }
  return status;
}

// The difference a byte stands for; `bias` moves signed bytes to where unsigned ones are.
struct Differences {
  int bias;
  int zero_point;
  HWY_INLINE int Of(std::uint8_t byte) const { return (byte ^ bias) - bias - zero_point; }
};

// To nearest even, a product rounds as the machine's does; a zero difference gives the positive zero.
HWY_NOINLINE void DequantizeNearest(Differences differences, float multiplier,
                                    const std::uint8_t* HWY_RESTRICT in, std::uint8_t* HWY_RESTRICT out,
                                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const int difference = differences.Of(in[i]);
    const float product = static_cast<float>(difference) * multiplier;
    store_carrier(out + i * sizeof(float), difference == 0 ? 0.0f : product);
  }
}

// The status of the same products: each is compared with its exact value.
HWY_NOINLINE StatusFlags DequantizeStatus(Differences differences, float multiplier,
                                          const std::uint8_t* HWY_RESTRICT in, std::size_t count) {
  constexpr double smallest_normal = 0x1p-126;
  constexpr double largest = 0x1.fffffep127;
  std::int32_t inexact = 0, tiny = 0, overflow = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int difference = differences.Of(in[i]);
    const float product = static_cast<float>(difference) * multiplier;
    const double exact = static_cast<double>(difference) * double{multiplier};
    const std::int32_t differs = static_cast<std::int32_t>(exact != double{product});
    inexact |= differs;
    tiny |= differs & static_cast<std::int32_t>(std::fabs(exact) < smallest_normal);
    overflow |= static_cast<std::int32_t>(std::fabs(product) > largest);
  }
  StatusFlags status = numeric::status::none;
  if (inexact != 0) status |= numeric::status::inexact;
  if (tiny != 0) status |= numeric::status::underflow;
  if (overflow != 0) status |= numeric::status::overflow;
  return status;
}

// What 256 sources may show at most is soon shown by many.
StatusFlags DequantizeStatusOf(Differences differences, float multiplier, const std::uint8_t* in,
                               std::size_t count) {
  std::array<std::uint8_t, 256> codes;
  for (unsigned code = 0; code < codes.size(); ++code) codes[code] = static_cast<std::uint8_t>(code);
  const StatusFlags possible = DequantizeStatus(differences, multiplier, codes.data(), codes.size());
  StatusFlags status = numeric::status::none;
  for (std::size_t at = 0; at < count && status != possible; at += group)
    status |= DequantizeStatus(differences, multiplier, in + at, std::min(group, count - at));
  return status;
}

StatusFlags Dequantize(Word multiplier, Word zero_point, ElementType from, Control control,
                       const std::uint8_t* HWY_RESTRICT in, std::uint8_t* HWY_RESTRICT out,
                       std::size_t count) {
  if (control.rounding == Rounding::RNE) {
    const int offset = static_cast<int>(static_cast<std::int64_t>(numeric::widened(from, zero_point)));
    const Differences differences{numeric::is_signed(from) ? 0x80 : 0, offset};
    float scale;
    const auto scale_bits = static_cast<std::uint32_t>(multiplier);
    std::memcpy(&scale, &scale_bits, sizeof scale);
    DequantizeNearest(differences, scale, in, out, count);
    return DequantizeStatusOf(differences, scale, in, count);
  }
  // There are only 256 sources.
  std::array<numeric::Valued, 256> results;
  for (unsigned code = 0; code < 256; ++code)
    results[code] = numeric::reference::dequantize(code, multiplier, zero_point, from, control);
  StatusFlags status = numeric::status::none;
  for (std::size_t i = 0; i < count; ++i) {
    store_carrier(out + i * 4, static_cast<std::uint32_t>(results[in[i]].value));
    status |= results[in[i]].flags;
  }
  return status;
}

// --- Nibbles ---

void UnpackPairs(const std::uint8_t* HWY_RESTRICT packed, std::size_t bytes, std::uint8_t* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < bytes; ++i) {
    out[2 * i] = packed[i] & 0xf;
    out[2 * i + 1] = packed[i] >> 4;
  }
}
void PackPairs(const std::uint8_t* HWY_RESTRICT in, std::size_t bytes, std::uint8_t* HWY_RESTRICT packed) {
  for (std::size_t i = 0; i < bytes; ++i)
    packed[i] = static_cast<std::uint8_t>((in[2 * i] & 0xf) | in[2 * i + 1] << 4);
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Convert);
HWY_EXPORT(Quantize);
HWY_EXPORT(Dequantize);
HWY_EXPORT(UnpackPairs);
HWY_EXPORT(PackPairs);

numeric::StatusFlags convert(ElementType from, ElementType to, numeric::reference::Control control,
                             const std::uint8_t* in, std::uint8_t* out, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(Convert)(from, to, control, in, out, count);
}
numeric::StatusFlags quantize(Word multiplier, Word zero_point, ElementType to,
                              numeric::reference::Control control, const std::uint8_t* in, std::uint8_t* out,
                              std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(Quantize)(multiplier, zero_point, to, control, in, out, count);
}
numeric::StatusFlags dequantize(Word multiplier, Word zero_point, ElementType from,
                                numeric::reference::Control control, const std::uint8_t* in,
                                std::uint8_t* out, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(Dequantize)(multiplier, zero_point, from, control, in, out, count);
}

void unpack_nibbles(const std::uint8_t* packed, std::uint64_t first, std::size_t count, std::uint8_t* out) {
  packed += first / 2;
  if (first % 2 != 0 && count != 0) {
    *out++ = *packed++ >> 4;
    --count;
  }
  HWY_DYNAMIC_DISPATCH(UnpackPairs)(packed, count / 2, out);
  if (count % 2 != 0) out[count - 1] = packed[count / 2] & 0xf;
}

void pack_nibbles(const std::uint8_t* in, std::size_t count, std::uint8_t* packed, std::uint64_t first) {
  packed += first / 2;
  if (first % 2 != 0 && count != 0) {
    *packed = static_cast<std::uint8_t>((*packed & 0xf) | *in++ << 4);
    ++packed;
    --count;
  }
  HWY_DYNAMIC_DISPATCH(PackPairs)(in, count / 2, packed);
  if (count % 2 != 0)
    packed[count / 2] = static_cast<std::uint8_t>((packed[count / 2] & 0xf0) | (in[count - 1] & 0xf));
}

}  // namespace pto::kernels
#endif
