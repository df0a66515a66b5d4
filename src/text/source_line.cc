#include "text/source_line.h"

namespace pto::text {

std::string_view without_comment(std::string_view line) {
  char quote = '\0';
  std::size_t end = line.size();
  for (std::size_t index = 0; index < line.size(); ++index) {
    const char c = line[index];
    if (quote != '\0') {
      if (c == '\\') {
        ++index;
      } else if (c == quote) {
        quote = '\0';
      }
      continue;
    }
    const bool blank_before = index == 0 || line[index - 1] == ' ' || line[index - 1] == '\t';
    if (c == '"' ||
        (c == '\'' && index + 2 < line.size() && (line[index + 2] == '\'' || line[index + 1] == '\\'))) {
      quote = c;
    } else if (c == ';' || (c == '#' && blank_before) ||
               (c == '/' && index + 1 < line.size() && line[index + 1] == '/')) {
      end = index;
      break;
    }
  }
  while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t' || line[end - 1] == '\r')) --end;
  return line.substr(0, end);
}

std::vector<SourceLine> split_lines(std::string_view text, std::uint32_t file) {
  std::vector<SourceLine> lines;
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back({without_comment(text.substr(0, end)), file, ++number, {}});
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace pto::text
