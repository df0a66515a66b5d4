// What B.FPATR makes of an accumulator, by hand-computed numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "numeric/matrix_output.h"

namespace pto::test {

namespace {

using numeric::Rounding;
using numeric::Valued;
namespace reference = numeric::reference;
namespace status = numeric::status;

// FP19 words: 1.0 has exponent 127.
constexpr Word fp19(unsigned exponent, unsigned fraction = 0) { return Word{exponent} << 10 | fraction; }
constexpr Word scale(Word number) { return number << 13; }
constexpr Word one = fp19(127), half = fp19(126), two = fp19(128);

Valued output(unsigned code, Word value, Word scale_word, unsigned activation = 0, Word slope = 0,
              reference::Control control = {}) {
  const numeric::MatrixOutputMode* mode = numeric::find_matrix_output_mode(code);
  return reference::matrix_output(value, mode->accumulator, mode, activation, scale_word, slope, control);
}

}  // namespace

TEST(MatrixOutput, ModesAreTheAssignedCodes) {
  unsigned assigned = 0;
  for (unsigned code = 0; code < 64; ++code) assigned += numeric::find_matrix_output_mode(code) != nullptr;
  EXPECT_EQ(assigned, 26u);
  EXPECT_EQ(numeric::find_matrix_output_mode(0), nullptr);
  EXPECT_EQ(numeric::find_matrix_output_mode(40), nullptr);
}

TEST(MatrixOutput, Fp19IsAnFp32CutToTenFractionBits) {
  EXPECT_EQ(numeric::fp19_value(one), 1.0);
  EXPECT_EQ(numeric::fp19_value(fp19(127, 512)), 1.5);
  EXPECT_EQ(numeric::fp19_value(Word{1} << 18 | two), -2.0);
  EXPECT_FALSE(numeric::fp19_positive_normal(0));
  EXPECT_FALSE(numeric::fp19_positive_normal(fp19(255)));
  EXPECT_FALSE(numeric::fp19_positive_normal(Word{1} << 18 | one));
}

TEST(MatrixOutput, ScaleWordsMustBeZeroWhereTheModeReadsNothing) {
  const numeric::MatrixOutputMode& to_s8 = *numeric::find_matrix_output_mode(3);
  EXPECT_TRUE(numeric::matrix_scale_word_legal(to_s8, scale(one) | Word{0x1ff} << 37));
  EXPECT_FALSE(numeric::matrix_scale_word_legal(to_s8, scale(one) | Word{1} << 46));
  EXPECT_FALSE(numeric::matrix_scale_word_legal(to_s8, scale(one) | 1));
  const numeric::MatrixOutputMode& shift = *numeric::find_matrix_output_mode(13);
  EXPECT_TRUE(numeric::matrix_scale_word_legal(shift, Word{15} << 32));
  EXPECT_FALSE(numeric::matrix_scale_word_legal(shift, Word{16} << 32));
}

TEST(MatrixOutput, ScalesAddsTheOffsetAndClamps) {
  // 5 * 0.5 = 2.5 rounds to 2; plus 3 is 5.
  EXPECT_EQ(output(3, 5, scale(half) | Word{3} << 37).value & 0xff, 5u);
  EXPECT_EQ(output(3, 5, scale(half) | Word{3} << 37).flags, status::inexact);
  // The nine-bit intermediate clamps to 255 before the offset of -200 is added.
  const Word offset = (Word{512 - 200}) << 37;
  const Valued clamped = output(3, 1000, scale(one) | offset, 0, 0, {Rounding::RNE, true});
  EXPECT_EQ(clamped.value & 0xff, 55u);
  EXPECT_EQ(clamped.flags, reference::overflow_inexact);
}

TEST(MatrixOutput, ShiftsOneMoreThanTheCode) {
  EXPECT_EQ(output(13, 0x100, 0).value, 0x80u);
  EXPECT_EQ(output(13, 0x80000000, 0).value & 0xffff, 0x8000u);
  EXPECT_EQ(output(13, 0x7fffffff, Word{15} << 32).value, 0x7fffu);
}

TEST(MatrixOutput, ActivationActsOnNegativesOnly) {
  constexpr Word minus_two = 0xc0000000, plus_two = 0x40000000;
  EXPECT_EQ(output(27, minus_two, scale(one), 1).value, 0u);
  EXPECT_EQ(output(27, plus_two, scale(one), 1).value, plus_two);
  EXPECT_EQ(output(27, minus_two, scale(one), 2, half).value, 0xbf800000u);
  EXPECT_EQ(output(27, plus_two, scale(two), 2, half).value, 0x40800000u);
  // Minus infinity times zero is zero here.
  EXPECT_EQ(output(27, 0xff800000, scale(one), 1).value, 0u);
}

TEST(MatrixOutput, RoundsToHalfPrecisionOnce) {
  EXPECT_EQ(output(1, 0x3f800000, 0).value, 0x3c00u);
  EXPECT_EQ(output(1, 0x477ff000, 0).value, 0x7c00u);  // 65520 ties to infinity
  EXPECT_EQ(output(1, 0x477fe000, 0).value, 0x7bffu);  // 65504 is the largest
  EXPECT_EQ(output(1, 0x33800000, 0).value, 0x0001u);  // 2^-24, the smallest
  EXPECT_EQ(output(1, 0x33000000, 0).value, 0x0000u);  // half of it ties to zero
  EXPECT_EQ(output(16, 0x3f808000, 0).value, 0x3f80u);
  EXPECT_EQ(output(16, 0x3f818000, 0).value, 0x3f82u);
}

TEST(MatrixOutput, EightBitFloats) {
  EXPECT_EQ(output(26, 0x3f800000, scale(one)).value, 0x38u);
  EXPECT_EQ(output(26, 0x43e80000, scale(one)).value, 0x7fu);  // 464 is above 448
  EXPECT_EQ(output(26, 0xc3e80000, scale(one), 0, 0, {Rounding::RNE, true}).value, 0xfeu);
  EXPECT_EQ(output(25, 0x3f800000, scale(one)).value, 0x08u);
  EXPECT_EQ(output(25, 0x47000000, scale(one)).value, 0x6eu);  // 32768 is the largest
  EXPECT_EQ(output(25, 0x47000100, scale(one)).value, 0x6fu);
}

// The definition looks at every code; the codes on both sides of the value must decide as all of them would.
TEST(MatrixOutput, EightBitFloatsAreDecidedByTheirNeighbours) {
  namespace reference = numeric::reference;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> significand(-2.0, 2.0);
  for (const ElementType type : {ElementType::E4M3, ElementType::HiF8}) {
    const bool e4m3 = type == ElementType::E4M3;
    const auto finite = [&](unsigned code) {
      return e4m3 ? (code & 0x7f) != 0x7f : (code & 0x7f) != 0x6f && code != 0x80;
    };
    const auto value_of = [&](unsigned code) {
      return e4m3 ? reference::e4m3_value(code) : reference::hif8_value(code);
    };
    for (int i = 0; i < 20000; ++i) {
      double value = std::ldexp(significand(random), static_cast<int>(random() % 50) - 30);
      if (i % 3 == 0) value = (value_of(random() % 0x6e) + value_of(random() % 0x6e)) / 2;  // ties
      if (value == 0.0 || std::fabs(value) > (e4m3 ? 448.0 : 32768.0)) continue;
      for (const auto mode : {numeric::Rounding::RNE, numeric::Rounding::RTM, numeric::Rounding::RTP,
                              numeric::Rounding::RTZ, numeric::Rounding::RNA, numeric::Rounding::RHB}) {
        std::optional<unsigned> best;
        for (unsigned code = 0; code < 256; ++code) {
          if (!finite(code) || !reference::may_round_to(value_of(code), value, mode)) continue;
          if (!best || reference::rounds_better(value_of(code), code, value_of(*best), *best, value, mode))
            best = code;
        }
        ASSERT_EQ(reference::encode_byte_float(value, type, {mode, false}).value, *best)
            << value << ", mode " << static_cast<int>(mode);
      }
    }
  }
}

TEST(MatrixOutput, MaximaOfMagnitudes) {
  EXPECT_EQ(reference::matrix_maximum(3, 0xfffffff9, true, ElementType::S32).value, 7u);
  EXPECT_EQ(reference::matrix_maximum(3, 0xfffffff9, false, ElementType::S32).value & 0xffffffff, 3u);
  const Valued least = reference::matrix_maximum(0, 0x80000000, true, ElementType::S32);
  EXPECT_EQ(least.value, 0x7fffffffu);
  EXPECT_EQ(least.flags, status::overflow);
}

}  // namespace pto::test
