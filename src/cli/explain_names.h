// What `explain` says of names that stand for operands: layouts, types, modes, registers, sizes, masks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pto::cli {

std::optional<std::string> explain_operand_name(std::string_view name);
// The names of fixed spelling, for "did you mean".
std::vector<std::string_view> operand_names();

}  // namespace pto::cli
