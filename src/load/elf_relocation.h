// Relocations of PTO objects, as the public LLVM toolchain numbers them (R_LINX_...): which bits of which
// instruction take which bits of which value. Types that need a table a linker makes, or whose meaning the
// published linkers do not agree on, have a name and no encoding: they are refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/bits.h"
#include "base/result.h"

namespace pto::load {

// "R_LINX_B17_PCREL", or "type 99".
std::string relocation_name(std::uint32_t type);

// How many bytes the relocation patches; 0: none (R_LINX_NONE). The error says why the type is refused.
Result<unsigned> relocation_size(std::uint32_t type);

// Patches `bytes`, which lie at address `place`, so that they mean `target`. The type is one that
// relocation_size accepts, with so many bytes.
Result<void> relocate(std::uint32_t type, std::span<std::uint8_t> bytes, Word place, Word target);

}  // namespace pto::load
