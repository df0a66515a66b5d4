// Suffixes of mnemonics: what the ISA writes behind the name with a dot and encodes in fields.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "text/operand_kinds.h"
#include "text/suffix_names.h"

namespace pto::text {

namespace {

using isa::Field;

// One letter group per field, in the order they are written.
struct Letter {
  std::string_view text;
  Field field;
};
constexpr std::array order_letters =
    std::to_array<Letter>({{"aq", Field::aq}, {"rl", Field::rl}, {"f", Field::far}});
constexpr std::array queue_letters = std::to_array<Letter>(
    {{"i", Field::i}, {"h", Field::h}, {"e", Field::e}, {"s", Field::s}, {"r", Field::r}});

bool parse_letters(OperandParser& parser, std::string_view suffix, std::span<const Letter> letters) {
  for (const Letter& letter : letters) {
    if (suffix.size() < letter.text.size()) continue;
    if (!equal_ignoring_case(suffix.substr(0, letter.text.size()), letter.text)) continue;
    if (!parser.form().has(letter.field)) return false;
    parser.set_raw(letter.field, 1);
    suffix.remove_prefix(letter.text.size());
  }
  return suffix.empty();
}

void print_letters(OperandPrinter& printer, std::span<const Letter> letters) {
  bool first = true;
  for (const Letter& letter : letters) {
    if (!printer.form().has(letter.field)) continue;
    printer.done(letter.field);
    if (printer.raw(letter.field) == 0) continue;
    if (first) printer.out += '.';
    first = false;
    printer.out += letter.text;
  }
}

bool parse_order(OperandParser& parser, std::string_view suffix) {
  return parse_letters(parser, suffix, order_letters);
}
void print_order(OperandPrinter& printer) { print_letters(printer, order_letters); }
bool parse_queue(OperandParser& parser, std::string_view suffix) {
  return parse_letters(parser, suffix, queue_letters);
}
void print_queue(OperandPrinter& printer) { print_letters(printer, queue_letters); }

// A code by name; codes without one are written typeN.
using Codes = std::array<std::string_view, 16>;
constexpr Codes float_sources{"fd", "fs"};
constexpr Codes signed_sources{"sd", "sw"};
constexpr Codes unsigned_sources{"ud", "uw"};
constexpr Codes destinations{"fd", "fs", "", "", "", "", "", "", "sd", "sw"};
constexpr Codes levels{"l1", "l2", "l3"};

std::optional<unsigned> code_of(std::string_view text, const Codes& codes) {
  for (unsigned code = 0; code < codes.size(); ++code) {
    if (!codes[code].empty() && equal_ignoring_case(codes[code], text)) return code;
  }
  Cursor cursor(text);
  if (cursor.take_while(is_alpha) != "type") return std::nullopt;
  const std::optional<Word> number = parse_number(cursor);
  return number && cursor.at_end() && *number < 32 ? std::optional(static_cast<unsigned>(*number))
                                                   : std::nullopt;
}

void append_code(std::string& out, Word code, const Codes& codes) {
  if (code < codes.size() && !codes[code].empty()) {
    out += codes[code];
  } else {
    fmt::format_to(std::back_inserter(out), "type{}", code);
  }
}

bool parse_code(OperandParser& parser, Field field, std::string_view text, const Codes& codes) {
  const std::optional<unsigned> code = code_of(text, codes);
  return code && *code <= mask_of(parser.form().spec(field)->width) && parser.set_raw(field, *code);
}

bool parse_float(OperandParser& parser, std::string_view suffix) {
  return parse_code(parser, Field::SrcType, suffix, float_sources);
}
void print_float(OperandPrinter& printer) {
  printer.out += '.';
  append_code(printer.out, printer.raw(Field::SrcType), float_sources);
  printer.done(Field::SrcType);
}

const Codes& sources_of(const isa::Form& form) {
  switch (form.operation) {
    case isa::Operation::FromSigned: return signed_sources;
    case isa::Operation::FromUnsigned: return unsigned_sources;
    default: return float_sources;
  }
}

bool parse_convert(OperandParser& parser, std::string_view suffix) {
  const std::size_t two = suffix.find('2', 1);
  if (two == suffix.npos) return false;
  return parse_code(parser, Field::SrcType, suffix.substr(0, two), sources_of(parser.form())) &&
         parse_code(parser, Field::DstType, suffix.substr(two + 1), destinations);
}
void print_convert(OperandPrinter& printer) {
  printer.out += '.';
  append_code(printer.out, printer.raw(Field::SrcType), sources_of(printer.form()));
  printer.out += '2';
  append_code(printer.out, printer.raw(Field::DstType), destinations);
  printer.done(Field::SrcType);
  printer.done(Field::DstType);
}

bool parse_cache(OperandParser& parser, std::string_view suffix) {
  return suffix.empty() || parse_code(parser, Field::model, suffix, levels);
}
void print_cache(OperandPrinter& printer) {
  printer.out += '.';
  append_code(printer.out, printer.raw(Field::model), levels);
  printer.done(Field::model);
}

constexpr SuffixKind kinds[] = {
    {.name = "order",
     .parse = parse_order,
     .print = print_order,
     .choices = "aq, rl, f and their combinations"},
    {.name = "queue",
     .parse = parse_queue,
     .print = print_queue,
     .choices = "the letters of the queue flags"},
    {.name = "float", .parse = parse_float, .print = print_float, .choices = "fd or fs"},
    {.name = "convert", .parse = parse_convert, .print = print_convert, .choices = "the types, as in fd2fs"},
    {.name = "cache", .parse = parse_cache, .print = print_cache, .choices = "l1, l2 or l3"},
};

}  // namespace

std::span<const SuffixKind> suffix_kinds() { return kinds; }

std::vector<SuffixName> suffix_names(const isa::Form& form, Field field) {
  const Codes* codes = field == Field::SrcType   ? &sources_of(form)
                       : field == Field::DstType ? &destinations
                       : field == Field::model   ? &levels
                                                 : nullptr;
  std::vector<SuffixName> names;
  if (codes == nullptr || !form.has(field)) return names;
  for (unsigned code = 0; code < codes->size(); ++code) {
    if (!(*codes)[code].empty()) names.push_back({code, (*codes)[code]});
  }
  return names;
}

}  // namespace pto::text
