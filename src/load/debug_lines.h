// Which source line made which address, from the DWARF line table of an ELF executable.
//
// Debug information only helps to name places. Where it is missing, broken or that of an object file whose
// addresses are not final, there are simply fewer lines; nothing here is an error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bits.h"

namespace pto::load {

struct DebugLine {
  Word address = 0;
  Word size = 0;  // bytes
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

struct DebugLines {
  std::vector<std::string> files;
  std::vector<DebugLine> lines;  // ascending
};

DebugLines read_debug_lines(std::span<const std::uint8_t> elf);

}  // namespace pto::load
