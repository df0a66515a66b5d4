#include "text/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/instruction.h"

namespace pto::text {

namespace {

void append_data(std::string& out, Word word, unsigned bytes) {
  switch (bytes) {
    case 1: fmt::format_to(std::back_inserter(out), ".byte {:#04x}", word & 0xff); return;
    case 2: fmt::format_to(std::back_inserter(out), ".2byte {:#06x}", word & 0xffff); return;
    case 4: fmt::format_to(std::back_inserter(out), ".4byte {:#010x}", word & 0xffffffff); return;
    case 8: fmt::format_to(std::back_inserter(out), ".8byte {:#018x}", word); return;
    default: break;
  }
  out += bytes % 2 == 0 ? ".2byte " : ".byte ";
  const unsigned step = bytes % 2 == 0 ? 2 : 1;
  for (unsigned done = 0; done < bytes; done += step) {
    fmt::format_to(std::back_inserter(out), "{}{:#0{}x}", done == 0 ? "" : ", ",
                   bits_of(word, done * 8, step * 8), 2 + 2 * step);
  }
}

}  // namespace

isa::Decoded disassemble(std::string& out, Word word, unsigned bits, const DisassembleOptions& options) {
  const bool misplaced = options.address.value_or(0) % 2 != 0;
  const isa::Decoded decoded = misplaced ? isa::Decoded{} : isa::decode(word, bits, options.release);
  if (decoded.form == nullptr || decoded.violated != nullptr) {
    append_data(out, word, bits / 8);
  } else {
    print_instruction(out, *decoded.form, word,
                      {.release = options.release, .address = options.address, .names = options.names});
  }
  return decoded;
}

void disassemble_stream(std::span<const std::uint8_t> bytes, const DisassembleOptions& options,
                        const std::function<void(const Piece&)>& take) {
  Piece piece;
  for (std::size_t offset = 0; offset < bytes.size(); offset += piece.bytes) {
    const auto left = static_cast<unsigned>(std::min<std::size_t>(bytes.size() - offset, 8));
    Word ahead = 0;
    for (unsigned index = 0; index < left; ++index) ahead |= Word{bytes[offset + index]} << (8 * index);
    const unsigned bits = isa::length_bits(static_cast<std::uint16_t>(ahead));
    piece.offset = offset;
    piece.text.clear();
    piece.decoded = {};
    if (bits / 8 > left) {
      piece.bytes = left;
      piece.word = ahead;
      append_data(piece.text, ahead, left);
    } else {
      piece.bytes = bits / 8;
      piece.word = ahead & mask_of(bits);
      DisassembleOptions here = options;
      if (options.address) here.address = *options.address + offset;
      piece.decoded = disassemble(piece.text, piece.word, bits, here);
    }
    take(piece);
  }
}

}  // namespace pto::text
