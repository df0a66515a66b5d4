// Operands chosen from a list of names: data types, layouts, rounding modes, flags. Every list is a table of
// name and code; one parse and one print function serve them all. `key=` may precede a name (PadValue=Null),
// and a code without a name is written as `key=number`.
#include <array>

#include "text/name_lists.h"
#include "text/nearest.h"
#include "text/operand_kinds.h"

namespace pto::text {

namespace {

using isa::Field;

bool parse_from(OperandParser& parser, Field field, const NameList& list) {
  bool keyed = false;
  for (const std::string_view key : list.keys) {
    Cursor ahead = parser.cursor;
    if (key.empty() || !ahead.take_word(key)) continue;
    ahead.skip_spaces();
    if (!ahead.take("=")) continue;
    ahead.skip_spaces();
    parser.cursor = ahead;
    keyed = true;
    break;
  }
  const std::size_t position = parser.cursor.position();
  if (keyed && is_digit(parser.cursor.peek())) {
    const std::optional<Expression> code = parser.expression();
    return code && parser.set_number(field, code->value, position);
  }
  std::string_view word = parser.cursor.take_name();
  if (word.empty()) return parser.fail(position, "expected " + std::string(list.what));
  // Older spellings: ND2NZ.normal, and cmode5 for a code by number.
  constexpr std::string_view normal = ".normal";
  if (word.size() > normal.size() && equal_ignoring_case(word.substr(word.size() - normal.size()), normal)) {
    word.remove_suffix(normal.size());
  }
  const std::string_view key = list.keys[0];
  if (!key.empty() && word.size() > key.size() && equal_ignoring_case(word.substr(0, key.size()), key)) {
    Cursor digits(word, key.size());
    const std::optional<Word> code = parse_number(digits);
    if (code && digits.at_end()) return parser.set_number(field, *code, position);
  }
  Nearest nearest(word);
  for (const Name& name : list.names) {
    if (equal_ignoring_case(name.text, word)) return parser.set_raw(field, name.code);
    nearest.offer(name.text);
  }
  return parser.fail(position, "'" + std::string(word) + "' is not " + std::string(list.what),
                     nearest.hint().empty() ? choices(list) : nearest.hint());
}

void print_from(OperandPrinter& printer, Field field, const NameList& list) {
  const Word code = printer.raw(field);
  for (const Name& name : list.names) {
    if (name.code != code) continue;
    printer.out += name.text;
    printer.done(field);
    return;
  }
  printer.out += list.keys[0].empty() ? isa::name_of(field) : list.keys[0];
  printer.out += '=';
  append_decimal(printer.out, code, false);
  printer.done(field);
}

template <const NameList& list>
constexpr OperandKind named(std::string_view name, std::string_view meaning) {
  return {.name = name,
          .parse = [](OperandParser& parser, Field field) { return parse_from(parser, field, list); },
          .print = [](OperandPrinter& printer, Field field) { print_from(printer, field, list); },
          .meaning = meaning};
}

// A flag is written by its name; a bare 1 or 0 is accepted in its place.
bool parse_flag(OperandParser& parser, Field field, std::string_view word) {
  if (parser.cursor.take_word(word) || parser.cursor.take_word("1")) return parser.set_raw(field, 1);
  if (parser.cursor.take_word("0")) return parser.set_raw(field, 0);
  return parser.fail(parser.cursor.position(), "expected '" + std::string(word) + "'");
}

struct Spelling {
  std::string_view text;
};
constexpr Spelling trap{"trap"}, atomic{"atomic"}, far_word{"far"}, dr{"dr"}, sat{"sat"},
    canonicalize{"canonicalize"}, last{"last"}, init{"init"}, source1{"source1"};

template <const Spelling& word>
constexpr OperandKind flag() {
  return {.name = word.text,
          .parse = [](OperandParser& parser, Field field) { return parse_flag(parser, field, word.text); },
          .print =
              [](OperandPrinter& printer, Field field) {
                printer.out += printer.raw(field) != 0 ? word.text : std::string_view("0");
                printer.done(field);
              },
          .meaning = "flag"};
}

// Acquire and release are two fields and one word.
bool parse_order(OperandParser& parser, Field) {
  for (const Name& name : {Name{"aqrl", 3}, Name{"aq", 1}, Name{"rl", 2}}) {
    if (!parser.cursor.take_word(name.text)) continue;
    parser.set_raw(Field::aq, name.code & 1);
    return parser.set_raw(Field::rl, name.code >> 1);
  }
  return parser.expected("aq, rl or aqrl");
}
void print_order(OperandPrinter& printer, Field) {
  if (printer.raw(Field::aq) != 0) printer.out += "aq";
  if (printer.raw(Field::rl) != 0) printer.out += "rl";
  printer.done(Field::aq);
  printer.done(Field::rl);
}

// A branch hint is valid (V) and then likely or not (L/UL).
bool parse_branch(OperandParser& parser, Field field) {
  const bool likely = parser.cursor.take_word("BR.likely");
  if (!likely && !parser.cursor.take_word("BR.unlikely")) return parser.expected("BR.likely or BR.unlikely");
  parser.set_raw(Field::L_UL, likely ? 1 : 0);
  return parser.set_raw(field, 1);
}
void print_branch(OperandPrinter& printer, Field field) {
  printer.out += printer.raw(Field::L_UL) != 0 ? "BR.likely" : "BR.unlikely";
  printer.done(field);
  printer.done(Field::L_UL);
}

// How a register on the right is changed before use: the name stands directly behind the register.
struct Modifiers {
  std::array<std::string_view, 4> names;  // by code; empty: no name
};
constexpr Modifiers arithmetic{{"sw", "uw", "neg", ""}};
constexpr Modifiers logical{{"sw", "uw", "not", ""}};
constexpr Modifiers compare{{"", "sw", "uw", ""}};
constexpr Modifiers compare_logical{{"", "sw", "uw", "not"}};
constexpr Modifiers address{{"", "sw", "uw", "neg"}};
constexpr Modifiers select{{"", "", "", "neg"}};

template <const Modifiers& modifiers, unsigned none>
constexpr OperandKind modifier(std::string_view name) {
  return {.name = name,
          .left_out = none,
          .parse =
              [](OperandParser& parser, Field field) {
                for (unsigned code = 0; code < 4; ++code) {
                  const std::string_view text = modifiers.names[code];
                  if (!text.empty() && parser.cursor.take_word(text)) return parser.set_raw(field, code);
                }
                std::string choices;
                for (const std::string_view text : modifiers.names) {
                  if (!text.empty()) choices += (choices.empty() ? "." : ", .") + std::string(text);
                }
                return parser.fail(parser.cursor.position(), "expected a source modifier: " + choices);
              },
          .print =
              [](OperandPrinter& printer, Field field) {
                const Word code = printer.raw(field);
                if (modifiers.names[code & 3].empty()) {
                  // Written behind the operands as SrcRType=n.
                  if (printer.out.ends_with('.')) printer.out.pop_back();
                  return;
                }
                printer.out += modifiers.names[code & 3];
                printer.done(field);
              },
          .meaning = "how the source is changed before use"};
}

constexpr OperandKind kinds[] = {
    named<layout_list>("layout", "data layout or conversion"),
    named<pad_list>("pad", "pad value, or byte identifier"),
    named<comparison_list>("comparison", "comparison"),
    named<rounding_list>("rounding", "rounding mode"),
    named<type_list>("type", "element type"),
    named<dimension_list>("dimension", "block dimension"),
    named<transfer_list>("transfer", "how control leaves the block"),
    named<temperature_list>("temperature", "cache temperature hint"),
    named<trace_list>("trace", "trace boundary"),
    flag<trap>(),
    flag<atomic>(),
    flag<far_word>(),
    flag<dr>(),
    flag<sat>(),
    flag<canonicalize>(),
    flag<last>(),
    flag<init>(),
    flag<source1>(),
    {.name = "order",
     .parse = parse_order,
     .print = print_order,
     .meaning = "memory order",
     .also = Field::rl},
    {.name = "branch",
     .parse = parse_branch,
     .print = print_branch,
     .meaning = "branch hint",
     .also = Field::L_UL},
    modifier<arithmetic, 3>("arithmetic"),
    modifier<logical, 3>("logical"),
    modifier<compare, 0>("compare"),
    modifier<compare_logical, 0>("compare_logical"),
    modifier<address, 0>("address"),
    modifier<select, 0>("select"),
};

}  // namespace

std::span<const OperandKind> name_kinds() { return kinds; }

}  // namespace pto::text
