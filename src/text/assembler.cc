#include "text/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "text/assembly.h"
#include "text/nearest.h"

namespace pto::text {

namespace {

// While offsets are being handed out every section has a base of its own, far from the others, so that
// differences within a section are right and differences between sections are absurd rather than plausible.
constexpr Word provisional_base(std::size_t section) { return (static_cast<Word>(section) + 1) << 44; }
constexpr Word page = 4096;

struct KnownSection {
  std::string_view prefix;
  bool writable;
  bool executable;
  bool only_zeros;
};
constexpr KnownSection known_sections[] = {{".text", false, true, false},
                                           {".rodata", false, false, false},
                                           {".data", true, false, false},
                                           {".bss", true, false, true}};

// How many bytes the UTF-8 character at `index` has; 0: this is not UTF-8.
std::size_t character_length(std::string_view text, std::size_t index) {
  const auto first = static_cast<unsigned char>(text[index]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || index + length > text.size()) return 0;
  for (std::size_t next = 1; next < length; ++next) {
    if ((static_cast<unsigned char>(text[index + next]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

// The first byte that no text file has; npos: it is text.
std::size_t first_odd_byte(std::string_view text) {
  for (std::size_t index = 0; index < text.size();) {
    const auto c = static_cast<unsigned char>(text[index]);
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f') || c == 0x7f) return index;
    const std::size_t length = character_length(text, index);
    if (length == 0) return index;
    index += length;
  }
  return text.npos;
}

// The first line of the text, with a question mark for every byte that cannot be shown.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, text.find('\n')));
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte != '\t' && (byte < ' ' || byte >= 0x7f)) c = '?';
  }
  return out;
}

// The line, or what of a long one lies around the place.
void show_line(Error& error, std::string_view line) {
  constexpr std::size_t longest = 240, before = 80;
  constexpr std::string_view more = "...";
  if (line.size() <= longest) {
    error.excerpt = std::string(line);
    return;
  }
  // A part begins and ends with whole characters.
  const auto whole = [line](std::size_t at) {
    while (at < line.size() && at > 0 && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) --at;
    return at;
  };
  const std::size_t place = error.place.column - 1;
  const std::size_t begin = place > before ? whole(place - before) : 0;
  const std::size_t end = whole(std::min(begin + longest, line.size()));
  error.excerpt = fmt::format("{}{}{}", begin == 0 ? "" : more, line.substr(begin, end - begin),
                              end == line.size() ? "" : more);
  error.excerpt_column = begin == 0 ? 1 : begin + 1 - more.size();
}

// "usage: .balign BYTES[, v]: goes on at ...", for a line with a directive.
std::string usage_of(std::string_view line) {
  Cursor cursor(line);
  std::string_view word;
  do {
    cursor.skip_spaces();
    word = cursor.take_name();
  } while (!word.empty() && cursor.take(":"));
  if (!word.starts_with('.') || equal_ignoring_case(word, ".error")) return {};
  for (const Name& name : directive_names()) {
    if (!equal_ignoring_case(name.text, word)) continue;
    const bool has_operands = name.meaning.find(": ") != name.meaning.npos;
    return fmt::format("{}{} {}", name.text, has_operands ? "" : ":", name.meaning);
  }
  return {};
}

}  // namespace

Assembled assemble(std::string_view source, const std::string& file_name, const AssembleOptions& options) {
  Assembly assembly(options);
  assembly.read_file(source, file_name, 0);
  if (!assembly.stopped()) {
    assembly.place_sections();
    if (!assembly.stopped()) assembly.encode_items();
  }
  return assembly.finish();
}

void Assembly::read_file(std::string_view source, const std::string& name, unsigned depth) {
  if (files_.empty()) switch_section({}, ".text", {});
  const auto file = static_cast<std::uint32_t>(files_.size());
  files_.push_back(name);
  const SourceLine top{{}, file, 0, {}};
  if (source.size() > options.limits.source_bytes) {
    return stop(top,
                fmt::format("the source has {} bytes; at most {} are read", source.size(),
                            options.limits.source_bytes),
                "a program can be spread over several files with .include");
  }
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (source.starts_with(byte_order_mark)) source.remove_prefix(byte_order_mark.size());
  if (const std::size_t odd = first_odd_byte(source); odd != source.npos) {
    const auto number = static_cast<std::uint32_t>(
        1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(odd), '\n'));
    const std::size_t line_start = source.rfind('\n', odd) == source.npos ? 0 : source.rfind('\n', odd) + 1;
    const std::string& shown =
        texts_.emplace_back(printable(source.substr(line_start, odd - line_start + 40)));
    error({shown, file, number, {}}, odd - line_start,
          fmt::format("this is not a text file: byte {:#04x}", static_cast<unsigned char>(source[odd])),
          "assembly source is plain text; a program file is disassembled with 'ptosim dis'");
    stopped_ = true;
    return;
  }
  read_lines(split_lines(source, file), depth);
}

// --- Errors

void Assembly::error(const SourceLine& line, std::size_t position, std::string message, std::string hint) {
  if (stopped_) return;
  position =
      std::max(position,
               line.text.find_first_not_of(" \t") == line.text.npos ? 0 : line.text.find_first_not_of(" \t"));
  Error made;
  constexpr std::size_t longest_message = 400;
  made.message = std::move(message);
  if (made.message.size() > longest_message) made.message = made.message.substr(0, longest_message) + "...";
  made.place = {.file = line.file < files_.size() ? files_[line.file] : std::string(),
                .line = line.number,
                .column = line.text.empty() ? 0 : std::min(position, line.text.size()) + 1};
  made.hint = hint.empty() ? usage_of(line.text) : std::move(hint);
  show_line(made, line.text);
  if (!line.macro.empty()) {
    made.hint += fmt::format("{}in the expansion of '{}' in line {}", made.hint.empty() ? "" : "; ",
                             line.macro, line.caller);
  }
  errors_.push_back(std::move(made));
  if (errors_.size() >= options.limits.errors) {
    errors_.push_back(
        {.message = "too many errors; the rest is not shown", .place = {}, .hint = {}, .excerpt = {}});
    stopped_ = true;
  }
}

void Assembly::stop(const SourceLine& line, std::string message, std::string hint) {
  error(line, 0, std::move(message), std::move(hint));
  stopped_ = true;
}

// --- Values

std::optional<Expression> Assembly::evaluate(const SourceLine& line, Cursor& cursor) {
  std::variant<Expression, ExpressionError> result = parse_expression(cursor, *this, dot());
  if (const Expression* value = std::get_if<Expression>(&result)) return *value;
  ExpressionError& problem = std::get<ExpressionError>(result);
  const std::string_view name = Cursor(line.text, problem.position).take_name();
  if (const std::string way = problem.undefined ? missing_value(name) : ""; !way.empty()) {
    problem.message = fmt::format("symbol '{}' has no value", name);
    problem.hint = way;
  }
  error(line, problem.position, problem.message, problem.hint);
  return std::nullopt;
}

std::optional<Word> Assembly::evaluate_now(const SourceLine& line, Cursor& cursor, std::string_view what) {
  cursor.skip_spaces();
  const std::size_t position = cursor.position();
  std::variant<Expression, ExpressionError> result = parse_expression(cursor, *this, dot());
  if (const ExpressionError* problem = std::get_if<ExpressionError>(&result)) {
    std::string hint =
        problem->undefined ? std::string(what) + " must be known here, not further down" : problem->hint;
    error(line, problem->position, problem->message, std::move(hint));
    return std::nullopt;
  }
  const Expression value = std::get<Expression>(result);
  if (value.is_address) {
    error(line, position, std::string(what) + " cannot depend on an address",
          "the difference of two labels is a number");
    return std::nullopt;
  }
  return value.value;
}

std::optional<Word> Assembly::evaluate_count(const SourceLine& line, Cursor& cursor, std::string_view what) {
  cursor.skip_spaces();
  const std::size_t position = cursor.position();
  const std::optional<Word> value = evaluate_now(line, cursor, what);
  if (!value || static_cast<std::int64_t>(*value) >= 0) return value;
  error(line, position,
        fmt::format("{} cannot be negative, and this is {}", what, static_cast<std::int64_t>(*value)),
        "write 0 or more");
  return std::nullopt;
}

std::optional<Expression> Assembly::find(std::string_view name) const {
  const auto found = symbols_.find(std::string(name));
  if (found == symbols_.end()) return std::nullopt;
  if (settling_ && !found->second.assignments.empty()) return find_assigned(found->second);
  switch (found->second.kind) {
    case SymbolEntry::Kind::Undefined: return std::nullopt;
    case SymbolEntry::Kind::Label:
      return Expression{base_of(found->second.section) + found->second.offset, true};
    case SymbolEntry::Kind::Number: return found->second.number;
  }
  return std::nullopt;
}

std::optional<Word> Assembly::find_local(std::string_view number, bool forwards) const {
  const auto found = locals_.find(number);
  if (found == locals_.end()) return std::nullopt;
  const std::vector<LocalLabel>& labels = found->second;
  const auto next = std::ranges::lower_bound(labels, local_order_, {}, &LocalLabel::order);
  if (forwards) {
    if (next == labels.end()) return std::nullopt;
    return base_of(next->section) + next->offset;
  }
  if (next == labels.begin()) return std::nullopt;
  const LocalLabel& last = *(next - 1);
  return base_of(last.section) + last.offset;
}

void Assembly::each_name(const std::function<void(std::string_view)>& offer) const {
  if (!suggesting_) return;
  for (const auto& [name, entry] : symbols_) {
    if (entry.kind != SymbolEntry::Kind::Undefined) offer(name);
  }
}

SymbolEntry& Assembly::symbol(std::string_view name, const SourceLine& line) {
  const auto [found, is_new] = symbols_.try_emplace(std::string(name));
  if (is_new) {
    found->second.first = line;
    symbol_order_.emplace_back(name);
  }
  return found->second;
}

void Assembly::define_label(const SourceLine& line, std::string_view name, std::size_t position) {
  if (register_of_name(name)) {
    return error(line, position, fmt::format("'{}' is a register and cannot be a label", name),
                 "choose another name");
  }
  SymbolEntry& entry = symbol(name, line);
  if (entry.is_defined()) {
    return error(line, position, fmt::format("'{}' is already defined", name),
                 fmt::format("first in {}:{}", files_[entry.first.file], entry.first.number));
  }
  entry.kind = SymbolEntry::Kind::Label;
  entry.section = static_cast<std::uint32_t>(current_);
  entry.offset = here().size;
  entry.first = line;
}

// --- Sections and items

void Assembly::switch_section(const SourceLine& line, std::string_view name,
                              std::optional<std::string_view> flags) {
  for (std::size_t index = 0; index < sections_.size(); ++index) {
    const Section& known = sections_[index].section;
    if (known.name == name) {
      if (flags && (known.writable != (flags->find('w') != flags->npos) ||
                    known.executable != (flags->find('x') != flags->npos))) {
        return error(line, 0, fmt::format("section {} has other flags since its beginning", name),
                     fmt::format("it is \"a{}{}\"", known.writable ? "w" : "", known.executable ? "x" : ""));
      }
      current_ = index;
      return set_dot(here().size);
    }
  }
  constexpr std::size_t most_sections = 1000;
  if (sections_.size() >= most_sections)
    return stop(line, fmt::format("more than {} sections", most_sections), "does a macro make them?");
  SectionState state;
  state.section.name = std::string(name);
  for (const KnownSection& known : known_sections) {
    if (!name.starts_with(known.prefix)) continue;
    state.section.writable = known.writable;
    state.section.executable = known.executable;
    state.section.only_zeros = known.only_zeros;
  }
  if (flags) {
    state.section.writable = flags->find('w') != flags->npos;
    state.section.executable = flags->find('x') != flags->npos;
  }
  sections_.push_back(std::move(state));
  current_ = sections_.size() - 1;
  set_dot(0);
}

bool Assembly::grow(const SourceLine& line, Word length) {
  if (length > options.limits.output_bytes || total_bytes_ + length > options.limits.output_bytes) {
    stop(line, fmt::format("the program would be larger than {} bytes", options.limits.output_bytes),
         fmt::format("the sections have {} bytes already, and this adds {}", total_bytes_, length));
    return false;
  }
  total_bytes_ += length;
  return true;
}

Item* Assembly::add_item(const SourceLine& line, Item::Kind kind, std::size_t position, Word length) {
  if (!grow(line, length)) return nullptr;
  SectionState& state = here();
  if (state.section.only_zeros && kind == Item::Kind::Data) {
    error(line, position, "a .bss section holds zeros only", "put values into .data");
    return nullptr;
  }
  Item item;
  item.kind = kind;
  item.section = static_cast<std::uint32_t>(current_);
  item.offset = state.size;
  item.length = length;
  item.line = line;
  item.position = position;
  item.order = local_order_;
  items_.push_back(std::move(item));
  state.size += length;
  set_dot(state.size);
  return &items_.back();
}

Word Assembly::base_of(std::size_t section) const {
  return placed_ ? sections_[section].section.address : provisional_base(section);
}

// Code first, then constants, then variables; each section begins on a page, so that permissions can differ.
void Assembly::place_sections() {
  std::vector<SectionState*> order;
  for (SectionState& state : sections_) order.push_back(&state);
  std::ranges::stable_sort(order, {}, [](const SectionState* state) {
    return state->section.executable ? 0 : !state->section.writable ? 1 : state->section.only_zeros ? 3 : 2;
  });
  constexpr Word least_alignment = 4;
  const SourceLine whole_file{{}, 0, 0, {}};
  if (options.text_address % least_alignment != 0) {
    return stop(whole_file, fmt::format("the program cannot begin at {:#x}", options.text_address),
                fmt::format("the address of the text is a multiple of {}", least_alignment));
  }
  Word next = options.text_address;
  bool at_end = false;  // of the address space
  for (SectionState* state : order) {
    const Word address = round_up(next, std::max<Word>(state->section.alignment, least_alignment));
    if (state->size != 0 && (at_end || address < next || state->size - 1 > ~address)) {
      return stop(whole_file,
                  fmt::format("the program wraps around the address space: {} has {} bytes at {:#x}",
                              state->section.name, state->size, next),
                  "choose a lower address of the text");
    }
    state->section.address = address;
    if (state->size == 0) continue;
    next = round_up(address + state->size, page);
    at_end = next <= address;
  }
  placed_ = true;
}

// Both passes report errors; a reader wants them in the order of the lines.
void Assembly::sort_errors() {
  const auto order = [this](const Error& error) {
    const auto file = std::ranges::find(files_, error.place.file);
    const std::size_t last = error.place.file.empty() ? 1 : 0;  // what stands in no file comes last
    return std::tuple(last, file - files_.begin(), error.place.line);
  };
  std::ranges::stable_sort(errors_, {}, order);
}

// The value of _start, where a program can begin.
std::optional<Word> Assembly::start_address() {
  const auto found = symbols_.find("_start");
  if (found == symbols_.end()) return std::nullopt;
  const Word start = find("_start")->value;
  for (const SectionState& state : sections_) {
    const Section& section = state.section;
    if (start < section.address || start - section.address >= state.size) continue;
    if (section.executable) return start;
    error(found->second.first, 0, fmt::format("the program cannot begin at _start, in {}", section.name),
          "_start belongs in an executable section: switch with .text");
    return std::nullopt;
  }
  error(found->second.first, 0,
        fmt::format("the program cannot begin at _start, {:#x}: nothing is there", start),
        "_start is the label of an instruction");
  return std::nullopt;
}

Assembled Assembly::finish() {
  Assembled result;
  if (!stopped_) {
    for (const std::string& name : symbol_order_) {
      const SymbolEntry& entry = symbols_.at(name);
      if (!entry.is_defined()) {
        error(entry.first, 0, fmt::format("symbol '{}' is declared but never defined", name),
              fmt::format("define it with '{}:' or .set {}, VALUE", name, name));
      }
    }
  }
  const std::optional<Word> start = stopped_ || !errors_.empty() ? std::nullopt : start_address();
  sort_errors();
  result.errors = std::move(errors_);
  if (!result.errors.empty()) return result;

  std::vector<std::size_t> order;
  for (std::size_t index = 0; index < sections_.size(); ++index) {
    if (sections_[index].size != 0) order.push_back(index);
  }
  std::ranges::stable_sort(order, {}, [this](std::size_t index) { return sections_[index].section.address; });
  std::vector<int> place(sections_.size(), -1);
  Program& program = result.program;
  for (const std::size_t index : order) {
    place[index] = static_cast<int>(program.sections.size());
    program.sections.push_back(std::move(sections_[index].section));
  }
  program.release = options.release;
  program.files = std::move(files_);
  program.lines = std::move(origins_);
  std::ranges::stable_sort(program.lines, {}, &LineOrigin::address);
  program.entry = program.sections.empty() ? options.text_address : program.sections.front().address;
  if (start) program.entry = *start;
  for (const std::string& name : symbol_order_) {
    const SymbolEntry& entry = symbols_.at(name);
    const bool label = entry.kind == SymbolEntry::Kind::Label;
    program.symbols.push_back({.name = name,
                               .value = find(name)->value,
                               .size = entry.size,
                               .section = label ? place[entry.section] : -1,
                               .is_global = entry.is_global,
                               .is_function = entry.is_function});
  }
  return result;
}

}  // namespace pto::text
