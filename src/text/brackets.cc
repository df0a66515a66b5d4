#include "text/brackets.h"

#include <fmt/format.h>

namespace pto::text {

namespace {

using isa::Behaviour;

constexpr char closing_of(char c) { return c == '[' ? ']' : c == '{' ? '}' : '\0'; }

}  // namespace

bool takes_brackets(const isa::Form& form) {
  switch (form.does) {
    case Behaviour::BindScalarIO:
    case Behaviour::BindTileIO:
    case Behaviour::SetDataAttributes:
    case Behaviour::SetControlAttributes:
    case Behaviour::Hint: return true;
    default: return false;
  }
}

std::variant<std::string, Complaint> without_brackets(const isa::Form& form, std::string_view line,
                                                      std::size_t from) {
  std::string plain(line);
  std::size_t open = std::string::npos;  // the bracket that waits for its other half
  unsigned pairs = 0;
  for (std::size_t index = from; index < line.size(); ++index) {
    const char c = line[index];
    if (closing_of(c) != '\0') {
      if (open != std::string::npos) {
        return Complaint{index, fmt::format("'{}' inside of '{}'", c, line[open]),
                         fmt::format("close the first with '{}'", closing_of(line[open])), false};
      }
      open = index;
      plain[index] = ' ';
    } else if (c == ']' || c == '}') {
      if (open == std::string::npos)
        return Complaint{index, fmt::format("'{}' closes nothing", c), "leave it out", false};
      if (closing_of(line[open]) != c) {
        return Complaint{index, fmt::format("'{}' cannot close '{}'", c, line[open]),
                         fmt::format("write '{}'", closing_of(line[open])), false};
      }
      plain[index] = ' ';
      ++pairs;
      const std::string_view inside = line.substr(open + 1, index - open - 1);
      const std::size_t first = inside.find_first_not_of(" \t");
      const bool destination = form.does == Behaviour::BindScalarIO && pairs == 2;
      // An arrow needs two places: the bracket's and the one before it, a comma or a blank.
      if (destination && first != inside.npos && !inside.substr(first).starts_with("->"))
        plain.replace(open - 1, 2, "->");
      open = std::string::npos;
    }
  }
  if (open != std::string::npos) {
    return Complaint{open, fmt::format("'{}' is never closed", line[open]),
                     fmt::format("close it with '{}'", closing_of(line[open])), false};
  }
  return plain;
}

}  // namespace pto::text
