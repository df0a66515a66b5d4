// The note by which a PTO ELF file names its release: section .note.pto.isa, owner "PTO", type 1, whose
// descriptor is a JSON object with `release` and `encoding_abi` ("pto-isa-0.58.5-mode-function-v1").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pto::load {

inline constexpr std::string_view isa_note_section = ".note.pto.isa";

// The release the note names, not necessarily one that ptosim follows. The error's message says what is wrong
// with the note.
Result<std::string> release_of_note(std::span<const std::uint8_t> bytes);

// The first note of the PTO owner among several, empty when there is none.
std::span<const std::uint8_t> find_isa_note(std::span<const std::uint8_t> notes);

}  // namespace pto::load
