#include "state/possible_tiles.h"

#include <fmt/format.h>

namespace pto::state {

namespace {

// Why no run can leave such a tile behind; empty if one can.
std::string impossible(const Tile& tile) {
  if (tile.capacity_bytes == 0) return "it is allocated without capacity";
  if (tile.valid_rows > tile.rows || tile.valid_columns > tile.columns) {
    return fmt::format("its valid region of {}x{} is larger than its {} rows by {} columns", tile.valid_rows,
                       tile.valid_columns, tile.rows, tile.columns);
  }
  const std::uint64_t elements = std::uint64_t{tile.rows} * tile.columns;
  if (elements * tile.storage_bits() > std::uint64_t{tile.capacity_bytes} * 8) {
    return fmt::format("{} rows by {} columns of {} bits do not fit its capacity of {} bytes", tile.rows,
                       tile.columns, tile.storage_bits(), tile.capacity_bytes);
  }
  return {};
}

}  // namespace

std::optional<BadTile> find_impossible_tile(const Machine& machine) {
  for (std::size_t i = 0; i < tile_count; ++i) {
    const Tile& tile = machine.tiles[i];
    if (!tile.allocated) continue;
    const std::string why = impossible(tile);
    if (!why.empty()) return BadTile{{"tiles", std::to_string(i)}, fmt::format("tiles[{}]: {}", i, why)};
  }
  for (std::size_t i = 0; i < shared_tile_count; ++i) {
    if (!machine.shared_tiles.exists(i) || !machine.shared_tiles[i].descriptor_valid) continue;
    const std::string why = impossible(machine.shared_tiles[i].tile);
    if (!why.empty())
      return BadTile{{"shared_tiles", std::to_string(i)}, fmt::format("shared_tiles[{}]: {}", i, why)};
  }
  return std::nullopt;
}

}  // namespace pto::state
