// The directives that put something into a section or say something about one: a table of names and
// functions.
#include <fmt/format.h>

#include <algorithm>
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
  // Nothing may follow; false: something does.
  bool end() {
    cursor.skip_spaces();
    if (cursor.at_end()) return true;
    complain("unexpected text after the operands of " + std::string(name));
    return false;
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
    return assembly.evaluate_count(line, cursor, what);
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

unsigned digit_of(char c, unsigned base) {
  const char lower = to_lower(c);
  const unsigned digit = is_digit(lower)                ? static_cast<unsigned>(lower - '0')
                         : lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10
                                                        : base;
  return std::min(digit, base);
}

// The character behind a backslash; nothing: there is no such escape.
std::optional<char> escape(Cursor& cursor) {
  constexpr std::string_view names = "abfnrtv\\\"'", values = "\a\b\f\n\r\t\v\\\"'";
  if (const std::size_t known = names.find(cursor.peek()); known != names.npos && !cursor.at_end()) {
    cursor.next();
    return values[known];
  }
  // \xHH has up to two hexadecimal digits, \OOO up to three octal ones.
  const bool hex = cursor.take("x");
  const unsigned base = hex ? 16 : 8, most = hex ? 2 : 3;
  unsigned value = 0, digits = 0;
  for (; digits < most && digit_of(cursor.peek(), base) < base; ++digits)
    value = value * base + digit_of(cursor.next(), base);
  if (digits == 0 || value > 0xff) return std::nullopt;
  return static_cast<char>(value);
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
    const std::size_t position = call.cursor.position();
    const char c = call.cursor.next();
    if (c == '"') return bytes;
    if (c != '\\') {
      bytes += c;
      continue;
    }
    const std::optional<char> meant = escape(call.cursor);
    if (!meant) {
      call.assembly.error(
          call.line, position, "unknown escape in the string",
          "known are \\n \\t \\r \\a \\b \\f \\v \\\\ \\\" \\', \\xHH and octal \\OOO up to \\377");
      return std::nullopt;
    }
    bytes += *meant;
  }
  call.complain("the string has no closing quote", "end it with \"; a quote inside is written \\\"");
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
  if (!has_value && !call.end()) return;
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
  if (!has_value && !call.end()) return;
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
  // VALUE and MOST, both of which may be left out: .p2align 4,,15 skips at most 15 bytes or none.
  bool has_value = call.comma();
  if (!has_value && !call.end()) return;
  const std::size_t value = call.cursor.position();
  if (const auto rest = split_operands(call.cursor.rest()); has_value && rest.size() == 2) {
    const std::size_t from = static_cast<std::size_t>(rest[1].data() - call.line.text.data());
    has_value = !rest[0].empty();
    call.cursor.move_to(rest[1].empty() ? call.line.text.size() : from);
    const std::optional<Word> most = rest[1].empty() ? Word{0} : call.number("the most bytes to skip");
    if (!most || !call.end()) return;
    if (*most != 0 && length > *most) return;
  }
  if (length == 0) return;
  if (Item* item = call.assembly.add_item(call.line, Item::Kind::Fill, has_value ? value : std::string::npos,
                                          length)) {
    item->width = 1;
    item->aligns = true;
    item->with_no_ops = !has_value && section.executable;
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
  if (!offset || !call.end()) return;
  if (*offset < call.assembly.here().size) {
    return call.assembly.error(call.line, position,
                               fmt::format(".org {:#x} lies behind the {:#x} bytes already there", *offset,
                                           call.assembly.here().size),
                               "the offset counts from the beginning of the section and only grows");
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

// "aw" and the like: a (in memory), w and x count; M and S, which compilers write, change nothing here.
std::optional<std::string_view> section_flags(Call& call) {
  if (!call.cursor.take("\"")) {
    call.complain("expected the flags of the section in quotes", "for example \"aw\"");
    return std::nullopt;
  }
  const std::size_t position = call.cursor.position();
  const std::string_view flags = call.cursor.take_while([](char c) { return c != '"'; });
  if (!call.cursor.take("\"")) {
    call.complain("the flags have no closing quote");
    return std::nullopt;
  }
  const std::size_t unknown = flags.find_first_not_of("awxMS");
  if (unknown == flags.npos) return flags;
  call.assembly.error(call.line, position + unknown, fmt::format("unknown section flag '{}'", flags[unknown]),
                      "flags are a (in memory), w (writable) and x (executable); M and S change nothing");
  return std::nullopt;
}

// .section NAME[, "flags"[, @type[, size of an entry]]]
void section(Call& call) {
  call.cursor.skip_spaces();
  const std::string_view name = call.cursor.take_while([](char c) { return is_name_char(c) || c == '-'; });
  if (name.empty()) return call.complain("expected the name of a section");
  std::optional<std::string_view> flags;
  if (call.comma()) {
    flags = section_flags(call);
    if (!flags) return;
    if (call.comma()) {
      if (!call.cursor.take("@") && !call.cursor.take("%"))
        return call.complain("expected @progbits or @nobits");
      const std::size_t position = call.cursor.position();
      const std::string_view type = call.cursor.take_name();
      if (type != "progbits" && type != "nobits" && type != "note") {
        return call.assembly.error(call.line, position, fmt::format("unknown section type '{}'", type),
                                   "types are @progbits, @nobits and @note");
      }
      if (call.comma() && !call.number("the size of an entry")) return;
    }
  }
  if (call.end()) call.assembly.switch_section(call.line, name, flags);
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
  for (const std::string_view mark : {"@", "%"}) call.cursor.take(mark);
  const std::size_t position = call.cursor.position();
  const std::string_view kind = call.cursor.take_name();
  const bool function = equal_ignoring_case(kind, "function") || equal_ignoring_case(kind, "STT_FUNC");
  if (!function && !equal_ignoring_case(kind, "object") && !equal_ignoring_case(kind, "STT_OBJECT") &&
      !equal_ignoring_case(kind, "notype")) {
    return call.assembly.error(call.line, position, fmt::format("'{}' is not a type of symbols", kind),
                               "types are @function, @object and @notype");
  }
  if (call.end()) call.assembly.symbol(name, call.line).is_function = function;
}

void size(Call& call) {
  call.cursor.skip_spaces();
  const std::string_view name = call.cursor.take_name();
  if (name.empty()) return call.complain("expected the name of a symbol");
  if (!call.comma()) return call.complain("expected ','");
  const std::optional<Word> bytes = call.number("the size");
  if (bytes && call.end()) call.assembly.symbol(name, call.line).size = *bytes;
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
  unsigned width;  // of one value
  std::string_view meaning;
};

constexpr std::array directives = std::to_array<Directive>({
    {".byte", data, 1, "values of 1 byte"},
    {".2byte", data, 2, "values of 2 bytes"},
    {".half", data, 2, "values of 2 bytes"},
    {".hword", data, 2, "values of 2 bytes"},
    {".short", data, 2, "values of 2 bytes"},
    {".4byte", data, 4, "values of 4 bytes"},
    {".long", data, 4, "values of 4 bytes"},
    {".int", data, 4, "values of 4 bytes"},
    {".word", data, 4, "values of 4 bytes"},
    {".8byte", data, 8, "values of 8 bytes"},
    {".quad", data, 8, "values of 8 bytes"},
    {".dword", data, 8, "values of 8 bytes"},
    {".ascii", ascii, 0, "strings"},
    {".asciz", asciz, 0, "strings, each with a zero behind it"},
    {".string", asciz, 0, "strings, each with a zero behind it"},
    {".zero", space, 0, "N[, v]: N bytes of v, zero without it"},
    {".space", space, 0, "N[, v]: N bytes of v, zero without it"},
    {".skip", space, 0, "N[, v]: N bytes of v, zero without it"},
    {".fill", fill, 0, "N, size, v: N values of size bytes"},
    {".balign", balign, 0,
     "BYTES[, v[, MOST]]: goes on at a multiple of BYTES, by bytes of v and by at most MOST"},
    {".p2align", p2align, 0, "POWER[, v[, MOST]]: goes on at a multiple of 2 to the POWER, the same"},
    {".align", ambiguous_align, 0, "refused: it means different things to different tools"},
    {".org", org, 0, "OFFSET: goes on at an offset of the section, never back"},
    {".text", text_section, 0, "code follows"},
    {".data", data_section, 0, "variables follow"},
    {".rodata", rodata_section, 0, "constants follow"},
    {".bss", bss_section, 0, "memory of zeros follows"},
    {".section", section, 0, "NAME, \"flags\", @type: goes on in a section of any name"},
    {".globl", globl, 0, "NAMES: other objects may use these symbols"},
    {".global", globl, 0, "NAMES: other objects may use these symbols"},
    {".set", set, 0, "NAME, v: gives a symbol a value, which may change later"},
    {".equ", set, 0, "NAME, v: gives a symbol a value, which may change later"},
    {".type", type, 0, "NAME, @function or @object: what a label names"},
    {".size", size, 0, "NAME, v: how many bytes a label names"},
    {".file", ignored, 0, "accepted, means nothing here"},
    {".ident", ignored, 0, "accepted, means nothing here"},
    {".local", ignored, 0, "accepted, means nothing here"},
    {".error", user_error, 0, "\"text\": stops with this message"},
});

}  // namespace

std::vector<Name> directive_names() {
  const std::span<const Name> expanding = expansion_directives();
  std::vector<Name> names(expanding.begin(), expanding.end());
  for (const Directive& directive : directives) names.push_back({directive.name, 0, directive.meaning});
  return names;
}

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
  for (const Name& other : expansion_directives()) nearest.offer(other.text);
  const std::size_t position = static_cast<std::size_t>(name.data() - line.text.data());
  std::string hint = nearest.hint();
  if (hint.empty()) {
    hint = "directives are";
    for (const Name& other : expansion_directives()) hint += ' ' + std::string(other.text);
    for (const Directive& directive : directives) {
      if (directive.read != ignored && directive.read != ambiguous_align)
        hint += ' ' + std::string(directive.name);
    }
  }
  error(line, position, "unknown directive '" + std::string(name) + "'", std::move(hint));
}

}  // namespace pto::text
