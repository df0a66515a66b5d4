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

// One word a line, in as many digits as the word has. What a line of the source makes is one word up to 8
// bytes, then words of four.
std::string to_hex(const Program& program);

std::string to_json(const Program& program);

}  // namespace pto::text
