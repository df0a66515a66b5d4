// What the indexed memory operations share: displacements, masks and the way they are judged.
#pragma once

#include "exec/tile/schema.h"

namespace pto::exec {

// Every refusal on this path is a TileLegality, whatever the rule says elsewhere.
extern const Path indexed_path;

// Tiles the published text keeps packed in 64-bit carriers: four-bit ones and those of more than 32768
// elements. Its indexed operations read such a tile by carrier: in place of element e, the first element of
// carrier e.
constexpr bool keeps_carriers(const state::Tile& tile) {
  return !state::is_cube(tile.layout) &&
         (numeric::is_four_bit(tile.data_type) || std::uint64_t{tile.rows} * tile.columns > 32768);
}

// The number an indexed operation reads at a valid coordinate.
Word indexed_number(const state::Tile& tile, std::uint32_t row, std::uint32_t column);

// The byte displacement at a valid coordinate, sign- or zero-extended.
Word displacement(const state::Tile& indices, std::uint32_t row, std::uint32_t column);

// Source `number` holds an integer displacement for every lane of the block.
Check need_displacements(const Bundle& bundle, unsigned number);
// Source `number` is a predicate with a bit for every lane of the block.
Check need_mask(const Bundle& bundle, unsigned number);

// The same demands where the lanes are the valid elements of a tile.
Check need_displacements_of(const Bundle& bundle, unsigned number, const state::Tile& lanes);
Check need_mask_of(const Bundle& bundle, unsigned number, const state::Tile& lanes);
// Source `number` has as many valid elements as `lanes`.
Check need_lanes_of(const Bundle& bundle, unsigned number, const state::Tile& lanes);
// Source `number` is in the layout of `lanes`.
Check need_layout_of(const Bundle& bundle, unsigned number, const state::Tile& lanes);
// Where the executing PE's displacements start.
Word lane_base(const Bundle& bundle);

}  // namespace pto::exec
