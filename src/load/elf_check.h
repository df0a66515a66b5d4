// What the tables of an ELF file claim, held against the file: sizes of headers and entries, places of
// sections and segments, the links between tables. Readers that follow rely on it; a table that contradicts
// itself is one error that names the field and its value, never a file that loads with a part of it missing.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace pto::load {

Result<void> check_elf_tables(Elf* elf, std::span<const std::uint8_t> bytes, const std::string& file);

}  // namespace pto::load
