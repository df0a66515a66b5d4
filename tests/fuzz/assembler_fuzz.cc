// Any source assembles or is refused with an error, within bounded time and memory; what is accepted can be
// written in every format, and its hexadecimal words read back as the same bytes at the same addresses.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "load/hex.h"
#include "text/assembler.h"
#include "text/object.h"

namespace {

void check_hex(const pto::text::Program& program) {
  const pto::Result<std::vector<pto::load::HexPiece>> pieces =
      pto::load::read_hex(pto::text::to_hex(program), 0x10000, "fuzz.hex");
  if (!pieces.ok()) std::abort();
  auto piece = pieces->begin();
  for (const pto::text::Section& section : program.sections) {
    if (section.only_zeros) continue;
    if (piece == pieces->end() || piece->address != section.address) std::abort();
    std::vector<std::uint8_t> bytes;
    for (const pto::load::HexWord& word : piece->words) {
      for (unsigned byte = 0; byte < word.bytes; ++byte)
        bytes.push_back(static_cast<std::uint8_t>(word.word >> (8 * byte)));
    }
    if (bytes != section.bytes) std::abort();
    ++piece;
  }
  if (piece != pieces->end()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pto;
  text::AssembleOptions options;
  options.release = size % 2 == 0 ? Release::v0_58_5 : Release::v0_58_3;
  options.limits.output_bytes = std::size_t{1} << 20;
  options.limits.lines = 20'000;
  options.read_file = [](const std::string& path) -> Result<std::string> {
    return ".include \"" + path + "\"\n";
  };
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const text::Assembled assembled = text::assemble(source, "fuzz.s", options);
  for (const Error& error : assembled.errors) {
    if (error.message.empty() || error.render().empty()) std::abort();
  }
  if (!assembled.ok()) return 0;
  if (text::to_elf(assembled.program).size() < 64) std::abort();
  check_hex(assembled.program);
  (void)text::to_json(assembled.program);
  (void)text::to_raw(assembled.program);
  return 0;
}
