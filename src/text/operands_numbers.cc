// Numbers and places. Displacements and targets are written in bytes, whatever unit the word counts in; a
// target that is not given by a label is written relative to its instruction, as .+8 or .-4.
#include <fmt/format.h>

#include <array>

#include "text/operand_kinds.h"

namespace pto::text {

namespace {

using isa::Field;

bool parse_scaled(OperandParser& parser, Field field, unsigned shift) {
  parser.cursor.skip_spaces();
  const std::size_t position = parser.cursor.position();
  const std::optional<Expression> number = parser.expression();
  return number && parser.set_number(field, number->value, position, shift);
}

bool parse_number_operand(OperandParser& parser, Field field) { return parse_scaled(parser, field, 0); }
void print_number(OperandPrinter& printer, Field field) {
  append_decimal(printer.out, printer.value(field), isa::is_signed(field));
  printer.done(field);
}
void print_hex(OperandPrinter& printer, Field field) {
  append_hex(printer.out, printer.raw(field));
  printer.done(field);
}

bool parse_bytes(OperandParser& parser, Field field) {
  return parse_scaled(parser, field, parser.form().access.scale);
}
void print_bytes(OperandPrinter& printer, Field field) {
  append_decimal(printer.out, printer.value(field) << printer.form().access.scale, true);
  printer.done(field);
}

bool parse_halfwords(OperandParser& parser, Field field) { return parse_scaled(parser, field, 1); }
void print_halfwords(OperandPrinter& printer, Field field) {
  append_decimal(printer.out, printer.value(field) << 1, true);
  printer.done(field);
}

// A width of 1 to 64 is encoded as one less.
bool parse_width(OperandParser& parser, Field field) {
  parser.cursor.skip_spaces();
  const std::size_t position = parser.cursor.position();
  const std::optional<Expression> number = parser.expression();
  if (!number) return false;
  if (number->value - 1 > 63) return parser.fail(position, "a bit field is 1 to 64 bits wide");
  return parser.set_raw(field, number->value - 1);
}
void print_width(OperandPrinter& printer, Field field) {
  append_decimal(printer.out, printer.raw(field) + 1, false);
  printer.done(field);
}

// A target counted from `base` in units of 1 << shift.
bool parse_place(OperandParser& parser, Field field, Word base, unsigned shift) {
  parser.cursor.skip_spaces();
  const std::size_t position = parser.cursor.position();
  const std::optional<Expression> place = parser.expression();
  if (!place) return false;
  const Word distance = place->value - base;
  if ((distance & mask_of(shift)) != 0) {
    return parser.fail(position,
                       "the target is " + std::to_string(static_cast<std::int64_t>(distance)) +
                           " bytes away, which is not a multiple of " + std::to_string(1u << shift),
                       "align the target with .balign " + std::to_string(1u << shift));
  }
  const isa::FieldSpec& spec = *parser.form().spec(field);
  const auto units = static_cast<std::int64_t>(distance) >> shift;
  const bool has_sign = isa::is_signed(field);
  const std::int64_t low = has_sign ? -(std::int64_t{1} << (spec.width - 1)) : 0;
  const std::int64_t high = static_cast<std::int64_t>(mask_of(spec.width - (has_sign ? 1u : 0u)));
  if (units < low || units > high) {
    return parser.fail(position, "the target is " + std::to_string(static_cast<std::int64_t>(distance)) +
                                     " bytes away; this form reaches " + std::to_string(low * (1 << shift)) +
                                     " to " + std::to_string(high * (1 << shift)));
  }
  return parser.set_raw(field, static_cast<Word>(units));
}

bool parse_target(OperandParser& parser, Field field) {
  return parse_place(parser, field, parser.address(), 1);
}
void print_target(OperandPrinter& printer, Field field) {
  printer.target(printer.value(field) << 1);
  printer.done(field);
}

// Where a call returns to. The fused call counts from its second halfword; the others from the instruction
// itself. A plain number is the encoded count of halfwords.
Word return_base(const isa::Form& form) { return form.surface() == isa::Surface::Block ? 2 : 0; }

bool parse_return(OperandParser& parser, Field field) {
  parser.cursor.skip_spaces();
  const std::size_t position = parser.cursor.position();
  Cursor ahead = parser.cursor;
  const std::variant<Expression, ExpressionError> value =
      parse_expression(ahead, parser.symbols, parser.address());
  const Expression* expression = std::get_if<Expression>(&value);
  if (expression != nullptr && !expression->is_address) {
    parser.cursor = ahead;
    return parser.set_number(field, expression->value, position);
  }
  return parse_place(parser, field, parser.address() + return_base(parser.form()), 1);
}
void print_return(OperandPrinter& printer, Field field) {
  printer.target((printer.value(field) << 1) + return_base(printer.form()));
  printer.done(field);
}

// PC-relative memory: counted in words from the PC rounded down to a multiple of four.
bool parse_near(OperandParser& parser, Field field) {
  return parse_place(parser, field, parser.address() & ~Word{3}, parser.form().access.scale);
}
void print_near(OperandPrinter& printer, Field field) {
  const Word distance = printer.value(field) << printer.form().access.scale;
  // Without an address the rounding is unknown; the instruction is then taken to lie on a multiple of four.
  const Word rounding = printer.address ? *printer.address & 3 : 0;
  printer.target(distance - rounding);
  printer.done(field);
}

// A count of pages that the instruction adds to its own address (ADDTPC). For a label it is the page
// displacement that leaves less than a page to add: the low part is (label - instruction) & 0xfff.
constexpr unsigned page_shift = 12;

bool parse_pages(OperandParser& parser, Field field) {
  parser.cursor.skip_spaces();
  const std::size_t position = parser.cursor.position();
  const std::optional<Expression> place = parser.expression();
  if (!place) return false;
  if (!place->is_address) return parser.set_number(field, place->value, position);
  const auto distance = static_cast<std::int64_t>(place->value - parser.address());
  const std::int64_t pages = distance >> page_shift;
  const std::int64_t reach = std::int64_t{1} << (parser.form().spec(field)->width - 1);
  if (pages < -reach || pages >= reach) {
    return parser.fail(position, fmt::format("the target is {} pages away; this form reaches {} to {}", pages,
                                             -reach, reach - 1));
  }
  return parser.set_raw(field, static_cast<Word>(pages));
}
void print_pages(OperandPrinter& printer, Field field) {
  const unsigned width = printer.form().spec(field)->width;
  append_decimal(printer.out, sign_extend(printer.raw(field), width), true);
  printer.done(field);
}

// The upper bits of a value: an address in their place would be shifted.
template <unsigned shift>
bool parse_upper(OperandParser& parser, Field field) {
  parser.cursor.skip_spaces();
  const std::size_t position = parser.cursor.position();
  const std::optional<Expression> number = parser.expression();
  if (!number) return false;
  if (number->is_address) {
    return parser.fail(
        position,
        fmt::format("this is an address, and the operand is what stands above its low {} bits", shift),
        fmt::format("write ADDRESS >> {}; HL.LIU takes an address of 32 bits whole", shift));
  }
  return parser.set_number(field, number->value, position);
}

constexpr OperandKind kinds[] = {
    {.name = "number", .parse = parse_number_operand, .print = print_number, .meaning = "number"},
    {.name = "hex", .parse = parse_number_operand, .print = print_hex, .meaning = "number"},
    {.name = "bytes", .parse = parse_bytes, .print = print_bytes, .meaning = "displacement in bytes"},
    {.name = "halfwords",
     .parse = parse_halfwords,
     .print = print_halfwords,
     .meaning = "displacement in bytes, even"},
    {.name = "width", .parse = parse_width, .print = print_width, .meaning = "width in bits, 1 to 64"},
    {.name = "target", .parse = parse_target, .print = print_target, .meaning = "where control goes"},
    {.name = "return", .parse = parse_return, .print = print_return, .meaning = "where a call returns to"},
    {.name = "near", .parse = parse_near, .print = print_near, .meaning = "address near the instruction"},
    {.name = "pages",
     .parse = parse_pages,
     .print = print_pages,
     .meaning = "signed count of 4 KiB pages from the instruction; a label gives its own"},
    {.name = "upper12",
     .parse = parse_upper<12>,
     .print = print_number,
     .meaning = "what stands above the low 12 bits"},
    {.name = "upper32",
     .parse = parse_upper<32>,
     .print = print_number,
     .meaning = "what stands above the low 32 bits"},
};

}  // namespace

std::span<const OperandKind> number_kinds() { return kinds; }

}  // namespace pto::text
