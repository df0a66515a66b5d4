// What the disassembler writes the assembler reads back into the same word, and what it reads is written the
// same again.
#include <gtest/gtest.h>

#include "isa/decode.h"
#include "text/instruction.h"
#include "text/template.h"

namespace pto::text {
namespace {

constexpr Word address = 0x10000;

// The text of `word`; then the word of that text.
void expect_round_trip(const isa::Form& form, Word word, Release release) {
  std::string text;
  print_instruction(text, form, word, {.release = release, .address = address});
  const auto parsed = parse_instruction(Cursor(text), release, address, no_symbols());
  if (const Complaint* complaint = std::get_if<Complaint>(&parsed)) {
    FAIL() << form.id << ' ' << std::hex << word << ": '" << text << "': " << complaint->message << " at "
           << complaint->position;
  }
  const Encoded& encoded = std::get<Encoded>(parsed);
  ASSERT_EQ(encoded.word, word) << form.id << ": '" << text << "' became a word of " << encoded.form->id;
  std::string again;
  print_instruction(again, *encoded.form, encoded.word, {.release = release, .address = address});
  ASSERT_EQ(again, text);
}

TEST(TextRoundTrip, EveryTemplateIsWellFormed) {
  EXPECT_EQ(malformed_templates(), std::vector<std::string>{});
}

TEST(TextRoundTrip, EveryFormWithRandomLegalOperands) {
  Word state = 0x2545f4914f6cdd1d;
  const auto random = [&state] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  };
  for (const Release release : all_releases) {
    for (const isa::Form* form : isa::all_forms()) {
      if (!form->in(release)) continue;
      for (int round = 0; round < 200; ++round) {
        Word operands = random();
        if (round % 3 == 1) operands &= random();  // few bits
        if (round == 0) operands = 0;
        if (round == 2) operands = ~Word{0};
        if (round % 4 == 3 && !form->fields().empty()) {  // one field alone
          const isa::FieldSpec& spec = form->fields()[random() % form->fields().size()];
          operands = form->with(0, spec.field, operands);
        }
        Word word = form->bits.match | (operands & mask_of(form->bits.bits) & ~form->bits.mask);
        for (const isa::Constraint& constraint : form->constraints) {
          if (!constraint.applies(release)) continue;
          for (Word value = random() & 63; !constraint.allows(form->raw(word, constraint.field));
               value = (value + 1) & 63) {
            word = form->with(word, constraint.field, value);
          }
        }
        const isa::Decoded decoded = isa::decode(word, form->bits.bits, release);
        ASSERT_NE(decoded.form, nullptr);
        if (decoded.form != form || decoded.violated != nullptr) continue;  // belongs to a more specific form
        ASSERT_NO_FATAL_FAILURE(expect_round_trip(*form, word, release));
      }
    }
  }
}

// The first pass of the assembler relies on it.
TEST(TextRoundTrip, TheFormsOfAMnemonicHaveOneLength) {
  for (const Release release : all_releases) {
    for (const std::string_view name : mnemonics(release)) {
      const std::optional<Mnemonic> mnemonic = find_mnemonic(name, release);
      ASSERT_TRUE(mnemonic.has_value()) << name;
      for (const isa::Form* form : mnemonic->forms) {
        EXPECT_EQ(form->bits.bits, mnemonic->forms.front()->bits.bits) << name;
      }
    }
  }
}

TEST(TextRoundTrip, EveryLegalSixteenBitWord) {
  for (const Release release : all_releases) {
    for (Word word = 0; word <= 0xffff; ++word) {
      const isa::Decoded decoded = isa::decode(word, 16, release);
      if (decoded.form == nullptr || decoded.violated != nullptr) continue;
      ASSERT_NO_FATAL_FAILURE(expect_round_trip(*decoded.form, word, release));
    }
  }
}

}  // namespace
}  // namespace pto::text
