// Every kernel equals its plain reference on every target the machine has.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstring>
#include <random>
#include <vector>

#include "kernels/bits.h"
#include "kernels/combine.h"
#include "kernels/permute.h"

namespace pto::kernels {
namespace {

// Runs `body` once per vector target, each time with only that target allowed.
template <class Body>
void on_every_target(Body body) {
  for (std::uint64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    const auto target = static_cast<std::int64_t>(targets & (~targets + 1));
    hwy::SetSupportedTargetsForTest(target);
    body(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Kernels, PermuteBytesEqualsItsReference) {
  std::mt19937 random(7);
  for (const unsigned group : {4u, 8u}) {
    for (const std::size_t bytes : {128u, 256u, 4096u}) {
      std::vector<std::uint8_t> first(bytes), second(bytes), indices(bytes), expected(bytes), actual(bytes);
      for (std::size_t i = 0; i < bytes; ++i) {
        first[i] = static_cast<std::uint8_t>(random());
        second[i] = static_cast<std::uint8_t>(random());
        indices[i] = static_cast<std::uint8_t>(random() % (2 * group));
      }
      const std::uint8_t seen =
          permute_bytes_plain(first.data(), second.data(), indices.data(), expected.data(), bytes, group);
      on_every_target([&](const char* target) {
        std::fill(actual.begin(), actual.end(), std::uint8_t{0});
        EXPECT_EQ(permute_bytes(first.data(), second.data(), indices.data(), actual.data(), bytes, group),
                  seen);
        EXPECT_EQ(actual, expected) << target << ", groups of " << group;
      });
    }
  }
}

TEST(Kernels, PermuteBytesReportsWhatItSaw) {
  std::vector<std::uint8_t> table(128, 1), indices(128, 0), out(128);
  indices[77] = 0x40;
  on_every_target([&](const char* target) {
    EXPECT_EQ(permute_bytes(table.data(), table.data(), indices.data(), out.data(), 128, 4), 0x40) << target;
  });
}

TEST(Kernels, CombinationsEqualTheirReference) {
  std::mt19937_64 random(11);
  constexpr std::size_t count = 133;  // no multiple of any vector
  std::vector<std::uint8_t> left(count * 8 + 1), right(count * 8 + 1), out(count * 8);
  for (std::uint8_t& byte : left) byte = static_cast<std::uint8_t>(random());
  for (std::uint8_t& byte : right) byte = static_cast<std::uint8_t>(random());
  const auto number = [](const std::vector<std::uint8_t>& from, std::size_t at, unsigned bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, from.data() + at, bytes);
    return value;
  };
  for (unsigned code = 0; code <= static_cast<unsigned>(Combination::MinSigned); ++code) {
    const auto operation = static_cast<Combination>(code);
    for (const unsigned bytes : {1u, 2u, 4u, 8u}) {
      on_every_target([&](const char* target) {
        // One byte off any alignment.
        combine(operation, bytes, left.data() + 1, right.data() + 1, out.data(), count);
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(number(out, i * bytes, bytes),
                    combine_plain(operation, bytes, number(left, 1 + i * bytes, bytes),
                                  number(right, 1 + i * bytes, bytes)))
              << target << ", combination " << code << ", " << bytes << " bytes, number " << i;
        }
        const std::uint64_t scalar = number(right, 3, 8);
        combine_scalar(operation, bytes, left.data() + 1, scalar, out.data(), count);
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(number(out, i * bytes, bytes),
                    combine_plain(operation, bytes, number(left, 1 + i * bytes, bytes), scalar))
              << target << ", combination " << code << " with a scalar, " << bytes << " bytes, number " << i;
        }
      });
    }
  }
}

TEST(Kernels, RunsOfBitsSetNothingBesideThem) {
  for (std::uint64_t first = 0; first < 130; ++first) {
    for (std::uint64_t count = 0; first + count <= 256; count += 7) {
      std::vector<std::uint64_t> words(4);
      set_bits(words, first, count);
      for (std::uint64_t bit = 0; bit < 256; ++bit)
        ASSERT_EQ(words[bit / 64] >> bit % 64 & 1, bit >= first && bit < first + count ? 1u : 0u)
            << first << "+" << count;
      EXPECT_TRUE(all_bits_set(words, first, count));
      EXPECT_EQ(all_bits_set(words, first, count + 1), false);
    }
  }
}

TEST(Kernels, RunsOfBits) {
  std::vector<std::uint64_t> words(4);
  set_bits(words, 60, 100);
  EXPECT_TRUE(all_bits_set(words, 60, 100));
  EXPECT_FALSE(all_bits_set(words, 59, 100));
  EXPECT_FALSE(all_bits_set(words, 60, 101));
  EXPECT_FALSE(all_bits_set(words, 300, 1)) << "bits outside the bitmap are clear";
  EXPECT_TRUE(all_bits_set(words, 999, 0));
}

}  // namespace
}  // namespace pto::kernels
