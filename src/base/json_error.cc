#include "base/json_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pto {

Error json_syntax_error(std::string_view text, std::string_view reason, std::string file,
                        std::size_t first_line) {
  Error error{.message = fmt::format("not a JSON document: {}", reason),
              .place = {std::move(file), first_line, 1},
              .hint = {},
              .excerpt = {}};
  try {
    const nlohmann::json parsed = nlohmann::json::parse(text);
    error.message += fmt::format(" (a JSON {} all the same)", parsed.type_name());
  } catch (const nlohmann::json::parse_error& problem) {
    const std::size_t at = std::min(problem.byte == 0 ? 0 : problem.byte - 1, text.size());
    const std::string_view before = text.substr(0, at);
    const std::size_t newline = before.rfind('\n');
    error.place.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    error.place.column = 1 + (newline == std::string_view::npos ? at : at - newline - 1);
  } catch (const nlohmann::json::exception&) {
    // Not a syntax error after all; the reason stands.
  }
  return error;
}

}  // namespace pto
