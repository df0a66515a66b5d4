// Reading programs: files of any content give an image or an error, and an image can be asked everything a
// run asks it. Seeds are objects and executables with relocations, symbols and debug information (tests/data,
// tests/fuzz/seeds).

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "load/debug_lines.h"
#include "load/hex.h"
#include "load/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto elf = pto::load::read_elf({data, size}, "fuzz");
  if (elf.ok()) {
    (void)pto::load::check_release(*elf, pto::default_release).ok();
    (void)pto::load::check_entry(*elf).ok();
    (void)pto::load::code_ends(*elf);
    (void)pto::load::fetch_ends(*elf);
    (void)elf->symbol_at(elf->entry);
  }
  for (const pto::load::DebugLine& line : pto::load::read_debug_lines({data, size}).lines) {
    if (line.size == 0 || line.line == 0) __builtin_trap();
  }
  (void)pto::load::hex_image({reinterpret_cast<const char*>(data), size}, 0x1000, "fuzz").ok();
  return 0;
}
