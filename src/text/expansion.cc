// Lines that make lines: labels and statements of a list of lines, macros, repetitions, conditions and
// included files.
//
// Every list is read by the same function, so blocks nest freely; what bounds them are the limits on depth
// and on the number of lines read.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "text/assembly.h"
#include "text/instruction.h"
#include "text/nearest.h"

namespace pto::text {

namespace {

struct Block {
  std::string_view opens;
  std::string_view closes;
};
constexpr std::array blocks = std::to_array<Block>({
    {".macro", ".endm"},
    {".rept", ".endr"},
    {".irp", ".endr"},
    {".irpc", ".endr"},
    {".if", ".endif"},
    {".ifdef", ".endif"},
    {".ifndef", ".endif"},
    {".ifb", ".endif"},
    {".ifnb", ".endif"},
});

// The first word of a line, behind its labels.
std::string_view first_word(const SourceLine& line) {
  Cursor cursor(line.text);
  while (true) {
    cursor.skip_spaces();
    Cursor ahead = cursor;
    if (ahead.take_while(is_name_char).empty()) return {};
    if (!ahead.take(":")) break;
    cursor = ahead;
  }
  return cursor.take_name();
}

const Block* block_opened_by(std::string_view word) {
  for (const Block& block : blocks) {
    if (equal_ignoring_case(word, block.opens)) return &block;
  }
  return nullptr;
}
// What '.else' and the like without a beginning should have had before them.
std::string beginning_of(std::string_view word) {
  std::string out;
  for (const Block& block : blocks) {
    const bool begins = block.closes == ".endif"
                            ? !equal_ignoring_case(word, ".endm") && !equal_ignoring_case(word, ".endr")
                            : equal_ignoring_case(word, block.closes);
    if (begins) out += (out.empty() ? "it belongs to " : ", ") + std::string(block.opens);
  }
  return out;
}

bool closes_a_block(std::string_view word) {
  return std::ranges::any_of(blocks,
                             [word](const Block& block) { return equal_ignoring_case(word, block.closes); });
}

// The index of the line that closes the block opened at `begin`; the size of the list: it is never closed.
std::size_t end_of_block(const std::vector<SourceLine>& lines, std::size_t begin) {
  unsigned depth = 0;
  for (std::size_t index = begin; index < lines.size(); ++index) {
    const std::string_view word = first_word(lines[index]);
    if (block_opened_by(word) != nullptr) ++depth;
    if (closes_a_block(word) && --depth == 0) return index;
  }
  return lines.size();
}

std::vector<SourceLine> slice(const std::vector<SourceLine>& lines, std::size_t begin, std::size_t end) {
  return {lines.begin() + static_cast<std::ptrdiff_t>(begin),
          lines.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

std::span<const Name> expansion_directives() {
  static constexpr Name names[] = {
      {".macro", 0, "NAME a, b=preset, c:req, d:vararg: the lines up to .endm get a name and parameters"},
      {".endm", 0, "ends .macro"},
      {".rept", 0, "N: the lines up to .endr, N times"},
      {".irp", 0, "x, v, w: the lines up to .endr, once for each value, which \\x stands for"},
      {".irpc", 0, "x, vw: the lines up to .endr, once for each character, which \\x stands for"},
      {".endr", 0, "ends .rept, .irp and .irpc"},
      {".if", 0, "v: the lines up to .else or .endif if v is not zero"},
      {".ifdef", 0, "NAME: the same if the symbol is defined above"},
      {".ifndef", 0, "NAME: the same if the symbol is not defined above"},
      {".ifb", 0, "TEXT: the same if nothing follows"},
      {".ifnb", 0, "TEXT: the same if something follows"},
      {".elseif", 0, "v: otherwise, if v is not zero"},
      {".else", 0, "otherwise"},
      {".endif", 0, "ends .if and its kin"},
      {".include", 0, "\"FILE\": reads another source, which lies beside this one"},
  };
  return names;
}

// Reads one list of lines; a member of Assembly's making, so that blocks can call back into it.
class Expander {
 public:
  Expander(Assembly& assembly, const std::vector<SourceLine>& lines, unsigned depth)
      : a_(assembly), lines_(lines), depth_(depth) {}

  void read() {
    for (index_ = 0; index_ < lines_.size() && !a_.stopped(); ++index_) {
      const SourceLine& line = lines_[index_];
      if (++a_.lines_read_ > a_.options.limits.lines) {
        return a_.stop(line, fmt::format("more than {} lines after expansion", a_.options.limits.lines),
                       "a macro or .rept makes too many lines");
      }
      statement(line);
    }
  }

 private:
  void statement(const SourceLine& line) {
    Cursor cursor(line.text);
    labels(line, cursor);
    if (cursor.at_end()) return;
    const std::string_view word = Cursor(cursor).take_name();
    if (const Block* block = block_opened_by(word)) {
      cursor.take_name();
      return open_block(line, *block, cursor);
    }
    if (closes_a_block(word) || equal_ignoring_case(word, ".else") || equal_ignoring_case(word, ".elseif")) {
      return a_.error(line, cursor.position(), "'" + std::string(word) + "' without its beginning",
                      beginning_of(word));
    }
    if (equal_ignoring_case(word, ".include")) {
      cursor.take_name();
      return include(line, cursor);
    }
    if (const auto macro = a_.macros_.find(lower(word)); macro != a_.macros_.end()) {
      cursor.take_name();
      return call(line, macro->second, cursor);
    }
    a_.read_statement(line, cursor, depth_);
  }

  static std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = to_lower(c);
    return result;
  }

  void labels(const SourceLine& line, Cursor& cursor) {
    while (true) {
      cursor.skip_spaces();
      Cursor ahead = cursor;
      const std::size_t position = ahead.position();
      const std::string_view name = ahead.take_while(is_name_char);
      if (ahead.peek() == '#' && (ahead.next(), !ahead.take_while(is_digit).empty())) {
        const std::string tile(line.text.substr(position, ahead.position() - position));
        ahead.skip_spaces();
        if (!ahead.take(":")) return;
        a_.error(line, position, "'" + tile + "' names a tile or a queue entry and cannot be a label",
                 "choose another name");
        cursor = ahead;
        continue;
      }
      ahead.skip_spaces();
      if (name.empty() || !ahead.take(":")) return;
      cursor = ahead;
      if (std::ranges::all_of(name, is_digit)) {
        a_.locals_[std::string(name)].push_back(
            {a_.local_order_++, static_cast<std::uint32_t>(a_.current_), a_.here().size});
      } else if (is_digit(name.front())) {
        a_.error(line, position, "'" + std::string(name) + "' cannot be a label",
                 "a label begins with a letter, or is a number: local labels are 1: and 1b, 1f");
      } else {
        a_.define_label(line, name, position);
      }
    }
  }

  void open_block(const SourceLine& line, const Block& block, Cursor cursor) {
    const std::size_t begin = index_;
    const std::size_t end = end_of_block(lines_, begin);
    if (end == lines_.size()) {
      index_ = end;
      return a_.error(line, Cursor(line.text).position(),
                      fmt::format("{} without {}", block.opens, block.closes),
                      fmt::format("close it with {}", block.closes));
    }
    index_ = end;
    if (block.opens == ".macro") return define_macro(line, cursor, begin, end);
    if (block.opens == ".rept") return repeat(line, cursor, begin, end);
    if (block.opens.starts_with(".irp")) return repeat_over(line, block, cursor, begin, end);
    condition(line, block.opens, cursor, begin, end);
  }

  void define_macro(const SourceLine& line, Cursor cursor, std::size_t begin, std::size_t end) {
    cursor.skip_spaces();
    const std::size_t position = cursor.position();
    Macro macro;
    macro.name = std::string(cursor.take_name());
    if (macro.name.empty()) return a_.error(line, position, "expected the name of the macro");
    cursor.skip_spaces();
    cursor.take(",");
    auto parameters = parse_parameters(line.text, cursor.position());
    if (const Complaint* wrong = std::get_if<Complaint>(&parameters)) return a_.error(line, *wrong);
    macro.parameters = std::get<std::vector<Macro::Parameter>>(std::move(parameters));
    macro.body = slice(lines_, begin + 1, end);
    std::string key = lower(macro.name);
    const bool directive = std::ranges::any_of(
        directive_names(), [&key](const Name& known) { return equal_ignoring_case(known.text, key); });
    if (directive || find_mnemonic(key, a_.options.release)) {
      return a_.error(line, position,
                      fmt::format("'{}' is {} and cannot be a macro", macro.name,
                                  directive ? "a directive" : "an instruction"),
                      "choose another name");
    }
    if (!a_.macros_.emplace(std::move(key), std::move(macro)).second) {
      a_.error(line, position, "this macro is defined twice", "choose another name");
    }
  }

  void call(const SourceLine& line, const Macro& macro, Cursor cursor) {
    cursor.skip_spaces();
    const auto values = bind_arguments(macro, line.text, cursor.position());
    if (const Complaint* wrong = std::get_if<Complaint>(&values)) return a_.error(line, *wrong);
    expand(line, macro.body, macro.parameters, std::get<std::vector<std::string>>(values), macro.name);
  }

  // The body with \name replaced, read in place of `line`.
  void expand(const SourceLine& line, const std::vector<SourceLine>& body,
              const std::vector<Macro::Parameter>& parameters, const std::vector<std::string>& values,
              std::string_view name) {
    if (depth_ + 1 > a_.options.limits.expansion_depth) {
      return a_.stop(line,
                     fmt::format("macros are nested more than {} deep", a_.options.limits.expansion_depth),
                     "does a macro call itself?");
    }
    const std::size_t serial = a_.expansions_++;
    std::vector<SourceLine> lines;
    lines.reserve(body.size());
    for (const SourceLine& source : body) {
      SourceLine made = source;
      made.macro = name;
      made.caller = line.number;
      if (source.text.find('\\') != source.text.npos) {
        std::optional<std::string> text =
            substitute(source.text, parameters, values, serial, a_.options.limits.line_bytes);
        if (!text) {
          return a_.stop(
              line, fmt::format("a line would have more than {} bytes", a_.options.limits.line_bytes),
              fmt::format("line {} of {}, with what stands for its parameters", source.number, name));
        }
        a_.expanded_bytes_ += text->size();
        if (a_.expanded_bytes_ > a_.options.limits.expanded_bytes) {
          return a_.stop(
              line, fmt::format("macros make more than {} bytes of source", a_.options.limits.expanded_bytes),
              ".fill and .zero make many equal values in one line");
        }
        made.text = a_.texts_.emplace_back(std::move(*text));
      }
      lines.push_back(made);
    }
    Expander(a_, lines, depth_ + 1).read();
  }

  void repeat(const SourceLine& line, Cursor cursor, std::size_t begin, std::size_t end) {
    const std::optional<Word> count = a_.evaluate_count(line, cursor, "the number of repetitions");
    if (!count || !ends(line, cursor)) return;
    const std::vector<SourceLine> body = slice(lines_, begin + 1, end);
    if (body.empty()) return;
    if (*count > a_.options.limits.lines) {
      return a_.stop(line, fmt::format(".rept {} makes more than {} lines", *count, a_.options.limits.lines),
                     ".fill and .zero make many equal values in one line");
    }
    for (Word round = 0; round < *count && !a_.stopped(); ++round) expand(line, body, {}, {}, ".rept");
  }

  // Once for each value, or for each character of the value.
  void repeat_over(const SourceLine& line, const Block& block, Cursor cursor, std::size_t begin,
                   std::size_t end) {
    cursor.skip_spaces();
    const std::string name(cursor.take_while(is_name_char));
    cursor.skip_spaces();
    if (name.empty())
      return a_.error(line, cursor.position(), std::string(block.opens) + " needs a name and values");
    cursor.take(",");
    const std::vector<SourceLine> body = slice(lines_, begin + 1, end);
    Macro::Parameter parameter;
    parameter.name = name;
    const auto once = [&](std::string_view value) {
      expand(line, body, {parameter}, {std::string(value)}, block.opens);
      return !a_.stopped();
    };
    if (block.opens == ".irp") {
      for (const std::string_view value : split_arguments(cursor.rest())) {
        if (!once(value)) return;
      }
      return;
    }
    std::string_view characters = trimmed(cursor.rest());
    if (characters.size() >= 2 && characters.front() == '"' && characters.back() == '"')
      characters = characters.substr(1, characters.size() - 2);
    // A character of UTF-8 is a byte and those that continue it.
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    while (!characters.empty()) {
      std::size_t length = 1;
      while (length < characters.size() && continues(characters[length])) ++length;
      if (!once(characters.substr(0, length))) return;
      characters.remove_prefix(length);
    }
  }

  // Nothing follows the operands.
  bool ends(const SourceLine& line, Cursor cursor) {
    cursor.skip_spaces();
    if (cursor.at_end()) return true;
    a_.error(line, cursor.position(), "unexpected text at the end of the line");
    return false;
  }

  bool holds(const SourceLine& line, std::string_view kind, Cursor cursor) {
    if (kind == ".if" || kind == ".elseif") {
      const std::optional<Word> value = a_.evaluate_now(line, cursor, "the condition");
      return value && ends(line, cursor) && *value != 0;
    }
    cursor.skip_spaces();
    if (kind == ".ifb" || kind == ".ifnb") return cursor.at_end() == (kind == ".ifb");
    const std::size_t position = cursor.position();
    const std::string_view name = cursor.take_name();
    if (name.empty()) a_.error(line, position, "expected the name of a symbol");
    if (!ends(line, cursor)) return false;
    const auto found = a_.symbols_.find(std::string(name));
    const bool defined = found != a_.symbols_.end() && found->second.is_defined();
    return defined == (kind == ".ifdef");
  }

  void condition(const SourceLine& line, std::string_view kind, Cursor cursor, std::size_t begin,
                 std::size_t end) {
    bool taken = false;
    bool active = holds(line, kind, cursor);
    std::size_t from = begin + 1;
    unsigned depth = 0;
    std::optional<std::uint32_t> otherwise;  // the line of .else
    for (std::size_t index = begin + 1; index <= end && !a_.stopped(); ++index) {
      const std::string_view word = first_word(lines_[index]);
      const bool here = depth == 0 && (index == end || equal_ignoring_case(word, ".else") ||
                                       equal_ignoring_case(word, ".elseif"));
      if (here) {
        const bool is_else = index != end && equal_ignoring_case(word, ".else");
        if (index != end && otherwise) {
          a_.error(lines_[index], 0, fmt::format("'{}' after the .else of line {}", word, *otherwise),
                   fmt::format("the {} of line {} has one .else, and it comes last", kind, line.number));
        } else if (is_else) {
          otherwise = lines_[index].number;
        }
        if (active && !taken) {
          taken = true;
          if (depth_ + 1 > a_.options.limits.expansion_depth) {
            return a_.stop(line, "conditions and macros are nested too deeply", "does a macro call itself?");
          }
          Expander(a_, slice(lines_, from, index), depth_ + 1).read();
        }
        from = index + 1;
        Cursor rest(lines_[index].text);
        rest.skip_spaces();
        rest.take_name();
        active = !taken && index != end &&
                 (equal_ignoring_case(word, ".else") || holds(lines_[index], ".elseif", rest));
        continue;
      }
      if (block_opened_by(word) != nullptr) ++depth;
      if (closes_a_block(word)) --depth;
    }
  }

  void include(const SourceLine& line, Cursor cursor) {
    cursor.skip_spaces();
    const std::size_t position = cursor.position();
    const bool quoted = cursor.take("\"");
    std::string path(quoted ? cursor.take_while([](char c) { return c != '"'; }) : std::string_view());
    if (!quoted || !cursor.take("\""))
      return a_.error(line, position, "expected the name of a file in quotes");
    if (!a_.options.read_file) return a_.error(line, position, ".include is not available here");
    if (a_.include_depth_ >= a_.options.limits.include_depth) {
      return a_.stop(
          line, fmt::format("files include each other more than {} deep", a_.options.limits.include_depth),
          "does the file include itself?");
    }
    if (a_.files_.size() > a_.options.limits.included_files) {
      return a_.stop(line, fmt::format("more than {} files are included", a_.options.limits.included_files),
                     "does a macro or .rept include one?");
    }
    // The caller reads beside the first source; files of this one lie beside it.
    if (line.file != 0) path = (std::filesystem::path(a_.files_[line.file]).parent_path() / path).string();
    Result<std::string> text = a_.options.read_file(path);
    if (!text)
      return a_.error(
          line, position, text.error().message,
          text.error().hint.empty() ? "a file lies beside the one that includes it" : text.error().hint);
    ++a_.include_depth_;
    text->shrink_to_fit();
    const std::string& kept = a_.texts_.emplace_back(std::move(text).value());
    a_.read_file(kept, path, depth_ + 1);
    --a_.include_depth_;
  }

  Assembly& a_;
  const std::vector<SourceLine>& lines_;
  unsigned depth_;
  std::size_t index_ = 0;
};

void Assembly::read_lines(const std::vector<SourceLine>& lines, unsigned depth) {
  Expander(*this, lines, depth).read();
}

void Assembly::read_statement(const SourceLine& line, Cursor cursor, unsigned) {
  Cursor ahead = cursor;
  const std::string_view word = ahead.take_name();
  ahead.skip_spaces();
  if (!word.empty() && ahead.peek() == '=' && ahead.peek(1) != '=') {
    ahead.next();
    return assign(line, word, ahead);
  }
  if (word.starts_with('.')) return read_directive(line, word, ahead);
  const std::variant<unsigned, Complaint> length = measure_instruction(cursor, options.release);
  if (const Complaint* complaint = std::get_if<Complaint>(&length)) {
    Nearest nearest(word);
    for (const auto& [name, macro] : macros_) nearest.offer(name);
    if (word.empty()) {
      const bool foreign = static_cast<unsigned char>(cursor.peek()) >= 0x80;
      return error(line, cursor.position(), "expected an instruction, a directive or a label",
                   foreign ? "names are made of the letters a to z, digits and _ . $"
                           : "a line is LABEL: INSTRUCTION OPERANDS; all three may be left out");
    }
    std::string hint = complaint->hint.empty() ? nearest.hint() : complaint->hint;
    if (hint.empty()) hint = "'ptosim isa TEXT' lists the instructions whose name has TEXT in it";
    return error(line, complaint->position, complaint->message, std::move(hint));
  }
  if (here().size % 2 != 0) {
    return error(line, cursor.position(), "an instruction must lie on an even address",
                 "align it with .balign 2");
  }
  if (!here().section.executable) {
    return error(line, cursor.position(),
                 fmt::format("instructions belong in an executable section, not in {}", here().section.name),
                 "switch with .text");
  }
  add_item(line, Item::Kind::Instruction, cursor.position(), std::get<unsigned>(length));
}

}  // namespace pto::text
