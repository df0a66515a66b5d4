// Judgements about tiles that many operations share. The predicates answer; the `need_…` functions answer
// with the rule that was broken.
#pragma once

#include <string>

#include "exec/tile/bundle.h"
#include "exec/tile/rules.h"
#include "kernels/fold.h"

namespace pto::exec {

// The largest tile one register may hold, and whether a capacity is one.
bool capacity_legal(const state::Machine& machine, Release release, std::uint32_t bytes);
constexpr unsigned largest_size_code(Release release) { return release == Release::v0_58_3 ? 10 : 12; }
constexpr bool size_code_legal(unsigned code, Release release) {
  return code >= 1 && code <= largest_size_code(release);
}

// A descriptor whose numbers agree with each other; and one whose elements can be addressed by row and
// column.
bool descriptor_configured(const Bundle& bundle, const state::Tile& tile);
bool descriptor_legal(const Bundle& bundle, const state::Tile& tile);
// A descriptor that gives each of its elements a place in storage, whatever its capacity; all a plain call
// asks of a tile.
bool descriptor_addressable(const Bundle& bundle, const state::Tile& tile);
bool cube_descriptor_legal(const Bundle& bundle, const state::Tile& tile);
bool cube_shape_legal(const Bundle& bundle, std::uint32_t capacity, std::uint32_t valid_rows,
                      std::uint32_t valid_columns, ElementType type, state::TileLayout layout);

bool same_shape(const state::Tile& left, const state::Tile& right);

// A result and a source are different registers. Only a direct call can name one register for both.
Check need_apart(const Bundle& bundle, unsigned destination, unsigned source);

// How messages name a tile: "t#5".
std::string tile_name(unsigned index);

// How messages name an operand: "source 1 (t#5)", "the destination". Put into words only when a message needs
// it.
struct OperandName {
  const Bundle* bundle = nullptr;  // null: the destination
  unsigned source = 0;
  [[nodiscard]] std::string text() const;
};
inline constexpr OperandName destination_name{};
inline OperandName operand_name(const Bundle& bundle, unsigned source) { return {&bundle, source}; }

Check need_descriptor(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
Check need_defined(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
Check need_encodings(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
Check need_predicate(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
Check need_cube(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
// Equal rows, columns, valid region and layout, both descriptors legal.
Check need_same_shape(const Bundle& bundle, const state::Tile& left, const OperandName& left_name,
                      const state::Tile& right, const OperandName& right_name);
Check need_same_shape_and_type(const Bundle& bundle, const state::Tile& left, const OperandName& left_name,
                               const state::Tile& right, const OperandName& right_name);
Check need_numeric(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
Check need_row_major(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
// Row-major; since 0.58.5 the elementwise operations take CUBE_M16 and CUBE_M32 as well. No block allocates a
// result for them in those layouts: only a direct call can name one.
Check need_elementwise_layout(const Bundle& bundle, const state::Tile& tile, const OperandName& name);
bool takes_cells(const Bundle& bundle);
Check need_type(const Bundle& bundle, const numeric::TypeSet& types, ElementType type);

// No element of the valid region is zero.
bool payload_nonzero(const state::Tile& tile);
// What a look at all elements of the valid region tells.
kernels::Survey survey_of(const state::Tile& tile);

}  // namespace pto::exec

template <>
struct fmt::formatter<pto::exec::OperandName> : fmt::formatter<std::string_view> {
  auto format(const pto::exec::OperandName& name, format_context& context) const {
    return formatter<std::string_view>::format(name.text(), context);
  }
};
