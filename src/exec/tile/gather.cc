// MGATHER and MGATHER.MASK: one element per lane from memory at a byte displacement
// (PTO-MGATHER-BYTE-DISPLACEMENT-001, PTO-MGATHER-MASK-PREDICATE-001).
//
// A lane is a valid coordinate. Its address is the base plus the displacement, sign- or zero-extended by the
// index type and not scaled. Only enabled lanes have an address: a disabled one is padded and touches no
// memory. All enabled lanes are probed before anything is recorded or written; the whole physical result
// becomes defined.
#include "exec/tile/gather.h"

#include <cstring>

#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/regions.h"
#include "numeric/value_class.h"

namespace pto::exec {

using state::Access;
using state::Fault;
using state::Machine;
using state::Tile;

namespace {

constexpr unsigned packed_index_spacing = 16;

// The lanes of one gather.
struct Gather {
  Word base = 0;
  const Tile* indices = nullptr;
  const Tile* mask = nullptr;  // null: every lane is enabled
  unsigned size = 0;           // bytes of one element

  [[nodiscard]] bool enabled(std::uint32_t row, std::uint32_t column) const {
    return mask == nullptr || predicate_at(*mask, row, column);
  }
  [[nodiscard]] Word address(std::uint32_t row, std::uint32_t column) const {
    return base + displacement(*indices, row, column);
  }
};

Gather gather_of(const Work& work) {
  const bool masked = work.bundle.operation()->does == isa::TileBehaviour::MemoryGatherMask;
  return {work.bundle.pe_scalar(work.bundle.machine().current_memory_agent, 0), &work.source(0),
          masked ? &work.source(1) : nullptr, numeric::memory_bytes(work.result().data_type)};
}

// Calls visit(row, column) for every enabled lane, in row-major order, until it returns false.
template <class Visit>
void for_each_lane(const Gather& gather, const Tile& result, Visit visit) {
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < result.valid_columns; ++column) {
      if (gather.enabled(row, column) && !visit(row, column)) return;
    }
  }
}

Check run_gather(Work& work) {
  const Machine& machine = work.bundle.machine();
  Tile& result = work.result();
  const Gather gather = gather_of(work);
  const Word padding = numeric::pad_bits(work.bundle.pad_value(), result.data_type);
  fill(result, 0, std::uint64_t{result.rows} * result.columns, padding);
  Check broken;
  for_each_lane(gather, result, [&](std::uint32_t row, std::uint32_t column) {
    const Word address = gather.address(row, column);
    const Fault fault = probe_access(machine, address, gather.size, gather.size, Access::Read);
    if (fault != Fault::None) {
      broken = reject_access(machine, fault, address, gather.size, Access::Read);
      return false;
    }
    fill(result, state::storage_index(result, row, column), 1, machine.memory.load(address, gather.size));
    return true;
  });
  if (broken) return broken;
  define_everything(result);
  return passed;
}

void commit_gather(const Work& work, Machine& machine) {
  if (!machine.memory_event_capture) return;
  const Gather gather = gather_of(work);
  for_each_lane(gather, work.result(), [&](std::uint32_t row, std::uint32_t column) {
    const Word address = gather.address(row, column);
    record_load(machine, machine.current_memory_agent, address, gather.size,
                machine.memory.load(address, gather.size), work.bundle.memory_order());
    return true;
  });
}

// --- Legality
// ------------------------------------------------------------------------------------------------

Check need_lanes(const Bundle& bundle, unsigned number) {
  const Tile& tile = bundle.source(number);
  if (tile.valid_rows == bundle.valid_rows() && tile.valid_columns == bundle.valid_columns()) return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} has {}x{} valid elements, the block says {}x{}",
                operand_name(bundle, number), tile.valid_rows, tile.valid_columns, bundle.valid_rows(),
                bundle.valid_columns());
}

Check need_block_layout(const Bundle& bundle, unsigned number) {
  const Tile& tile = bundle.source(number);
  if (tile.layout == bundle.layout()) return passed;
  return reject(rules::tile_layout, bundle.pc(), "{} is {}, the block says {}", operand_name(bundle, number),
                name_of(tile.layout), name_of(bundle.layout()));
}

}  // namespace

Check need_displacements(const Bundle& bundle, unsigned number) {
  const Tile& tile = bundle.source(number);
  if (Check broken = need_defined(bundle, tile, operand_name(bundle, number))) return broken;
  if (numeric::is_integer(tile.data_type)) return need_lanes(bundle, number);
  return reject(rules::displacement_type, bundle.pc(), "{} holds {}", operand_name(bundle, number),
                name_of(tile.data_type));
}

Check need_mask(const Bundle& bundle, unsigned number) {
  if (Check broken = need_predicate(bundle, bundle.source(number), operand_name(bundle, number)))
    return broken;
  if (Check broken = need_lanes(bundle, number)) return broken;
  return need_block_layout(bundle, number);
}

Word displacement(const Tile& indices, std::uint32_t row, std::uint32_t column) {
  const std::uint64_t index = state::storage_index(indices, row, column);
  // Packed four-bit displacements are taken from the first nibble of the index-th 64-bit carrier.
  const bool packed = numeric::is_four_bit(indices.data_type);
  return numeric::widened(indices.data_type,
                          number_at(indices, packed ? index * packed_index_spacing : index));
}

namespace {

Check gather_header(const Bundle& bundle) { return need_displacements(bundle, 0); }

Check gather_mask_header(const Bundle& bundle) {
  if (Check broken = need_displacements(bundle, 0)) return broken;
  if (Check broken = need_block_layout(bundle, 0)) return broken;
  return need_mask(bundle, 1);
}

Check gather_operands(const Work& work) {
  return need_descriptor(work.bundle, work.result(), "the destination");
}

constexpr BundleCheck indexed_checks[] = {
    checks::shared_absent, checks::scalar_required, checks::bindings_complete,
    checks::scalar_values, checks::masks_equal,     checks::datr_fields,
    checks::header};

}  // namespace

constinit const Path indexed_path{.checks = indexed_checks, .fault = Fault::TileLegality};

constinit const Behaviour gather_behaviour{.path = &indexed_path,
                                           .header = {.bindings = {BindingShape{1, true, true}},
                                                      .binding_count = 1,
                                                      .dimensions = DimensionRule::Indexed,
                                                      .types = &numeric::type_sets::byte_addressed,
                                                      .extra = gather_header},
                                           .plan = planners::of_operation_type,
                                           .operands = gather_operands,
                                           .run = run_gather,
                                           .commit = commit_gather};

constinit const Behaviour gather_mask_behaviour{.path = &indexed_path,
                                                .header = {.bindings = {BindingShape{2, true, true}},
                                                           .binding_count = 1,
                                                           .dimensions = DimensionRule::Indexed,
                                                           .types = &numeric::type_sets::byte_addressed,
                                                           .extra = gather_mask_header},
                                                .plan = planners::of_operation_type,
                                                .operands = gather_operands,
                                                .run = run_gather,
                                                .commit = commit_gather};

}  // namespace pto::exec
