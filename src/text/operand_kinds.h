// Operand kinds: how one operand is read and how it is written, side by side.
//
// A kind is a row: a name (which templates use), the value of the field when the operand is left out, a parse
// function and a print function. The kinds lie in one small file per group: registers, numbers, names, tiles;
// suffixes of mnemonics beside them.
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/cursor.h"
#include "isa/form.h"
#include "isa/release.h"
#include "text/expression.h"

namespace pto::text {

// A failure inside one line: where, what, and how to mend it.
struct Complaint {
  std::size_t position = 0;  // byte in the line
  std::string message;
  std::string hint;
  bool weak = false;  // about something that could have been left out
  bool firm = false;  // about the value of something that was read
};

// Of two complaints the one further into the line is kept; at the same place the one about something
// required, or about a value; and when both say what was expected, they become one.
void keep_better(Complaint& kept, Complaint other);

// The state of reading the operands of one form. Reading functions return false after calling fail(); the
// parser keeps the complaint that got furthest, because that is the one about the form the user meant.
class OperandParser {
 public:
  OperandParser(const isa::Form& form, Cursor start, Release in_release, Word at, const Symbols& known)
      : cursor(start),
        symbols(known),
        form_(form),
        word_(form.bits.match),
        release_(in_release),
        address_(at) {}

  Cursor cursor;
  const Symbols& symbols;

  [[nodiscard]] const isa::Form& form() const { return form_; }
  [[nodiscard]] Word word() const { return word_; }
  void set_word(Word word) { word_ = word; }
  [[nodiscard]] Release release() const { return release_; }
  [[nodiscard]] Word address() const { return address_; }
  [[nodiscard]] const Complaint& complaint() const { return complaint_; }

  bool fail(std::size_t position, std::string message, std::string hint = {});
  // What was read has a value that cannot stand here.
  bool fail_value(std::size_t position, std::string message, std::string hint = {});
  bool expected(std::string_view what) { return fail(cursor.position(), "expected " + std::string(what)); }
  // Puts a number into a field; complains when the field cannot hold it. `shift`: the field counts in units
  // of 1 << shift. Fields without a sign of their own named imm... hold either reading of their bits.
  bool set_number(isa::Field field, Word number, std::size_t position, unsigned shift = 0);
  bool set_raw(isa::Field field, Word raw);
  // While something optional is tried, complaints are weak.
  void enter_optional() { ++optional_depth_; }
  void leave_optional() { --optional_depth_; }
  // Where each operand was found, for complaints about its value.
  void note_place(isa::Field field) { places_[static_cast<std::size_t>(field)] = cursor.position(); }
  [[nodiscard]] std::size_t place_of(isa::Field field) const {
    return places_[static_cast<std::size_t>(field)];
  }
  // Reads an expression.
  std::optional<Expression> expression();

 private:
  const isa::Form& form_;
  Word word_;
  Release release_;
  Word address_;
  Complaint complaint_;
  unsigned optional_depth_ = 0;
  std::array<std::size_t, isa::field_count> places_{};
};

// Names for addresses, when the disassembler has them.
using AddressName = std::function<std::optional<std::string>(Word address)>;

class OperandPrinter {
 public:
  OperandPrinter(std::string& to, const isa::Form& form, Word word, Release in_release)
      : out(to), form_(form), word_(word), release_(in_release) {}

  std::string& out;
  std::optional<Word> address;  // of the instruction; absent: targets are printed relative to it
  const AddressName* names = nullptr;

  [[nodiscard]] const isa::Form& form() const { return form_; }
  [[nodiscard]] Word word() const { return word_; }
  [[nodiscard]] Release release() const { return release_; }
  [[nodiscard]] Word raw(isa::Field field) const { return form_.raw(word_, field); }
  [[nodiscard]] Word value(isa::Field field) const { return form_.value(word_, field); }
  void done(isa::Field field) { done_.set(static_cast<std::size_t>(field)); }
  [[nodiscard]] bool is_done(isa::Field field) const { return done_.test(static_cast<std::size_t>(field)); }
  // A target `distance` bytes from the start of the instruction.
  void target(Word distance);

 private:
  const isa::Form& form_;
  Word word_;
  Release release_;
  std::bitset<isa::field_count> done_;
};

struct OperandKind {
  std::string_view name;
  Word left_out = 0;  // the field's bits when the operand is optional and absent
  bool (*parse)(OperandParser& parser, isa::Field field) = nullptr;
  void (*print)(OperandPrinter& printer, isa::Field field) = nullptr;
  std::string_view meaning = {};                  // for `explain`
  std::optional<isa::Field> also = std::nullopt;  // a second field that this one operand spells
};

// A suffix of the mnemonic, without its first dot.
struct SuffixKind {
  std::string_view name;
  bool (*parse)(OperandParser& parser,
                std::string_view suffix) = nullptr;  // also called with an empty suffix
  void (*print)(OperandPrinter& printer) = nullptr;
  std::string_view choices = {};  // for messages
};

const OperandKind* find_operand_kind(std::string_view name);
const SuffixKind* find_suffix_kind(std::string_view name);
// The kind a field has when a template does not name one.
std::string_view usual_kind(isa::Field field);

// The groups, one per file.
std::span<const OperandKind> register_kinds();
std::span<const OperandKind> number_kinds();
std::span<const OperandKind> name_kinds();
std::span<const OperandKind> tile_kinds();
std::span<const SuffixKind> suffix_kinds();

// Appends a number in decimal, or in hexadecimal.
void append_decimal(std::string& out, Word value, bool is_signed);
void append_hex(std::string& out, Word value);
// "r5" or "a3" as a selector 0..31; nothing: no register of that name.
std::optional<unsigned> register_of_name(std::string_view name);
std::string_view name_of_register(unsigned selector);

}  // namespace pto::text
