// What moves of Shared tiles have in common in all releases: the one B.IOS of the block, its register, and
// the shapes in which a register may be read and written.
#pragma once

#include "exec/tile/destinations.h"
#include "exec/tile/shared.h"

namespace pto::exec::shared_moves {

inline constexpr std::uint8_t all_pes = 0xf;
inline constexpr unsigned largest_shared_size_code = 12;
inline constexpr std::uint32_t largest_shared_bytes = state::size_code_bytes(largest_shared_size_code);

inline const state::SharedBinding& binding_of(const Bundle& bundle) {
  return bundle.block().shared_bindings[0];
}
inline const state::SharedTile& shared_of(const Bundle& bundle) {
  return bundle.machine().shared_tiles[binding_of(bundle).shared_id];
}
inline void consume(state::Machine& machine) { machine.block.shared_bindings[0].consumed = true; }

bool shared_capacity_legal(const state::Machine& machine, std::uint32_t bytes);
// Equal in everything but contents.
bool same_descriptor(const state::Tile& left, const state::Tile& right);
// Whether a Shared register may have this descriptor at all.
Check need_shared_shape(const Bundle& bundle, const state::Tile& tile);
// Whether the register, if it has a descriptor, has this one and is held by the PEs of the block.
Check need_same_register(const Bundle& bundle, const state::Tile& tile);

state::Tile describe(std::uint32_t capacity, const ResultShape& shape, ElementType type,
                     state::TileLayout layout);
ElementType transfer_type(const Bundle& bundle);

// The shape a load gives, its legality, and the tile it describes.
Check need_load_header(const Bundle& bundle);
Check describe_load(const Bundle& bundle, state::Tile& tile);
// The shape in which a store reads the register, and its size.
ResultShape store_shape(const Bundle& bundle);
std::uint32_t store_capacity(const Bundle& bundle, const ResultShape& shape);
// Whether the register may be read in a shape.
Check need_readable(const Bundle& bundle, const ResultShape& shape, ElementType type, std::uint32_t capacity);
// A move from a Local tile: one B.IOT with the source, of the size B.IOS names.
Check need_from_local_header(const Bundle& bundle);
// A move to a Local tile: one B.IOT with the destination; and the shape in which it reads the register.
Check need_to_local_binding(const Bundle& bundle);
Check need_to_local_shape(const Bundle& bundle);
ResultShape local_shape(const Bundle& bundle);

}  // namespace pto::exec::shared_moves
