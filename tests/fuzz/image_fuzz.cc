// Reading programs: ELF files and hexadecimal text of any content give an image or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "load/hex.h"
#include "load/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)pto::load::read_elf({data, size}, "fuzz").ok();
  (void)pto::load::hex_image({reinterpret_cast<const char*>(data), size}, 0x1000, "fuzz").ok();
  return 0;
}
