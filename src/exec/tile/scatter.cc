// MSCATTER, MSCATTER.MASK and MGATHER.CAS: one element per lane to memory at a byte displacement
// (PTO-MSCATTER-BYTE-DISPLACEMENT-001, PTO-MSCATTER-MASK-PREDICATE-001, PTO-MGATHER-CAS-ATOMIC-001).
//
// Lanes are addressed as gathers address them. All are probed before the first is stored; ptosim stores them
// in row-major order, which is one of the orders the architecture allows for lanes that share an address.
#include <unordered_map>

#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/gather.h"
#include "exec/tile/regions.h"

namespace pto::exec {

using isa::TileBehaviour;
using state::Access;
using state::Fault;
using state::Machine;
using state::Tile;

namespace {

// The lanes of the block: which tile has their displacements, which their mask, how large an element is.
struct Lanes {
  Word base = 0;
  const Tile* indices = nullptr;
  const Tile* mask = nullptr;
  ElementType type{};

  [[nodiscard]] unsigned size() const { return numeric::memory_bytes(type); }
};

Lanes lanes_of(const Work& work) {
  const TileBehaviour does = work.bundle.operation()->does;
  const bool swaps = does == TileBehaviour::MemoryCompareSwap;
  return {lane_base(work.bundle), &work.source(swaps ? 0 : 1),
          does == TileBehaviour::MemoryScatterMask ? &work.source(2) : nullptr,
          swaps ? work.result().data_type : work.source(0).data_type};
}

// Calls visit(row, column, address) for the enabled lanes in row-major order, until it returns false.
template <class Visit>
void for_each_lane(const Lanes& lanes, Visit visit) {
  for (std::uint32_t row = 0; row < lanes.indices->valid_rows; ++row) {
    for (std::uint32_t column = 0; column < lanes.indices->valid_columns; ++column) {
      if (lanes.mask != nullptr && !predicate_at(*lanes.mask, row, column)) continue;
      if (!visit(row, column, lanes.base + displacement(*lanes.indices, row, column))) return;
    }
  }
}

Check probe_lanes(const Work& work, std::initializer_list<Access> accesses) {
  const Machine& machine = work.bundle.machine();
  const Lanes lanes = lanes_of(work);
  Check broken;
  for_each_lane(lanes, [&](std::uint32_t, std::uint32_t, Word address) {
    for (const Access access : accesses) {
      const Fault fault = probe_access(machine, address, lanes.size(), lanes.size(), access);
      if (fault == Fault::None) continue;
      broken = reject_access(machine, fault, address, lanes.size(), access);
      return false;
    }
    return true;
  });
  return broken;
}

// --- Scatters ---

Check scatter_operands(const Work& work) {
  const Tile& source = work.source(0);
  if (Check broken = need_defined(work.bundle, source, operand_name(work.bundle, 0))) return broken;
  if (Check broken = need_type(work.bundle, numeric::type_sets::byte_addressed, source.data_type))
    return broken;
  if (Check broken = need_displacements_of(work.bundle, 1, source)) return broken;
  return need_layout_of(work.bundle, 1, source);
}

Check scatter_mask_operands(const Work& work) {
  if (Check broken = scatter_operands(work)) return broken;
  return need_mask_of(work.bundle, 2, work.source(0));
}

Check run_scatter(Work& work) { return probe_lanes(work, {Access::Write}); }

void commit_scatter(const Work& work, Machine& machine) {
  const Lanes lanes = lanes_of(work);
  const Tile& source = work.source(0);
  for_each_lane(lanes, [&](std::uint32_t row, std::uint32_t column, Word address) {
    const Word value = indexed_number(source, row, column);
    store_value(machine, address, lanes.size(), value);
    record_store(machine, machine.current_memory_agent, address, lanes.size(), value,
                 work.bundle.memory_order());
    return true;
  });
}

Check scatter_header(const Bundle& bundle) {
  const Tile& source = bundle.source(0);
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_defined(bundle, source, name)) return broken;
  if (source.data_type != bundle.operation_type())
    return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(source.data_type));
  if (source.valid_rows != bundle.valid_rows() || source.valid_columns != bundle.valid_columns() ||
      source.columns != bundle.columns())
    return reject(rules::tile_shape, bundle.pc(),
                  "{} is {} valid rows by {} of {} columns, the block says {} by {} of {}", name,
                  source.valid_rows, source.valid_columns, source.columns, bundle.valid_rows(),
                  bundle.valid_columns(), bundle.columns());
  if (Check broken = need_displacements(bundle, 1)) return broken;
  for (const unsigned number : {0u, 1u}) {
    if (bundle.source(number).layout != bundle.layout())
      return reject(rules::tile_layout, bundle.pc(), "{} is {}, the block says {}",
                    operand_name(bundle, number), name_of(bundle.source(number).layout),
                    name_of(bundle.layout()));
  }
  for (unsigned number = 0; number < bundle.tile_bindings(); ++number) {
    if (bundle.binding(number).destination_size != 0)
      return reject(rules::size_code, bundle.pc(), "B.IOT {} has a size and no destination", number);
  }
  return passed;
}

Check scatter_mask_header(const Bundle& bundle) {
  if (Check broken = scatter_header(bundle)) return broken;
  return need_mask(bundle, 2);
}

// --- Compare and swap ---

Check compare_swap_header(const Bundle& bundle) {
  if (bundle.binding(0).destination_size != 0)
    return reject(rules::size_code, bundle.pc(), "the first B.IOT has a size and no destination");
  if (Check broken = need_displacements(bundle, 0)) return broken;
  for (const unsigned number : {1u, 2u}) {
    const Tile& tile = bundle.source(number);
    const OperandName name = operand_name(bundle, number);
    if (Check broken = need_defined(bundle, tile, name)) return broken;
    if (tile.data_type != bundle.operation_type())
      return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(tile.data_type));
    if (tile.valid_rows != bundle.valid_rows() || tile.valid_columns != bundle.valid_columns())
      return reject(rules::tile_shape, bundle.pc(), "{} has {}x{} valid elements, the block says {}x{}", name,
                    tile.valid_rows, tile.valid_columns, bundle.valid_rows(), bundle.valid_columns());
  }
  return passed;
}

Check compare_swap_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_type(bundle, numeric::type_sets::byte_addressed, result.data_type)) return broken;
  if (Check broken = need_displacements_of(bundle, 0, result)) return broken;
  for (const unsigned number : {1u, 2u}) {
    const Tile& tile = work.source(number);
    const OperandName name = operand_name(bundle, number);
    if (Check broken = need_defined(bundle, tile, name)) return broken;
    if (Check broken = need_lanes_of(bundle, number, result)) return broken;
    if (tile.data_type != result.data_type)
      return reject(rules::tile_type, bundle.pc(), "{} holds {}: must hold {}", name, name_of(tile.data_type),
                    name_of(result.data_type));
  }
  return passed;
}

// What a lane will find in memory depends on the lanes before it, so the observed values are those of a dry
// run over the bytes the lanes touch; `commit` then performs the same steps.
Check run_compare_swap(Work& work) {
  if (Check broken = probe_lanes(work, {Access::Read, Access::Write})) return broken;
  const Lanes lanes = lanes_of(work);
  Tile& result = work.result();
  fill(result, 0, std::uint64_t{result.rows} * result.columns,
       numeric::pad_bits(work.bundle.pad_value(), result.data_type));
  std::unordered_map<Word, Word> swapped;
  for_each_lane(lanes, [&](std::uint32_t row, std::uint32_t column, Word address) {
    const auto earlier = swapped.find(address);
    const Word old =
        earlier != swapped.end() ? earlier->second : work.bundle.machine().memory.load(address, lanes.size());
    fill(result, state::storage_index(result, row, column), 1, old);
    const Word mask = mask_of(lanes.size() * 8);
    if ((indexed_number(work.source(1), row, column) & mask) == old)
      swapped[address] = indexed_number(work.source(2), row, column) & mask;
    return true;
  });
  define_everything(result);
  return passed;
}

void commit_compare_swap(const Work& work, Machine& machine) {
  const Lanes lanes = lanes_of(work);
  for_each_lane(lanes, [&](std::uint32_t row, std::uint32_t column, Word address) {
    const Word old = machine.memory.load(address, lanes.size());
    const Word mask = mask_of(lanes.size() * 8);
    const Word replacement = indexed_number(work.source(2), row, column) & mask;
    const bool equal = (indexed_number(work.source(1), row, column) & mask) == old;
    if (equal) store_value(machine, address, lanes.size(), replacement);
    record_atomic(machine, address, lanes.size(), old, replacement, work.bundle.memory_order(), equal);
    return true;
  });
}

}  // namespace

constinit const Behaviour scatter_behaviour{.path = &indexed_path,
                                            .header = {.bindings = {BindingShape{2, false, true}},
                                                       .binding_count = 1,
                                                       .dimensions = DimensionRule::Indexed,
                                                       .types = &numeric::type_sets::byte_addressed,
                                                       .extra = scatter_header},
                                            .operands = scatter_operands,
                                            .run = run_scatter,
                                            .commit = commit_scatter};

constinit const Behaviour scatter_mask_behaviour{
    .path = &indexed_path,
    .header = {.bindings = {BindingShape{2, false, false}, BindingShape{1, false, true}},
               .binding_count = 2,
               .dimensions = DimensionRule::Indexed,
               .types = &numeric::type_sets::byte_addressed,
               .extra = scatter_mask_header},
    .operands = scatter_mask_operands,
    .run = run_scatter,
    .commit = commit_scatter};

constinit const Behaviour compare_swap_behaviour{
    .path = &indexed_path,
    .header = {.bindings = {BindingShape{2, false, false}, BindingShape{1, true, true}},
               .binding_count = 2,
               .dimensions = DimensionRule::Indexed,
               .types = &numeric::type_sets::byte_addressed,
               .extra = compare_swap_header},
    .plan = planners::of_operation_type,
    .operands = compare_swap_operands,
    .run = run_compare_swap,
    .commit = commit_compare_swap};

}  // namespace pto::exec
