// Every kernel equals its plain reference on every target the machine has.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstring>
#include <random>
#include <vector>

#include "kernel_cases.h"
#include "kernels/bits.h"
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

TEST(Kernels, EqualTheirReferences) {
  on_every_target([&](const char* target) {
    std::mt19937 random(11);
    std::vector<std::uint8_t> bytes(1000);
    for (int i = 0; i < 6000; ++i) {
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
      ASSERT_EQ(test::check_kernel_case(bytes), "") << target << ", case " << i;
    }
  });
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

TEST(Kernels, RunsOfBitsOfRows) {
  for (const std::uint64_t stride : {1u, 4u, 16u, 32u, 64u, 7u, 100u, 128u}) {
    for (std::uint64_t count = 0; count <= stride; count += 1 + stride / 5) {
      for (const std::uint64_t first : {0u, 3u, 64u, 77u}) {
        constexpr std::uint64_t rows = 9;
        std::vector<std::uint64_t> words((first + rows * stride) / 64 + 1), wanted(words.size());
        for (std::uint64_t row = 0; row < rows; ++row) set_bits(wanted, first + row * stride, count);
        set_bits_of_rows(words, first, count, stride, rows);
        ASSERT_EQ(words, wanted) << first << "+" << count << " of " << stride;
        EXPECT_TRUE(all_bits_of_rows_set(words, first, count, stride, rows));
        if (count == 0) continue;
        EXPECT_FALSE(all_bits_of_rows_set(words, first, count, stride, rows + 20)) << "outside is clear";
        const std::uint64_t missing = first + 5 * stride + count - 1;
        words[missing / 64] &= ~(std::uint64_t{1} << missing % 64);
        EXPECT_FALSE(all_bits_of_rows_set(words, first, count, stride, rows)) << first << "+" << count;
      }
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
