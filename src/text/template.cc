#include "text/template.h"

#include <algorithm>
#include <bitset>
#include <unordered_map>

#include "base/cursor.h"
#include "text/operand_kinds.h"

namespace pto::text {

namespace {

constexpr bool is_field_char(char c) { return is_alpha(c) || is_digit(c) || c == '_'; }

// Reads one template. Field names that are not identifiers (L/UL, ACR-ID) are recognised as a whole.
class Reader {
 public:
  explicit Reader(const isa::Form& form) : form_(form), cursor_(form.text) {}

  Template read() {
    Template result;
    if (cursor_.take("~")) {
      result.suffix = find_suffix_kind(cursor_.take_while(is_field_char));
      if (result.suffix == nullptr) complain("unknown suffix kind");
    }
    do {
      mentioned_.reset();
      Alternative alternative;
      alternative.operands = operands('\0');
      for (const isa::FieldSpec& spec : form_.fields()) {
        if (!mentioned_.test(static_cast<std::size_t>(spec.field))) alternative.implied.push_back(spec.field);
      }
      result.alternatives.push_back(std::move(alternative));
    } while (cursor_.take("|"));
    cursor_.skip_spaces();
    if (!cursor_.at_end()) complain("unexpected character");
    return result;
  }

  std::string problem;

 private:
  void complain(std::string_view what) {
    if (problem.empty()) {
      problem =
          std::string(form_.id) + ": " + std::string(what) + " at " + std::to_string(cursor_.position());
    }
    cursor_.move_to(cursor_.text().size());
  }

  // Operands up to `close`, separated by commas.
  std::vector<Sequence> operands(char close) {
    std::vector<Sequence> list;
    cursor_.skip_spaces();
    if (cursor_.at_end() || cursor_.peek() == close) return list;
    do {
      list.push_back(sequence(close, true));
    } while (cursor_.take(","));
    return list;
  }

  Sequence sequence(char close, bool commas_separate) {
    Sequence parts;
    int depth = 0;  // of [ ]
    while (true) {
      cursor_.skip_spaces();
      const char c = cursor_.peek();
      if (cursor_.at_end() || c == close || c == '|') break;
      if (c == ',' && commas_separate && depth == 0) break;
      if (c == '[') ++depth;
      if (c == ']') --depth;
      parts.push_back(element());
    }
    return parts;
  }

  Element element() {
    Element result;
    if (cursor_.take("{")) {
      result.type = Element::Type::Optional;
      result.always_printed = cursor_.take("!");
      result.parts = sequence('}', false);
      if (!cursor_.take("}")) complain("missing '}'");
    } else if (cursor_.take("set(")) {
      result.type = Element::Type::Set;
      do {
        cursor_.skip_spaces();
        Element member;
        member.type = Element::Type::Optional;
        member.always_printed = cursor_.take("!");
        member.parts = sequence(')', true);
        result.parts.push_back(std::move(member));
      } while (cursor_.take(","));
      if (!cursor_.take(")")) complain("missing ')'");
    } else if (cursor_.take("'")) {
      result.type = Element::Type::Word;
      result.literal = cursor_.take_while([](char c) { return c != '\''; });
      if (!cursor_.take("'")) complain("missing quote");
    } else if (is_alpha(cursor_.peek())) {
      operand(result);
    } else {
      punctuation(result);
    }
    return result;
  }

  void operand(Element& result) {
    result.type = Element::Type::Operand;
    const isa::FieldSpec* found = nullptr;
    for (const isa::FieldSpec& spec : form_.fields()) {
      const std::string_view name = isa::name_of(spec.field);
      const std::string_view rest = cursor_.rest();
      const bool here =
          rest.starts_with(name) && (rest.size() == name.size() || !is_field_char(rest[name.size()]));
      if (here && (found == nullptr || name.size() > isa::name_of(found->field).size())) found = &spec;
    }
    if (found == nullptr) return complain("no such field");
    cursor_.take(isa::name_of(found->field));
    result.field = found->field;
    mentioned_.set(static_cast<std::size_t>(found->field));
    const std::string_view kind =
        cursor_.take(":") ? cursor_.take_while(is_field_char) : usual_kind(found->field);
    result.kind = find_operand_kind(kind);
    if (result.kind == nullptr) return complain("unknown operand kind");
    if (result.kind->also) mentioned_.set(static_cast<std::size_t>(*result.kind->also));
  }

  void punctuation(Element& result) {
    result.type = Element::Type::Punctuation;
    for (const std::string_view spelling : {"->", "<<"}) {
      if (cursor_.rest().starts_with(spelling)) {
        result.literal = cursor_.rest().substr(0, 2);
        cursor_.take(spelling);
        return;
      }
    }
    result.literal = cursor_.rest().substr(0, 1);
    cursor_.next();
  }

  const isa::Form& form_;
  Cursor cursor_;
  std::bitset<isa::field_count> mentioned_;
};

struct Templates {
  std::unordered_map<const isa::Form*, Template> of;
  std::vector<std::string> problems;

  Templates() {
    for (const isa::Form* form : isa::all_forms()) {
      Reader reader(*form);
      of.emplace(form, reader.read());
      if (!reader.problem.empty()) problems.push_back(reader.problem);
    }
  }
};

const Templates& templates() {
  static const Templates once;
  return once;
}

}  // namespace

const Template& template_of(const isa::Form& form) { return templates().of.at(&form); }

std::vector<std::string> malformed_templates() { return templates().problems; }

}  // namespace pto::text
