// Where a text stops being JSON: the fast parser says only that it is not, this says the line and the column.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pto {

// The error of a text that is no JSON document. `reason` is what the fast parser said. An error in the first
// line of `text` is placed in line `first_line` of `file`.
Error json_syntax_error(std::string_view text, std::string_view reason, std::string file,
                        std::size_t first_line = 1);

}  // namespace pto
