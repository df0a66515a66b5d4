// The second pass: every item, in the order of the source, becomes bytes.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/assembly.h"
#include "text/instruction.h"

namespace pto::text {

namespace {

void put_little_endian(std::vector<std::uint8_t>& bytes, Word offset, Word value, Word width) {
  for (Word index = 0; index < width; ++index)
    bytes[offset + index] = static_cast<std::uint8_t>(value >> (8 * index));
}

}  // namespace

void Assembly::encode_items() {
  for (SectionState& state : sections_) state.section.bytes.assign(state.size, 0);
  settle_assignments();
  for (const Item& item : items_) {
    if (stopped_) return;
    current_ = item.section, dot_offset_ = item.offset, local_order_ = item.order;
    switch (item.kind) {
      case Item::Kind::Instruction: encode_instruction(item); break;
      case Item::Kind::Data: encode_data(item); break;
      case Item::Kind::Fill: encode_fill(item); break;
      case Item::Kind::Set: encode_assignment(item); break;
    }
  }
}

void Assembly::note_line(const Item& item, Word offset, Word length, bool is_instruction) {
  if (length == 0) return;
  origins_.push_back({.address = base_of(item.section) + offset,
                      .length = static_cast<std::uint32_t>(length),
                      .file = item.line.file,
                      .line = item.line.number,
                      .is_instruction = is_instruction});
}

void Assembly::encode_instruction(const Item& item) {
  const std::variant<Encoded, Complaint> result =
      parse_instruction(Cursor(item.line.text, item.position), options.release, dot(), *this);
  if (const Complaint* complaint = std::get_if<Complaint>(&result)) return error(item.line, *complaint);
  const Encoded& encoded = std::get<Encoded>(result);
  put_little_endian(here().section.bytes, item.offset, encoded.word, encoded.bytes());
  note_line(item);
}

void Assembly::encode_data(const Item& item) {
  std::vector<std::uint8_t>& bytes = here().section.bytes;
  note_line(item);
  if (item.width == 0) {
    for (std::size_t index = 0; index < item.bytes.size(); ++index) {
      bytes[item.offset + index] = static_cast<std::uint8_t>(item.bytes[index]);
    }
    return;
  }
  Cursor cursor(item.line.text, item.position);
  for (Word done = 0; done < item.length; done += item.width) {
    cursor.skip_spaces();
    const std::size_t position = cursor.position();
    const std::optional<Expression> value = evaluate(item.line, cursor);
    if (!value) return;
    const unsigned bits = item.width * 8;
    const auto as_signed = static_cast<std::int64_t>(value->value);
    const bool fits = bits == 64 || value->value <= mask_of(bits) ||
                      (as_signed < 0 && as_signed >= -(std::int64_t{1} << (bits - 1)));
    if (!fits) {
      return error(
          item.line, position,
          fmt::format("{} does not fit into {} byte{}", as_signed, item.width, item.width == 1 ? "" : "s"),
          fmt::format("the values are {} to {}", -(std::int64_t{1} << (bits - 1)), mask_of(bits)));
    }
    put_little_endian(bytes, item.offset + done, value->value, item.width);
    cursor.skip_spaces();
    const bool last = done + item.width == item.length;
    if (last ? !cursor.at_end() : !cursor.take(",")) {
      return error(item.line, cursor.position(), last ? "unexpected text after the value" : "expected ','");
    }
  }
}

// A byte at an odd offset is zero, then come instructions of 16 bits: c.movr zero, ->zero.
void Assembly::encode_no_ops(const Item& item) {
  constexpr Word no_op = 0x0006, no_op_bytes = 2;
  Word offset = item.offset;
  if (offset % no_op_bytes != 0) note_line(item, offset++, 1, false);
  for (; offset + no_op_bytes <= item.offset + item.length; offset += no_op_bytes) {
    put_little_endian(here().section.bytes, offset, no_op, no_op_bytes);
    note_line(item, offset, no_op_bytes, true);
  }
}

void Assembly::encode_fill(const Item& item) {
  if (item.with_no_ops) return encode_no_ops(item);
  note_line(item);
  if (item.position == std::string::npos) return;
  Cursor cursor(item.line.text, item.position);
  const std::optional<Expression> value = evaluate(item.line, cursor);
  if (!value) return;
  cursor.skip_spaces();
  const bool before_most = item.aligns && cursor.peek() == ',';  // which was read when room was made
  if (!cursor.at_end() && !before_most)
    return error(item.line, cursor.position(), "unexpected text after the value");
  if (here().section.only_zeros && value->value != 0) {
    return error(item.line, item.position, "a .bss section holds zeros only", "put values into .data");
  }
  for (Word done = 0; done + item.width <= item.length; done += item.width) {
    put_little_endian(here().section.bytes, item.offset + done, value->value, item.width);
  }
}

}  // namespace pto::text
