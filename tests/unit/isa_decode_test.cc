// Decoding: which form a word has, and the proof that no other word than the reviewed ones has two.
#include "isa/decode.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>

namespace pto::isa {
namespace {

TEST(IsaDecode, LengthIsInTheFirstHalfword) {
  for (unsigned halfword = 0; halfword <= 0xffff; ++halfword) {
    const unsigned low = halfword & 0xf;
    const unsigned expected = low == 14 ? 48 : low == 15 ? 64 : low % 2 == 0 ? 16 : 32;
    ASSERT_EQ(length_bits(static_cast<std::uint16_t>(halfword)), expected);
  }
}

// Two forms can have a word in common exactly when the bits both of them fix agree. Comparing every pair
// therefore covers the whole word space; nothing is sampled.
TEST(IsaDecode, NoWordHasTwoFormsExceptTheReviewedOnes) {
  std::set<std::string> overlaps;
  for (const Release release : all_releases) {
    for (const Form* a : all_forms()) {
      for (const Form* b : all_forms()) {
        if (a >= b || a->bits.bits != b->bits.bits || !a->in(release) || !b->in(release)) continue;
        const Word common = a->bits.mask & b->bits.mask;
        if (((a->bits.match ^ b->bits.match) & common) != 0) continue;
        const Form* narrow = std::popcount(a->bits.mask) > std::popcount(b->bits.mask) ? a : b;
        const Form* broad = narrow == a ? b : a;
        // One lies wholly inside the other, so "the most specific" is always defined.
        ASSERT_EQ(broad->bits.mask & ~narrow->bits.mask, 0u) << a->id << ' ' << b->id;
        ASSERT_EQ(narrow->surface(), broad->surface()) << a->id << ' ' << b->id;
        overlaps.insert(std::string(narrow->id) + " in " + std::string(broad->id));
        // A word of the narrow form is a word of the broad one only in form: the broad one's constraints
        // refuse it.
        EXPECT_NE(broad->violated(narrow->bits.match, release), nullptr) << narrow->id << " in " << broad->id;
      }
    }
  }
  const std::set<std::string> reviewed{
      "b_iot_32_c11eb189dd83 in b_iot_32_10db6db84f5d",
      "b_iot_32_2c07e7177fad in b_iot_32_8b8bce6bffe8",
      "c_bstop_16_ca4743d8a95e in c_bstart_std_16_8b40f078c14a",
      // The three pairs that a RegDst constraint separates.
      "c_setret_16_335651ef6c27 in c_movi_16_2c84faf1bc72",
      "setret_32_72003dcf3b59 in addtpc_32_e5aa0f0abca3",
      "hl_setret_48_302bb793a800 in hl_addtpc_48_2e8e692eea09",
  };
  EXPECT_EQ(overlaps, reviewed);
}

// The table of candidates finds what a search through all rows finds.
TEST(IsaDecode, TheIndexFindsTheMostSpecificForm) {
  const auto slow = [](Word word, unsigned bits, Surface surface, Release release) {
    const Form* best = nullptr;
    for (const Form* form : forms_of(surface)) {
      if (form->bits.bits != bits || !form->in(release) || !form->matches(word)) continue;
      if (best == nullptr || std::popcount(form->bits.mask) > std::popcount(best->bits.mask)) best = form;
    }
    return best;
  };
  const auto check = [&](Word word, unsigned bits) {
    for (const Release release : all_releases) {
      ASSERT_EQ(decode_command(word, bits, release).form, slow(word, bits, Surface::Block, release)) << word;
      ASSERT_EQ(decode_scalar(word, bits, release).form, slow(word, bits, Surface::Scalar, release)) << word;
    }
  };
  for (Word word = 0; word <= 0xffff; ++word) check(word, 16);
  Word state = 0x9e3779b97f4a7c15;
  const auto random = [&state] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  };
  for (const Form* form : all_forms()) {
    for (int round = 0; round < 20; ++round) {
      const Word operands = random() & mask_of(form->bits.bits) & ~form->bits.mask;
      check(form->bits.match | operands, form->bits.bits);
      check((form->bits.match | operands) ^ (Word{1} << (random() % form->bits.bits)), form->bits.bits);
    }
  }
}

TEST(IsaDecode, AWordWhoseOperandsAreForbiddenKeepsItsForm) {
  const Decoded start = decode_command(0x00011181 | 15u << 27, 32, Release::v0_58_5);
  ASSERT_NE(start.form, nullptr);
  EXPECT_EQ(start.form->name, "BSTART.TLOAD");
  ASSERT_NE(start.violated, nullptr);
  EXPECT_EQ(start.violated->field, Field::DataType);
}

TEST(IsaDecode, BlockStartsCarryTheirIdentityAndSelector) {
  const Word word = 0x07519181 | 25u << 27;
  const Decoded start = decode(word, 32, Release::v0_58_5);
  ASSERT_NE(start.form, nullptr);
  EXPECT_EQ(start.form->identity, 0x21);
  EXPECT_EQ(selector_of(*start.form, word), 0x75);
  EXPECT_EQ(decode(0x00011181, 32, Release::v0_58_5).form->identity, 0x28);
}

TEST(IsaDecode, EncodeAndDecodeOfAFieldAreInverse) {
  Word state = 88172645463325252;
  for (const Form* form : all_forms()) {
    for (const FieldSpec& spec : form->fields()) {
      for (int round = 0; round < 8; ++round) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        Word holds = 0;  // the bits of the value that the word can hold and does not fix
        for (unsigned index = 0; index < spec.pieces_used; ++index) {
          const FieldPiece& piece = spec.pieces[index];
          holds |= bits_of(~form->bits.mask, piece.word_lsb, piece.width) << piece.value_lsb;
        }
        const Word value = state & holds;
        const Word word = form->with(form->bits.match, spec.field, value);
        EXPECT_EQ(form->raw(word, spec.field) & holds, value) << form->id << ' ' << name_of(spec.field);
        EXPECT_EQ(word & form->bits.mask, form->bits.match);
      }
    }
  }
}

}  // namespace
}  // namespace pto::isa
