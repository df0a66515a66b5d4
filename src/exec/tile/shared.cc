// TLOAD, TSTORE and TMOV of Shared tiles, as release 0.58.3 has them (PTO-REQ-SHARED-TILE-001,
// PTO-ARCH-GM-ACCESS-001).
//
// A Shared tile's storage is four equal quarters, quarter p belonging to PE p. A block moves the quarters of
// the PEs it names, each through that PE's own base and stride. Quarters become initialized one block at a
// time; the tile is published once all of them are. Reading what nobody wrote gives a value made from the
// register number and the element's place, and no fault.
#include <bit>

#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "exec/tile/shared_moves.h"
#include "exec/tile/transfer.h"

namespace pto::exec {

using namespace shared_moves;  // NOLINT: the two are one topic
using state::Access;
using state::Fault;
using state::Machine;
using state::SharedTile;
using state::Tile;

namespace {

// The quarter, and so the PE, an element belongs to.
unsigned quarter_of(const Tile& tile, std::uint64_t element) {
  if (tile.capacity_bytes == 0) return 0;
  return static_cast<unsigned>(element * element_bits(tile.data_type) / 8 * 4 / tile.capacity_bytes) & 3u;
}
bool selects(std::uint8_t mask, unsigned pe) { return (mask & state::pe_bit(pe)) != 0; }

// An element as any reader sees it.
Word read_shared(const SharedTile& shared, unsigned id, std::uint64_t element) {
  if (!shared.descriptor_valid || !selects(shared.initialized_mask, quarter_of(shared.tile, element)))
    return id ^ element;
  return number_at(shared.tile, element);
}

// Whether the named quarters of the register may take contents of this descriptor.
Check need_update_compatible(const Bundle& bundle, const Tile& tile) {
  const Machine& machine = bundle.machine();
  if (Check broken = need_shared_shape(bundle, tile)) return broken;
  if (shared_of(bundle).descriptor_valid) return need_same_register(bundle, tile);
  const Word more =
      Word{tile.capacity_bytes} * static_cast<unsigned>(std::popcount(binding_of(bundle).pe_mask));
  if (core_bytes_in_use(machine) + more <= machine.system_registers.tile_capacity) return passed;
  return reject(rules::shared_descriptor, bundle.pc(), "{} bytes do not fit the tile capacity", more);
}

// Writes the named quarters; `publish` also makes a complete tile visible to consumers.
void update_shared(const Bundle& bundle, Machine& machine, Tile tile, bool publish) {
  const std::uint8_t mask = binding_of(bundle).pe_mask;
  SharedTile& shared = machine.shared_tiles.at(binding_of(bundle).shared_id);
  const auto complete = [](Tile& contents) {
    contents.contents_defined = true;
    contents.defined_valid_elements = contents.valid_rows * contents.valid_columns;
  };
  if (!shared.descriptor_valid) {
    shared.descriptor_valid = true;
    shared.allocation_mask = shared.initialized_mask = mask;
    shared.published = publish;
    static_cast<Tile&>(shared.tile) = std::move(tile);
    return complete(shared.tile);
  }
  for (std::uint64_t element = 0; element < std::uint64_t{tile.rows} * tile.columns; ++element) {
    if (selects(mask, quarter_of(tile, element)) && tile.defined(element))
      shared.tile.set_element(element, number_at(tile, element));
  }
  shared.initialized_mask |= mask;
  shared.tile.contents_defined = shared.initialized_mask == shared.allocation_mask;
  if (shared.tile.contents_defined) complete(shared.tile);
  shared.published = shared.published || (publish && shared.tile.contents_defined);
}

// Bases and strides, each PE's from its own registers.
StridedRows rows_of(const Bundle& bundle, unsigned pe, Word columns, ElementType type) {
  if (!bundle.scalars().valid) return {0, dense_stride(columns, type), type};
  return {bundle.pe_scalar(pe, 0), bundle.pe_scalar(pe, 1), type};
}

// Calls visit(pe, row, column, element, address) for the valid elements of the named quarters, row by row,
// until it returns false.
template <class Visit>
void for_each_selected(const Bundle& bundle, const Tile& tile, Visit visit) {
  std::array<StridedRows, state::pe_count> rows;
  for (unsigned pe = 0; pe < state::pe_count; ++pe)
    rows[pe] = rows_of(bundle, pe, tile.columns, tile.data_type);
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
      const std::uint64_t element = state::storage_index(tile, row, column);
      const unsigned pe = quarter_of(tile, element);
      if (!selects(binding_of(bundle).pe_mask, pe)) continue;
      if (!visit(pe, row, column, element, rows[pe].address(row, column))) return;
    }
  }
}

Check probe_selected(const Bundle& bundle, const Tile& tile, Access access) {
  const unsigned size = numeric::memory_bytes(tile.data_type);
  Check broken;
  for_each_selected(bundle, tile, [&](unsigned, std::uint32_t, std::uint32_t, std::uint64_t, Word address) {
    const Fault fault = probe_access(bundle.machine(), address, size, size, access);
    if (fault != Fault::None) broken = reject_access(bundle.machine(), fault, address, size, access);
    return fault == Fault::None;
  });
  return broken;
}

// --- TLOAD ---

Check run_shared_load(Work& work) {
  const Bundle& bundle = work.bundle;
  const Machine& machine = bundle.machine();
  Tile tile;
  if (Check broken = describe_load(bundle, tile)) return broken;
  if (Check broken = need_update_compatible(bundle, tile)) return broken;
  if (Check broken = probe_selected(bundle, tile, Access::Read)) return broken;
  tile.fresh_storage();
  const unsigned size = numeric::memory_bytes(tile.data_type);
  for_each_selected(
      bundle, tile, [&](unsigned, std::uint32_t, std::uint32_t column, std::uint64_t element, Word address) {
        const Word raw = machine.memory.load(address, size);
        tile.set_element(element, numeric::is_four_bit(tile.data_type) && column % 2 != 0 ? raw >> 4 : raw);
        return true;
      });
  work.scratch = std::move(tile);
  return passed;
}

void commit_shared_load(Work& work, Machine& machine) {
  const unsigned size = numeric::memory_bytes(work.scratch.data_type);
  if (machine.memory_event_capture) {
    for_each_selected(work.bundle, work.scratch,
                      [&](unsigned pe, std::uint32_t, std::uint32_t, std::uint64_t, Word address) {
                        record_load(machine, pe, address, size, machine.memory.load(address, size),
                                    work.bundle.memory_order());
                        return true;
                      });
  }
  update_shared(work.bundle, machine, work.scratch, true);
  consume(machine);
}

// --- TSTORE ---

Check store_header(const Bundle& bundle) {
  const std::uint8_t mask = binding_of(bundle).pe_mask;
  if (bundle.function() == 1 && mask != all_pes)
    return reject(rules::shared_participants, bundle.pc(), "the block names PEs {:04b}: must name all four",
                  mask);
  if (binding_of(bundle).size_code != 0) return reject(rules::size_code, bundle.pc(), "a source has no size");
  if (bundle.tile_bindings() != 0)
    return reject(rules::binding_pattern, bundle.pc(), "B.IOT with a Shared TSTORE");
  const ResultShape shape = store_shape(bundle);
  if (shape.valid_columns < 1 || shape.valid_rows < 1 || shape.columns < 1 ||
      shape.valid_columns > shape.columns)
    return reject(rules::dimension_value, bundle.pc(), "{} valid rows by {} of {} columns", shape.valid_rows,
                  shape.valid_columns, shape.columns);
  return need_readable(bundle, shape, transfer_type(bundle), store_capacity(bundle, shape));
}

Check run_shared_store(Work& work) {
  const Bundle& bundle = work.bundle;
  const ResultShape shape = store_shape(bundle);
  work.scratch = describe(store_capacity(bundle, shape), shape, transfer_type(bundle), bundle.layout());
  return probe_selected(bundle, work.scratch, Access::Write);
}

void commit_shared_store(Work& work, Machine& machine) {
  const Bundle& bundle = work.bundle;
  const unsigned size = numeric::memory_bytes(work.scratch.data_type);
  const bool nibbles = numeric::is_four_bit(work.scratch.data_type);
  const SharedTile& shared = shared_of(bundle);
  const unsigned id = binding_of(bundle).shared_id;
  for_each_selected(
      bundle, work.scratch,
      [&](unsigned pe, std::uint32_t, std::uint32_t column, std::uint64_t element, Word address) {
        Word value = read_shared(shared, id, element) & mask_of(8 * size);
        if (nibbles) value = with_nibble(machine.memory.load(address, 1), column, value);
        store_value(machine, address, size, value);
        record_store(machine, pe, address, size, value, bundle.memory_order());
        return true;
      });
  consume(machine);
}

// --- TMOV into a Shared tile ---

bool publishes(const Bundle& bundle) { return bundle.function() == 10; }

Check from_local_header(const Bundle& bundle) {
  if (Check broken = need_from_local_header(bundle)) return broken;
  Tile candidate = bundle.source(0);
  candidate.location = state::TileLocation::Any;
  return need_update_compatible(bundle, candidate);
}

Check run_from_local(Work& work) {
  const Bundle& bundle = work.bundle;
  work.scratch = work.source(0);
  work.scratch.location = state::TileLocation::Any;
  const SharedTile& shared = shared_of(bundle);
  const std::uint8_t mask = binding_of(bundle).pe_mask;
  if (publishes(bundle) && shared.descriptor_valid &&
      (shared.initialized_mask | mask) != shared.allocation_mask)
    return reject(rules::shared_participants, bundle.pc(), "s{} would stay incomplete",
                  binding_of(bundle).shared_id);
  return passed;
}

void commit_from_local(Work& work, Machine& machine) {
  Tile tile = work.scratch;
  tile.allocation_mask = 0;  // a Shared tile keeps its participants beside its contents
  update_shared(work.bundle, machine, std::move(tile), publishes(work.bundle));
  consume(machine);
}

// --- TMOV out of a Shared tile ---

Check to_local_header(const Bundle& bundle) {
  if (Check broken = need_to_local_binding(bundle)) return broken;
  if (Check broken = need_to_local_shape(bundle)) return broken;
  const SharedTile& shared = shared_of(bundle);
  if (bundle.function() != 11) return passed;
  const bool published = shared.descriptor_valid && shared.initialized_mask == shared.allocation_mask &&
                         shared.tile.contents_defined && shared.published;
  if (binding_of(bundle).pe_mask == all_pes && shared.allocation_mask == all_pes && published) return passed;
  return reject(rules::shared_participants, bundle.pc(), "s{} is not a published tile of all four PEs",
                binding_of(bundle).shared_id);
}

Check plan_to_local(const Bundle& bundle, Plan& plan) {
  const std::optional<ElementType> type = result_type(bundle);
  return plan_results(bundle, local_shape(bundle), type.value_or(ElementType::FP64), plan);
}

Check run_to_local(Work& work) {
  const Bundle& bundle = work.bundle;
  Tile& result = work.result();
  if (result.data_type != transfer_type(bundle))
    return reject(rules::tile_type, bundle.pc(), "the result holds {}", name_of(result.data_type));
  const std::uint8_t mask = binding_of(bundle).pe_mask;
  const SharedTile& shared = shared_of(bundle);
  for (std::uint64_t element = 0; element < std::uint64_t{result.rows} * result.columns; ++element) {
    if (selects(mask, quarter_of(result, element)))
      result.set_element(element, read_shared(shared, binding_of(bundle).shared_id, element));
  }
  if (mask == all_pes) define_valid_region(result);
  return passed;
}

void commit_to_local(Work&, Machine& machine) { consume(machine); }

// --- Rows ---

Check shared_header(const Bundle& bundle) { return check_header(bundle, shared_behaviour(bundle)->header); }

constexpr BundleCheck shared_checks[] = {checks::scalar_surplus, checks::datr_fields, shared_header};
constexpr Path shared_path{.checks = shared_checks, .fault = {}};

constexpr Behaviour shared_load{.path = &shared_path,
                                .header = {.extra = need_load_header},
                                .sources_defined = false,
                                .run = run_shared_load,
                                .commit = commit_shared_load};
constexpr Behaviour shared_store{.path = &shared_path,
                                 .header = {.extra = store_header},
                                 .sources_defined = false,
                                 .run = run_shared_store,
                                 .commit = commit_shared_store};
constexpr Behaviour shared_from_local{.path = &shared_path,
                                      .header = {.extra = from_local_header},
                                      .sources_defined = false,
                                      .run = run_from_local,
                                      .commit = commit_from_local};
constexpr Behaviour shared_to_local{.path = &shared_path,
                                    .header = {.extra = to_local_header},
                                    .sources_defined = false,
                                    .plan = plan_to_local,
                                    .run = run_to_local,
                                    .commit = commit_to_local};

}  // namespace

const Behaviour* quartered_shared_behaviour(unsigned function) {
  switch (function) {
    case 0: return &shared_load;
    case 1:
    case 14: return &shared_store;
    case 9:
    case 10: return &shared_from_local;
    case 11:
    case 12: return &shared_to_local;
    default: return nullptr;
  }
}

const Behaviour* shared_behaviour(const Bundle& bundle) {
  if (bundle.release() != Release::v0_58_3) return whole_shared_behaviour(bundle);
  return quartered_shared_behaviour(bundle.function());
}

}  // namespace pto::exec
