// What happens to a matrix accumulator on its way out (PTO-B-FPATR-MATRIX-POSTPROCESS-001,
// PTO-MATRIX-QUANT-BITEXACT-001): activation, scaling, offset and conversion, bit for bit.
//
// Every product here is exact in a double: an FP32 or S32 number times an FP19 scale has at most 43
// significant bits. So each conversion rounds once.
#pragma once

#include <algorithm>
#include <array>

#include "numeric/conversion.h"

namespace pto::numeric {

enum class MatrixParameter : std::uint8_t { None, Scalar, Vector };

// One B.FPATR PreQuantMode.
struct MatrixOutputMode {
  std::uint8_t code = 0;
  ElementType accumulator = ElementType::FP32;
  MatrixParameter parameter = MatrixParameter::None;
  ElementType output = ElementType::FP32;
  std::uint8_t offset_width = 0;  // the width of the signed offset and of what it is added to
  bool fixed_rounding = false;
  bool shift = false;
  bool half_up = false;  // the fixed rounding is half up instead of to nearest even
};

inline constexpr MatrixOutputMode matrix_output_modes[] = {
    {.code = 1, .output = ElementType::FP16, .fixed_rounding = true},
    {.code = 2,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Vector,
     .output = ElementType::S8,
     .offset_width = 9},
    {.code = 3,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Scalar,
     .output = ElementType::S8,
     .offset_width = 9},
    {.code = 4,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Vector,
     .output = ElementType::FP16},
    {.code = 5,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Scalar,
     .output = ElementType::FP16},
    {.code = 12,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Vector,
     .output = ElementType::S16,
     .shift = true},
    {.code = 13,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Scalar,
     .output = ElementType::S16,
     .shift = true},
    {.code = 16, .output = ElementType::BF16, .fixed_rounding = true},
    {.code = 17,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Scalar,
     .output = ElementType::S4X2,
     .offset_width = 5},
    {.code = 18,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Vector,
     .output = ElementType::S4X2,
     .offset_width = 5},
    {.code = 19,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Scalar,
     .output = ElementType::S16,
     .offset_width = 17},
    {.code = 20,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Vector,
     .output = ElementType::S16,
     .offset_width = 17},
    {.code = 23, .parameter = MatrixParameter::Vector, .output = ElementType::S8, .offset_width = 9},
    {.code = 24, .parameter = MatrixParameter::Scalar, .output = ElementType::S8, .offset_width = 9},
    {.code = 25,
     .parameter = MatrixParameter::Scalar,
     .output = ElementType::HiF8,
     .fixed_rounding = true,
     .half_up = true},
    {.code = 26, .parameter = MatrixParameter::Scalar, .output = ElementType::E4M3, .fixed_rounding = true},
    {.code = 27, .parameter = MatrixParameter::Scalar, .output = ElementType::FP32},
    {.code = 28,
     .parameter = MatrixParameter::Vector,
     .output = ElementType::HiF8,
     .fixed_rounding = true,
     .half_up = true},
    {.code = 32, .parameter = MatrixParameter::Scalar, .output = ElementType::FP16, .fixed_rounding = true},
    {.code = 33, .parameter = MatrixParameter::Vector, .output = ElementType::FP16, .fixed_rounding = true},
    {.code = 34, .parameter = MatrixParameter::Scalar, .output = ElementType::BF16, .fixed_rounding = true},
    {.code = 35,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Scalar,
     .output = ElementType::BF16},
    {.code = 36, .parameter = MatrixParameter::Vector, .output = ElementType::BF16, .fixed_rounding = true},
    {.code = 37, .parameter = MatrixParameter::Vector, .output = ElementType::E4M3, .fixed_rounding = true},
    {.code = 38, .parameter = MatrixParameter::Vector, .output = ElementType::FP32},
    {.code = 39,
     .accumulator = ElementType::S32,
     .parameter = MatrixParameter::Vector,
     .output = ElementType::BF16},
};

// Null: the code keeps the accumulator, or is reserved.
constexpr const MatrixOutputMode* find_matrix_output_mode(unsigned code) {
  for (const MatrixOutputMode& mode : matrix_output_modes) {
    if (mode.code == code) return &mode;
  }
  return nullptr;
}

// FP19: a sign, eight exponent bits, ten fraction bits.
constexpr unsigned fp19_exponent(Word value) { return static_cast<unsigned>(value >> 10 & 0xff); }
constexpr bool fp19_positive_normal(Word value) {
  return (value >> 18 & 1) == 0 && fp19_exponent(value) != 0 && fp19_exponent(value) != 0xff;
}
inline double fp19_value(Word value) {
  const auto fraction = static_cast<double>(value & 0x3ff);
  const int exponent = static_cast<int>(fp19_exponent(value));
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -136) : std::ldexp(1024.0 + fraction, exponent - 137);
  return (value >> 18 & 1) != 0 ? -magnitude : magnitude;
}

// A quantization word: the scale in bits 31:13, the offset from bit 37 on, a shift in bits 35:32. What a mode
// does not use must be zero.
constexpr bool matrix_scale_word_legal(const MatrixOutputMode& mode, Word word) {
  if (mode.shift) return (word & ~(Word{0xf} << 32)) == 0;
  const Word used = mask_of(19) << 13 | (mode.offset_width == 0 ? 0 : mask_of(mode.offset_width) << 37);
  return (word & ~used) == 0 && fp19_positive_normal(word >> 13 & mask_of(19));
}
// A slope for negative values: FP19 in the low bits, zero or positive and normal.
constexpr bool matrix_slope_word_legal(Word word) {
  return word == 0 || (word >> 19 == 0 && fp19_positive_normal(word));
}

constexpr std::int64_t matrix_offset(const MatrixOutputMode& mode, Word word) {
  if (mode.offset_width == 0) return 0;
  const unsigned unused = 64u - mode.offset_width;
  return static_cast<std::int64_t>(word >> 37 << unused) >> unused;
}

namespace reference {

inline constexpr StatusFlags overflow_inexact = status::overflow | status::inexact;

inline double round_to_integer(double value, Rounding mode) {
  const double floor = std::floor(value);
  const bool odd = is_odd(floor);
  return floor + (rounds_up(mode, remainder_of(value, floor), odd, value < 0.0) ? 1.0 : 0.0);
}

// A whole number into an integer type, clamped or wrapped.
inline Valued encode_integer(double value, ElementType to, Control control) {
  const double rounded = round_to_integer(value, control.rounding);
  const auto minimum = static_cast<double>(static_cast<std::int64_t>(integer_minimum(to)));
  const auto maximum = static_cast<double>(integer_maximum(to));
  const bool beyond = rounded < minimum || rounded > maximum;
  const StatusFlags flags = beyond ? overflow_inexact : rounded != value ? status::inexact : status::none;
  if (beyond && control.saturating)
    return {rounded < minimum ? integer_minimum(to) : integer_maximum(to), flags};
  const bool small = std::fabs(rounded) < 4294967296.0;
  const auto low = static_cast<std::int64_t>(small ? rounded : std::fmod(rounded, 4294967296.0));
  return {widened(to, static_cast<Word>(low)), flags};
}

// FP16 and BF16, rounded once.
inline Valued encode_binary16(double value, ElementType to, Control control) {
  if (value == 0.0) return {0, status::none};
  const bool bf16 = to == ElementType::BF16;
  const int fraction_bits = bf16 ? 7 : 10;
  const int bias = bf16 ? 127 : 15;
  const bool negative = value < 0.0;
  const Word sign = negative ? 0x8000 : 0;
  const Word largest = bf16 ? 0x7f7f : 0x7bff;
  const Valued infinite{sign | (control.saturating ? largest : largest + 1), overflow_inexact};
  int exponent = 0;
  std::frexp(value, &exponent);
  --exponent;
  if (exponent > bias) return infinite;
  const bool subnormal = exponent < 1 - bias;
  const double scaled = std::ldexp(value, fraction_bits - (subnormal ? 1 - bias : exponent));
  const double rounded = round_to_integer(scaled, control.rounding);
  const auto magnitude = static_cast<Word>(std::fabs(rounded));
  if (subnormal) {
    const StatusFlags tiny = status::underflow | status::inexact;
    return {sign | magnitude, rounded == scaled ? status::none : tiny};
  }
  // A significand that rounds up to the next power of two carries into the exponent by itself.
  const Word encoded = (static_cast<Word>(exponent + bias - 1) << fraction_bits) + magnitude;
  if (encoded > largest) return infinite;
  return {sign | encoded, rounded == scaled ? status::none : status::inexact};
}

// The values of E4M3 and HiF8.
inline double e4m3_value(unsigned code) {
  const unsigned exponent = code >> 3 & 0xf;
  const double magnitude = exponent == 0 ? std::ldexp(code & 7, -9)
                                         : std::ldexp(8.0 + (code & 7), static_cast<int>(exponent) - 10);
  return (code & 0x80) != 0 ? -magnitude : magnitude;
}

inline double hif8_value(unsigned code) {
  const unsigned body = code & 0x7f;
  // The dot field decides how many exponent bits follow; the exponent carries its own sign bit and a hidden
  // one.
  const auto part = [&](unsigned exponent_bits, unsigned fraction_bits) {
    const unsigned field = body >> fraction_bits & ((1u << exponent_bits) - 1);
    const unsigned half = 1u << (exponent_bits - 1);
    const int magnitude = static_cast<int>(half + (field & (half - 1)));
    return std::ldexp((1u << fraction_bits) + (body & ((1u << fraction_bits) - 1)),
                      (field < half ? magnitude : -magnitude) - static_cast<int>(fraction_bits));
  };
  double magnitude = 0.0;
  if (body >= 96)
    magnitude = part(4, 1);
  else if (body >= 64)
    magnitude = part(3, 2);
  else if (body >= 32)
    magnitude = part(2, 3);
  else if (body >= 16)
    magnitude = part(1, 3);
  else if (body >= 8)
    magnitude = 1.0 + (body - 8) / 8.0;
  else if (body != 0)
    magnitude = std::ldexp(1.0, static_cast<int>(body) - 23);
  return (code & 0x80) != 0 ? -magnitude : magnitude;
}

struct ByteFloat {
  std::array<double, 256> values{};
  std::array<std::uint8_t, 256> ordered{};  // the finite codes by value, then by code
  unsigned count = 0;
};

inline const ByteFloat& byte_float(ElementType type) {
  const auto make = [](ElementType of) {
    ByteFloat table;
    for (unsigned code = 0; code < 256; ++code) {
      const unsigned body = code & 0x7f;
      table.values[code] = of == ElementType::E4M3 ? e4m3_value(code) : hif8_value(code);
      const bool finite = of == ElementType::E4M3 ? body != 0x7f : body != 0x6f && code != 0x80;
      if (finite) table.ordered[table.count++] = static_cast<std::uint8_t>(code);
    }
    std::stable_sort(table.ordered.begin(), table.ordered.begin() + table.count,
                     [&](std::uint8_t a, std::uint8_t b) { return table.values[a] < table.values[b]; });
    return table;
  };
  static const ByteFloat e4m3 = make(ElementType::E4M3);
  static const ByteFloat hif8 = make(ElementType::HiF8);
  return type == ElementType::E4M3 ? e4m3 : hif8;
}

// Whether `mode` may round `value` to `candidate`.
inline bool may_round_to(double candidate, double value, Rounding mode) {
  switch (mode) {
    case Rounding::RTP: return candidate >= value;
    case Rounding::RTM: return candidate <= value;
    case Rounding::RTZ:
    case Rounding::RTO:
      return value < 0.0 ? candidate <= 0.0 && candidate >= value : candidate >= 0.0 && candidate <= value;
    default: return true;
  }
}

inline bool rounds_better(double candidate, unsigned code, double best, unsigned best_code, double value,
                          Rounding mode) {
  switch (mode) {
    case Rounding::RTP: return candidate < best;
    case Rounding::RTM: return candidate > best;
    case Rounding::RTZ:
    case Rounding::RTO: return value < 0.0 ? candidate < best : candidate > best;
    default: break;
  }
  const double distance = std::fabs(candidate - value);
  const double best_distance = std::fabs(best - value);
  if (distance != best_distance) return distance < best_distance;
  if (mode == Rounding::RNE) return code % 2 == 0 && best_code % 2 != 0;
  if (mode == Rounding::RNA) return std::fabs(candidate) > std::fabs(best);
  return candidate > best;
}

// The codes on both sides of a value, or twice the code that has it; the lower code first. The value is not
// beyond the largest. Of two codes for zero it is the lower.
inline std::array<unsigned, 2> neighbours(const ByteFloat& table, double value) {
  const auto first = table.ordered.begin();
  const auto last = first + table.count;
  const auto above = std::lower_bound(
      first, last, value, [&](std::uint8_t code, double than) { return table.values[code] < than; });
  const double higher = table.values[*above];
  if (higher == value || above == first) return {*above, *above};
  // The first of the codes that have the value below.
  const double lower = table.values[*(above - 1)];
  const auto below = std::lower_bound(
      first, last, lower, [&](std::uint8_t code, double than) { return table.values[code] < than; });
  return {std::min<unsigned>(*below, *above), std::max<unsigned>(*below, *above)};
}

// E4M3 and HiF8 by the encodings on both sides: the eight-bit formats have no common spacing.
inline Valued encode_byte_float(double value, ElementType to, Control control) {
  if (value == 0.0) return {0, status::none};
  const bool e4m3 = to == ElementType::E4M3;
  const bool negative = value < 0.0;
  const Word sign = negative ? 0x80 : 0;
  if (std::fabs(value) > (e4m3 ? 448.0 : 32768.0)) {
    if (control.saturating) return {sign | (e4m3 ? 0x7e : 0x6e), overflow_inexact};
    return {e4m3 ? 0x7f : sign | 0x6f, overflow_inexact};
  }
  const ByteFloat& table = byte_float(to);
  bool found = false;
  unsigned best = 0;
  for (const unsigned code : neighbours(table, value)) {
    if (!may_round_to(table.values[code], value, control.rounding)) continue;
    if (found && !rounds_better(table.values[code], code, table.values[best], best, value, control.rounding))
      continue;
    found = true;
    best = code;
  }
  if (control.rounding == Rounding::RTO && table.values[best] != value && best % 2 == 0) {
    // To odd: the next odd encoding away from zero.
    const double from = table.values[best];
    bool odd_found = false;
    unsigned odd = best;
    for (unsigned place = 0; place < table.count; ++place) {
      const unsigned code = table.ordered[place];
      const double candidate = table.values[code];
      if (code % 2 == 0 || (negative ? candidate >= from : candidate <= from)) continue;
      if (odd_found && (negative ? candidate <= table.values[odd] : candidate >= table.values[odd])) continue;
      odd_found = true;
      odd = code;
    }
    best = odd;
  }
  if (table.values[best] == value) return {best, status::none};
  const bool tiny = std::fabs(value) < std::ldexp(1.0, e4m3 ? -6 : -15);
  return {best, static_cast<StatusFlags>(status::inexact | (tiny ? status::underflow : status::none))};
}

inline Valued encode(double value, ElementType to, Control control) {
  if (is_integer(to)) return encode_integer(value, to, control);
  if (to == ElementType::FP16 || to == ElementType::BF16) return encode_binary16(value, to, control);
  if (to != ElementType::FP32) return encode_byte_float(value, to, control);
  Valued made = encode_fp32(value, control.rounding);
  if (control.saturating && (made.flags & status::overflow) != 0)
    made.value = (made.value & 0x80000000) | 0x7f7fffff;
  return made;
}

// NaN and infinity of an FP32 accumulator.
inline Valued encode_special(const Classified& number, ElementType to, Control control) {
  if (number.is_nan()) {
    const StatusFlags signaling =
        number.value_class == ValueClass::SignalingNaN ? status::invalid : status::none;
    if (is_integer(to)) return {control.saturating ? 0 : integer_minimum(to), status::invalid};
    return {control.saturating ? 0 : canonical_nan(to), signaling};
  }
  if (is_integer(to)) {
    if (!control.saturating) return {integer_minimum(to), status::invalid};
    return {number.negative ? integer_minimum(to) : integer_maximum(to), overflow_inexact};
  }
  const unsigned bits = element_bits(to);
  const Word sign = number.negative ? Word{1} << (bits - 1) : 0;
  const auto choose = [&]() -> std::pair<Word, Word> {  // infinity, largest finite
    switch (to) {
      case ElementType::FP32: return {0x7f800000, 0x7f7fffff};
      case ElementType::FP16: return {0x7c00, 0x7bff};
      case ElementType::BF16: return {0x7f80, 0x7f7f};
      case ElementType::HiF8: return {0x6f, 0x6e};
      default: return {0x7f, 0x7e};
    }
  };
  const auto [infinity, largest] = choose();
  if (control.saturating) return {sign | largest, overflow_inexact};
  if (to == ElementType::E4M3) return {canonical_nan(to), overflow_inexact};
  return {sign | infinity, status::none};
}

// An accumulator value on its way out. `mode` null keeps the accumulator's type.
inline Valued matrix_output(Word value, ElementType accumulator, const MatrixOutputMode* mode,
                            unsigned activation, Word scale_word, Word slope_word, Control control) {
  if (mode == nullptr && activation == 0) return {value, status::none};
  if (mode != nullptr && mode->shift) {
    const auto shifted = static_cast<std::int32_t>(value) >> ((scale_word >> 32 & 0xf) + 1);
    if (shifted < -32768) return {~Word{0} << 15, overflow_inexact};
    if (shifted > 32767) return {0x7fff, overflow_inexact};
    return {static_cast<Word>(std::int64_t{shifted}), status::none};
  }
  if (mode != nullptr && mode->fixed_rounding)
    control.rounding = mode->half_up ? Rounding::RHB : Rounding::RNE;
  const ElementType output = mode == nullptr ? accumulator : mode->output;
  const bool floating = accumulator == ElementType::FP32;
  const Classified number = floating ? classify(ElementType::FP32, value & mask_of(32)) : Classified{};
  const bool negative = floating ? number.negative && !number.is_nan()
                                 : accumulator == ElementType::S32 && static_cast<std::int32_t>(value) < 0;
  const bool scaled = mode != nullptr && mode->parameter != MatrixParameter::None;
  const double scale = scaled ? fp19_value(scale_word >> 13 & mask_of(19)) : 1.0;
  const double factor = !negative || activation == 0 ? scale : activation == 1 ? 0.0 : fp19_value(slope_word);

  const bool negative_infinity = floating && number.is_infinity() && number.negative;
  if (floating && (number.is_nan() || number.is_infinity()) && !(negative_infinity && factor == 0.0))
    return encode_special(number, output, control);

  const auto number_of = [&]() -> double {
    if (negative_infinity) return 0.0;  // times zero
    if (floating) return fp32_value(value);
    if (accumulator == ElementType::S32) return static_cast<std::int32_t>(value);
    return static_cast<std::uint32_t>(value);
  };
  const double product = number_of() * factor;
  const std::int64_t offset = mode == nullptr ? 0 : matrix_offset(*mode, scale_word);
  if (floating && number.is_zero() && negative && factor != 0.0 && offset == 0 && is_float(output))
    return {output == ElementType::HiF8 ? 0 : Word{1} << (element_bits(output) - 1), status::none};
  if (mode == nullptr || mode->offset_width == 0) return encode(product, output, control);

  const double bound = std::ldexp(1.0, mode->offset_width - 1);
  const double rounded = round_to_integer(product, control.rounding);
  const double middle = std::fmin(std::fmax(rounded, -bound), bound - 1.0);
  const StatusFlags flags = middle != rounded    ? overflow_inexact
                            : rounded != product ? status::inexact
                                                 : status::none;
  Valued made = encode(middle + static_cast<double>(offset), output, control);
  made.flags |= flags;
  return made;
}

// An FP32 accumulator times 2^-exponent, rounded to nearest even; NaNs, infinities and zeros stay as they
// are.
inline Valued scale_down(Word value, unsigned exponent) {
  const Classified number = classify(ElementType::FP32, value);
  if (number.is_nan() || number.is_infinity() || number.is_zero()) return {value, status::none};
  return encode_fp32(std::ldexp(fp32_value(value), -static_cast<int>(exponent)), Rounding::RNE);
}

// A step of a maximum over accumulators.
constexpr Valued matrix_maximum(Word current, Word candidate, bool absolute, ElementType type) {
  StatusFlags flags = status::none;
  const auto magnitude = [&](Word value) -> Word {
    if (type == ElementType::FP32) return float_sign(UnaryOperation::Abs, type, value).value;
    if (type == ElementType::U32 || static_cast<std::int32_t>(value) >= 0) return value & mask_of(32);
    if ((value & mask_of(32)) == Word{1} << 31) {
      flags |= status::overflow;
      return mask_of(31);
    }
    return (0 - value) & mask_of(32);
  };
  Valued made = absolute ? binary(BinaryOperation::Max, type, magnitude(current), magnitude(candidate))
                         : binary(BinaryOperation::Max, type, current, candidate);
  made.flags |= flags;
  return made;
}

}  // namespace reference

}  // namespace pto::numeric
