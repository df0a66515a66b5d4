// What the assembler makes: sections with bytes and addresses, symbols, and which line made which address.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bits.h"
#include "isa/release.h"

namespace pto::text {

struct Section {
  std::string name;
  Word address = 0;
  std::vector<std::uint8_t> bytes;
  Word alignment = 2;
  bool writable = false;
  bool executable = false;
  bool only_zeros = false;  // .bss: takes no room in a file
};

struct Symbol {
  std::string name;
  Word value = 0;
  Word size = 0;
  int section = -1;  // index into Program::sections; -1: an absolute number
  bool is_global = false;
  bool is_function = false;
};

struct LineOrigin {
  Word address = 0;
  std::uint32_t length = 0;  // bytes
  std::uint32_t file = 0;    // index into Program::files
  std::uint32_t line = 0;    // 1-based
  bool is_instruction = false;
};

struct Program {
  Release release = default_release;
  Word entry = 0;
  std::vector<Section> sections;  // in order of address
  std::vector<Symbol> symbols;    // in order of definition
  std::vector<LineOrigin> lines;  // in order of address within a section
  std::vector<std::string> files;
};

}  // namespace pto::text
