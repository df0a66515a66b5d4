// Files as the commands see them: "-" is standard input (or output), a failure is an Error that names the
// file, and an output file appears whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "isa/release.h"

namespace pto::cli {

inline constexpr std::size_t largest_input = std::size_t{256} << 20;

// What messages call the file: its name, or "<stdin>".
std::string display_name(const std::string& path);

// The whole file. Missing, unreadable, a directory or larger than `limit`: an error.
Result<std::string> read_input(const std::string& path, std::size_t limit = largest_input);

// Writes to a temporary file beside `path` and renames it; "-" is standard output.
Result<void> write_output(const std::string& path, std::string_view bytes);
Result<void> write_output(const std::string& path, std::span<const std::uint8_t> bytes);

// "OPTION VALUE: WHY", for a value that an option cannot have.
Error option_error(std::string_view option, std::string_view value, std::string_view why,
                   std::string_view hint);

// "0.58.3" as a release; the error lists the known ones.
Result<Release> parse_release(const std::string& name);

// A number in the notation of the assembler: 12, 0x1f, 0b101.
Result<std::uint64_t> parse_address(const std::string& text);
// The same of an option's value; the error names the option.
Result<std::uint64_t> parse_address(std::string_view option, const std::string& text);

// A word in hexadecimal, with or without 0x, and how many bits its 4, 8, 12 or 16 digits spell. Nothing: this
// is no word.
struct HexWord {
  std::uint64_t word = 0;
  unsigned bits = 0;
};
std::optional<HexWord> parse_hex_word(std::string_view text);
// Hexadecimal digits that are no word for their number: what to say of them; empty: they are something else.
std::string miscounted_digits(std::string_view text);

}  // namespace pto::cli
