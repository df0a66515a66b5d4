// Registers: the absolute ones by name or number (zero sp a0-a7 ra s0-s8 x0-x3, rN), the temporary queues as
// sources (t#1 is the newest entry of T) and as destinations (->t and ->u push).
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "text/nearest.h"
#include "text/operand_kinds.h"

namespace pto::text {

namespace {

using isa::Field;

constexpr std::array names = std::to_array<std::string_view>({
    "zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5", "a6",  "a7",  "ra",  "s0",  "s1",  "s2",  "s3",  "s4",
    "s5",   "s6", "s7", "s8", "x0", "x1", "x2", "x3", "t#1", "t#2", "t#3", "t#4", "u#1", "u#2", "u#3", "u#4",
});
constexpr unsigned general_registers = 24;
constexpr unsigned push_u = 30;
constexpr unsigned push_t = 31;

constexpr bool is_register_char(char c) {
  return is_alpha(c) || is_digit(c) || c == '#' || c == '_' || c == '$';
}

std::string_view take_register_name(Cursor& cursor) {
  return is_alpha(cursor.peek()) ? cursor.take_while(is_register_char) : std::string_view();
}

bool no_register(OperandParser& parser, std::size_t position, std::string_view name, unsigned choices) {
  if (name.empty()) return parser.fail(position, "expected a register");
  Nearest nearest(name);
  for (unsigned selector = 0; selector < choices; ++selector) nearest.offer(names[selector]);
  return parser.fail(
      position, "'" + std::string(name) + "' is not a register",
      nearest.best().empty() ? "registers are zero, sp, a0-a7, ra, s0-s8, x0-x3 and r0-r23" : nearest.hint());
}

bool parse_source(OperandParser& parser, Field field) {
  const std::size_t position = parser.cursor.position();
  const std::string_view name = take_register_name(parser.cursor);
  const std::optional<unsigned> selector = register_of_name(name);
  if (!selector) return no_register(parser, position, name, names.size());
  return parser.set_raw(field, *selector);
}

void print_source(OperandPrinter& printer, Field field) {
  printer.out += names[printer.raw(field) & 31];
  printer.done(field);
}

bool parse_destination(OperandParser& parser, Field field) {
  Cursor ahead = parser.cursor;
  if (ahead.take_word("t") && ahead.peek() != '#') {
    parser.cursor = ahead;
    return parser.set_raw(field, push_t);
  }
  ahead = parser.cursor;
  if (ahead.take_word("u") && ahead.peek() != '#') {
    parser.cursor = ahead;
    return parser.set_raw(field, push_u);
  }
  return parse_source(parser, field);
}

// Selectors 24 to 29 write nothing; they are written like the sources of the same number.
void print_destination(OperandPrinter& printer, Field field) {
  const Word selector = printer.raw(field);
  printer.out += selector == push_t ? "t" : selector == push_u ? "u" : names[selector & 31];
  printer.done(field);
}

// Block commands take absolute registers only; a selector above them has no name but a number.
bool parse_general(OperandParser& parser, Field field) {
  const std::size_t position = parser.cursor.position();
  if (parser.cursor.take_word("0")) return parser.set_raw(field, 0);
  const std::string_view name = take_register_name(parser.cursor);
  const std::optional<unsigned> selector = register_of_name(name);
  const bool queue = name.find('#') != name.npos;
  if (queue)
    return parser.fail(position, "a block command cannot read a queue: use a general register",
                       "registers are zero, sp, a0-a7, ra, s0-s8, x0-x3 and r0-r23");
  if (!selector) return no_register(parser, position, name, general_registers);
  return parser.set_raw(field, *selector);
}

void print_general(OperandPrinter& printer, Field field) {
  const Word selector = printer.raw(field);
  if (selector < general_registers) {
    printer.out += names[selector];
  } else {
    fmt::format_to(std::back_inserter(printer.out), "r{}", selector);
  }
  printer.done(field);
}

constexpr OperandKind kinds[] = {
    {.name = "source",
     .parse = parse_source,
     .print = print_source,
     .meaning = "register or queue entry to read"},
    {.name = "destination",
     .parse = parse_destination,
     .print = print_destination,
     .meaning = "register to write, or a queue to push"},
    {.name = "general", .parse = parse_general, .print = print_general, .meaning = "general register"},
};

}  // namespace

std::span<const OperandKind> register_kinds() { return kinds; }

std::optional<unsigned> register_of_name(std::string_view name) {
  for (unsigned selector = 0; selector < names.size(); ++selector) {
    if (equal_ignoring_case(name, names[selector])) return selector;
  }
  if (name.size() >= 2 && name.size() <= 3 && to_lower(name[0]) == 'r' && is_digit(name[1])) {
    Cursor digits(name.substr(1));
    const std::optional<Word> number = parse_number(digits);
    if (number && digits.at_end() && *number < names.size()) return static_cast<unsigned>(*number);
  }
  return std::nullopt;
}

std::string_view name_of_register(unsigned selector) { return names[selector & 31]; }

}  // namespace pto::text
