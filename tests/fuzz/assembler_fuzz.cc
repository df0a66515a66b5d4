// Any source assembles or is refused with an error, within bounded time and memory; what is accepted can be
// written in every format.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/assembler.h"
#include "text/object.h"

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
  (void)text::to_hex(assembled.program);
  (void)text::to_json(assembled.program);
  (void)text::to_raw(assembled.program);
  return 0;
}
