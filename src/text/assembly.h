// The state of one assembly; private to the assembler's files. assembler.cc drives, expansion.cc handles
// lines that make lines, directives.cc the directives, encoding.cc the second pass.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/assembler.h"
#include "text/expression.h"
#include "text/macros.h"
#include "text/operand_kinds.h"
#include "text/source_line.h"

namespace pto::text {

// Something that takes up room, or happens, at an offset of a section.
struct Item {
  enum class Kind : std::uint8_t { Instruction, Data, Fill, Set };

  Kind kind = Kind::Instruction;
  std::uint32_t section = 0;
  Word offset = 0;
  Word length = 0;  // in bytes
  SourceLine line;
  std::size_t position = 0;    // where in the line its operands begin
  unsigned width = 0;          // Data, Fill: bytes of one value
  bool aligns = false;         // Fill: more operands may follow the value
  bool with_no_ops = false;    // Fill: instructions that do nothing, so that code can run through
  std::string bytes;           // Data without expressions (.ascii)
  std::size_t assignment = 0;  // Set: which one
  std::size_t order = 0;       // counts local labels passed so far
};

struct SymbolEntry {
  enum class Kind : std::uint8_t { Undefined, Label, Number };

  Kind kind = Kind::Undefined;
  std::uint32_t section = 0;
  Word offset = 0;    // Label
  Expression number;  // Number
  Word size = 0;
  bool is_global = false;
  bool is_function = false;
  SourceLine first;                      // where it was first mentioned or defined
  std::vector<std::size_t> assignments;  // those that give it a value, in the order of the source

  [[nodiscard]] bool is_defined() const { return kind != Kind::Undefined || !assignments.empty(); }
};

// `.set name, value`. What stands further up is meant by a name if anything is, otherwise the last of what
// stands further down.
struct Assignment {
  enum class State : std::uint8_t { Waiting, Open, Done };

  std::string_view name;
  std::size_t item = 0;
  State state = State::Waiting;
  std::optional<Expression> value;
  std::size_t text_behind = std::string::npos;  // where in the line something follows the value
  bool refused = false;                         // an error has been reported
};

struct SectionState {
  Section section;
  Word size = 0;
};

class Assembly final : public Symbols {
 public:
  explicit Assembly(const AssembleOptions& with) : options(with) {}

  // The two passes, and what lies between and behind them.
  void read_file(std::string_view source, const std::string& name, unsigned depth);
  void place_sections();
  void encode_items();
  Assembled finish();

  // Reports an error at a byte of a line. Without a hint, the usage of the line's directive is one.
  void error(const SourceLine& line, std::size_t position, std::string message, std::string hint = {});
  void error(const SourceLine& line, const Complaint& complaint) {
    error(line, complaint.position, complaint.message, complaint.hint);
  }
  [[nodiscard]] bool stopped() const { return stopped_; }
  // Gives up at once: a limit was passed.
  void stop(const SourceLine& line, std::string message, std::string hint = {});

  // Lines (expansion.cc).
  void read_lines(const std::vector<SourceLine>& lines, unsigned depth);
  void read_statement(const SourceLine& line, Cursor cursor, unsigned depth);
  // A directive that is no expansion (directives.cc).
  void read_directive(const SourceLine& line, std::string_view name, Cursor cursor);

  // Values.
  std::optional<Expression> evaluate(const SourceLine& line, Cursor& cursor);
  // A number that must be known now and must not depend on where sections lie.
  std::optional<Word> evaluate_now(const SourceLine& line, Cursor& cursor, std::string_view what);
  // The same, of something that cannot be negative.
  std::optional<Word> evaluate_count(const SourceLine& line, Cursor& cursor, std::string_view what);
  [[nodiscard]] std::optional<Expression> find(std::string_view name) const override;
  [[nodiscard]] std::optional<Word> find_local(std::string_view number, bool forwards) const override;
  void each_name(const std::function<void(std::string_view)>& offer) const override;
  SymbolEntry& symbol(std::string_view name, const SourceLine& line);
  void define_label(const SourceLine& line, std::string_view name, std::size_t position);
  void assign(const SourceLine& line, std::string_view name, Cursor& cursor);

  // Items.
  Item* add_item(const SourceLine& line, Item::Kind kind, std::size_t position, Word length);
  bool grow(const SourceLine& line, Word length);
  void switch_section(const SourceLine& line, std::string_view name, std::optional<std::string_view> flags);
  [[nodiscard]] SectionState& here() { return sections_[current_]; }
  [[nodiscard]] const SectionState& here() const { return sections_[current_]; }
  [[nodiscard]] Word dot() const { return base_of(current_) + dot_offset_; }
  void set_dot(Word offset) { dot_offset_ = offset; }
  [[nodiscard]] std::size_t section_index() const { return current_; }

  const AssembleOptions& options;

 private:
  friend class Expander;

  void sort_errors();
  std::optional<Word> start_address();
  void settle_assignments();
  void settle(std::size_t assignment);
  bool evaluate_assignment(Assignment& assignment);
  [[nodiscard]] std::optional<Expression> find_assigned(const SymbolEntry& entry) const;
  void encode_assignment(const Item& item);
  void encode_instruction(const Item& item);
  void encode_data(const Item& item);
  void encode_fill(const Item& item);
  void encode_no_ops(const Item& item);
  void note_line(const Item& item) {
    note_line(item, item.offset, item.length, item.kind == Item::Kind::Instruction);
  }
  void note_line(const Item& item, Word offset, Word length, bool is_instruction);
  // Why a name has no value, when it is one that .set gives.
  [[nodiscard]] std::string missing_value(std::string_view name) const;
  [[nodiscard]] Word base_of(std::size_t section) const;

  std::deque<std::string> texts_;  // keeps what the views of lines point to
  std::vector<std::string> files_;
  std::vector<SectionState> sections_;
  std::size_t current_ = 0;
  Word dot_offset_ = 0;
  bool placed_ = false;
  bool suggesting_ =
      true;  // false where an undefined symbol is no error yet, and a search for its name wasted
  std::size_t total_bytes_ = 0;
  std::size_t expanded_bytes_ = 0;  // of lines with something replaced in them
  std::size_t lines_read_ = 0;
  unsigned include_depth_ = 0;

  std::vector<Item> items_;
  std::vector<Assignment> assignments_;
  std::optional<std::size_t> settling_;       // the assignment that is being evaluated
  mutable std::vector<std::size_t> lacking_;  // those it needs first
  std::unordered_map<std::string, SymbolEntry> symbols_;
  std::vector<std::string> symbol_order_;
  struct LocalLabel {
    std::size_t order;
    std::uint32_t section;
    Word offset;
  };
  std::map<std::string, std::vector<LocalLabel>, std::less<>> locals_;
  std::size_t local_order_ = 0;
  std::unordered_map<std::string, Macro> macros_;
  std::size_t expansions_ = 0;

  std::vector<LineOrigin> origins_;
  std::vector<Error> errors_;
  bool stopped_ = false;
};

// Directives that make lines or choose among them.
std::span<const Name> expansion_directives();

}  // namespace pto::text
