#include "text/macros.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/nearest.h"

namespace pto::text {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool contains(std::string_view set, char c) { return set.find(c) != set.npos; }

// Walks a text and says for each byte whether it stands outside quotes and brackets.
class Nesting {
 public:
  // How many bytes to step over at `index`; 1 as a rule.
  std::size_t step(std::string_view text, std::size_t index) {
    const char c = text[index];
    if (quote_) {
      if (c == '"') quote_ = false;
      return c == '\\' ? 2 : 1;
    }
    if (c == '\'' && index + 2 < text.size() && text[index + 2] == '\'') return 3;
    if (c == '"') quote_ = true;
    if (contains("[({", c)) ++depth_;
    if (contains("])}", c)) --depth_;
    return 1;
  }
  [[nodiscard]] bool outside() const { return !quote_ && depth_ <= 0; }

 private:
  bool quote_ = false;
  int depth_ = 0;
};

// Whether the blanks of text[begin, end) hold the texts beside them together.
bool joins(std::string_view text, std::size_t begin, std::size_t end) {
  const char before = text[begin - 1], after = text[end];
  const char behind_after = end + 1 < text.size() ? text[end + 1] : '\0';
  if (contains("+-*/%&|^~!=", before)) return true;
  const char before_that = begin >= 2 ? text[begin - 2] : '\0';
  if (contains("<>", before)) return begin < 2 || is_blank(before_that) || contains("<>-", before_that);
  if (after == '-') return is_blank(behind_after);
  if (after == '!') return behind_after == '=';
  return contains("+*/%&|^<>=", after);
}

// "name" of "name=value", when it is a parameter; npos: it is no keyword argument.
std::size_t parameter_named(const Macro& macro, std::string_view argument, std::string_view& value) {
  const std::size_t equals = argument.find('=');
  if (equals == argument.npos || argument.substr(equals).starts_with("==")) return std::string_view::npos;
  const std::string_view name = trimmed(argument.substr(0, equals));
  for (std::size_t index = 0; index < macro.parameters.size(); ++index) {
    if (macro.parameters[index].name != name) continue;
    value = trimmed(argument.substr(equals + 1));
    return index;
  }
  return std::string_view::npos;
}

// Where the string that begins with `text` ends; its size: nowhere.
std::size_t closing_quote(std::string_view text) {
  std::size_t index = 1;
  while (index < text.size() && text[index] != '"') index += text[index] == '\\' ? 2 : 1;
  return std::min(index, text.size());
}

std::string takes(const Macro& macro) {
  if (macro.parameters.empty()) return "it has no parameters";
  std::string out = "its parameters are";
  for (const Macro::Parameter& parameter : macro.parameters) {
    out += (out.ends_with("are") ? " " : ", ") + parameter.name;
    if (parameter.takes_rest) out += ":vararg";
    if (parameter.required) out += ":req";
    if (parameter.has_preset) out += "=" + parameter.preset;
  }
  return out;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_operands(std::string_view text) {
  std::vector<std::string_view> parts;
  Nesting nesting;
  std::size_t begin = 0;
  for (std::size_t index = 0; index < text.size();) {
    if (text[index] == ',' && nesting.outside()) {
      parts.push_back(trimmed(text.substr(begin, index - begin)));
      begin = index + 1;
    }
    index += nesting.step(text, index);
  }
  const std::string_view last = trimmed(text.substr(std::min(begin, text.size())));
  if (!last.empty() || !parts.empty()) parts.push_back(last);
  return parts;
}

std::vector<std::string_view> split_arguments(std::string_view text) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : split_operands(text)) {
    Nesting nesting;
    std::size_t begin = 0;
    for (std::size_t index = 0; index < part.size();) {
      if (!is_blank(part[index]) || !nesting.outside()) {
        index += nesting.step(part, index);
        continue;
      }
      const std::size_t blanks = index;
      while (is_blank(part[index])) ++index;  // a part does not end in blanks
      if (joins(part, blanks, index)) continue;
      parts.push_back(part.substr(begin, blanks - begin));
      begin = index;
    }
    parts.push_back(part.substr(std::min(begin, part.size())));
  }
  return parts;
}

std::variant<std::vector<Macro::Parameter>, Complaint> parse_parameters(std::string_view line,
                                                                        std::size_t position) {
  std::vector<Macro::Parameter> parameters;
  for (std::string_view part : split_arguments(line.substr(std::min(position, line.size())))) {
    const std::size_t place = static_cast<std::size_t>(part.data() - line.data());
    Macro::Parameter parameter;
    if (const std::size_t equals = part.find('='); equals != part.npos) {
      parameter.preset = std::string(trimmed(part.substr(equals + 1)));
      parameter.has_preset = true;
      part = trimmed(part.substr(0, equals));
    }
    if (const std::size_t colon = part.find(':'); colon != part.npos) {
      const std::string_view kind = part.substr(colon + 1);
      parameter.required = kind == "req";
      parameter.takes_rest = kind == "vararg";
      if (!parameter.required && !parameter.takes_rest) {
        return Complaint{place + colon + 1, fmt::format("'{}' is no kind of parameter", kind),
                         "kinds are :req (must be given) and :vararg (the rest of the line)", false};
      }
      part = part.substr(0, colon);
    }
    if (part.empty() || !std::ranges::all_of(part, is_name_char))
      return Complaint{place, fmt::format("'{}' cannot be a parameter of a macro", part),
                       "parameters are names: .macro NAME a, b=preset, c:req, d:vararg", false};
    if (std::ranges::find(parameters, part, &Macro::Parameter::name) != parameters.end())
      return Complaint{place, fmt::format("the macro has two parameters called '{}'", part),
                       "give each a name of its own", false};
    if (!parameters.empty() && parameters.back().takes_rest)
      return Complaint{place, "no parameter follows one that takes the rest of the line",
                       "put the :vararg parameter last", false};
    parameter.name = std::string(part);
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::variant<std::vector<std::string>, Complaint> bind_arguments(const Macro& macro, std::string_view line,
                                                                 std::size_t position) {
  const std::vector<Macro::Parameter>& parameters = macro.parameters;
  const std::string_view text = line.substr(std::min(position, line.size()));
  const std::vector<std::string_view> given = split_arguments(text);
  std::vector<std::string> values(parameters.size());
  std::vector<bool> is_given(parameters.size(), false);
  bool named = false;
  std::size_t next = 0;
  for (const std::string_view argument : given) {
    const std::size_t place =
        argument.empty() ? position : static_cast<std::size_t>(argument.data() - line.data());
    std::string_view value = argument;
    std::size_t index = parameter_named(macro, argument, value);
    if (index != argument.npos) {
      named = true;
    } else if (named) {
      return Complaint{place, "an argument by order cannot follow one by name", takes(macro), false};
    } else if (next == parameters.size()) {
      return Complaint{position,
                       fmt::format("macro '{}' takes {} argument{}, {} given", macro.name, parameters.size(),
                                   parameters.size() == 1 ? "" : "s", given.size()),
                       takes(macro), false};
    } else {
      index = next++;
    }
    if (is_given[index]) {
      return Complaint{place, fmt::format("the argument '{}' is given twice", parameters[index].name),
                       takes(macro), false};
    }
    // Quotes hold an argument together, and are no part of it.
    const bool quoted = value.size() >= 2 && value.front() == '"' && closing_quote(value) == value.size() - 1;
    const bool rest = parameters[index].takes_rest && !argument.empty();
    values[index] = std::string(
        rest ? trimmed(line.substr(static_cast<std::size_t>(value.data() - line.data()))) : value);
    is_given[index] = !value.empty();
    if (rest) break;
    if (quoted) values[index] = values[index].substr(1, value.size() - 2);
    if (value.empty() && !parameters[index].has_preset) is_given[index] = !parameters[index].required;
  }
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    if (is_given[index]) continue;
    const Macro::Parameter& parameter = parameters[index];
    if (parameter.has_preset || parameter.takes_rest) {
      values[index] = parameter.preset;
    } else {
      return Complaint{position,
                       fmt::format("macro '{}' lacks its argument '{}'", macro.name, parameter.name),
                       takes(macro), false};
    }
  }
  return values;
}

std::optional<std::string> substitute(std::string_view text, const std::vector<Macro::Parameter>& parameters,
                                      const std::vector<std::string>& values, std::size_t serial,
                                      std::size_t most) {
  std::string result;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (result.size() > most) return std::nullopt;
    if (text[index] != '\\') {
      result += text[index];
      continue;
    }
    const std::string_view rest = text.substr(index + 1);
    if (rest.starts_with("@")) {
      result += std::to_string(serial);
      index += 1;
      continue;
    }
    if (rest.starts_with("()")) {
      index += 2;
      continue;
    }
    // The longest parameter name that follows.
    std::size_t best = parameters.size();
    for (std::size_t candidate = 0; candidate < parameters.size(); ++candidate) {
      const std::string& name = parameters[candidate].name;
      if (!rest.starts_with(name)) continue;
      if (best == parameters.size() || name.size() > parameters[best].name.size()) best = candidate;
    }
    if (best == parameters.size()) {
      result += '\\';
    } else {
      result += values[best];
      index += parameters[best].name.size();
    }
  }
  if (result.size() > most) return std::nullopt;
  return result;
}

}  // namespace pto::text
