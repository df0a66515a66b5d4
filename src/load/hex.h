// Images as hexadecimal text, as `asm --format hex` writes them:
//
//     @10000          the words that follow lie at this address and behind
//     00110115        one word a line; its bytes lie in memory lowest first
//     0384  # text    "#", ";" and "//" begin comments
//
// A word has as many bytes as its digits spell: 2 (a lone byte), 4, 8, 12 or 16 digits, with or without 0x.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "base/result.h"
#include "load/image.h"

namespace pto::load {

struct HexWord {
  Word word = 0;
  unsigned bytes = 0;
};

// Words that lie behind each other; every '@' begins a new piece.
struct HexPiece {
  Word address = 0;
  std::vector<HexWord> words;
};

// Pieces in the order of the text; a text without '@' at its beginning starts at `address`.
Result<std::vector<HexPiece>> read_hex(std::string_view text, Word address, const std::string& file);

// Whether all of `text` is hexadecimal text, with a word at least, and so can hardly be anything else.
bool looks_like_hex(std::string_view text);

// A segment for each piece; the first is where the program begins. Pieces that overlap or wrap are an error.
Result<Image> image_of(const std::vector<HexPiece>& pieces, const std::string& file);
Result<Image> hex_image(std::string_view text, Word address, const std::string& file);

}  // namespace pto::load
