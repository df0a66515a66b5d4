// Lines of source text: where they come from, and their text with the comment blanked out.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace pto::text {

struct SourceLine {
  std::string_view text;     // without comment and trailing blanks; columns as in the file
  std::uint32_t file = 0;    // index into the program's files
  std::uint32_t number = 0;  // 1-based
  std::string_view macro;    // the macro whose body this is; empty: the file itself
  std::uint32_t caller = 0;  // the line that the macro was called in
};

// The part of a line before its comment. Comments begin with ';' or '//', and with '#' at the start of the
// line or behind a blank (t#1 is a tile). Quotes protect all of them.
std::string_view without_comment(std::string_view line);

// Splits a text into lines (\n, \r\n); the views point into `text`.
std::vector<SourceLine> split_lines(std::string_view text, std::uint32_t file);

}  // namespace pto::text
