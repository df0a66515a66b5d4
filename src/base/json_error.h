// Where a text stops being JSON: the fast parser says only that it is not, this says the line and the column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pto {

// The error of a text that is no JSON document. `reason` is what the fast parser said. An error in the first
// line of `text` is placed in line `first_line` of `file`.
Error json_syntax_error(std::string_view text, std::string_view reason, std::string file,
                        std::size_t first_line = 1);

// Where a member of a JSON document stands: `path` names keys of objects and numbers of list elements from
// the outside in. The nearest member around it, when there is none of that name. `text` is a JSON document.
Place json_member_place(std::string_view text, const std::vector<std::string>& path, std::string file);

}  // namespace pto
