// Macros: their parameters, how the arguments of a call are told apart, and the text an expansion makes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/operand_kinds.h"
#include "text/source_line.h"

namespace pto::text {

struct Macro {
  struct Parameter {
    std::string name;
    std::string preset;
    bool has_preset = false;
    bool required = false;    // :req, an argument that is not empty
    bool takes_rest = false;  // :vararg, the last one: all that is left of the line
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<SourceLine> body;
};

// "a, b=preset c:req d:vararg" from `position` of the line.
std::variant<std::vector<Macro::Parameter>, Complaint> parse_parameters(std::string_view line,
                                                                        std::size_t position);

// The arguments of a call, separated by commas or by blanks. A blank beside an operator separates nothing
// ("1 + 2"), except before a sign that stands at its number ("1 -2").
std::vector<std::string_view> split_arguments(std::string_view text);

// One value for each parameter: arguments in order, then name=value in any order, then presets.
std::variant<std::vector<std::string>, Complaint> bind_arguments(const Macro& macro, std::string_view line,
                                                                 std::size_t position);

// `text` with \name replaced, \@ by the number of the expansion, and \() by nothing. Nothing: it would have
// more than `most` bytes.
std::optional<std::string> substitute(std::string_view text, const std::vector<Macro::Parameter>& parameters,
                                      const std::vector<std::string>& values, std::size_t serial,
                                      std::size_t most);

// Without blanks at its ends.
std::string_view trimmed(std::string_view text);

// "a, b" split at commas outside brackets, parentheses and quotes; the parts are trimmed.
std::vector<std::string_view> split_operands(std::string_view text);

}  // namespace pto::text
