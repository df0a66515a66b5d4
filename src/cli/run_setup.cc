#include "cli/run_setup.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "cli/io.h"
#include "door/convention.h"
#include "text/operand_kinds.h"

namespace pto::cli {

using door::a0, door::a1, door::ra, door::sp;
using door::return_sentinel, door::stack_top;

namespace {
constexpr Word largest_dump = Word{1} << 32;
}

Result<Word> address_of(const std::string& text, const load::Image& image) {
  if (const load::Symbol* symbol = image.find_symbol(text)) return symbol->value;
  const Result<std::uint64_t> number = parse_address(text);
  if (number) return *number;
  return Error{.message = fmt::format("'{}' is neither a symbol of the program nor an address", text),
               .place = {},
               .hint = "addresses are written 0x1000",
               .excerpt = {}};
}

// ADDRESS:LENGTH, either of them a symbol.
Result<Range> range_of(const std::string& text, const load::Image& image) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) {
    return Error{.message = fmt::format("'{}' is not ADDRESS:LENGTH", text),
                 .place = {},
                 .hint = "for example result:4096",
                 .excerpt = {}};
  }
  const Result<Word> address = address_of(text.substr(0, colon), image);
  if (!address) return address.error();
  const Result<Word> size = address_of(text.substr(colon + 1), image);
  if (!size) return size.error();
  if (*size == 0 || *size > largest_dump || *address + (*size - 1) < *address) {
    return Error{.message = fmt::format("'{}': a length from 1 to {} that does not wrap is needed", text,
                                        largest_dump),
                 .place = {},
                 .hint = {},
                 .excerpt = {}};
  }
  return Range{*address, *size};
}

// Splits LEFT=FILE.
Result<std::pair<std::string, std::string>> split(std::string_view option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return option_error(option, text, "an '=' with something on both sides is needed",
                        option == "--dump"   ? "--dump ADDRESS:LENGTH=FILE"
                        : option == "--load" ? "--load ADDRESS=FILE"
                                             : "--set a0=5");
  }
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

namespace {
Error no_room(std::uint64_t bytes) {
  return option_error("--stack", std::to_string(bytes), "the program's name and arguments need more",
                      "the default is 1 MiB");
}
}  // namespace

Result<void> make_stack(std::uint64_t stack_bytes, const std::vector<std::string>& arguments,
                        const load::Image& image, state::Machine& machine) {
  if (stack_bytes == 0) return {};
  constexpr Word largest_stack = Word{1} << 32;
  if (stack_bytes > largest_stack)
    return option_error("--stack", std::to_string(stack_bytes), "too large", "at most 4 GiB");
  const Word bottom = stack_top - stack_bytes;
  for (const load::Segment& segment : image.segments) {
    const Word last = segment.address + (segment.size - 1);
    if (segment.address >= stack_top || last < bottom) continue;
    return Error{.message = fmt::format("the program's segment {}, {:#x} to {:#x}, and the stack, {:#x} to "
                                        "{:#x}, lie over each other",
                                        segment.name, segment.address, last, bottom, stack_top - 1),
                 .place = {.file = image.file},
                 .hint = "--stack 0 gives the program no stack",
                 .excerpt = {}};
  }
  if (!machine.memory.map(bottom, stack_bytes, {.read = true, .write = true, .execute = false})) {
    return option_error("--stack", std::to_string(stack_bytes), "cannot be mapped", "");
  }
  // Strings, then the pointer array, then an aligned sp.
  Word at = stack_top;
  std::vector<Word> pointers;
  for (const std::string& argument : arguments) {
    if (argument.size() + 1 > at - bottom) return no_room(stack_bytes);
    at -= argument.size() + 1;
    machine.memory.write(at, {reinterpret_cast<const std::uint8_t*>(argument.c_str()), argument.size() + 1});
    pointers.push_back(at);
  }
  const Word array_bytes = (pointers.size() + 1) * 8;
  if (array_bytes + 16 > at - bottom) return no_room(stack_bytes);
  at = (at - array_bytes) & ~Word{15};
  for (std::size_t i = 0; i < pointers.size(); ++i) machine.memory.store(at + i * 8, 8, pointers[i]);
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    machine.gpr[pe].x[sp] = at;
    machine.gpr[pe].x[ra] = return_sentinel;
  }
  if (arguments.size() > 1) {
    machine.write_gpr(a0, pointers.size());
    machine.write_gpr(a1, at);
  }
  machine.return_address = return_sentinel;
  return {};
}

Result<void> map_range(const std::string& text, const load::Image& image, state::Machine& machine) {
  const Result<Range> range = range_of(text, image);
  if (!range) return range.error();
  // What the program has stays: a range may fill the gaps of an image.
  for (const load::Segment& segment : image.segments) {
    if (segment.address <= range->address + (range->size - 1) &&
        range->address <= segment.address + (segment.size - 1)) {
      fmt::print(
          stderr,
          "ptosim: warning: --map {}: the program's segment {} lies there, {:#x} to {:#x}, and stays\n", text,
          segment.name, segment.address, segment.address + (segment.size - 1));
    }
  }
  if (!machine.memory.map(range->address, range->size, {.read = true, .write = true, .execute = false})) {
    return option_error("--map", text, "wraps around the address space", "");
  }
  return {};
}

Result<void> load_file(const std::string& text, std::uint64_t stack_bytes, const load::Image& image,
                       state::Machine& machine) {
  const auto parts = split("--load", text);
  if (!parts) return parts.error();
  const Result<Word> address = address_of(parts->first, image);
  if (!address) return address.error();
  const Result<std::string> bytes = read_input(parts->second);
  if (!bytes) return bytes.error();
  if (bytes->empty()) return {};
  const Word bottom = stack_top - stack_bytes;
  if (*address < stack_top && *address + (bytes->size() - 1) >= bottom) {
    fmt::print(stderr,
               "ptosim: warning: --load {}: {:#x} to {:#x} is the stack with the program's arguments\n", text,
               bottom, stack_top - 1);
  }
  if (!machine.memory.map(*address, bytes->size(), {.read = true, .write = true, .execute = false})) {
    return option_error("--load", text, "wraps around the address space", "");
  }
  machine.memory.write(*address, {reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
  return {};
}

// a0=5, r7=0x10, pc=loop, pe1.a0=...
Result<void> set_register(const std::string& text, const load::Image& image, state::Machine& machine) {
  const auto parts = split("--set", text);
  if (!parts) return parts.error();
  const bool negative = parts->second.size() > 1 && parts->second[0] == '-';
  const Result<Word> magnitude = address_of(parts->second.substr(negative ? 1 : 0), image);
  if (!magnitude) return magnitude.error();
  const Word value = negative ? Word{0} - *magnitude : *magnitude;
  std::string name = parts->first;
  unsigned pe = machine.current_memory_agent;
  if (name.size() > 4 && name.starts_with("pe") && name[2] >= '0' && name[2] <= '3' && name[3] == '.') {
    pe = static_cast<unsigned>(name[2] - '0');
    name = name.substr(4);
  }
  if (name == "pc") {
    machine.pc = value;
    return {};
  }
  const std::optional<unsigned> index = text::register_of_name(name);
  if (!index || *index >= state::gpr_count || *index == 0) {
    return option_error(
        "--set", text, "no register of that name can be set",
        "registers are sp, a0-a7, ra, s0-s8, x0-x3, r1-r23 and pc; pe1.a0 names another PE's");
  }
  machine.gpr[pe].x[*index] = value;
  if (*index == ra) machine.return_address = value;
  return {};
}

}  // namespace pto::cli
