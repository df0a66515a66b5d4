// The texts of `explain`: everything here is read from the rows.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "cli/descriptions.h"
#include "cli/explain.h"
#include "cli/explain_names.h"
#include "cli/old_layout.h"
#include "isa/decode.h"
#include "isa/tile/operations.h"
#include "text/instruction.h"
#include "text/template.h"

namespace pto::cli {

namespace {

using isa::Field;
using isa::Form;

// Three lines: places, bits, owners; of the word, the bits in `known`.
std::string picture(const Form& form, Word known, Word word) {
  std::string places = " ", bits = " ", names = " ";
  for (const BitRun& run : bit_runs(form)) {
    std::string place =
        run.high == run.low ? fmt::format("{}", run.high) : fmt::format("{}:{}", run.high, run.low);
    std::string value;
    for (unsigned bit = run.high + 1; bit-- > run.low;) {
      value += (known >> bit & 1) == 0 ? '.' : (word >> bit & 1) != 0 ? '1' : '0';
    }
    const std::size_t width = std::max({place.size(), value.size(), run.name.size()});
    fmt::format_to(std::back_inserter(places), " {:<{}}", place, width);
    fmt::format_to(std::back_inserter(bits), " {:<{}}", value, width);
    fmt::format_to(std::back_inserter(names), " {:<{}}", run.name, width);
  }
  const auto line = [](std::string text) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text + "\n";
  };
  return line(places) + line(bits) + line(names);
}

std::string field_table(const Form& form, Word word, Release release) {
  std::string out;
  for (const isa::FieldSpec& spec : form.fields()) {
    const Word value = form.value(word, spec.field);
    const text::OperandKind* kind = kind_of(form, spec.field);
    std::string written;
    if (kind != nullptr) {
      text::OperandPrinter printer(written, form, word, release);
      kind->print(printer, spec.field);
    }
    const std::string number = isa::is_signed(spec.field)
                                   ? fmt::format("{}", static_cast<std::int64_t>(value))
                                   : fmt::format("{}", value);
    if (written.empty()) written = name_of_value(form, spec.field, form.raw(word, spec.field));
    const std::string meaning = is_fixed(form, spec) ? "fixed" : meaning_of(form, spec.field);
    fmt::format_to(std::back_inserter(out), "  {:<16} {:<8} {:<12} {}", isa::name_of(spec.field), number,
                   written, meaning);
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
  return out;
}

std::string constraint_lines(const Form& form, std::optional<Word> word, Release release) {
  std::string out;
  for (const isa::Constraint& constraint : form.constraints) {
    if (!constraint.applies(release)) continue;
    fmt::format_to(std::back_inserter(out), "  {} {}", isa::name_of(constraint.field),
                   text::allowed_text(constraint));
    if (word) out += constraint.allows(form.raw(*word, constraint.field)) ? "" : "   <- broken";
    out += '\n';
  }
  return out;
}

std::string releases_text(Release since, Release until) {
  if (since == all_releases.front() && until == all_releases.back()) return "all";
  return since == until ? std::string(name_of(since))
                        : fmt::format("{} to {}", name_of(since), name_of(until));
}

std::string indented(std::string_view title, const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) fmt::format_to(std::back_inserter(out), "  {}\n", line);
  return out.empty() ? out : std::string(title) + "\n" + out;
}

// What a start adds to its operation; empty: nothing.
std::string_view variant_text(const Form& form) {
  struct Row {
    std::uint16_t selector;
    std::string_view text;
  };
  constexpr Row rows[] = {
      {9,
       "from a Local tile into the quarters of a Shared tile that belong to the named PEs; the tile is not "
       "published"},
      {10,
       "from a Local tile into the quarters of a Shared tile that belong to the named PEs; completes and "
       "publishes the tile"},
      {11, "the whole of a published Shared tile into a Local tile, for all four PEs"},
      {12, "the quarters of a Shared tile that belong to the named PEs into a Local tile"},
      {14, "the quarters of a Shared tile that belong to the named PEs into memory"},
  };
  if (form.start.operation_class != isa::OperationClass::TileMemory) return {};
  for (const Row& row : rows) {
    if (row.selector == form.start.selector) return row.text;
  }
  return {};
}

// The operation a block start selects, if its code is one.
const isa::TileOperation* operation_of(const Form& form, Word word, Release release) {
  const std::optional<std::uint16_t> selector = isa::selector_of(form, word);
  if (!selector) return nullptr;
  const isa::TileFamily family =
      form.start.selector_source == isa::SelectorSource::ModeFunction ? isa::TileFamily::TEPL
      : form.start.operation_class == isa::OperationClass::TileMatrix ? isa::TileFamily::CUBE
                                                                      : isa::TileFamily::TLSU;
  const unsigned code =
      family == isa::TileFamily::TLSU ? isa::operation_function(*selector) : unsigned{*selector};
  return isa::find_tile_operation(family, code, release);
}

std::string operation_text(const isa::TileOperation& row, Release release, bool with_start) {
  std::string out = fmt::format("tile operation {}: engine {}, {} code {:#x}", row.name,
                                isa::name_of(row.engine), isa::name_of(row.family), row.code());
  if (row.family == isa::TileFamily::TEPL)
    fmt::format_to(std::back_inserter(out), " (mode {}, function {})", row.mode, row.function);
  fmt::format_to(std::back_inserter(out), ", started by {}, clause {}\n", row.start, row.clause);
  for (const isa::TileOperandUse& use : row.operands.all()) {
    fmt::format_to(std::back_inserter(out), "  {:<16} {}\n", isa::name_of(use.operand), use.role);
  }
  const isa::DatrContract& datr = row.datr;
  std::string fields;
  const auto add = [&fields](bool applies, std::string_view name) {
    if (applies) fields += (fields.empty() ? "" : ", ") + std::string(name);
  };
  add(datr.layout, "Layout"), add(datr.data_type, "DataType"), add(datr.pad, "PadValueOrByteId"),
      add(datr.comparison_mode, "CMode"), add(datr.rounding_mode, "RMode"), add(datr.saturating, "Sat"),
      add(datr.canonicalize, "Canonicalize");
  fmt::format_to(std::back_inserter(out), "  B.DATR fields it reads: {}\n", fields.empty() ? "none" : fields);
  fmt::format_to(std::back_inserter(out), "  releases: {}{}\n", releases_text(row.since, row.until),
                 row.in(release) ? "" : fmt::format("; NOT in {}", name_of(release)));
  if (with_start) {
    for (const StartWord& start : starts_of(row, release))
      out += fmt::format("start word, {} {}:\n", start.form->name, start.form->text) +
             picture(*start.form, start.mask, start.match);
  }
  out += indented("block:", block_schema_of(row));
  if (const std::string rules = rules_of_clause(row.clause); !rules.empty())
    out += "rules of its own:\n" + rules;
  out += indented("example:", example_of(row));
  return out;
}

std::string form_line(const Form& form) {
  return fmt::format("{} form {}, {} bits, mask {:#x}, match {:#x}\n", isa::name_of(form.surface()), form.id,
                     form.bits.bits, form.bits.mask, form.bits.match);
}

// "bits 14:12 are 101 and must be 011", for each run of bits in which a word differs from what a form fixes.
std::string wrong_places(const Form& form, Word word) {
  const Word wrong = (word ^ form.bits.match) & form.bits.mask;
  std::string out;
  for (unsigned high = form.bits.bits; high-- > 0;) {
    if ((wrong >> high & 1) == 0) continue;
    // To the last wrong bit before some right ones, or one that the form does not fix.
    constexpr unsigned most_between = 3;
    unsigned low = high;
    for (unsigned bit = high; bit-- > 0 && low - bit <= most_between && (form.bits.mask >> bit & 1) != 0;) {
      if ((wrong >> bit & 1) != 0) low = bit;
    }
    const unsigned width = high - low + 1;
    const Word is = word >> low & mask_of(width), must_be = form.bits.match >> low & mask_of(width);
    out += out.empty() ? "" : ", ";
    if (width == 1) {
      fmt::format_to(std::back_inserter(out), "bit {} must be {}", high, must_be);
    } else {
      fmt::format_to(std::back_inserter(out), "bits {}:{} are {:0{}b} and must be {:0{}b}", high, low, is,
                     width, must_be, width);
    }
    high = low;
  }
  return out;
}

// Why no form has the word: the forms that come nearest. A form that fixes many bits says more than one that
// fixes few, but each wrong bit outweighs several right ones.
std::string nearest_forms(Word word, unsigned bits, Release release) {
  // A word of the wrong length is near to nothing.
  if (isa::length_bits(static_cast<std::uint16_t>(word)) != bits) return {};
  constexpr int weight_of_wrong = 6;
  std::vector<std::pair<int, const Form*>> ranked;
  for (const Form* form : isa::all_forms()) {
    if (form->bits.bits != bits || !form->in(release)) continue;
    const int wrong = std::popcount((word ^ form->bits.match) & form->bits.mask);
    ranked.emplace_back(weight_of_wrong * wrong - std::popcount(form->bits.mask), form);
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& pair) { return pair.first; });
  constexpr std::size_t shown = 3;
  std::string out;
  for (std::size_t index = 0; index < ranked.size() && index < shown; ++index) {
    const Form& form = *ranked[index].second;
    fmt::format_to(std::back_inserter(out), "  {} ({}): {}\n", form.name, form.id, wrong_places(form, word));
  }
  return out;
}

bool is_legal(Word word, unsigned bits, Release release) {
  const isa::Decoded decoded = isa::decode(word, bits, release);
  return decoded.form != nullptr && decoded.violated == nullptr;
}

}  // namespace

bool is_called(const isa::TileOperation& row, std::string_view name) {
  return std::ranges::equal(
      row.name, name, [](char a, char b) { return to_lower(a) == to_lower(b) || (a == '_' && b == '.'); });
}

std::string explain_rejection(Word word, unsigned bits, Release release) {
  const isa::Decoded decoded = isa::decode(word, bits, release);
  if (decoded.form != nullptr && decoded.violated == nullptr) return {};
  std::string why;
  if (decoded.form == nullptr) {
    why = fmt::format("no instruction of {}", name_of(release));
    const unsigned length = isa::length_bits(static_cast<std::uint16_t>(word));
    if (length > bits && bits >= 16)
      why += fmt::format(": its lowest bits say that it has {} bits, and the word is short: it has {}",
                         length, bits);
    if (length < bits && bits > 16)
      why += fmt::format(": its lowest bits say that it has {} bits, and it has {}", length, bits);
  } else {
    why =
        fmt::format("{}: {} = {} {}", decoded.form->name, isa::name_of(decoded.violated->field),
                    decoded.form->raw(word, decoded.violated->field), text::allowed_text(*decoded.violated));
  }
  for (const Release other : all_releases) {
    if (other == release || !is_legal(word, bits, other)) continue;
    std::string text;
    text::print_instruction(text, *isa::decode(word, bits, other).form, word,
                            {.release = other, .address = {}, .names = nullptr});
    why += fmt::format("; {} accepts it: {}", name_of(other), text);
  }
  if (const std::string old = old_layout_text(word, bits, release); !old.empty()) why += "; " + old;
  return why;
}

std::string explain_word(Word word, unsigned bits, Release release) {
  std::string out;
  const isa::Decoded decoded = isa::decode(word, bits, release);
  if (decoded.form == nullptr) {
    fmt::format_to(std::back_inserter(out), "{:0{}x}: {}\n", word, bits / 4,
                   explain_rejection(word, bits, release));
    const std::string nearest = nearest_forms(word, bits, release);
    return nearest.empty() ? out : out + "\nnearest forms:\n" + nearest;
  }
  const Form& form = *decoded.form;
  if (decoded.violated == nullptr) {
    text::print_instruction(out, form, word, {.release = release, .address = {}, .names = nullptr});
  } else {
    out += "illegal: " + explain_rejection(word, bits, release);
  }
  fmt::format_to(std::back_inserter(out), "   [PTO ISA {}]\n", name_of(release));
  if (decoded.violated == nullptr) {
    if (const std::string remark = explain_remark(form, word, release); !remark.empty()) out += remark + "\n";
    if (const std::string old = old_layout_text(word, bits, release); !old.empty())
      fmt::format_to(std::back_inserter(out), "no PE takes part in it; {}\n", old);
  }
  fmt::format_to(std::back_inserter(out), "{:0{}x}: ", word, bits / 4);
  out += form_line(form) + "\n" + picture(form, ~Word{0}, word) + "\n";
  if (!form.fields().empty()) out += "fields:\n" + field_table(form, word, release);
  if (const std::string lines = constraint_lines(form, word, release); !lines.empty())
    out += "constraints:\n" + lines;
  if (form.does == isa::Behaviour::BlockStart) {
    const std::optional<isa::Transfer> by_type =
        form.has(Field::BrType)
            ? isa::transfer_of_branch_type(static_cast<unsigned>(form.raw(word, Field::BrType)))
            : std::nullopt;
    fmt::format_to(std::back_inserter(out), "starts a {} block, transfer {}\n", isa::name_of(form.start.kind),
                   isa::name_of(by_type.value_or(form.start.transfer)));
    if (const std::string_view variant = variant_text(form); !variant.empty())
      fmt::format_to(std::back_inserter(out), "moves {}\n", variant);
    if (const isa::TileOperation* row = operation_of(form, word, release)) {
      out += operation_text(*row, release, false);
    }
  }
  return out;
}

std::string explain_remark(const Form& form, Word word, Release release) {
  const std::optional<std::uint16_t> selector = isa::selector_of(form, word);
  if (!selector || operation_of(form, word, release) != nullptr) return {};
  std::string out =
      fmt::format("code {:#x} is no operation of {}: IllegalInstruction", *selector, name_of(release));
  for (const Release other : all_releases) {
    const isa::TileOperation* elsewhere = other == release ? nullptr : operation_of(form, word, other);
    if (elsewhere != nullptr) out += fmt::format("; in {} it is {}", name_of(other), elsewhere->name);
  }
  return out;
}

std::vector<StartWord> starts_of(const isa::TileOperation& row, Release release) {
  std::vector<StartWord> starts;
  for (const Form* form : isa::all_forms()) {
    if (!form->in(release) || form->does != isa::Behaviour::BlockStart) continue;
    StartWord start{form, form->bits.mask, form->bits.match};
    if (form->start.selector_source == isa::SelectorSource::ModeFunction) {
      if (row.family != isa::TileFamily::TEPL) continue;
      start.match = form->with(form->with(start.match, Field::Mode, row.mode), Field::Function, row.function);
      start.mask |= form->with(form->with(0, Field::Mode, ~Word{0}), Field::Function, ~Word{0});
    }
    if (operation_of(*form, start.match, release) == &row && variant_text(*form).empty())
      starts.push_back(start);
  }
  return starts;
}

std::string explain_form(const Form& form, Release release) {
  std::string name(form.name);
  if (form.surface() == isa::Surface::Scalar) std::ranges::transform(name, name.begin(), to_lower);
  std::string out = fmt::format("{} {}\n", name, form.text);
  out += form_line(form);
  out += picture(form, form.bits.mask, form.bits.match);
  for (const isa::FieldSpec& spec : form.fields()) {
    if (is_fixed(form, spec)) continue;
    const std::string values = named_values(form, spec.field);
    fmt::format_to(std::back_inserter(out), "  {:<16} {} bit{}{}, {}{}\n", isa::name_of(spec.field),
                   spec.width, spec.width == 1 ? "" : "s", isa::is_signed(spec.field) ? ", signed" : "",
                   meaning_of(form, spec.field), values.empty() ? "" : ": " + values);
  }
  if (const std::string lines = constraint_lines(form, std::nullopt, release); !lines.empty())
    out += "constraints:\n" + lines;
  fmt::format_to(std::back_inserter(out), "behaviour {}; releases: {}\n", isa::name_of(form.does),
                 releases_text(form.since, form.until));
  out += indented("faults:", faults_of(form));
  fmt::format_to(std::back_inserter(out), "example:\n  {}\n", example_of(form, release));
  return out;
}

std::optional<std::string> explain_name(std::string_view name, Release release) {
  std::string out;
  if (const std::optional<text::Mnemonic> mnemonic = text::find_mnemonic(name, release)) {
    for (const Form* form : mnemonic->forms) out += (out.empty() ? "" : "\n") + explain_form(*form, release);
  }
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (is_called(row, name)) out += (out.empty() ? "" : "\n") + operation_text(row, release, true);
  }
  for (const std::optional<std::string>& text :
       {explain_operand_name(name), explain_field_or_engine(name, release), explain_reason(name)}) {
    if (text) out += (out.empty() ? "" : "\n") + *text;
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace pto::cli
