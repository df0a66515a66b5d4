// Brackets of the older spellings of header commands: B.IOT [t#1], mask=1111; B.IOR [a0, a1],[a2];
// B.DATR {NORM, Null}.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "isa/form.h"
#include "text/operand_kinds.h"

namespace pto::text {

// Whether the commands of this form may be written so.
bool takes_brackets(const isa::Form& form);

// The line without the brackets behind `from`, everything else in its place. Brackets only hold together; the
// second pair of a B.IOR holds the destination, before which an arrow comes to stand.
std::variant<std::string, Complaint> without_brackets(const isa::Form& form, std::string_view line,
                                                      std::size_t from);

}  // namespace pto::text
