// The layout was changed without a new opcode (ADR-0096). Both have the same sources, L, and destination:
//
//                      before 0.58.3              today
//     [18:15]          PE_MASK, a bit for each PE  SizeCode, 128 bytes << (code - 1)
//     [11:9]           TSize, 128B to 8KB          PEMode, one of eight masks
//
// so an old word reads as another one today. It shows when the mask is no size, or when it had no size and so
// no PE takes part.
#include "cli/old_layout.h"

#include <fmt/format.h>

#include "isa/decode.h"
#include "isa/form.h"
#include "text/instruction.h"

namespace pto::cli {

namespace {

using isa::Behaviour;
using isa::Field;

constexpr unsigned mask_lsb = 15, size_lsb = 9;

// The mask code of today that means the same PEs; nothing: none does.
std::optional<Word> mode_of(Word pe_mask) {
  constexpr Word masks[] = {0b0000, 0b0001, 0b0010, 0b0100, 0b1000, 0b0011, 0b0111, 0b1111};  // bit n is PEn
  for (Word mode = 0; mode < std::size(masks); ++mode) {
    if (masks[mode] == pe_mask) return mode;
  }
  return std::nullopt;
}

std::string pe_names(Word pe_mask) {
  std::string out;
  for (unsigned pe = 0; pe < 4; ++pe) {
    if ((pe_mask >> pe & 1) != 0)
      fmt::format_to(std::back_inserter(out), "{}PE{}", out.empty() ? "" : ", ", pe);
  }
  return out.empty() ? "no PE" : out;
}

}  // namespace

std::string old_layout_text(Word word, unsigned bits, Release release) {
  const isa::Decoded decoded = isa::decode(word, bits, release);
  if (decoded.form == nullptr) return {};
  const bool binds =
      decoded.form->does == Behaviour::BindTileIO || decoded.form->does == Behaviour::BindSharedIO;
  if (!binds) return {};
  const Word pe_mask = bits_of(word, mask_lsb, 4), size = bits_of(word, size_lsb, 3);
  const bool idle = decoded.violated == nullptr && size == 0 && pe_mask != 0;
  if (decoded.violated == nullptr ? !idle : decoded.violated->field != Field::SizeCode) return {};

  std::string out =
      fmt::format("in the old {} layout, before 0.58.3, it named {} and {}", decoded.form->name,
                  pe_names(pe_mask), size == 0 ? "no size" : fmt::format("{} bytes", 64u << size));
  const std::optional<Word> mode = mode_of(pe_mask);
  if (!mode) return out + "; no mask of today has these PEs";
  const Word fields = mask_of(4) << mask_lsb | mask_of(3) << size_lsb;
  const Word today = (word & ~fields) | size << mask_lsb | *mode << size_lsb;
  const isa::Decoded again = isa::decode(today, bits, release);
  if (again.form == nullptr || again.violated != nullptr) return out;
  std::string text;
  text::print_instruction(text, *again.form, today, {.release = release, .address = {}, .names = nullptr});
  return out + fmt::format("; today that is {:08x}: {}", today, text);
}

}  // namespace pto::cli
