// The directives that put something into a section or say something about one: a table of names and
// functions.
#include <fmt/format.h>

#include <array>

#include "text/assembly.h"
#include "text/nearest.h"

namespace pto::text {

namespace {

struct Call {
  Assembly& assembly;
  const SourceLine& line;
  std::string_view name;
  Cursor cursor;
  unsigned width = 0;  // of one value, from the table

  void complain(std::string message, std::string hint = {}) {
    assembly.error(line, cursor.position(), std::move(message), std::move(hint));
  }
  void end() {
    cursor.skip_spaces();
    if (!cursor.at_end()) complain("unexpected text after " + std::string(name));
  }
  // The next operand begins; false: there is none.
  bool comma() {
    cursor.skip_spaces();
    if (!cursor.take(",")) return false;
    cursor.skip_spaces();
    return true;
  }
  std::optional<Word> number(std::string_view what) {
    cursor.skip_spaces();
    return assembly.evaluate_now(line, cursor, what);
  }
};

void data(Call& call) {
  call.cursor.skip_spaces();
  const std::vector<std::string_view> values = split_operands(call.cursor.rest());
  if (values.empty()) return call.complain(std::string(call.name) + " needs a value");
  const Word length = values.size() * call.width;
  if (Item* item = call.assembly.add_item(call.line, Item::Kind::Data, call.cursor.position(), length)) {
    item->width = call.width;
  }
}

// A quoted string with its escapes resolved.
std::optional<std::string> string_literal(Call& call) {
  call.cursor.skip_spaces();
  if (!call.cursor.take("\"")) {
    call.complain("expected a string in quotes");
    return std::nullopt;
  }
  std::string bytes;
  while (!call.cursor.at_end()) {
    char c = call.cursor.next();
    if (c == '"') return bytes;
    if (c == '\\') {
      c = call.cursor.next();
      switch (c) {
        case 'n': c = '\n'; break;
        case 't': c = '\t'; break;
        case 'r': c = '\r'; break;
        case '0': c = '\0'; break;
        case '\\':
        case '"':
        case '\'': break;
        case 'x': {
          Word value = 0;
          for (int digit = 0; digit < 2; ++digit) {
            const char lower = to_lower(call.cursor.peek());
            if (!is_digit(lower) && (lower < 'a' || lower > 'f')) break;
            call.cursor.next();
            value = value * 16 + static_cast<Word>(is_digit(lower) ? lower - '0' : lower - 'a' + 10);
          }
          c = static_cast<char>(value);
          break;
        }
        default:
          call.complain("unknown escape in the string", "known are \\n \\t \\r \\0 \\\\ \\\" \\xHH");
          return std::nullopt;
      }
    }
    bytes += c;
  }
  call.complain("the string has no closing quote");
  return std::nullopt;
}

void strings(Call& call, bool with_zero) {
  const std::size_t position = call.cursor.position();
  std::string bytes;
  do {
    const std::optional<std::string> text = string_literal(call);
    if (!text) return;
    bytes += *text;
    if (with_zero) bytes += '\0';
  } while (call.comma());
  call.end();
  if (Item* item = call.assembly.add_item(call.line, Item::Kind::Data, position, bytes.size()))
    item->bytes = bytes;
}
void ascii(Call& call) { strings(call, false); }
void asciz(Call& call) { strings(call, true); }

// The value of .zero, .space and .fill is evaluated in the second pass; how much room they take must be known
// now.
void space(Call& call) {
  const std::optional<Word> count = call.number("the number of bytes");
  if (!count) return;
  const bool has_value = call.comma();
  if (Item* item = call.assembly.add_item(call.line, Item::Kind::Fill,
                                          has_value ? call.cursor.position() : std::string::npos, *count)) {
    item->width = 1;
  }
}

void fill(Call& call) {
  const std::optional<Word> count = call.number("the number of values");
  if (!count) return;
  Word size = 1;
  if (call.comma()) {
    const std::optional<Word> given = call.number("the size of a value");
    if (!given) return;
    size = *given;
  }
  if (size == 0 || size > 8) return call.complain("a value of .fill has 1 to 8 bytes");
  const bool has_value = call.comma();
  if (*count > call.assembly.options.limits.output_bytes) {
    call.assembly.grow(call.line, *count);
    return;
  }
  if (Item* item =
          call.assembly.add_item(call.line, Item::Kind::Fill,
                                 has_value ? call.cursor.position() : std::string::npos, *count * size)) {
    item->width = static_cast<unsigned>(size);
  }
}

void align_to(Call& call, Word alignment) {
  constexpr Word largest = Word{1} << 20;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > largest) {
    return call.complain(fmt::format("an alignment is a power of two up to {}", largest));
  }
  Section& section = call.assembly.here().section;
  section.alignment = std::max(section.alignment, alignment);
  const Word length = round_up(call.assembly.here().size, alignment) - call.assembly.here().size;
  const bool has_value = call.comma();
  if (length == 0) return;
  if (Item* item = call.assembly.add_item(call.line, Item::Kind::Fill,
                                          has_value ? call.cursor.position() : std::string::npos, length)) {
    item->width = 1;
  }
}
void balign(Call& call) {
  if (const std::optional<Word> alignment = call.number("the alignment")) align_to(call, *alignment);
}
void p2align(Call& call) {
  const std::optional<Word> power = call.number("the alignment");
  if (!power) return;
  if (*power > 20) return call.complain("an alignment is a power of two, at most 2 to the 20");
  align_to(call, Word{1} << *power);
}
void ambiguous_align(Call& call) {
  call.complain(".align means different things to different assemblers",
                "write .balign BYTES or .p2align POWER");
}

// Moves on to an offset of the section; never back.
void org(Call& call) {
  call.cursor.skip_spaces();
  const std::size_t position = call.cursor.position();
  const std::optional<Word> offset = call.number("the offset");
  if (!offset) return;
  if (*offset < call.assembly.here().size) {
    return call.assembly.error(call.line, position,
                               fmt::format(".org {:#x} lies behind the {:#x} bytes already there", *offset,
                                           call.assembly.here().size));
  }
  if (Item* item = call.assembly.add_item(call.line, Item::Kind::Fill, std::string::npos,
                                          *offset - call.assembly.here().size)) {
    item->width = 1;
  }
}

void text_section(Call& call) { call.end(), call.assembly.switch_section(call.line, ".text", {}); }
void data_section(Call& call) { call.end(), call.assembly.switch_section(call.line, ".data", {}); }
void rodata_section(Call& call) { call.end(), call.assembly.switch_section(call.line, ".rodata", {}); }
void bss_section(Call& call) { call.end(), call.assembly.switch_section(call.line, ".bss", {}); }

// .section NAME[, "flags"[, @type]]
void section(Call& call) {
  call.cursor.skip_spaces();
  const std::string_view name = call.cursor.take_while([](char c) { return is_name_char(c) || c == '-'; });
  if (name.empty()) return call.complain("expected the name of a section");
  std::optional<std::string_view> flags;
  if (call.comma()) {
    if (!call.cursor.take("\""))
      return call.complain("expected the flags of the section in quotes", "for example \"aw\"");
    flags = call.cursor.take_while([](char c) { return c != '"'; });
    if (!call.cursor.take("\"")) return call.complain("the flags have no closing quote");
  }
  call.assembly.switch_section(call.line, name, flags);
}

void globl(Call& call) {
  do {
    call.cursor.skip_spaces();
    const std::string_view name = call.cursor.take_name();
    if (name.empty()) return call.complain("expected the name of a symbol");
    call.assembly.symbol(name, call.line).is_global = true;
  } while (call.comma());
  call.end();
}

void set(Call& call) {
  call.cursor.skip_spaces();
  const std::string_view name = call.cursor.take_name();
  if (name.empty()) return call.complain("expected the name of a symbol");
  if (!call.comma()) return call.complain("expected ','");
  call.assembly.assign(call.line, name, call.cursor);
}

// .type NAME, @function
void type(Call& call) {
  call.cursor.skip_spaces();
  const std::string_view name = call.cursor.take_name();
  if (name.empty()) return call.complain("expected the name of a symbol");
  call.comma();
  call.assembly.symbol(name, call.line).is_function =
      call.cursor.rest().find("function") != std::string_view::npos;
}

void size(Call& call) {
  call.cursor.skip_spaces();
  const std::string_view name = call.cursor.take_name();
  if (name.empty()) return call.complain("expected the name of a symbol");
  if (!call.comma()) return call.complain("expected ','");
  if (const std::optional<Word> bytes = call.number("the size"))
    call.assembly.symbol(name, call.line).size = *bytes;
}

void ignored(Call&) {}

void user_error(Call& call) {
  Call at = call;
  const std::optional<std::string> text = string_literal(at);
  if (text) call.complain(*text);
}

struct Directive {
  std::string_view name;
  void (*read)(Call&);
  unsigned width = 0;
};

constexpr std::array directives = std::to_array<Directive>({
    {".byte", data, 1},      {".2byte", data, 2},
    {".half", data, 2},      {".hword", data, 2},
    {".short", data, 2},     {".4byte", data, 4},
    {".long", data, 4},      {".int", data, 4},
    {".word", data, 4},      {".8byte", data, 8},
    {".quad", data, 8},      {".dword", data, 8},
    {".ascii", ascii},       {".asciz", asciz},
    {".string", asciz},      {".zero", space},
    {".space", space},       {".skip", space},
    {".fill", fill},         {".balign", balign},
    {".p2align", p2align},   {".align", ambiguous_align},
    {".org", org},           {".text", text_section},
    {".data", data_section}, {".rodata", rodata_section},
    {".bss", bss_section},   {".section", section},
    {".globl", globl},       {".global", globl},
    {".set", set},           {".equ", set},
    {".type", type},         {".size", size},
    {".file", ignored},      {".ident", ignored},
    {".local", ignored},     {".error", user_error},
});

}  // namespace

void Assembly::read_directive(const SourceLine& line, std::string_view name, Cursor cursor) {
  Nearest nearest(name);
  for (const Directive& directive : directives) {
    if (equal_ignoring_case(directive.name, name)) {
      Call call{*this, line, directive.name, cursor, directive.width};
      directive.read(call);
      return;
    }
    nearest.offer(directive.name);
  }
  for (const std::string_view other : {".macro", ".endm", ".rept", ".endr", ".irp", ".if", ".ifdef",
                                       ".ifndef", ".else", ".endif", ".include"}) {
    nearest.offer(other);
  }
  const std::size_t position = static_cast<std::size_t>(name.data() - line.text.data());
  error(line, position, "unknown directive '" + std::string(name) + "'", nearest.hint());
}

}  // namespace pto::text
