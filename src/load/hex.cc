#include "load/hex.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/cursor.h"

namespace pto::load {

namespace {

constexpr std::size_t longest_word_digits = 16;
constexpr std::string_view how_words_look =
    "a word has 4, 8, 12 or 16 hexadecimal digits, a lone byte 2; pad with zeros on the left; one a line";

std::optional<Word> hex_number(std::string_view digits) {
  if (digits.empty() || digits.size() > longest_word_digits) return std::nullopt;
  Word word = 0;
  for (const char c : digits) {
    const char lower = to_lower(c);
    if (!is_digit(lower) && (lower < 'a' || lower > 'f')) return std::nullopt;
    word = word << 4 | static_cast<Word>(is_digit(lower) ? lower - '0' : lower - 'a' + 10);
  }
  return word;
}

std::string_view without_prefix(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text;
}

std::optional<HexWord> hex_word(std::string_view text) {
  const std::string_view digits = without_prefix(text);
  if (digits.size() != 2 && digits.size() % 4 != 0) return std::nullopt;
  const std::optional<Word> word = hex_number(digits);
  if (!word) return std::nullopt;
  return HexWord{*word, static_cast<unsigned>(digits.size() / 2)};
}

// What a line says; nothing of the three: it is blank.
struct Line {
  std::string_view text;  // without comment and blanks
  std::size_t column = 0;
  bool is_address = false;
};

Line take_line(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline == text.npos ? text.size() : newline + 1);
  for (const std::string_view mark : {"#", ";", "//"}) line = line.substr(0, line.find(mark));
  constexpr std::string_view blanks = " \t\r\f";
  const std::size_t first = line.find_first_not_of(blanks);
  if (first == line.npos) return {};
  line = line.substr(first, line.find_last_not_of(blanks) - first + 1);
  return {line, first + 1, line.front() == '@'};
}

// The beginning of what is wrong, as a person can read it.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out;
  for (const char c : text.substr(0, longest))
    out += c >= ' ' && c < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return text.size() > longest ? out + "..." : out;
}

}  // namespace

Result<std::vector<HexPiece>> read_hex(std::string_view text, Word address, const std::string& file) {
  std::vector<HexPiece> pieces;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const Line line = take_line(text);
    if (line.text.empty()) continue;
    const auto wrong = [&](std::string message, std::string_view hint) {
      return Error{.message = std::move(message),
                   .place = {.file = file, .line = number, .column = line.column},
                   .hint = std::string(hint),
                   .excerpt = {}};
    };
    if (line.is_address) {
      const std::optional<Word> place = hex_number(without_prefix(line.text.substr(1)));
      if (!place) return wrong(fmt::format("'{}' is not an address", shown(line.text)), "for example @10000");
      pieces.push_back({*place, {}});
      continue;
    }
    const std::optional<HexWord> word = hex_word(line.text);
    if (!word) return wrong(fmt::format("'{}' is not a hexadecimal word", shown(line.text)), how_words_look);
    if (pieces.empty()) pieces.push_back({address, {}});
    pieces.back().words.push_back(*word);
  }
  return pieces;
}

bool looks_like_hex(std::string_view text) {
  bool any = false;
  while (!text.empty()) {
    const Line line = take_line(text);
    if (line.text.empty()) continue;
    if (line.is_address ? !hex_number(without_prefix(line.text.substr(1))) : !hex_word(line.text))
      return false;
    any |= !line.is_address;
  }
  return any;
}

Result<Image> hex_image(std::string_view text, Word address, const std::string& file) {
  const Result<std::vector<HexPiece>> pieces = read_hex(text, address, file);
  return pieces ? image_of(*pieces, file) : pieces.error();
}

Result<Image> image_of(const std::vector<HexPiece>& pieces, const std::string& file) {
  Image image;
  image.file = file;
  for (const HexPiece& piece : pieces) {
    if (piece.words.empty()) continue;
    std::vector<std::uint8_t> bytes;
    for (const HexWord& word : piece.words) {
      for (unsigned byte = 0; byte < word.bytes; ++byte)
        bytes.push_back(static_cast<std::uint8_t>(word.word >> (8 * byte)));
    }
    if (image.segments.empty()) image.entry = piece.address;
    image.segments.push_back({.name = "image",
                              .address = piece.address,
                              .size = bytes.size(),
                              .bytes = std::move(bytes),
                              .permissions = {.read = true, .write = true, .execute = true}});
  }
  if (image.segments.empty()) {
    return Error{.message = "the image is empty", .place = {.file = file}, .hint = {}, .excerpt = {}};
  }
  return checked(std::move(image));
}

}  // namespace pto::load
