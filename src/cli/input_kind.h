// What kind of file an input is: one recogniser for the commands that take several.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pto::cli {

enum class InputKind : std::uint8_t {
  Elf,    // by its first bytes
  Hex,    // hexadecimal words: by its name (.hex), or because nothing else stands in it
  Raw,    // by its name (.bin, .raw)
  Other,  // a source, or an image without a name that says so
};
InputKind recognise(const std::string& path, std::string_view content);

// Whether the content is lines of text rather than an image.
bool is_text(std::string_view content);

std::span<const std::uint8_t> as_bytes(std::string_view text);

}  // namespace pto::cli
