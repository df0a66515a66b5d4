// The disassembler: words to the canonical text, which the assembler turns back into the same words.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "isa/decode.h"
#include "isa/release.h"
#include "text/operand_kinds.h"

namespace pto::text {

struct DisassembleOptions {
  Release release = default_release;
  std::optional<Word> address;         // of the instruction
  const AddressName* names = nullptr;  // names of targets
};

// Appends the text of one word of `bits` bits. A word that is no legal instruction of the release becomes a
// data directive, and so does one at an odd address, where no instruction lies. The answer is what decoding
// said.
isa::Decoded disassemble(std::string& out, Word word, unsigned bits, const DisassembleOptions& options);

// One piece of a byte stream: an instruction, or data where none fits.
struct Piece {
  Word offset = 0;
  unsigned bytes = 0;
  Word word = 0;  // the low 8 bytes of the piece
  isa::Decoded decoded;
  std::string text;
};

// Walks a stream of bytes from its start and hands over each piece. The length of an instruction is in its
// first halfword; a piece that the stream cuts off is data.
void disassemble_stream(std::span<const std::uint8_t> bytes, const DisassembleOptions& options,
                        const std::function<void(const Piece&)>& take);

}  // namespace pto::text
