// MGATHER and MGATHER.MASK: one element per lane from memory at a byte displacement
// (PTO-MGATHER-BYTE-DISPLACEMENT-001, PTO-MGATHER-MASK-PREDICATE-001).
//
// A lane is a valid coordinate. Its address is the base plus the displacement, sign- or zero-extended by the
// index type and not scaled. Only enabled lanes have an address: a disabled one is padded and touches no
// memory. All enabled lanes are probed before anything is recorded or written; the whole physical result
// becomes defined.
#include "exec/tile/gather.h"

#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/lane_rows.h"
#include "numeric/value_class.h"

namespace pto::exec {

using state::Access;
using state::Fault;
using state::Machine;
using state::Tile;

namespace {

constexpr unsigned carrier_bits = 64;

// The lanes of one gather.
struct Gather {
  Word base = 0;
  const Tile* indices = nullptr;
  const Tile* mask = nullptr;  // null: every lane is enabled
  unsigned size = 0;           // bytes of one element
  Reading reading{};           // of the indices

  [[nodiscard]] bool enabled(std::uint32_t row, std::uint32_t column) const {
    return mask == nullptr || predicate_at(*mask, row, column);
  }
  [[nodiscard]] Word address(std::uint32_t row, std::uint32_t column) const {
    return base + displacement(*indices, row, column, reading);
  }
};

Gather gather_of(const Work& work) {
  const bool masked = work.bundle.operation()->does == isa::TileBehaviour::MemoryGatherMask;
  return {lane_base(work.bundle), &work.source(0), masked ? &work.source(1) : nullptr,
          numeric::memory_bytes(work.result().data_type), reading_of(work.bundle, work.source(0))};
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

// Gathers row by row where that is possible. False: nothing is decided, and the lanes must be taken one by
// one.
bool gather_rows(const Machine& machine, const Gather& gather, Tile& result) {
  // A row that is put together elsewhere has no padding where a mask leaves it out.
  if (gather.mask != nullptr && result.layout != state::TileLayout::RowMajor) return false;
  const LaneRows lanes(*gather.indices, gather.mask, gather.base, gather.size, gather.reading);
  const std::optional<kernels::Reach> reach = lanes.readable(machine);
  if (!reach) return false;
  const kernels::Piece<const std::uint8_t> memory = lanes.read(machine, *reach);
  CarrierWriter out(result);
  lanes.for_each({&result}, [&](std::uint32_t row, kernels::Displacements displacements,
                                kernels::LaneMask mask, std::size_t count) {
    out.row(row, 0, count, [&](std::uint8_t* made) {
      kernels::gather_lanes(gather.size, memory, displacements, mask, count, made);
    });
  });
  return true;
}

Check run_gather(Work& work) {
  const Machine& machine = work.bundle.machine();
  Tile& result = work.result();
  const Gather gather = gather_of(work);
  if (gather.mask != nullptr || !fully_valid(result))
    fill(result, 0, std::uint64_t{result.rows} * result.columns,
         numeric::pad_bits(work.bundle.pad_value(), result.data_type));
  define_everything(result);
  if (gather_rows(machine, gather, result)) return passed;
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
  return broken;
}

void commit_gather(Work& work, Machine& machine) {
  if (!machine.memory_event_capture) return;
  const Gather gather = gather_of(work);
  for_each_lane(gather, work.result(), [&](std::uint32_t row, std::uint32_t column) {
    const Word address = gather.address(row, column);
    record_load(machine, machine.current_memory_agent, address, gather.size,
                machine.memory.load(address, gather.size), work.bundle.memory_order());
    return true;
  });
}

// --- Legality ---

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

Word lane_base(const Bundle& bundle) {
  return bundle.pe_operand(bundle.machine().current_memory_agent, isa::TileOperand::address);
}

namespace {

Check need_integers(const Bundle& bundle, unsigned number) {
  const Tile& tile = bundle.source(number);
  if (Check broken = need_defined(bundle, tile, operand_name(bundle, number))) return broken;
  if (numeric::is_integer(tile.data_type)) return passed;
  return reject(rules::displacement_type, bundle.pc(), "{} holds {}", operand_name(bundle, number),
                name_of(tile.data_type));
}

}  // namespace

Check need_displacements(const Bundle& bundle, unsigned number) {
  if (Check broken = need_integers(bundle, number)) return broken;
  return need_lanes(bundle, number);
}

Check need_lanes_of(const Bundle& bundle, unsigned number, const Tile& lanes) {
  const Tile& tile = bundle.source(number);
  if (tile.valid_rows == lanes.valid_rows && tile.valid_columns == lanes.valid_columns) return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} has {}x{} valid elements: must have {}x{}",
                operand_name(bundle, number), tile.valid_rows, tile.valid_columns, lanes.valid_rows,
                lanes.valid_columns);
}

Check need_layout_of(const Bundle& bundle, unsigned number, const Tile& lanes) {
  const Tile& tile = bundle.source(number);
  if (tile.layout == lanes.layout) return passed;
  return reject(rules::tile_layout, bundle.pc(), "{} is {}: must be {}", operand_name(bundle, number),
                name_of(tile.layout), name_of(lanes.layout));
}

Check need_displacements_of(const Bundle& bundle, unsigned number, const Tile& lanes) {
  if (Check broken = need_integers(bundle, number)) return broken;
  return need_lanes_of(bundle, number, lanes);
}

Check need_mask_of(const Bundle& bundle, unsigned number, const Tile& lanes) {
  if (Check broken = need_predicate(bundle, bundle.source(number), operand_name(bundle, number)))
    return broken;
  if (Check broken = need_lanes_of(bundle, number, lanes)) return broken;
  return need_layout_of(bundle, number, lanes);
}

Check need_mask(const Bundle& bundle, unsigned number) {
  if (Check broken = need_predicate(bundle, bundle.source(number), operand_name(bundle, number)))
    return broken;
  if (Check broken = need_lanes(bundle, number)) return broken;
  return need_block_layout(bundle, number);
}

Word indexed_number(const Tile& tile, std::uint32_t row, std::uint32_t column, Reading reading) {
  const std::uint64_t index = state::storage_index(tile, row, column);
  if (reading == Reading::Elements) return number_at(tile, index);
  const std::uint64_t first = index * (carrier_bits / element_bits(tile.data_type));
  return tile.defined(first) ? number_at(tile, first) : 0;
}

Word displacement(const Tile& indices, std::uint32_t row, std::uint32_t column, Reading reading) {
  return numeric::widened(indices.data_type, indexed_number(indices, row, column, reading));
}

namespace {

Check gather_header(const Bundle& bundle) { return need_displacements(bundle, 0); }

Check gather_mask_header(const Bundle& bundle) {
  if (Check broken = need_displacements(bundle, 0)) return broken;
  if (Check broken = need_block_layout(bundle, 0)) return broken;
  return need_mask(bundle, 1);
}

Check gather_operands(const Work& work) {
  const Tile& result = work.result();
  if (Check broken = need_descriptor(work.bundle, result, destination_name)) return broken;
  if (Check broken = need_type(work.bundle, numeric::type_sets::byte_addressed, result.data_type))
    return broken;
  return need_displacements_of(work.bundle, 0, result);
}

Check gather_mask_operands(const Work& work) {
  if (Check broken = gather_operands(work)) return broken;
  if (Check broken = need_layout_of(work.bundle, 0, work.result())) return broken;
  return need_mask_of(work.bundle, 1, work.result());
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
                                                .operands = gather_mask_operands,
                                                .run = run_gather,
                                                .commit = commit_gather};

}  // namespace pto::exec
