// The rows against the published figures, line by line, and the properties every table of rows must have.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "isa/decode.h"
#include "isa/form.h"

namespace pto::isa {
namespace {

// One line of tests/data/forms-0.58.3.tsv.
struct Figure {
  std::string surface, family, mnemonic, id, fields, constraints;
  unsigned bits = 0;
  Word mask = 0, match = 0;
};

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

// Two lines with the same id and surface are the two words of one 64-bit form.
const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = [] {
    std::vector<Figure> lines;
    std::ifstream in(PTOSIM_SOURCE_DIR "/tests/data/forms-0.58.3.tsv");
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::vector<std::string> columns = split(line, '\t');
      columns.resize(9);
      Figure figure{columns[0],
                    columns[1],
                    columns[2],
                    columns[3],
                    columns[7],
                    columns[8],
                    static_cast<unsigned>(std::stoul(columns[4])),
                    std::stoull(columns[5], nullptr, 16),
                    std::stoull(columns[6], nullptr, 16)};
      if (!lines.empty() && figure.bits == 64 && lines.back().id == figure.id) {
        lines.back().mask |= figure.mask << 32;
        lines.back().match |= figure.match << 32;
      } else {
        lines.push_back(figure);
      }
    }
    return lines;
  }();
  return all;
}

const Form* row_of(const Figure& figure, Release release) {
  for (const Form* form : all_forms()) {
    if (form->id == figure.id && form->bits.match == figure.match && form->in(release)) return form;
  }
  return nullptr;
}

TEST(IsaRows, ThereAreAsManyFormsAsPublished) {
  std::map<std::string_view, int> per_family;
  std::map<Release, std::set<std::string_view>> commands;
  for (const Form* form : all_forms()) {
    for (const Release release : all_releases) {
      if (form->surface() == Surface::Block && form->in(release)) commands[release].insert(form->id);
    }
    if (form->surface() == Surface::Scalar) ++per_family[name_of(form->family)];
  }
  EXPECT_EQ(commands[Release::v0_58_3].size(), 74u);
  EXPECT_EQ(commands[Release::v0_58_5].size(), 76u);
  EXPECT_EQ(forms_of(Surface::Scalar).size(), 466u);
  const std::map<std::string_view, int> expected{{"AGU", 183}, {"ALU", 107}, {"AMO", 53},
                                                 {"BRU", 58},  {"FSU", 30},  {"SYS", 35}};
  EXPECT_EQ(per_family, expected);
}

TEST(IsaRows, MaskAndMatchAreThePublishedOnes) {
  ASSERT_EQ(figures().size(), 466u + 74u + 5u);
  for (const Figure& figure : figures()) {
    const Form* form = row_of(figure, Release::v0_58_3);
    ASSERT_NE(form, nullptr) << figure.mnemonic << ' ' << figure.id;
    EXPECT_EQ(form->bits.mask, figure.mask) << figure.id;
    EXPECT_EQ(form->bits.bits, figure.bits) << figure.id;
    EXPECT_EQ(name_of(form->family), figure.family) << figure.id;
    if (figure.surface != "block-variant") {
      EXPECT_EQ(form->name, figure.mnemonic) << figure.id;
      EXPECT_EQ(name_of(form->surface()), figure.surface) << figure.id;
    }
  }
}

// "name=[11:7]+[31:25]<<5 s" as pieces.
TEST(IsaRows, FieldsAreThePublishedOnes) {
  for (const Figure& figure : figures()) {
    const Form* form = row_of(figure, Release::v0_58_3);
    ASSERT_NE(form, nullptr);
    std::size_t count = 0;
    for (std::string text : split(figure.fields, ';')) {
      text.erase(0, text.find_first_not_of(' '));
      const std::size_t equals = text.find('=');
      const std::string name = text.substr(0, equals);
      const std::optional<Field> field = field_of_name(name);
      ASSERT_TRUE(field.has_value()) << name;
      ASSERT_TRUE(form->has(*field)) << figure.id << ' ' << name;
      ++count;
      const FieldSpec& spec = *form->spec(*field);
      std::string places = text.substr(equals + 1);
      if (const std::size_t space = places.find(' '); space != std::string::npos) {
        EXPECT_EQ(places.substr(space + 1) == "s", is_signed(*field)) << figure.id << ' ' << name;
        places.resize(space);
      } else {
        EXPECT_FALSE(is_signed(*field)) << figure.id << ' ' << name;
      }
      std::set<std::array<unsigned, 3>> expected, actual;
      for (const std::string& place : split(places, '+')) {
        unsigned high = 0, low = 0, shift = 0;
        ASSERT_GE(std::sscanf(place.c_str(), "[%u:%u]<<%u", &high, &low, &shift), 2) << place;
        expected.insert({low, shift, high - low + 1});
      }
      for (unsigned index = 0; index < spec.pieces_used; ++index) {
        const FieldPiece& piece = spec.pieces[index];
        actual.insert({piece.word_lsb, piece.value_lsb, piece.width});
      }
      EXPECT_EQ(actual, expected) << figure.id << ' ' << name;
    }
    EXPECT_EQ(form->fields().size(), count) << figure.id;
  }
}

// The set of values a published constraint list allows, per field; constraints that allow everything or
// repeat fixed bits say nothing and need not be in the row.
TEST(IsaRows, ConstraintsAreThePublishedOnes) {
  for (const Figure& figure : figures()) {
    if (figure.surface == "block-variant") continue;
    const Form* form = row_of(figure, Release::v0_58_3);
    ASSERT_NE(form, nullptr);
    std::map<Field, std::set<Word>> one_of;
    std::map<Field, Word> not_equal;
    for (std::string text : split(figure.constraints, ';')) {
      text.erase(0, text.find_first_not_of(' '));
      std::istringstream in(text);
      std::string name, kind;
      in >> name >> kind;
      const std::optional<Field> field = field_of_name(name);
      ASSERT_TRUE(field.has_value()) << name;
      if (kind == "not-equal") {
        in >> not_equal[*field];
      } else {
        std::string list = text.substr(text.find('[') + 1);
        std::ranges::replace_if(
            list, [](char c) { return c == ',' || c == ']'; }, ' ');
        std::istringstream values(list);
        for (Word value = 0; values >> value;) one_of[*field].insert(value);
      }
    }
    for (const FieldSpec& spec : form->fields()) {
      const unsigned width = std::min<unsigned>(spec.width, 8);
      for (Word value = 0; value <= mask_of(width); ++value) {
        const Word word = form->with(form->bits.match, spec.field, value);
        if (form->raw(word, spec.field) != value) continue;  // fixed bits of a named field
        bool expected = true;
        if (one_of.contains(spec.field)) expected = one_of[spec.field].contains(value);
        if (not_equal.contains(spec.field)) expected = not_equal[spec.field] != value;
        bool actual = true;
        for (const Constraint& constraint : form->constraints) {
          if (constraint.field == spec.field && constraint.applies(Release::v0_58_3)) {
            actual = actual && constraint.allows(value);
          }
        }
        EXPECT_EQ(actual, expected) << figure.id << ' ' << name_of(spec.field) << " = " << value;
      }
    }
  }
}

TEST(IsaRows, EveryBitOfAWordIsFixedOrInOneFieldOrIgnored) {
  for (const Form* form : all_forms()) {
    Word covered = form->bits.mask | form->bits.ignored;
    EXPECT_EQ(form->bits.mask & form->bits.ignored, 0u) << form->id;
    for (const FieldSpec& spec : form->fields()) {
      for (unsigned index = 0; index < spec.pieces_used; ++index) {
        covered |= mask_of(spec.pieces[index].width) << spec.pieces[index].word_lsb;
      }
    }
    EXPECT_EQ(covered, mask_of(form->bits.bits)) << form->id;
    EXPECT_EQ(form->bits.match & ~form->bits.mask, 0u) << form->id;
  }
}

TEST(IsaRows, TheFormsOfRelease0585DifferAsItsRecordSays) {
  const auto find = [](Word word, Release release) { return decode_command(word, 32, release); };
  // B.IOS: six identifier bits instead of eight.
  EXPECT_EQ(find(0x00001013 | 0xffu << 20, Release::v0_58_3).form->name, "B.IOS");
  EXPECT_EQ(find(0x00001013 | 0xffu << 20, Release::v0_58_5).form, nullptr);
  EXPECT_EQ(find(0x00001013 | 0x3fu << 20, Release::v0_58_5).form->bits.mask, 0xfc0871ffu);
  // B.FPATR: CScaleEn in bit 9.
  EXPECT_EQ(find(0x00002223, Release::v0_58_3).form, nullptr);
  EXPECT_EQ(find(0x00002223, Release::v0_58_5).form->raw(0x00002223, Field::CScaleEn), 1u);
  // B.IOT: destinations up to 256 KiB.
  EXPECT_NE(find(0x00006013 | 12u << 15, Release::v0_58_3).violated, nullptr);
  EXPECT_EQ(find(0x00006013 | 12u << 15, Release::v0_58_5).violated, nullptr);
  // B.SUBVIEW and B.ASSEMBLE are new, the movement variants are gone.
  EXPECT_EQ(find(0x000000d3, Release::v0_58_3).form, nullptr);
  EXPECT_EQ(find(0x000000d3, Release::v0_58_5).form->identity, 74);
  EXPECT_EQ(find(0x00001053, Release::v0_58_5).form->identity, 75);
  for (const Word function : {9, 10, 11, 12, 14}) {
    const Word word = 0x00011181 | function << 20;
    EXPECT_EQ(selector_of(*find(word, Release::v0_58_3).form, word), function);
    EXPECT_EQ(find(word, Release::v0_58_5).form, nullptr) << function;
  }
}

}  // namespace
}  // namespace pto::isa
