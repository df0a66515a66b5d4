// Any stream of bytes disassembles, in both releases; what a legal word prints as assembles into the same
// word.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "text/disassembler.h"
#include "text/instruction.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pto;
  for (const Release release : all_releases) {
    const Word base = 0x10000;
    std::size_t covered = 0;
    text::disassemble_stream(
        {data, size}, {.release = release, .address = base, .names = nullptr}, [&](const text::Piece& piece) {
          if (piece.offset != covered || piece.bytes == 0) std::abort();
          covered += piece.bytes;
          if (piece.decoded.form == nullptr || piece.decoded.violated != nullptr) return;
          const auto parsed =
              text::parse_instruction(Cursor(piece.text), release, base + piece.offset, text::no_symbols());
          const text::Encoded* encoded = std::get_if<text::Encoded>(&parsed);
          if (encoded == nullptr || encoded->word != piece.word) std::abort();
        });
    if (covered != size) std::abort();
  }
  return 0;
}
