// What `run` puts into a machine before the program begins: its stack and arguments, memory, registers. The
// option values that name places are understood here; places may be symbols of the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "load/image.h"

namespace pto::cli {

struct Range {
  Word address = 0;
  Word size = 0;
};

Result<Word> address_of(const std::string& text, const load::Image& image);
// ADDRESS:LENGTH, either of them a symbol.
Result<Range> range_of(const std::string& text, const load::Image& image);
// Splits LEFT=RIGHT.
Result<std::pair<std::string, std::string>> split(std::string_view option, const std::string& text);

// The stack with the argument array, and where an empty call stack returns to. `arguments` begins with the
// name of the program. No part of the program may lie there.
Result<void> make_stack(std::uint64_t stack_bytes, const std::vector<std::string>& arguments,
                        const load::Image& image, state::Machine& machine);
// --map ADDRESS:LENGTH, --load ADDRESS=FILE, --set REGISTER=VALUE
Result<void> map_range(const std::string& text, const load::Image& image, state::Machine& machine);
Result<void> load_file(const std::string& text, std::uint64_t stack_bytes, const load::Image& image,
                       state::Machine& machine);
Result<void> set_register(const std::string& text, const load::Image& image, state::Machine& machine);

}  // namespace pto::cli
