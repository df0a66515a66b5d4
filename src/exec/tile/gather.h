// What the indexed memory operations share: displacements, masks and the way they are judged.
#pragma once

#include "exec/tile/schema.h"

namespace pto::exec {

// Every refusal on this path is a TileLegality, whatever the rule says elsewhere.
extern const Path indexed_path;

// How indexed operations, and matrix products, read a tile. The published text keeps some tiles packed in
// 64-bit carriers, four-bit ones and those of more than 32768 elements, and reads those by carrier: in place
// of element e, the first element of carrier e. Carriers have elements that are not defined; they count as
// zeros.
enum class Reading : std::uint8_t { Elements, Carriers };

inline Reading reading_of(const Bundle& bundle, const state::Tile& tile) {
  const bool packed = !state::is_cube(tile.layout) && (numeric::is_four_bit(tile.data_type) ||
                                                       std::uint64_t{tile.rows} * tile.columns > 32768);
  return packed && !bundle.errata().packed_elements ? Reading::Carriers : Reading::Elements;
}

// Whether the elements to be read lie in bytes of their own, in their order.
inline bool lies_in_bytes(const state::Tile& tile, Reading reading) {
  return reading == Reading::Elements && !numeric::is_four_bit(tile.data_type);
}

// The number an indexed operation reads at a valid coordinate.
Word indexed_number(const state::Tile& tile, std::uint32_t row, std::uint32_t column, Reading reading);

// The byte displacement at a valid coordinate, sign- or zero-extended.
Word displacement(const state::Tile& indices, std::uint32_t row, std::uint32_t column, Reading reading);

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
