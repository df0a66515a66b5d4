// TLOAD, TSTORE and TMOV of Shared tiles since release 0.58.4 (PTO-B-SHARED-WHOLE-PARENT-READY-001,
// PTO-ARCH-GM-ACCESS-001).
//
// A Shared tile is one object: the one PE that writes it writes all of it and publishes it, and whoever reads
// reads all of it. Readers of a tile that is not published complete without an effect; on hardware they would
// wait. Several writers need B.ASSEMBLE.
#include <bit>

#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/regions.h"
#include "exec/tile/shared_moves.h"
#include "exec/tile/shared_views.h"
#include "exec/tile/transfer.h"

namespace pto::exec {

using namespace shared_moves;  // NOLINT: the two are one topic
using state::Access;
using state::Machine;
using state::SharedTile;
using state::Tile;

namespace {

bool published(const SharedTile& shared) {
  return shared.descriptor_valid && shared.initialized_mask == shared.allocation_mask &&
         shared.tile.contents_defined && shared.published;
}

bool has_view(const Bundle& bundle) { return has_shared_view(bundle, 0); }
// A single writer of an assembly makes the tile anew, whatever it was.
bool assembles(const Bundle& bundle) { return binding_of(bundle).destination_assemble.valid; }

bool is_destination(const Bundle& bundle) { return binding_of(bundle).size_code != 0; }

unsigned writer_of(const Bundle& bundle) {
  unsigned pe = 0;
  while (pe + 1 < state::pe_count && (binding_of(bundle).pe_mask & state::pe_bit(pe)) == 0) ++pe;
  return pe;
}

StridedRows rows_of(const Bundle& bundle, unsigned pe, Word columns, ElementType type) {
  if (!bundle.scalars().valid) return {0, dense_stride(columns, type), type};
  return {bundle.pe_scalar(pe, 0), bundle.pe_scalar(pe, 1), type};
}

// Bytes of Shared tiles, but for one that is about to be replaced.
Word shared_bytes_in_use(const Machine& machine, unsigned without) {
  Word total = 0;
  for (unsigned id = 0; id < state::shared_tile_count; ++id) {
    if (id != without && machine.shared_tiles.exists(id) && machine.shared_tiles[id].descriptor_valid)
      total += machine.shared_tiles[id].tile.capacity_bytes;
  }
  return total;
}

// Whether the register may take contents of this descriptor; Shared tiles have a pool of their own.
Check need_writable(const Bundle& bundle, const Tile& tile) {
  if (Check broken = need_shared_shape(bundle, tile)) return broken;
  if (shared_of(bundle).descriptor_valid && !assembles(bundle)) return need_same_register(bundle, tile);
  const Word used = shared_bytes_in_use(bundle.machine(), binding_of(bundle).shared_id);
  if (used + tile.capacity_bytes <= largest_shared_bytes) return passed;
  return reject(rules::shared_descriptor, bundle.pc(), "{} bytes wanted, {} of {} in use by Shared tiles",
                tile.capacity_bytes, used, largest_shared_bytes);
}

Check need_single_writer(const Bundle& bundle) {
  if (std::popcount(binding_of(bundle).pe_mask) == 1) return passed;
  return reject(rules::shared_participants, bundle.pc(),
                "the block names PEs {:04b}: without B.ASSEMBLE one PE writes a Shared tile",
                binding_of(bundle).pe_mask);
}

Check need_role(const Bundle& bundle, bool destination) {
  if (is_destination(bundle) == destination) return passed;
  return reject(rules::size_code, bundle.pc(), "size code {}: the Shared tile is the {}",
                binding_of(bundle).size_code, destination ? "destination" : "source");
}

Check need_regular_type(const Bundle& bundle) {
  if (bundle.function() > 1) return passed;
  Check broken = need_type(bundle, numeric::type_sets::carriers_and_four_bit, transfer_type(bundle));
  if (broken) broken->fault = state::Fault::TileLegality;
  return broken;
}

// Replaces the register's contents with a complete tile and publishes it.
void publish_whole(Work& work, Machine& machine) {
  const std::uint8_t mask = binding_of(work.bundle).pe_mask;
  SharedTile& shared = machine.shared_tiles.at(binding_of(work.bundle).shared_id);
  Tile tile = work.scratch;
  tile.allocation_mask = 0;  // a Shared tile keeps its participants beside its contents
  tile.contents_defined = true;
  tile.defined_valid_elements = tile.valid_rows * tile.valid_columns;
  if (!shared.descriptor_valid || assembles(work.bundle))
    shared.allocation_mask = shared.initialized_mask = mask;
  shared.descriptor_valid = true;
  shared.published = true;
  static_cast<Tile&>(shared.tile) = std::move(tile);
  consume(machine);
}

// --- TLOAD ---

Check whole_load_header(const Bundle& bundle) {
  if (Check broken = need_role(bundle, true)) return broken;
  if (Check broken = need_load_header(bundle)) return broken;
  return need_single_writer(bundle);
}

StridedRows load_rows_of(const Work& work) {
  return rows_of(work.bundle, writer_of(work.bundle), work.scratch.columns, work.scratch.data_type);
}

Check run_whole_load(Work& work) {
  const Bundle& bundle = work.bundle;
  if (Check broken = describe_load(bundle, work.scratch)) return broken;
  if (Check broken = need_writable(bundle, work.scratch)) return broken;
  const StridedRows rows = load_rows_of(work);
  if (Check broken = probe_rows(bundle, rows, work.scratch, Access::Read)) return broken;
  work.scratch.fresh_storage();
  load_rows(bundle.machine().memory, rows, work.scratch);
  define_valid_region(work.scratch);
  return passed;
}

void commit_whole_load(Work& work, Machine& machine) {
  record_row_loads(work.bundle, load_rows_of(work), work.scratch, writer_of(work.bundle), machine);
  publish_whole(work, machine);
}

// --- TSTORE ---

Check whole_store_header(const Bundle& bundle) {
  if (Check broken = need_role(bundle, false)) return broken;
  if (bundle.tile_bindings() != 0)
    return reject(rules::binding_pattern, bundle.pc(), "B.IOT with a Shared TSTORE");
  if (!published(shared_of(bundle))) return passed;
  if (has_view(bundle)) return need_shared_view(bundle, 0);
  const ResultShape shape = store_shape(bundle);
  if (shape.valid_columns < 1 || shape.valid_rows < 1 || shape.columns < 1 ||
      shape.valid_columns > shape.columns)
    return reject(rules::dimension_value, bundle.pc(), "{} valid rows by {} of {} columns", shape.valid_rows,
                  shape.valid_columns, shape.columns);
  return need_readable(bundle, shape, transfer_type(bundle), store_capacity(bundle, shape));
}

// What the PEs of the block store: the parent in the shape the block reads it in, or each its view.
Tile stored_tile(const Bundle& bundle, unsigned pe) {
  if (has_view(bundle)) return shared_view(bundle, 0, pe);
  const ResultShape shape = store_shape(bundle);
  Tile tile = describe(store_capacity(bundle, shape), shape, transfer_type(bundle), bundle.layout());
  tile.storage = shared_of(bundle).tile.storage;
  return tile;
}

// Calls visit(pe, rows, tile) for the PEs of the block, until it answers with a rejection.
template <class Visit>
Check for_each_reader(const Bundle& bundle, Visit visit) {
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    if ((binding_of(bundle).pe_mask & state::pe_bit(pe)) == 0) continue;
    const Tile tile = stored_tile(bundle, pe);
    if (Check broken = visit(pe, rows_of(bundle, pe, store_shape(bundle).columns, tile.data_type), tile))
      return broken;
  }
  return passed;
}

Check run_whole_store(Work& work) {
  const Bundle& bundle = work.bundle;
  if (!published(shared_of(bundle))) return passed;
  return for_each_reader(bundle, [&](unsigned, const StridedRows& rows, const Tile& tile) {
    return probe_rows(bundle, rows, tile, Access::Write);
  });
}

void commit_whole_store(Work& work, Machine& machine) {
  if (published(shared_of(work.bundle))) {
    (void)for_each_reader(work.bundle, [&](unsigned pe, const StridedRows& rows, const Tile& tile) -> Check {
      store_tile(machine, work.bundle, rows, tile, pe);
      return passed;
    });
  }
  consume(machine);
}

// --- TMOV ---

Check into_shared_header(const Bundle& bundle) {
  if (Check broken = need_from_local_header(bundle)) return broken;
  if (Check broken = need_single_writer(bundle)) return broken;
  Tile candidate = bundle.source(0);
  candidate.location = state::TileLocation::Any;
  return need_writable(bundle, candidate);
}

Check run_into_shared(Work& work) {
  const SharedTile& shared = shared_of(work.bundle);
  work.scratch = work.source(0);
  work.scratch.location = state::TileLocation::Any;
  if (!shared.descriptor_valid || assembles(work.bundle) ||
      (shared.initialized_mask | binding_of(work.bundle).pe_mask) == shared.allocation_mask)
    return passed;
  return reject(rules::shared_participants, work.bundle.pc(), "s{} would stay incomplete",
                binding_of(work.bundle).shared_id);
}

// The result has the shape of the views.
Check need_view_shape(const Bundle& bundle) {
  if (Check broken = need_shared_view(bundle, 0)) return broken;
  const Tile view = shared_source(bundle, 0);
  const ResultShape shape = local_shape(bundle);
  const std::uint32_t bytes = state::size_code_bytes(bundle.binding(0).destination_size);
  if (view.capacity_bytes == bytes && view.valid_rows == shape.valid_rows &&
      view.valid_columns == shape.valid_columns && view.columns == shape.columns &&
      view.data_type == transfer_type(bundle) && view.layout == bundle.layout())
    return passed;
  return reject(
      rules::view_shape, bundle.pc(),
      "the view has {} valid rows by {} of {} columns of {} in {} bytes, the destination {} by {} of {} "
      "of {} in {}",
      view.valid_rows, view.valid_columns, view.columns, name_of(view.data_type), view.capacity_bytes,
      shape.valid_rows, shape.valid_columns, shape.columns, name_of(transfer_type(bundle)), bytes);
}

Check out_of_shared_header(const Bundle& bundle) {
  if (!published(shared_of(bundle))) return passed;
  if (Check broken = need_to_local_binding(bundle)) return broken;
  if (Check broken = has_view(bundle) ? need_view_shape(bundle) : need_to_local_shape(bundle)) return broken;
  return checks::masks_equal(bundle);
}

Check plan_out_of_shared(const Bundle& bundle, Plan& plan) {
  if (!published(shared_of(bundle))) return passed;
  return plan_results(bundle, local_shape(bundle), transfer_type(bundle), plan);
}

// Every PE of the block puts its view into the one result; only all four make it complete.
void copy_views(Work& work) {
  Tile& result = work.result();
  const std::uint8_t mask = binding_of(work.bundle).pe_mask;
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    if ((mask & state::pe_bit(pe)) == 0) continue;
    const Tile view = shared_view(work.bundle, 0, pe);
    for (std::uint64_t element = 0; element < std::uint64_t{result.rows} * result.columns; ++element)
      result.set_element(element, view.element(element));
  }
  if (mask == all_pes) define_valid_region(result);
}

Check run_out_of_shared(Work& work) {
  const SharedTile& shared = shared_of(work.bundle);
  if (!published(shared)) return passed;
  Tile& result = work.result();
  if (has_view(work.bundle)) {
    copy_views(work);
    return passed;
  }
  if (result.rows != shared.tile.rows || result.data_type != transfer_type(work.bundle))
    return reject(rules::tile_shape, work.bundle.pc(), "the result has {} rows of {}, s{} {} of {}",
                  result.rows, name_of(result.data_type), binding_of(work.bundle).shared_id, shared.tile.rows,
                  name_of(transfer_type(work.bundle)));
  // What the parent does not define reads as a number made of the register's and the element's.
  for (std::uint64_t element = 0; element < std::uint64_t{result.rows} * result.columns; ++element)
    result.set_element(element, shared.tile.defined(element) ? number_at(shared.tile, element)
                                                             : binding_of(work.bundle).shared_id ^ element);
  define_valid_region(result);
  return passed;
}

void commit_out_of_shared(Work&, Machine& machine) { consume(machine); }

// --- Rows ---

Check whole_header(const Bundle& bundle) {
  return check_header(bundle, whole_shared_behaviour(bundle)->header);
}

constexpr BundleCheck whole_checks[] = {need_regular_type, checks::scalar_surplus, checks::datr_fields,
                                        whole_header};
constexpr Path whole_path{.checks = whole_checks, .fault = {}};

constexpr Behaviour whole_load{.path = &whole_path,
                               .header = {.extra = whole_load_header},
                               .sources_defined = false,
                               .run = run_whole_load,
                               .commit = commit_whole_load};
constexpr Behaviour whole_store{.path = &whole_path,
                                .header = {.extra = whole_store_header},
                                .sources_defined = false,
                                .run = run_whole_store,
                                .commit = commit_whole_store};
constexpr Behaviour into_shared{.path = &whole_path,
                                .header = {.extra = into_shared_header},
                                .sources_defined = false,
                                .run = run_into_shared,
                                .commit = publish_whole};
constexpr Behaviour out_of_shared{.path = &whole_path,
                                  .header = {.extra = out_of_shared_header},
                                  .sources_defined = false,
                                  .plan = plan_out_of_shared,
                                  .run = run_out_of_shared,
                                  .commit = commit_out_of_shared};

}  // namespace

const Behaviour* whole_shared_behaviour(const Bundle& bundle) {
  switch (bundle.function()) {
    case 0: return &whole_load;
    case 1: return &whole_store;
    case 2: return is_destination(bundle) ? &into_shared : &out_of_shared;
    default: return nullptr;
  }
}

}  // namespace pto::exec
