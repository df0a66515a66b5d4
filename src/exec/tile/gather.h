// What the indexed memory operations share: displacements, masks and the way they are judged.
#pragma once

#include "exec/tile/schema.h"

namespace pto::exec {

// Every refusal on this path is a TileLegality, whatever the rule says elsewhere.
extern const Path indexed_path;

// The byte displacement at a valid coordinate, sign- or zero-extended.
Word displacement(const state::Tile& indices, std::uint32_t row, std::uint32_t column);

// Source `number` holds an integer displacement for every lane of the block.
Check need_displacements(const Bundle& bundle, unsigned number);
// Source `number` is a predicate with a bit for every lane of the block.
Check need_mask(const Bundle& bundle, unsigned number);

}  // namespace pto::exec
