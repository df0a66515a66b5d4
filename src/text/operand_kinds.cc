#include "text/operand_kinds.h"

#include <fmt/format.h>

#include <iterator>

namespace pto::text {

using isa::Field;

void keep_better(Complaint& kept, Complaint other) {
  constexpr std::string_view expected = "expected ";
  if (other.message.empty()) return;
  const bool same_place = !kept.message.empty() && other.position == kept.position;
  const auto rank = [](const Complaint& complaint) { return complaint.firm ? 2 : complaint.weak ? 0 : 1; };
  if (kept.message.empty() || other.position > kept.position || (same_place && rank(other) > rank(kept))) {
    kept = std::move(other);
    return;
  }
  const bool mergeable = same_place && rank(kept) == rank(other) && kept.message.starts_with(expected) &&
                         other.message.starts_with(expected);
  const std::string_view what = std::string_view(other.message).substr(mergeable ? expected.size() : 0);
  if (mergeable && kept.message.find(what) == std::string::npos) kept.message += " or " + std::string(what);
}

bool OperandParser::fail(std::size_t position, std::string message, std::string hint) {
  keep_better(complaint_, {position, std::move(message), std::move(hint), optional_depth_ > 0});
  return false;
}

bool OperandParser::fail_value(std::size_t position, std::string message, std::string hint) {
  keep_better(complaint_, {position, std::move(message), std::move(hint), false, true});
  return false;
}

bool OperandParser::set_raw(Field field, Word raw) {
  word_ = form_.with(word_, field, raw);
  return true;
}

bool OperandParser::set_number(Field field, Word number, std::size_t position, unsigned shift) {
  const isa::FieldSpec& spec = *form_.spec(field);
  const auto as_signed = static_cast<std::int64_t>(number);
  const bool either =
      field == Field::imm || field == Field::imm20 || field == Field::imm32;  // the operation decides
  const std::int64_t unit = std::int64_t{1} << shift;
  const bool wide = spec.width + shift >= 64;
  const std::int64_t low = isa::is_signed(field) || either ? -(unit << (spec.width - 1)) : 0;
  const Word high = isa::is_signed(field) ? mask_of(spec.width - 1u) << shift : mask_of(spec.width) << shift;
  const bool fits = wide || (as_signed < 0 ? as_signed >= low : number <= high);
  if (!fits) {
    const std::string value =
        as_signed < 0 && low < 0 ? std::to_string(as_signed) : fmt::format("{}", as_signed);
    return fail_value(position, fmt::format("{} does not fit: the operand is {} to {}", value, low, high));
  }
  const Word scaled = static_cast<Word>(as_signed >> shift);
  Word holds = 0;
  for (std::size_t index = 0; index < spec.pieces_used; ++index) {
    holds |= mask_of(spec.pieces[index].width) << spec.pieces[index].value_lsb;
  }
  const Word lost = (number & mask_of(shift)) | ((scaled & ~holds & mask_of(spec.width)) << shift);
  if (lost != 0) {
    const Word step = holds == 0 ? 1 : (holds & (~holds + 1)) << shift;
    return fail_value(position, fmt::format("{} is not a multiple of {}", as_signed, step));
  }
  return set_raw(field, scaled);
}

std::optional<Expression> OperandParser::expression() {
  std::variant<Expression, ExpressionError> result = parse_expression(cursor, symbols, address_);
  if (const Expression* value = std::get_if<Expression>(&result)) return *value;
  ExpressionError& error = std::get<ExpressionError>(result);
  fail(error.position, std::move(error.message), std::move(error.hint));
  return std::nullopt;
}

void OperandPrinter::target(Word distance) {
  if (address) {
    const Word place = *address + distance;
    if (names != nullptr && *names) {
      if (const std::optional<std::string> name = (*names)(place)) {
        out += *name;
        return;
      }
    }
  }
  const auto bytes = static_cast<std::int64_t>(distance);
  out += bytes < 0 ? ".-" : ".+";
  append_decimal(out, bytes < 0 ? Word{0} - distance : distance, false);
}

const OperandKind* find_operand_kind(std::string_view name) {
  for (const auto group : {register_kinds(), number_kinds(), name_kinds(), tile_kinds()}) {
    for (const OperandKind& kind : group) {
      if (kind.name == name) return &kind;
    }
  }
  return nullptr;
}

const SuffixKind* find_suffix_kind(std::string_view name) {
  for (const SuffixKind& kind : suffix_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

std::string_view usual_kind(Field field) {
  switch (field) {
    case Field::RegDst:
    case Field::RegDst0:
    case Field::RegDst1: return "destination";
    case Field::SrcL:
    case Field::SrcR:
    case Field::SrcD:
    case Field::SrcD1:
    case Field::SrcA:
    case Field::SrcP:
    case Field::SrcZero: return "source";
    case Field::RegSrc:
    case Field::RegSrc0:
    case Field::RegSrc1:
    case Field::RegSrc2:
    case Field::SrcBegin:
    case Field::SrcEnd:
    case Field::DstBegin:
    case Field::DstEnd: return "general";
    case Field::SSR_ID:
    case Field::SSRID:
    case Field::LSR_ID: return "hex";
    case Field::DataType: return "type";
    case Field::Layout: return "layout";
    case Field::PadValueOrByteId: return "pad";
    case Field::CMode: return "comparison";
    case Field::RMode: return "rounding";
    case Field::LoopNest: return "dimension";
    case Field::BrType: return "transfer";
    case Field::temp: return "temperature";
    case Field::B_E: return "trace";
    case Field::SrcTile0:
    case Field::SrcTile1: return "tile";
    case Field::DstTile: return "hand";
    case Field::SizeCode:
    case Field::SubviewSizeCode:
    case Field::ParentSizeCode: return "size";
    case Field::PEMode: return "mask";
    case Field::SharedTID: return "shared";
    case Field::L:
    case Field::LAST: return "last";
    case Field::INIT: return "init";
    case Field::SrcSelect: return "source1";
    case Field::trap: return "trap";
    case Field::far: return "far";
    default: return "number";
  }
}

void append_decimal(std::string& out, Word value, bool is_signed) {
  if (is_signed) {
    fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(value));
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

void append_hex(std::string& out, Word value) { fmt::format_to(std::back_inserter(out), "{:#x}", value); }

}  // namespace pto::text
