// An encoding, written as a picture of the word from its highest bit to its lowest:
//
//     w32("uimm12:12 SrcL:5 000 RegDst:5 0010101")
//
//     0101          fixed bits; 0*20 repeats a bit
//     Name:5        five bits of an operand, the whole value
//     Name[11:5]    the bits of the word that hold bits 11..5 of the operand
//     Name=010      fixed bits that have a name of their own
//     xx            bits that the form ignores
//
// The picture is parsed when the program is compiled. One that does not cover every bit of the word exactly
// once, or names a field that does not exist, does not compile: the name of the function in the compiler's
// complaint says what is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/bits.h"
#include "isa/field.h"

namespace pto::isa {

struct FieldPiece {
  std::uint8_t word_lsb = 0;   // where the piece lies in the word
  std::uint8_t value_lsb = 0;  // and in the value
  std::uint8_t width = 0;
};

struct FieldSpec {
  Field field{};
  std::uint8_t width = 0;  // of the value, from bit 0 up to its highest encoded bit
  std::uint8_t pieces_used = 0;
  std::array<FieldPiece, 3> pieces{};
};

struct Encoding {
  static constexpr std::size_t max_fields = 16;

  std::uint8_t bits = 0;  // 16, 32, 48 or 64
  std::uint8_t fields_used = 0;
  Word mask = 0;
  Word match = 0;
  Word ignored = 0;  // neither fixed nor part of a field
  std::array<FieldSpec, max_fields> fields{};
  std::array<std::uint8_t, field_count> slot{};  // 1 + index into fields; 0: the word has no such field
};

namespace picture {

// Not constexpr: reaching one of these while compiling a row is the compile error.
void the_picture_has_too_few_or_too_many_bits();
void the_picture_names_a_field_that_does_not_exist();
void the_picture_is_not_well_formed();
void the_picture_has_too_many_fields_or_pieces();

constexpr bool is_space(char c) { return c == ' ' || c == '\n'; }

consteval unsigned number(std::string_view text) {
  if (text.empty()) the_picture_is_not_well_formed();
  unsigned value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') the_picture_is_not_well_formed();
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

// Reads tokens from the highest bit down; `next` is the number of bits not yet described.
struct Reader {
  Encoding encoding;
  unsigned next = 0;

  consteval unsigned take(unsigned width) {
    if (width == 0 || width > next) the_picture_has_too_few_or_too_many_bits();
    next -= width;
    return next;
  }

  consteval void fixed_bit(char bit) {
    if (bit != '0' && bit != '1' && bit != 'x') the_picture_is_not_well_formed();
    const unsigned place = take(1);
    if (bit == 'x') {
      encoding.ignored |= Word{1} << place;
      return;
    }
    encoding.mask |= Word{1} << place;
    if (bit == '1') encoding.match |= Word{1} << place;
  }

  consteval void piece(std::string_view name, unsigned value_lsb, unsigned word_lsb, unsigned width) {
    const std::optional<Field> field = field_of_name(name);
    if (!field) the_picture_names_a_field_that_does_not_exist();
    std::uint8_t& slot = encoding.slot[static_cast<std::size_t>(*field)];
    if (slot == 0) {
      if (encoding.fields_used == Encoding::max_fields) the_picture_has_too_many_fields_or_pieces();
      slot = ++encoding.fields_used;
      encoding.fields[slot - 1u].field = *field;
    }
    FieldSpec& spec = encoding.fields[slot - 1u];
    if (spec.pieces_used == spec.pieces.size()) the_picture_has_too_many_fields_or_pieces();
    spec.pieces[spec.pieces_used++] = {static_cast<std::uint8_t>(word_lsb),
                                       static_cast<std::uint8_t>(value_lsb),
                                       static_cast<std::uint8_t>(width)};
    const unsigned top = value_lsb + width;
    if (top > spec.width) spec.width = static_cast<std::uint8_t>(top);
  }

  consteval void token(std::string_view text) {
    if (const std::size_t at = text.find('*'); at != text.npos) {
      if (at != 1) the_picture_is_not_well_formed();
      for (unsigned count = number(text.substr(2)); count > 0; --count) fixed_bit(text[0]);
    } else if (const std::size_t colon = text.find(':'), open = text.find('['); open != text.npos) {
      const unsigned high = number(text.substr(open + 1, colon - open - 1));
      const unsigned low = number(text.substr(colon + 1, text.size() - colon - 2));
      if (high < low || text.back() != ']') the_picture_is_not_well_formed();
      piece(text.substr(0, open), low, take(high - low + 1), high - low + 1);
    } else if (colon != text.npos) {
      const unsigned width = number(text.substr(colon + 1));
      piece(text.substr(0, colon), 0, take(width), width);
    } else if (const std::size_t equals = text.find('='); equals != text.npos) {
      for (const char bit : text.substr(equals + 1)) fixed_bit(bit);
      const unsigned width = static_cast<unsigned>(text.size() - equals - 1);
      piece(text.substr(0, equals), 0, next, width);
    } else {
      for (const char bit : text) fixed_bit(bit);
    }
  }
};

consteval Encoding parse(unsigned bits, std::string_view text) {
  Reader reader;
  reader.encoding.bits = static_cast<std::uint8_t>(bits);
  reader.next = bits;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && !is_space(text[end])) ++end;
    if (end > 0) reader.token(text.substr(0, end));
    text.remove_prefix(end < text.size() ? end + 1 : end);
  }
  if (reader.next != 0) the_picture_has_too_few_or_too_many_bits();
  return reader.encoding;
}

}  // namespace picture

consteval Encoding w16(std::string_view text) { return picture::parse(16, text); }
consteval Encoding w32(std::string_view text) { return picture::parse(32, text); }
consteval Encoding w48(std::string_view text) { return picture::parse(48, text); }
consteval Encoding w64(std::string_view text) { return picture::parse(64, text); }

}  // namespace pto::isa
