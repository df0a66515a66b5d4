// Moves of Shared tiles: the one B.IOS of the block and what it may do (PTO-REQ-SHARED-TILE-001).
#pragma once

#include "exec/tile/behaviour.h"

namespace pto::exec {

// The behaviour of a block that binds one Shared tile, by its function; null: there is none. 0.58.3 moves the
// quarters of the PEs a block names, later releases move whole tiles.
const Behaviour* shared_behaviour(const Bundle& bundle);
const Behaviour* quartered_shared_behaviour(unsigned function);
const Behaviour* whole_shared_behaviour(const Bundle& bundle);

// Bytes of tile capacity the whole core has in use.
Word core_bytes_in_use(const state::Machine& machine);

bool shared_descriptor_legal(const Bundle& bundle, const state::SharedTile& shared);

}  // namespace pto::exec
