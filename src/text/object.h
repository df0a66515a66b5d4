// Programs as files: a static ELF64 executable, a raw image, hexadecimal words, JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "text/program.h"

namespace pto::text {

// ELF64, little-endian, machine 0xE9: one loadable segment per section, symbols, and the note .note.pto.isa
// that names the release and its encoding ABI.
inline constexpr std::uint16_t elf_machine = 0xE9;
std::vector<std::uint8_t> to_elf(const Program& program);

// The bytes from the lowest section to the highest, gaps filled with zeros.
Result<std::vector<std::uint8_t>> to_raw(const Program& program);

// One word a line, in as many digits as the word has: an instruction is one word, so is a line of data of 2,
// 4, 6 or 8 bytes; other data is words of four bytes, and what remains. "@10000" before each section says
// where it lies; a program of one section at the usual text address needs none.
std::string to_hex(const Program& program);

std::string to_json(const Program& program);

}  // namespace pto::text
