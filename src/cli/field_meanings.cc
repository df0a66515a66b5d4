// What fields are for. Operands say it themselves (OperandKind); here are the fields that a suffix, a
// modifier or a second name spells, and the values that have names.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/descriptions.h"
#include "isa/tile/operations.h"
#include "text/instruction.h"
#include "text/name_lists.h"
#include "text/suffix_names.h"
#include "text/template.h"

namespace pto::cli {

namespace {

using isa::Behaviour;
using isa::Field;
using isa::Form;

void kinds_in(const std::vector<text::Element>& elements, Field field, const text::OperandKind*& found) {
  for (const text::Element& element : elements) {
    if (element.type == text::Element::Type::Operand && element.field == field && found == nullptr)
      found = element.kind;
    kinds_in(element.parts, field, found);
  }
}

// The fields whose meaning their operand does not say.
std::string_view noted(const Form& form, Field field) {
  const bool queue = form.does == Behaviour::QueueMove || form.does == Behaviour::QueuePush ||
                     form.does == Behaviour::QueuePop;
  switch (field) {
    case Field::aq: return "acquire: later accesses come after this one; written aq";
    case Field::rl: return "release: earlier accesses come before this one; written rl";
    case Field::far:
      return form.surface() == isa::Surface::Block ? "the block executes remotely; written far"
                                                   : "executes remotely; written f";
    case Field::SrcType: return "type of the source";
    case Field::DstType: return "type of the result";
    case Field::model: return "cache level";
    case Field::shamt: return "how many bits the source is shifted to the left before use";
    case Field::SrcZero: return "unused source; zero";
    case Field::e: return queue ? "event: those who wait for the queue are told; written e" : "";
    case Field::r:
      return form.does == Behaviour::QueueMove ? "restore: the queue takes and gives again; written r"
                                               : "relaxed: no order with other accesses; written r";
    case Field::i: return "initialize: makes the queue, with the capacity in SrcR; written i";
    case Field::s: return "suspend: the queue takes no more; written s";
    case Field::h: return "at the head: the next to be popped; written h";
    case Field::L_UL: return "branch likely taken, or not";
    default: return {};
  }
}

// Kinds of operands by the list their names come from.
const text::NameList* list_of(std::string_view kind) {
  struct Row {
    std::string_view kind;
    const text::NameList* list;
  };
  static constexpr Row rows[] = {{"layout", &text::layout_list},
                                 {"pad", &text::pad_list},
                                 {"comparison", &text::comparison_list},
                                 {"rounding", &text::rounding_list},
                                 {"type", &text::type_list},
                                 {"dimension", &text::dimension_list},
                                 {"transfer", &text::transfer_list},
                                 {"temperature", &text::temperature_list},
                                 {"trace", &text::trace_list}};
  const Row* row = std::ranges::find(rows, kind, &Row::kind);
  return row == std::end(rows) ? nullptr : row->list;
}

struct Value {
  unsigned code;
  std::string text;
};

std::vector<Value> values_of(const Form& form, Field field) {
  std::vector<Value> out;
  for (const text::SuffixName& name : text::suffix_names(form, field))
    out.push_back({name.code, std::string(name.text)});
  if (!out.empty()) return out;
  if (field == Field::L_UL) return {{0, "BR.unlikely"}, {1, "BR.likely"}};
  const text::OperandKind* kind = kind_of(form, field);
  if (kind == nullptr) return out;
  if (kind->name == "mask") {
    for (unsigned code = 0; code < text::pe_masks().size(); ++code)
      out.push_back({code, std::string(text::pe_masks()[code])});
  }
  if (const text::NameList* list = list_of(kind->name)) {
    for (const text::Name& name : list->names) out.push_back({name.code, std::string(name.text)});
  }
  return out;
}

std::string forms_with(Field field, Release release) {
  std::string out;
  unsigned count = 0;
  std::string_view last;
  for (const Form* form : isa::all_forms()) {
    if (!form->in(release) || !form->has(field) || form->name == last) continue;
    last = form->name;
    constexpr unsigned most_listed = 12;
    if (++count <= most_listed) out += (count == 1 ? "" : ", ") + text::mnemonic_text(*form);
    if (count == most_listed + 1) out += " and others";
  }
  return out;
}

std::string field_text(Field field, Release release) {
  const Form* first = nullptr;
  for (const Form* form : isa::all_forms()) {
    if (first == nullptr && form->in(release) && form->has(field) && !is_fixed(*form, *form->spec(field)))
      first = form;
  }
  if (first == nullptr) return {};
  std::string out = fmt::format("field {}: {}\n", isa::name_of(field), meaning_of(*first, field));
  if (const std::string values = named_values(*first, field); !values.empty())
    fmt::format_to(std::back_inserter(out), "  values: {}\n", values);
  if (field == Field::SizeCode)
    out += "  values: 0 no size, 1 128B, 2 256B, 3 512B, 4 1KB and so on to 12 256KB\n";
  fmt::format_to(std::back_inserter(out), "  of {}\n", forms_with(field, release));
  return out;
}

std::string engine_text(std::string_view name, Release release) {
  struct Row {
    isa::Engine engine;
    std::string_view text;
  };
  constexpr Row rows[] = {
      {isa::Engine::VEC, "element by element operations; BSTART.VEC NAME, TYPE"},
      {isa::Engine::SFU, "operations that move, order or convert elements; BSTART.SFU NAME, TYPE"},
      {isa::Engine::TLSU,
       "moves tiles between memory and registers; BSTART.NAME TYPE or BSTART.TLSU NAME, TYPE"},
      {isa::Engine::CUBE, "matrix products; BSTART.NAME TYPE or BSTART.CUBE NAME, TYPE"},
  };
  for (const Row& row : rows) {
    if (!equal_ignoring_case(isa::name_of(row.engine), name)) continue;
    std::string out = fmt::format("engine {}: {}\n  operations:", isa::name_of(row.engine), row.text);
    bool first = true;
    for (const isa::TileOperation& operation : isa::tile_operations()) {
      if (operation.engine != row.engine || !operation.in(release)) continue;
      out += (first ? " " : ", ") + std::string(operation.name);
      first = false;
    }
    return out + "\n";
  }
  return {};
}

}  // namespace

const text::OperandKind* kind_of(const Form& form, Field field) {
  const text::OperandKind* found = nullptr;
  for (const text::Alternative& alternative : text::template_of(form).alternatives) {
    for (const text::Sequence& operand : alternative.operands) kinds_in(operand, field, found);
  }
  return found;
}

std::string meaning_of(const Form& form, Field field) {
  if (const std::string_view note = noted(form, field); !note.empty()) return std::string(note);
  const text::OperandKind* kind = kind_of(form, field);
  if (kind == nullptr) {
    if (field == Field::RegDst) return "unused";
    return isa::is_signed(field) || isa::name_of(field).starts_with("uimm") ? "number" : std::string();
  }
  if (kind->meaning != "flag") return std::string(kind->meaning);
  for (const text::Name& flag : text::flag_names()) {
    if (equal_ignoring_case(flag.text, kind->name)) return std::string(flag.meaning);
  }
  return "flag";
}

std::string named_values(const Form& form, Field field) {
  std::string out;
  for (const Value& value : values_of(form, field))
    fmt::format_to(std::back_inserter(out), "{}{} {}", out.empty() ? "" : ", ", value.code, value.text);
  return out;
}

std::string name_of_value(const Form& form, Field field, Word code) {
  for (const Value& value : values_of(form, field)) {
    if (value.code == code) return value.text;
  }
  return {};
}

std::optional<std::string> explain_field_or_engine(std::string_view name, Release release) {
  std::string out = engine_text(name, release);
  if (equal_ignoring_case(name, "mask")) name = isa::name_of(Field::PEMode);
  for (std::size_t index = 0; index < isa::field_count; ++index) {
    if (equal_ignoring_case(isa::field_names[index], name))
      out += field_text(static_cast<Field>(index), release);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace pto::cli
