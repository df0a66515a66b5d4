// Operands of tile blocks.
//
// A local tile source is a position in one of four hands: t#1 to t#16, then u, m and n, sixteen each; the six
// encoded bits are hand * 16 + position - 1. A destination names the hand alone: the block takes the first
// free register of it. Sizes are powers of two from 128B (code 1). A PE mask has PE0 on the left: mask=1000
// is PE0 alone.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "isa/tile/operations.h"
#include "text/name_lists.h"
#include "text/nearest.h"
#include "text/operand_kinds.h"

namespace pto::text {

namespace {

using isa::Field;

constexpr std::string_view hands = tile_hands;
constexpr unsigned size_codes = tile_size_codes;
constexpr unsigned all_elements = 7;  // the code of mask=1111

bool parse_tile(OperandParser& parser, Field field) {
  const std::size_t position = parser.cursor.position();
  const std::size_t hand = hands.find(to_lower(parser.cursor.peek()));
  const std::string_view hint = "local tiles are t#1 to t#16, and u, m and n alike";
  if (parser.cursor.at_end() || hand == hands.npos || parser.cursor.peek(1) != '#') {
    return parser.fail(position, "expected a tile", std::string(hint));
  }
  parser.cursor.move_to(position + 2);
  const std::optional<Expression> number = parser.expression();
  if (!number) return false;
  if (number->value - 1 >= tiles_per_hand) {
    return parser.fail(position + 2, fmt::format("there is no tile {}#{}", hands[hand], number->value),
                       std::string(hint));
  }
  return parser.set_raw(field, hand * tiles_per_hand + number->value - 1);
}

void print_tile(OperandPrinter& printer, Field field) {
  const Word index = printer.raw(field);
  fmt::format_to(std::back_inserter(printer.out), "{}#{}", hands[(index / tiles_per_hand) & 3],
                 index % tiles_per_hand + 1);
  printer.done(field);
}

bool parse_hand(OperandParser& parser, Field field) {
  const std::size_t hand = hands.find(to_lower(parser.cursor.peek()));
  if (parser.cursor.at_end() || hand == hands.npos || is_name_char(parser.cursor.peek(1))) {
    return parser.fail(parser.cursor.position(), "expected the hand of the destination: t, u, m or n",
                       "for example ->t<1KB>");
  }
  parser.cursor.next();
  return parser.set_raw(field, hand);
}

void print_hand(OperandPrinter& printer, Field field) {
  printer.out += hands[printer.raw(field) & 3];
  printer.done(field);
}

// "128B", "1KB" or the encoded code itself.
bool parse_size(OperandParser& parser, Field field) {
  const std::size_t position = parser.cursor.position();
  const std::string_view word = parser.cursor.take_while([](char c) { return is_digit(c) || is_alpha(c); });
  Cursor digits(word);
  const std::string_view count = digits.take_while(is_digit);
  const std::string_view unit = digits.rest();
  Cursor number_text(count);
  const std::optional<Word> number = parse_number(number_text);
  const std::string hint = "sizes are 128B, 256B, 512B, 1KB, 2KB and so on to 256KB";
  if (!number) return parser.fail(position, "expected a size", hint);
  if (unit.empty()) return parser.set_number(field, *number, position);
  const Word scale = equal_ignoring_case(unit, "B")                                      ? 1
                     : equal_ignoring_case(unit, "KB") || equal_ignoring_case(unit, "K") ? 1024
                                                                                         : 0;
  for (unsigned code = 1; code <= size_codes && scale != 0; ++code) {
    if (*number * scale == Word{128} << (code - 1)) return parser.set_raw(field, code);
  }
  return parser.fail(position, "'" + std::string(word) + "' is not a tile size", hint);
}

void print_size(OperandPrinter& printer, Field field) {
  const Word code = printer.raw(field);
  printer.done(field);
  if (code == 0 || code > size_codes) return append_decimal(printer.out, code, false);
  const Word bytes = Word{128} << (code - 1);
  append_decimal(printer.out, bytes < 1024 ? bytes : bytes / 1024, false);
  printer.out += bytes < 1024 ? "B" : "KB";
}

bool parse_mask(OperandParser& parser, Field field) {
  const std::size_t position = parser.cursor.position();
  const std::string_view word = parser.cursor.take_while(is_digit);
  for (unsigned code = 0; code < pe_masks().size(); ++code) {
    if (pe_masks()[code] == word) return parser.set_raw(field, code);
  }
  return parser.fail(position,
                     word.empty() ? "expected a PE mask" : "'" + std::string(word) + "' is not a PE mask",
                     "the masks are 0000 1000 0100 0010 0001 1100 1110 1111, PE0 on the left");
}

void print_mask(OperandPrinter& printer, Field field) {
  printer.out += pe_masks()[printer.raw(field) & 7];
  printer.done(field);
}

bool parse_shared(OperandParser& parser, Field field) {
  const std::size_t position = parser.cursor.position();
  if (to_lower(parser.cursor.peek()) != 's' || !is_digit(parser.cursor.peek(1))) {
    return parser.fail(position, "expected a shared register, S0 for example");
  }
  parser.cursor.next();
  const std::optional<Word> number = parse_number(parser.cursor);
  const unsigned width = parser.form().spec(field)->width;
  if (!number || *number > mask_of(width)) {
    return parser.fail(
        position, fmt::format("shared registers are S0 to S{} in this release", mask_of(width)),
        parser.release() == Release::v0_58_3 ? "" : "release 0.58.3 has 256 of them: --isa 0.58.3");
  }
  return parser.set_raw(field, *number);
}

void print_shared(OperandPrinter& printer, Field field) {
  fmt::format_to(std::back_inserter(printer.out), "S{}", printer.raw(field));
  printer.done(field);
}

// The operation of BSTART.TEPL: Mode and Function together, by name. A pair without a name is
// op.MODE.FUNCTION; a number alone is both, Mode above the five bits of Function.
bool parse_operation(OperandParser& parser, Field) {
  const std::size_t position = parser.cursor.position();
  if (const std::optional<Word> code = parse_number(parser.cursor)) {
    if (*code > mask_of(7))
      return parser.fail(position, fmt::format("there is no tile operation {}", *code),
                         "the numbers are 0 to 127: MODE x 32 + FUNCTION");
    parser.set_raw(Field::Mode, *code >> 5);
    return parser.set_raw(Field::Function, *code & mask_of(5));
  }
  const std::string_view name = parser.cursor.take_name();
  if (name.empty()) return parser.fail(position, "expected a tile operation");
  Nearest nearest(name);
  for (const isa::TileOperation& operation : isa::tile_operations()) {
    const bool here = operation.family == isa::TileFamily::TEPL;
    if (!equal_ignoring_case(operation.name, name)) {
      if (here && operation.in(parser.release())) nearest.offer(operation.name);
      continue;
    }
    if (!here) {
      return parser.fail(position, fmt::format("{} has a start of its own", operation.name),
                         fmt::format("write {} TYPE", operation.start));
    }
    if (!operation.in(parser.release())) {
      const std::string_view other =
          name_of(operation.since > parser.release() ? operation.since : operation.until);
      return parser.fail(
          position, fmt::format("{} does not exist in release {}", operation.name, name_of(parser.release())),
          fmt::format("release {} has it: --isa {}", other, other));
    }
    parser.set_raw(Field::Mode, operation.mode);
    return parser.set_raw(Field::Function, operation.function);
  }
  Cursor parts(name);
  if (parts.take("op.")) {
    const std::string_view mode = parts.take_while(is_digit);
    const std::string_view function = parts.take(".") ? parts.take_while(is_digit) : std::string_view();
    Cursor mode_text(mode), function_text(function);
    const std::optional<Word> m = parse_number(mode_text), f = parse_number(function_text);
    if (m && f && *m < 4 && *f < 32 && parts.at_end()) {
      parser.set_raw(Field::Mode, *m);
      return parser.set_raw(Field::Function, *f);
    }
  }
  return parser.fail(position, "'" + std::string(name) + "' is not a tile operation", nearest.hint());
}

void print_operation(OperandPrinter& printer, Field) {
  const unsigned code = static_cast<unsigned>(printer.raw(Field::Mode) << 5 | printer.raw(Field::Function));
  if (const isa::TileOperation* row =
          isa::find_tile_operation(isa::TileFamily::TEPL, code, printer.release())) {
    printer.out += row->name;
  } else {
    fmt::format_to(std::back_inserter(printer.out), "op.{}.{}", code >> 5, code & 31);
  }
  printer.done(Field::Mode);
  printer.done(Field::Function);
}

constexpr OperandKind kinds[] = {
    {.name = "tile", .parse = parse_tile, .print = print_tile, .meaning = "local tile to read"},
    {.name = "hand", .parse = parse_hand, .print = print_hand, .meaning = "hand of the new tile"},
    {.name = "size", .parse = parse_size, .print = print_size, .meaning = "bytes reserved in each PE"},
    {.name = "mask",
     .left_out = all_elements,
     .parse = parse_mask,
     .print = print_mask,
     .meaning = "mask of participating PEs, PE0 on the left"},
    {.name = "shared", .parse = parse_shared, .print = print_shared, .meaning = "shared register"},
    {.name = "operation",
     .parse = parse_operation,
     .print = print_operation,
     .meaning = "tile operation",
     .also = Field::Function},
};

}  // namespace

std::span<const OperandKind> tile_kinds() { return kinds; }

}  // namespace pto::text
