#include "cli/descriptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/explain.h"
#include "exec/rule.h"
#include "isa/decode.h"
#include "text/disassembler.h"
#include "text/instruction.h"

namespace pto::cli {

namespace {

using isa::Field;
using isa::Form;

std::string hex(Word value) { return fmt::format("{:#x}", value); }

bool legal(const Form& form, Word word, Release release) {
  const isa::Decoded decoded = isa::decode(word, form.bits.bits, release);
  return decoded.form == &form && decoded.violated == nullptr;
}

// `wanted`, or the next value that every constraint of the field allows.
Word allowed_value(const Form& form, const isa::FieldSpec& spec, Word wanted, Release release) {
  const Word values = mask_of(std::min<unsigned>(spec.width, 6)) + 1;
  for (Word step = 0; step < values; ++step) {
    const Word value = (wanted + step) % values;
    const bool allowed = std::ranges::all_of(form.constraints, [&](const isa::Constraint& constraint) {
      return !constraint.applies(release) || constraint.field != spec.field || constraint.allows(value);
    });
    if (allowed) return value;
  }
  return wanted;
}

// Fields in their order get neighbouring values, so that registers differ: a0, a1, ...
Word example_word(const Form& form, Release release, Word first) {
  Word word = form.bits.match;
  for (const isa::FieldSpec& spec : form.fields()) {
    if (!is_fixed(form, spec))
      word = form.with(word, spec.field, allowed_value(form, spec, first++, release));
  }
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (row.family != isa::TileFamily::TEPL || row.start != form.name || !row.in(release)) continue;
    word = form.with(form.with(word, Field::Mode, row.mode), Field::Function, row.function);
    break;
  }
  return word;
}

Json fields_json(const Form& form) {
  Json fields = Json::array();
  for (const isa::FieldSpec& spec : form.fields()) {
    Json pieces = Json::array();
    for (unsigned index = 0; index < spec.pieces_used; ++index) {
      const isa::FieldPiece& piece = spec.pieces[index];
      pieces.push_back(
          {{"word_lsb", piece.word_lsb}, {"value_lsb", piece.value_lsb}, {"width", piece.width}});
    }
    fields.push_back({{"name", isa::name_of(spec.field)},
                      {"width", spec.width},
                      {"signed", isa::is_signed(spec.field)},
                      {"meaning", is_fixed(form, spec) ? "fixed" : meaning_of(form, spec.field)},
                      {"values", named_values(form, spec.field)},
                      {"pieces", pieces}});
  }
  return fields;
}

Json rules_json(std::string_view clause) {
  Json rules = Json::array();
  for (const exec::Rule* rule : exec::all_rules()) {
    if (rule->clause == clause)
      rules.push_back({{"rule", rule->name}, {"fault", name_of(rule->fault)}, {"sentence", rule->sentence}});
  }
  return rules;
}

}  // namespace

bool is_fixed(const Form& form, const isa::FieldSpec& spec) {
  return (form.bits.mask >> spec.pieces[0].word_lsb & 1) != 0;
}

std::vector<BitRun> bit_runs(const Form& form) {
  const auto owner = [&form](unsigned bit) -> std::pair<std::string, const isa::FieldSpec*> {
    for (const isa::FieldSpec& spec : form.fields()) {
      for (unsigned index = 0; index < spec.pieces_used; ++index) {
        const isa::FieldPiece& piece = spec.pieces[index];
        if (bit < piece.word_lsb || bit >= unsigned{piece.word_lsb} + piece.width) continue;
        const std::string name(isa::name_of(spec.field));
        if (spec.pieces_used == 1 && piece.value_lsb == 0) return {name, &spec};
        return {fmt::format("{}[{}:{}]", name, piece.value_lsb + piece.width - 1, piece.value_lsb), &spec};
      }
    }
    return {(form.bits.ignored >> bit & 1) != 0 ? "ignored" : "fixed", nullptr};
  };
  std::vector<BitRun> runs;
  for (unsigned bit = form.bits.bits; bit-- > 0;) {
    const auto [name, field] = owner(bit);
    if (!runs.empty() && runs.back().name == name) {
      runs.back().low = bit;
    } else {
      runs.push_back({bit, bit, name, field});
    }
  }
  return runs;
}

std::string clause_of(const Form& form) {
  std::string clause =
      fmt::format("PTO-{}-{}", form.surface() == isa::Surface::Block ? "BLOCK" : "SCALAR", form.name);
  std::ranges::replace(clause, '.', '-');
  return clause;
}

std::string example_of(const Form& form, Release release) {
  constexpr Word first_choice = 2, choices = 40;
  for (Word first = first_choice; first < choices; ++first) {
    const Word word = example_word(form, release, first);
    if (!legal(form, word, release)) continue;
    std::string text;
    text::print_instruction(text, form, word, {.release = release, .address = {}, .names = nullptr});
    return text;
  }
  return {};
}

Json describe(const Form& form, Release release) {
  Json constraints = Json::array();
  for (const isa::Constraint& constraint : form.constraints) {
    if (!constraint.applies(release)) continue;
    constraints.push_back(
        {{"field", isa::name_of(constraint.field)}, {"rule", text::allowed_text(constraint)}});
  }
  return {{"mnemonic", form.name},
          {"form", form.id},
          {"surface", isa::name_of(form.surface())},
          {"family", isa::name_of(form.family)},
          {"bits", form.bits.bits},
          {"mask", hex(form.bits.mask)},
          {"match", hex(form.bits.match)},
          {"operands", form.text},
          {"behaviour", isa::name_of(form.does)},
          {"fields", fields_json(form)},
          {"constraints", constraints},
          {"faults", faults_of(form)},
          {"example", example_of(form, release)},
          {"since", name_of(form.since)},
          {"until", name_of(form.until)}};
}

Json describe(const isa::TileOperation& row) {
  Json operands = Json::array();
  for (const isa::TileOperandUse& use : row.operands.all()) {
    operands.push_back({{"operand", isa::name_of(use.operand)}, {"role", use.role}});
  }
  return {{"name", row.name},
          {"engine", isa::name_of(row.engine)},
          {"family", isa::name_of(row.family)},
          {"mode", row.mode},
          {"function", row.function},
          {"start", row.start},
          {"clause", row.clause},
          {"operands", operands},
          {"block", block_schema_of(row)},
          {"example", example_of(row)},
          {"rules", rules_json(row.clause)},
          {"since", name_of(row.since)},
          {"until", name_of(row.until)}};
}

Json describe_word(Word word, unsigned bits, Release release) {
  Json out{{"word", fmt::format("0x{:0{}x}", word, bits / 4)}, {"bits", bits}, {"isa", name_of(release)}};
  std::string text;
  const isa::Decoded decoded =
      text::disassemble(text, word, bits, {.release = release, .address = {}, .names = nullptr});
  out["legal"] = decoded.form != nullptr && decoded.violated == nullptr;
  out["text"] = text;
  if (const std::string why = explain_rejection(word, bits, release); !why.empty()) out["reason"] = why;
  if (decoded.form == nullptr) return out;
  out["form"] = describe(*decoded.form, release);
  Json values = Json::object();
  for (const isa::FieldSpec& spec : decoded.form->fields())
    values[std::string(isa::name_of(spec.field))] = hex(decoded.form->raw(word, spec.field));
  out["values"] = values;
  return out;
}

}  // namespace pto::cli
