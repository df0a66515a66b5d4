// Whole tiles moved: TMOV within a PE, GMOV from a peer's register of the same name (PTO-TMOV-CONTRACT-001,
// PTO-GMOV-CORE4-PEER-001); and TPREFETCH, which only touches memory (PTO-TPREFETCH-FOOTPRINT-001).
#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/regions.h"

namespace pto::exec {

using state::Fault;
using state::Machine;
using state::Tile;

namespace {

// Payload and definedness alike; the storage is shared until somebody writes it.
Check run_move(Work& work) {
  const Tile& source = work.source(0);
  Tile& result = work.result();
  result.storage = source.storage;
  result.defined_valid_elements = source.defined_valid_elements;
  result.contents_defined = source.contents_defined;
  return passed;
}

Check move_operands(const Work& work) {
  return need_same_shape_and_type(work.bundle, work.result(), destination_name, work.source(0),
                                  operand_name(work.bundle, 0));
}

// --- GMOV ---

constexpr std::uint8_t all_pes = 0xf;

Check peer_header(const Bundle& bundle) {
  const Tile& source = bundle.source(0);
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_defined(bundle, source, name)) return broken;
  if (source.allocation_mask != all_pes)
    return reject(rules::tile_participants, bundle.pc(), "{} is held by PEs {:04b}: must be held by all four",
                  name, source.allocation_mask);
  const std::uint32_t bytes = state::size_code_bytes(bundle.binding(0).destination_size);
  if (bytes != source.capacity_bytes)
    return reject(rules::size_sufficient, bundle.pc(), "the destination has {} bytes, {} has {}", bytes, name,
                  source.capacity_bytes);
  if (source.data_type != bundle.operation_type())
    return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(source.data_type));
  if (source.layout != bundle.layout())
    return reject(rules::tile_layout, bundle.pc(), "{} is {}, the block says {}", name,
                  name_of(source.layout), name_of(bundle.layout()));
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    const Word peer = bundle.scalars().valid ? bundle.pe_scalar(pe, 0) : 0;
    if (peer >= state::pe_count)
      return reject(rules::scalar_value, bundle.pc(), "PE{} names peer {}", pe, peer);
  }
  return passed;
}

Check need_movable_location(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (tile.location != state::TileLocation::Memory && tile.location != state::TileLocation::Matrix)
    return passed;
  return reject(rules::tile_location, bundle.pc(), "{} is at {}", name, name_of(tile.location));
}

Check peer_operands(const Work& work) {
  if (Check broken = need_same_shape(work.bundle, work.result(), destination_name, work.source(0),
                                     operand_name(work.bundle, 0)))
    return broken;
  if (work.result().data_type != work.source(0).data_type)
    return reject(rules::tile_type, work.bundle.pc(), "the result holds {}",
                  name_of(work.result().data_type));
  if (Check broken =
          need_type(work.bundle, numeric::type_sets::carriers_and_four_bit, work.source(0).data_type))
    return broken;
  if (Check broken = need_movable_location(work.bundle, work.source(0), operand_name(work.bundle, 0)))
    return broken;
  if (Check broken = need_movable_location(work.bundle, work.result(), destination_name)) return broken;
  const CallOperands* call = work.bundle.call();
  if (call == nullptr || call->scalar0 < state::pe_count) return passed;
  return reject(rules::scalar_value, work.bundle.pc(), "the peer is {}", call->scalar0);
}

constexpr BundleCheck peer_checks[] = {checks::shared_absent, checks::bindings_complete,
                                       checks::scalar_values, checks::masks_equal,
                                       checks::datr_fields,   checks::header};
constexpr Path peer_path{.checks = peer_checks, .fault = Fault::TileLegality};

// --- TPREFETCH ---

// Elements one block may touch per PE.
constexpr Word prefetch_limit = 32768;

struct Footprint {
  Word rows;
  Word valid_columns;
  Word columns;
  ElementType type;
};

Footprint footprint_of(const Bundle& bundle) {
  if (const CallOperands* call = bundle.call())
    return {call->positive1, call->positive0, call->positive2,
            bundle.operation_type().value_or(ElementType::U64)};
  const Word valid_columns = dimension_legal(bundle.dimension(0)) ? bundle.dimension(0) : 1;
  return {dimension_legal(bundle.dimension(1)) ? bundle.dimension(1) : 1, valid_columns,
          dimension_legal(bundle.dimension(2)) ? bundle.dimension(2) : valid_columns,
          bundle.operation_type().value_or(ElementType::U64)};
}

Check need_footprint(const Bundle& bundle) {
  const Footprint area = footprint_of(bundle);
  if (area.valid_columns <= area.columns && (area.columns & (area.columns - 1)) == 0 &&
      area.rows * area.valid_columns <= prefetch_limit)
    return passed;
  return reject(rules::dimension_value, bundle.pc(), "{} rows of {} of {} columns", area.rows,
                area.valid_columns, area.columns);
}

Check prefetch_header(const Bundle& bundle) {
  if (bundle.tile_bindings() != 0)
    return reject(rules::binding_pattern, bundle.pc(), "TPREFETCH takes no B.IOT");
  for (unsigned number = 0; number < state::dimension_count; ++number) {
    if (bundle.dimension_present(number) && !dimension_legal(bundle.dimension(number)))
      return reject(rules::dimension_range, bundle.pc(), "LB{} is {}", number, bundle.dimension(number));
  }
  return need_footprint(bundle);
}

// A prefetch has no tile operands; what it is judged by comes from the header or the call.
Check prefetch_operands(const Work& work) {
  if (!work.bundle.operation_type())
    return reject(rules::operation_type, work.bundle.pc(), "the block names no type");
  return need_footprint(work.bundle);
}

Word prefetch_address(const Bundle& bundle, const Footprint& area, unsigned pe, Word row, Word column) {
  const Word base = bundle.pe_operand(pe, isa::TileOperand::address);
  const Word stride = bundle.pe_operand(pe, isa::TileOperand::scalar0, area.columns);
  const Word index = row * stride + column;
  return base + (numeric::is_four_bit(area.type) ? index >> 1 : index * numeric::memory_bytes(area.type));
}

// Calls visit(pe, address) for every element of every PE, until it returns false.
template <class Visit>
void for_each_prefetched(const Bundle& bundle, Visit visit) {
  const Footprint area = footprint_of(bundle);
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    for (Word row = 0; row < area.rows; ++row) {
      for (Word column = 0; column < area.valid_columns; ++column) {
        if (!visit(pe, prefetch_address(bundle, area, pe, row, column))) return;
      }
    }
  }
}

Check run_prefetch(Work& work) {
  const Machine& machine = work.bundle.machine();
  const unsigned size = numeric::memory_bytes(footprint_of(work.bundle).type);
  Check broken;
  for_each_prefetched(work.bundle, [&](unsigned, Word address) {
    const Fault fault = probe_access(machine, address, size, size, state::Access::Read);
    if (fault != Fault::None) broken = reject_access(machine, fault, address, size, state::Access::Read);
    return fault == Fault::None;
  });
  return broken;
}

void commit_prefetch(Work& work, Machine& machine) {
  if (!machine.memory_event_capture) return;
  const unsigned size = numeric::memory_bytes(footprint_of(work.bundle).type);
  for_each_prefetched(work.bundle, [&](unsigned pe, Word address) {
    record_load(machine, pe, address, size, machine.memory.load(address, size), work.bundle.memory_order());
    return true;
  });
}

constexpr BundleCheck prefetch_checks[] = {checks::header, checks::shared_absent, checks::bindings_complete,
                                           checks::scalar_values, checks::datr_fields};
constexpr Path prefetch_path{.checks = prefetch_checks, .fault = Fault::TileLegality};

}  // namespace

constinit const Behaviour move_behaviour{
    .path = &common_path, .plan = planners::from_sources, .operands = move_operands, .run = run_move};

constinit const Behaviour peer_move_behaviour{.path = &peer_path,
                                              .header = {.bindings = {BindingShape{1, true, true}},
                                                         .binding_count = 1,
                                                         .dimensions = DimensionRule::Absent,
                                                         .types = &numeric::type_sets::carriers_and_four_bit,
                                                         .extra = peer_header},
                                              .plan = planners::from_sources,
                                              .operands = peer_operands,
                                              .run = run_move};

constinit const Behaviour prefetch_behaviour{
    .path = &prefetch_path,
    .header = {.types = &numeric::type_sets::carriers_and_four_bit, .extra = prefetch_header},
    .operands = prefetch_operands,
    .run = run_prefetch,
    .commit = commit_prefetch};

}  // namespace pto::exec
