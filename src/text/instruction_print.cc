// From a word to text. Of the ways a template offers, the first that can express the word is used; whatever
// has no place in it follows as Name=value, so that no bit of the word is lost.
#include <bit>

#include "isa/tile/operations.h"
#include "text/instruction.h"
#include "text/template.h"

namespace pto::text {

namespace {

using isa::Form;

class Writer {
 public:
  explicit Writer(OperandPrinter& printer) : printer_(printer) {}

  void write(const Alternative& alternative) {
    for (const Sequence& operand : alternative.operands) {
      if (operand.size() == 1 && operand[0].type == Element::Type::Set) {
        for (const Element& member : operand[0].parts) optional_operand(member);
      } else if (operand.size() == 1 && operand[0].type == Element::Type::Optional) {
        optional_operand(operand[0]);
      } else {
        separator();
        sequence(operand);
      }
    }
    leftovers();
  }

 private:
  void separator() {
    printer_.out += first_ ? " " : ", ";
    first_ = false;
  }

  // Whether every operand inside has the value it would have if it were left out; their fields are then done.
  bool is_left_out(const Element& element) {
    for (const Element& part : element.parts) {
      if (part.type == Element::Type::Operand) {
        if (printer_.raw(part.field) != part.kind->left_out) return false;
        // Acquire and release are one operand: either is a reason to write it.
        if (part.field == isa::Field::aq && part.kind->also && printer_.raw(*part.kind->also) != 0)
          return false;
      }
      if (!part.parts.empty() && !is_left_out(part)) return false;
    }
    return true;
  }
  void mark(const Element& element) {
    for (const Element& part : element.parts) {
      if (part.type == Element::Type::Operand) printer_.done(part.field);
      if (!part.parts.empty()) mark(part);
    }
  }

  void optional_operand(const Element& element) {
    if (!element.always_printed && is_left_out(element)) return mark(element);
    separator();
    sequence(element.parts);
  }

  void sequence(const Sequence& parts) {
    for (std::size_t index = 0; index < parts.size(); ++index) {
      const Element& part = parts[index];
      switch (part.type) {
        case Element::Type::Word: printer_.out += part.literal; break;
        case Element::Type::Punctuation: punctuation(part.literal); break;
        case Element::Type::Operand: part.kind->print(printer_, part.field); break;
        case Element::Type::Optional:
          if (!part.always_printed && is_left_out(part)) {
            mark(part);
          } else {
            sequence(part.parts);
          }
          break;
        case Element::Type::Set: break;
      }
    }
  }

  void punctuation(std::string_view literal) {
    if (literal == ",") {
      printer_.out += ", ";
    } else if (literal == "~") {
      printer_.out += " ~ ";
    } else {
      printer_.out += literal;
    }
  }

  void leftovers() {
    const Form& form = printer_.form();
    for (const isa::FieldSpec& spec : form.fields()) {
      if (printer_.is_done(spec.field) || printer_.raw(spec.field) == 0) continue;
      if ((form.bits.mask >> spec.pieces[0].word_lsb & 1) != 0) continue;  // fixed bits with a name
      separator();
      printer_.out += isa::name_of(spec.field);
      printer_.out += '=';
      append_decimal(printer_.out, printer_.value(spec.field), isa::is_signed(spec.field));
    }
    if (const Word unused = printer_.word() & form.bits.ignored; unused != 0) {
      separator();
      printer_.out += "unused=";
      append_decimal(printer_.out, unused >> std::countr_zero(form.bits.ignored), false);
    }
  }

  OperandPrinter& printer_;
  bool first_ = true;
};

// Scalar mnemonics are written small, commands large. BSTART.TEPL is written with the engine its operation
// runs on.
void append_mnemonic(std::string& out, const Form& form, Word word, Release release) {
  if (form.start.selector_source == isa::SelectorSource::ModeFunction) {
    const isa::TileOperation* row =
        isa::find_tile_operation(isa::TileFamily::TEPL, *isa::selector_of(form, word), release);
    if (row != nullptr) {
      out += "BSTART.";
      out += isa::name_of(row->engine);
      return;
    }
  }
  if (form.surface() == isa::Surface::Block) {
    out += form.name;
    return;
  }
  for (const char c : form.name) out += to_lower(c);
}

}  // namespace

void print_instruction(std::string& out, const Form& form, Word word, const PrintOptions& options) {
  const Template& shape = template_of(form);
  append_mnemonic(out, form, word, options.release);
  OperandPrinter printer(out, form, word, options.release);
  printer.address = options.address;
  printer.names = options.names;
  if (shape.suffix != nullptr) shape.suffix->print(printer);
  const Alternative* chosen = &shape.alternatives.front();
  for (const Alternative& alternative : shape.alternatives) {
    bool expresses = true;
    for (const isa::Field field : alternative.implied) {
      const bool fixed = (form.bits.mask >> form.spec(field)->pieces[0].word_lsb & 1) != 0;
      if (!fixed && !printer.is_done(field) && printer.raw(field) != 0) expresses = false;
    }
    if (!expresses) continue;
    chosen = &alternative;
    break;
  }
  Writer(printer).write(*chosen);
}

}  // namespace pto::text
