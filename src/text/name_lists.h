// The names an operand is chosen from: data types, layouts, pad values, modes, hints. One table for the
// assembler, the disassembler and `explain`.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace pto::text {

struct Name {
  std::string_view text;
  unsigned code;
  std::string_view meaning = {};
};

// A list and what to call a member of it.
struct NameList {
  std::span<const Name> names;
  std::string_view what;                 // "a layout"
  std::array<std::string_view, 2> keys;  // spellings that may precede the name with '='
};

extern const NameList layout_list, pad_list, comparison_list, rounding_list, type_list, dimension_list,
    transfer_list, temperature_list, trace_list;
std::span<const NameList* const> name_lists();

// "one of NORM, ND2DN, ...".
std::string choices(const NameList& list);

// The masks of participating PEs by code, PE0 on the left.
std::span<const std::string_view> pe_masks();
// "t", "u", "m" and "n": the hands of local tiles.
inline constexpr std::string_view tile_hands = "tumn";
inline constexpr unsigned tiles_per_hand = 16;
inline constexpr unsigned tile_size_codes = 12;

// Words that are flags, modifiers and orders: each means itself.
std::span<const Name> flag_names();

}  // namespace pto::text
