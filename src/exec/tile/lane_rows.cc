#include "exec/tile/lane_rows.h"

#include "exec/memory_access.h"

namespace pto::exec {

using kernels::Displacements;
using kernels::LaneMask;
using kernels::Reach;
using state::Machine;
using state::Memory;
using state::Tile;

namespace {

// Whether a mask has storage for all its bits; a bit that has none is clear.
bool whole(const Tile& mask) {
  return mask.storage_kind == state::StorageKind::Predicate &&
         mask.storage.payload_bytes() * 8 >= std::uint64_t{mask.rows} * mask.columns;
}

}  // namespace

template <class Grants>
std::optional<Reach> LaneRows::reach_where(Grants grants) const {
  if (!lies_in_bytes(indices_, reading_) || (mask_ != nullptr && !whole(*mask_))) return std::nullopt;
  // All lanes together are quickly looked at, and mostly disabled ones do no harm.
  for (const bool masked : {false, true}) {
    if (masked && mask_ == nullptr) break;
    Reach reach;
    for_each({}, [&](std::uint32_t, Displacements displacements, LaneMask mask, std::size_t count) {
      kernels::widen(reach, base_, displacements, masked ? mask : LaneMask{}, count);
    });
    // What spans the whole address space would wrap around.
    const bool regular = !reach.empty() && (reach.low_bits & (size_ - 1)) == 0 && span(reach) < Word{1} << 63;
    if (regular && grants(reach)) return reach;
  }
  return std::nullopt;
}

bool LaneRows::may_read(const Machine& machine, const Reach& reach) const {
  return machine.memory.readable_piece(start(reach), bytes(reach), machine.current_acr) != nullptr;
}

bool LaneRows::may_write(const Machine& machine, const Reach& reach) const {
  // Every page is looked at, which does not pay for a few lanes far apart.
  const std::size_t lanes = std::size_t{indices_.valid_rows} * indices_.valid_columns;
  return span(reach) / Memory::page_bytes <= lanes && !machine.memory_event_capture &&
         !touches_reservation(machine, start(reach), bytes(reach)) &&
         machine.memory.has_writable_piece(start(reach), bytes(reach), machine.current_acr);
}

std::optional<Reach> LaneRows::readable(const Machine& machine) const {
  return reach_where([&](const Reach& reach) { return may_read(machine, reach); });
}

std::optional<Reach> LaneRows::writable(const Machine& machine) const {
  return reach_where([&](const Reach& reach) { return may_write(machine, reach); });
}

std::optional<Reach> LaneRows::swappable(const Machine& machine) const {
  return reach_where(
      [&](const Reach& reach) { return may_read(machine, reach) && may_write(machine, reach); });
}

}  // namespace pto::exec
