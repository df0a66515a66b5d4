// From text to a word. The forms of a mnemonic are tried in turn, each with every way its template offers;
// when none fits, the complaint that got furthest into the line is the one reported.
#include <fmt/format.h>

#include <algorithm>

#include "isa/tile/operations.h"
#include "text/brackets.h"
#include "text/instruction.h"
#include "text/name_lists.h"
#include "text/nearest.h"
#include "text/template.h"

namespace pto::text {

namespace {

using isa::Field;
using isa::Form;

// An operand as messages name it: flags and short lists by what is written, others by the field.
std::string operand_name(const Element& element) {
  const OperandKind& kind = *element.kind;
  if (kind.name == "branch") return "BR.likely/BR.unlikely";
  if (kind.name == "order") return "aq/rl/aqrl";
  if (kind.also || kind.meaning == "flag") return std::string(kind.name);
  for (const auto& [name, list] :
       {std::pair("temperature", &temperature_list), std::pair("trace", &trace_list)}) {
    std::string names;
    for (const Name& row : list->names) names += (names.empty() ? "" : "/") + std::string(row.text);
    if (kind.name == name) return names;
  }
  return std::string(isa::name_of(element.field));
}

std::string sequence_text(const Sequence& sequence);

// An operand that may be left out, or several of which any may stand in any order.
std::string optional_text(const Element& element) {
  if (element.type == Element::Type::Optional) return "{" + sequence_text(element.parts) + "}";
  std::string out;
  for (const Element& member : element.parts)
    out += (out.empty() ? "" : ", ") +
           sequence_text(member.type == Element::Type::Optional ? member.parts : Sequence{member});
  return element.parts.size() == 1 ? "{" + out + "}" : "any of {" + out + "}";
}

// What may be left out inside an operand, a modifier or a shift, is not mentioned.
std::string sequence_text(const Sequence& sequence) {
  std::string text;
  for (const Element& element : sequence) {
    if (element.type == Element::Type::Operand) text += operand_name(element);
    if (element.type == Element::Type::Word || element.type == Element::Type::Punctuation)
      text += element.literal;
  }
  return text;
}

std::string alternative_text(const Alternative& alternative) {
  std::string out;
  for (const Sequence& operand : alternative.operands) {
    const bool lone = operand.size() == 1 &&
                      (operand[0].type == Element::Type::Set || operand[0].type == Element::Type::Optional);
    const std::string text = lone ? optional_text(operand[0]) : sequence_text(operand);
    if (!text.empty()) out += (out.empty() ? "" : ", ") + text;
  }
  return out.empty() ? "nothing" : out;
}

// "add takes SrcL, SrcR, ->RegDst": what must be written. Of many ways the longest.
std::string operands_text(const Mnemonic& mnemonic) {
  constexpr std::size_t most_listed = 3;
  std::vector<std::string> ways;
  for (const Form* form : mnemonic.forms) {
    for (const Alternative& alternative : template_of(*form).alternatives) {
      std::string way = alternative_text(alternative);
      if (std::ranges::find(ways, way) == ways.end()) ways.push_back(std::move(way));
    }
  }
  const std::string name = mnemonic_text(*mnemonic.forms.front());
  if (ways.size() > most_listed) {
    return fmt::format("{} takes at most {}, in this order", name,
                       *std::ranges::max_element(ways, {}, &std::string::size));
  }
  std::string out = name + " takes ";
  for (std::size_t index = 0; index < ways.size(); ++index) out += (index == 0 ? "" : "; or ") + ways[index];
  return out;
}

// The mnemonic that does the same with a wider number: HL.ADDI of addi, BSTART of C.BSTART; empty: none does.
std::string wider_mnemonic(const Form& form, Release release) {
  const std::string name = mnemonic_text(form);
  const bool is_command = form.surface() == isa::Surface::Block;
  const std::string_view compressed = is_command ? "C." : "c.", longer = is_command ? "HL." : "hl.";
  for (const std::string& wider :
       {name.starts_with(compressed) ? name.substr(compressed.size()) : std::string(),
        name.starts_with(longer) ? std::string() : std::string(longer) + name}) {
    if (!wider.empty() && find_mnemonic(wider, release)) return wider;
  }
  return {};
}

// What to write instead, when the complaint itself does not say.
std::string hint_for(const Complaint& complaint, const Mnemonic& mnemonic, Release release) {
  const std::string& message = complaint.message;
  const Form& form = *mnemonic.forms.front();
  const bool misfit = message.find("does not fit") != message.npos;
  if (misfit || message.find("this form reaches") != message.npos) {
    const std::string name = mnemonic_text(form);
    const bool adds = name.find("addi") != name.npos, subtracts = name.find("subi") != name.npos;
    if (misfit && message.starts_with('-') && (adds || subtracts)) {
      std::string other = name;
      other.replace(name.find(adds ? "addi" : "subi"), 4, adds ? "subi" : "addi");
      if (find_mnemonic(other, release)) return fmt::format("{} takes the number without its sign", other);
    }
    if (const std::string wider = wider_mnemonic(form, release); !wider.empty())
      return fmt::format("{} {} farther", wider, misfit ? "goes" : "reaches");
  }
  return operands_text(mnemonic);
}

// Reads the operands of one alternative of one form.
class Reader {
 public:
  Reader(OperandParser& parser, bool loose) : parser_(parser), loose_(loose) {}

  bool read(const Alternative& alternative) {
    for (const Sequence& operand : alternative.operands) {
      if (!(operand.size() == 1 && operand[0].type == Element::Type::Set        ? set(operand[0])
            : operand.size() == 1 && operand[0].type == Element::Type::Optional ? optional_operand(operand[0])
                                                                                : required(operand))) {
        return false;
      }
    }
    if (!assignments()) return false;
    if (loose_) separators();
    parser_.cursor.skip_spaces();
    if (parser_.cursor.at_end()) return true;
    // Weak: what could have stood here is the better answer.
    parser_.enter_optional();
    parser_.fail(parser_.cursor.position(), "unexpected text after the operands");
    parser_.leave_optional();
    return false;
  }

 private:
  void separators() {
    do {
      parser_.cursor.skip_spaces();
    } while (parser_.cursor.take(","));
  }

  // The comma before an operand; the first has none and an arrow needs none.
  bool separator(std::string_view wanted = "another operand") {
    parser_.cursor.skip_spaces();
    if (loose_) {
      separators();
    } else if (!first_ && !parser_.cursor.take(",") && !parser_.cursor.rest().starts_with("->")) {
      return parser_.expected(parser_.cursor.at_end() ? wanted : "','");
    }
    parser_.cursor.skip_spaces();
    return true;
  }

  bool required(const Sequence& operand) {
    if (parser_.cursor.rest().find_first_not_of(" \t") == std::string_view::npos)
      return parser_.expected(what_stands_in(operand));
    if (!separator()) return false;
    first_ = false;
    return sequence(operand);
  }

  bool optional_operand(const Element& element) {
    const Cursor before = parser_.cursor;
    const Word word = parser_.word();
    if (attempt(element)) {
      first_ = false;
      return true;
    }
    parser_.cursor = before;
    parser_.set_word(word);
    leave_out(element);
    return true;
  }

  bool set(const Element& element) {
    for (const Element& member : element.parts) leave_out(member);
    std::vector<const Element*> open, taken;
    for (const Element& member : element.parts) open.push_back(&member);
    bool found = true;
    while (found && !open.empty()) {
      found = false;
      for (auto member = open.begin(); member != open.end(); ++member) {
        const Cursor before = parser_.cursor;
        const Word word = parser_.word();
        if (attempt(**member)) {
          first_ = false;
          found = true;
          taken.push_back(*member);
          open.erase(member);
          break;
        }
        parser_.cursor = before;
        parser_.set_word(word);
      }
    }
    return std::ranges::none_of(taken, [this](const Element* member) { return comes_again(*member); });
  }

  // A member of a set that was read stands there once more.
  bool comes_again(const Element& member) {
    const Cursor before = parser_.cursor;
    const Word word = parser_.word();
    const bool again = attempt(member);
    Cursor from = before, behind = parser_.cursor;
    parser_.cursor = before;
    parser_.set_word(word);
    if (!again) return false;
    do {
      from.skip_spaces();
    } while (from.take(","));
    const std::string text(from.rest().substr(0, behind.position() - from.position()));
    const OperandKind* kind = kind_in(member);
    parser_.fail(from.position(), kind == nullptr || kind->meaning == "flag" || kind->meaning.empty()
                                      ? fmt::format("'{}' is given twice", text)
                                      : fmt::format("'{}' is a second {}", text, kind->meaning));
    return true;
  }

  static const OperandKind* kind_in(const Element& element) {
    if (element.type == Element::Type::Operand) return element.kind;
    for (const Element& part : element.parts) {
      if (const OperandKind* kind = kind_in(part)) return kind;
    }
    return nullptr;
  }

  // "->RegDst: register to write, or a queue to push".
  static std::string what_stands_in(const Sequence& operand) {
    std::string out;
    for (const Element& element : operand) {
      if (element.type == Element::Type::Word || element.type == Element::Type::Punctuation)
        out += element.literal;
      if (element.type == Element::Type::Operand) {
        const bool opened = out.ends_with('[') || out.ends_with('<') || out.ends_with('=');
        return fmt::format("{}{}: {}", opened ? "'" + out + "' and in it " : out, isa::name_of(element.field),
                           element.kind->meaning);
      }
    }
    return fmt::format("'{}'", out);
  }

  // An operand that could be absent.
  bool attempt(const Element& element) {
    parser_.enter_optional();
    const bool found = separator() && !parser_.cursor.at_end() && sequence(element.parts);
    parser_.leave_optional();
    return found;
  }

  void leave_out(const Element& element) {
    for (const Element& part : element.parts) {
      if (part.type == Element::Type::Operand) parser_.set_raw(part.field, part.kind->left_out);
      if (!part.parts.empty()) leave_out(part);
    }
  }

  bool sequence(const Sequence& parts) {
    for (const Element& part : parts) {
      parser_.cursor.skip_spaces();
      switch (part.type) {
        case Element::Type::Word:
          if (!parser_.cursor.take_word(part.literal))
            return parser_.expected("'" + std::string(part.literal) + "'");
          break;
        case Element::Type::Punctuation:
          if (!parser_.cursor.take(part.literal))
            return parser_.expected("'" + std::string(part.literal) + "'");
          break;
        case Element::Type::Operand:
          parser_.note_place(part.field);
          if (!part.kind->parse(parser_, part.field)) return false;
          break;
        case Element::Type::Optional: optional_part(part); break;
        case Element::Type::Set: return false;  // a set is an operand of its own
      }
    }
    return true;
  }

  void optional_part(const Element& part) {
    const Cursor before = parser_.cursor;
    const Word word = parser_.word();
    parser_.enter_optional();
    const bool found = sequence(part.parts);
    parser_.leave_optional();
    if (found) return;
    parser_.cursor = before;
    parser_.set_word(word);
    leave_out(part);
  }

  // ", Name=value" for fields that have no place of their own, and for ignored bits.
  bool assignments() {
    while (true) {
      Cursor ahead = parser_.cursor;
      ahead.skip_spaces();
      if (!first_ && !ahead.take(",")) return true;
      ahead.skip_spaces();
      const std::size_t position = ahead.position();
      const isa::FieldSpec* field = nullptr;
      for (const isa::FieldSpec& spec : parser_.form().fields()) {
        if (ahead.take_word(isa::name_of(spec.field))) field = &spec;
      }
      const bool ignored = field == nullptr && parser_.form().bits.ignored != 0 && ahead.take_word("unused");
      ahead.skip_spaces();
      if ((field == nullptr && !ignored) || !ahead.take("=")) return true;
      ahead.skip_spaces();
      first_ = false;
      parser_.cursor = ahead;
      const std::optional<Expression> value = parser_.expression();
      if (!value) return false;
      if (field != nullptr) {
        if (!parser_.set_number(field->field, value->value, position)) return false;
      } else {
        const Word bits = parser_.form().bits.ignored;
        const int lowest = std::countr_zero(bits);
        if (((value->value << lowest) & ~bits) != 0)
          return parser_.fail(position, "the form ignores fewer bits");
        parser_.set_word(parser_.word() | value->value << lowest);
      }
    }
  }

  OperandParser& parser_;
  bool loose_;
  bool first_ = true;
};

const OperandKind* kind_of(const Sequence& sequence, Field field) {
  for (const Element& element : sequence) {
    if (element.type == Element::Type::Operand && element.field == field) return element.kind;
    if (const OperandKind* kind = kind_of(element.parts, field)) return kind;
  }
  return nullptr;
}

// A value of a field with what stands for it in the text: "10 (ra)".
std::string spelled(const Form& form, Field field, Word value, Release release) {
  std::string text = fmt::format("{}", value);
  for (const Sequence& operand : template_of(form).alternatives.front().operands) {
    const OperandKind* kind = kind_of(operand, field);
    if (kind == nullptr || kind->also) continue;
    std::string written;
    OperandPrinter printer(written, form, form.with(form.bits.match, field, value), release);
    kind->print(printer, field);
    return written == text ? text : fmt::format("{} ({})", text, written);
  }
  return text;
}

Complaint broken(const isa::Constraint& constraint, const Form& form, Word word, std::size_t place,
                 Release release) {
  const Field field = constraint.field;
  const auto spell = [&](Word value) { return spelled(form, field, value, release); };
  return {place,
          fmt::format("{} = {} is not allowed in release {}", isa::name_of(field),
                      spell(form.raw(word, field)), name_of(release)),
          fmt::format("{} {}", isa::name_of(field), allowed_text(constraint, spell)), false};
}

// The mnemonic at the cursor, with the engine aliases that take the operation as an operand resolved.
struct Head {
  std::size_t position = 0;
  std::string name;
  std::optional<isa::Engine> engine;  // what the alias promises about where the operation runs
};

// The operation of BSTART.TLSU or BSTART.CUBE, by name or by its function number.
const isa::TileOperation* operation_called(std::string_view name, isa::TileFamily family, Release release) {
  Cursor digits(name);
  if (const std::optional<Word> number = parse_number(digits); number && digits.at_end())
    return *number < 32 ? isa::find_tile_operation(family, static_cast<unsigned>(*number), release) : nullptr;
  const auto alike = [](char a, char b) { return to_lower(a) == to_lower(b) || (a == '_' && b == '.'); };
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (row.family != isa::TileFamily::TEPL && row.in(release) && std::ranges::equal(row.name, name, alike))
      return &row;
  }
  return nullptr;
}

std::variant<Head, Complaint> read_head(Cursor& cursor, Release release) {
  cursor.skip_spaces();
  Head head;
  head.position = cursor.position();
  head.name = std::string(cursor.take_name());
  const auto is = [&head](std::string_view name) { return equal_ignoring_case(head.name, name); };
  if (is("bstart.vec")) head.engine = isa::Engine::VEC;
  if (is("bstart.sfu")) head.engine = isa::Engine::SFU;
  const bool memory = is("bstart.tlsu");
  if (!memory && !is("bstart.cube")) return head;
  const isa::Engine engine = memory ? isa::Engine::TLSU : isa::Engine::CUBE;
  const std::string usage = fmt::format("write BSTART.{} OPERATION, TYPE", isa::name_of(engine));
  cursor.skip_spaces();
  const std::size_t position = cursor.position();
  const std::string_view operation = cursor.take_while(is_name_char);
  if (operation.empty()) return Complaint{position, "expected a tile operation", usage, false};
  const isa::TileOperation* row =
      operation_called(operation, memory ? isa::TileFamily::TLSU : isa::TileFamily::CUBE, release);
  if (row != nullptr && row->engine != engine) {
    return Complaint{position, fmt::format("{} runs on {}", row->name, isa::name_of(row->engine)),
                     fmt::format("write {} TYPE", row->start), false};
  }
  cursor.skip_spaces();
  if (!cursor.take(","))
    return Complaint{cursor.position(), "expected ',' and the element type", usage, false};
  // What has a start and no row of its own is a start by its name with dots.
  std::string start = row != nullptr ? std::string(row->start) : "BSTART." + std::string(operation);
  if (row == nullptr) std::ranges::replace(start, '_', '.');
  if (!find_mnemonic(start, release)) {
    if (is_digit(operation.front())) {
      return Complaint{position,
                       fmt::format("{} has no operation {} in release {}", isa::name_of(engine), operation,
                                   name_of(release)),
                       fmt::format("'ptosim isa {}' lists them", isa::name_of(engine)), false};
    }
    return unknown_mnemonic(position, start, release);
  }
  head.position = position;
  head.name = std::move(start);
  return head;
}

}  // namespace

std::variant<unsigned, Complaint> measure_instruction(Cursor cursor, Release release) {
  const std::variant<Head, Complaint> read = read_head(cursor, release);
  if (const Complaint* wrong = std::get_if<Complaint>(&read)) return *wrong;
  const Head& head = std::get<Head>(read);
  const std::optional<Mnemonic> mnemonic = find_mnemonic(head.name, release);
  if (!mnemonic) return unknown_mnemonic(head.position, head.name, release);
  return mnemonic->forms.front()->bits.bits / 8u;
}

std::variant<Encoded, Complaint> parse_instruction(Cursor cursor, Release release, Word address,
                                                   const Symbols& symbols) {
  const std::variant<Head, Complaint> read = read_head(cursor, release);
  if (const Complaint* wrong = std::get_if<Complaint>(&read)) return *wrong;
  const Head& head = std::get<Head>(read);
  const std::optional<Mnemonic> mnemonic = find_mnemonic(head.name, release);
  if (!mnemonic) return unknown_mnemonic(head.position, head.name, release);
  const bool loose = takes_brackets(*mnemonic->forms.front());
  std::string plain;
  if (loose) {
    auto stripped = without_brackets(*mnemonic->forms.front(), cursor.text(), cursor.position());
    if (const Complaint* wrong = std::get_if<Complaint>(&stripped)) return *wrong;
    plain = std::get<std::string>(std::move(stripped));
  }
  const Cursor start = loose ? Cursor(plain, cursor.position()) : cursor;

  Complaint best;
  std::size_t passed_over = std::string::npos;  // where a form met something it could have had no use for
  std::optional<Complaint> broken_constraint;  // operands that can be read say more than operands that cannot
  for (const Form* form : mnemonic->forms) {
    const Template& shape = template_of(*form);
    for (const Alternative& alternative : shape.alternatives) {
      OperandParser parser(*form, start, release, address, symbols);
      if (shape.suffix != nullptr && !shape.suffix->parse(parser, mnemonic->suffix)) {
        const bool missing = mnemonic->suffix.empty();
        keep_better(best,
                    {head.position,
                     fmt::format("'{}' {}", head.name, missing ? "needs a suffix" : "has no such suffix"),
                     "the suffix is " + std::string(shape.suffix->choices), false});
        continue;
      }
      if (!Reader(parser, loose).read(alternative)) {
        if (parser.complaint().weak) passed_over = parser.complaint().position;
        keep_better(best, parser.complaint());
        continue;
      }
      if (const isa::Constraint* constraint = form->violated(parser.word(), release)) {
        const std::size_t place = std::max(parser.place_of(constraint->field), head.position);
        broken_constraint = broken(*constraint, *form, parser.word(), place, release);
        continue;
      }
      if (head.engine) {
        const unsigned code = *isa::selector_of(*form, parser.word());
        const isa::TileOperation* row = isa::find_tile_operation(isa::TileFamily::TEPL, code, release);
        if (row != nullptr && row->engine != *head.engine) {
          return Complaint{head.position, fmt::format("{} runs on {}", row->name, isa::name_of(row->engine)),
                           fmt::format("write BSTART.{} {}", isa::name_of(row->engine), row->name), false};
        }
      }
      return Encoded{form, parser.word()};
    }
  }
  if (broken_constraint) return *broken_constraint;
  // A name that one form has no use for and another could have had is unknown to all of them.
  Cursor operands = start;
  operands.skip_spaces();
  const bool ambiguous = mnemonic->forms.size() > 1 && best.position == passed_over &&
                         best.position == operands.position() &&
                         best.message.find("' is not ") != std::string::npos;
  if (ambiguous && !best.hint.starts_with("did you mean")) {
    best.message = best.message.substr(0, best.message.find("' is not ")) + "' is no operand of " + head.name;
    best.hint = {};
  }
  if (best.hint.empty()) best.hint = hint_for(best, *mnemonic, release);
  return best;
}

}  // namespace pto::text
