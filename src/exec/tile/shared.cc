// TLOAD, TSTORE and TMOV of Shared tiles, as release 0.58.3 has them (PTO-REQ-SHARED-TILE-001,
// PTO-ARCH-GM-ACCESS-001).
//
// A Shared tile's storage is four equal quarters, quarter p belonging to PE p. A block moves the quarters of
// the PEs it names, each through that PE's own base and stride. Quarters become initialized one block at a
// time; the tile is published once all of them are. Reading what nobody wrote gives a value made from the
// register number and the element's place, and no fault.
#include "exec/tile/shared.h"

#include <bit>

#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "exec/tile/transfer.h"

namespace pto::exec {

using state::Access;
using state::Fault;
using state::Machine;
using state::SharedBinding;
using state::SharedTile;
using state::Tile;

namespace {

constexpr std::uint8_t all_pes = 0xf;
constexpr unsigned largest_shared_size_code = 12;
constexpr std::uint32_t largest_shared_bytes = state::size_code_bytes(largest_shared_size_code);

const SharedBinding& binding_of(const Bundle& bundle) { return bundle.block().shared_bindings[0]; }
const SharedTile& shared_of(const Bundle& bundle) {
  return bundle.machine().shared_tiles[binding_of(bundle).shared_id];
}

bool shared_capacity_legal(const Machine& machine, std::uint32_t bytes) {
  return bytes >= state::cell_bytes && bytes % state::cell_bytes == 0 && bytes <= largest_shared_bytes &&
         bytes <= machine.system_registers.tile_capacity;
}

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

bool same_descriptor(const Tile& left, const Tile& right) {
  return left.allocated && right.allocated && !state::is_cube(left.layout) && !state::is_cube(right.layout) &&
         left.capacity_bytes == right.capacity_bytes && left.rows == right.rows &&
         left.columns == right.columns && left.valid_rows == right.valid_rows &&
         left.valid_columns == right.valid_columns && left.data_type == right.data_type &&
         left.layout == right.layout && left.location == right.location &&
         left.cube_k_repeat == right.cube_k_repeat && left.cube_n_repeat == right.cube_n_repeat &&
         left.cube_cell_count == right.cube_cell_count && left.cube_storage_bytes == right.cube_storage_bytes;
}

// Whether the named quarters of the register may take contents of this descriptor.
Check need_update_compatible(const Bundle& bundle, const Tile& tile) {
  const Machine& machine = bundle.machine();
  const std::uint8_t mask = binding_of(bundle).pe_mask;
  const SharedTile& old = shared_of(bundle);
  const unsigned id = binding_of(bundle).shared_id;
  if (state::is_cube(tile.layout) || !shared_capacity_legal(machine, tile.capacity_bytes) ||
      tile.rows != state::derived_rows(tile.capacity_bytes, tile.columns, tile.data_type) || tile.rows == 0 ||
      tile.valid_rows > tile.rows || tile.valid_columns > tile.columns)
    return reject(rules::shared_descriptor, bundle.pc(), "{}x{} {} in {} bytes", tile.rows, tile.columns,
                  name_of(tile.data_type), tile.capacity_bytes);
  if (old.descriptor_valid) {
    if ((mask & ~old.allocation_mask) != 0)
      return reject(rules::shared_participants, bundle.pc(),
                    "s{} is held by PEs {:#06b}, the block names {:#06b}", id, old.allocation_mask, mask);
    if (!same_descriptor(old.tile, tile))
      return reject(rules::shared_descriptor, bundle.pc(), "s{} has another descriptor", id);
    return passed;
  }
  const Word more = Word{tile.capacity_bytes} * static_cast<unsigned>(std::popcount(mask));
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

Tile describe(std::uint32_t capacity, const ResultShape& shape, ElementType type, state::TileLayout layout) {
  Tile tile;
  tile.allocated = true;
  tile.capacity_bytes = capacity;
  tile.data_type = type;
  tile.layout = layout;
  tile.columns = static_cast<std::uint32_t>(shape.columns);
  tile.valid_rows = static_cast<std::uint32_t>(shape.valid_rows);
  tile.valid_columns = static_cast<std::uint32_t>(shape.valid_columns);
  tile.rows = state::derived_rows(capacity, tile.columns, type);
  return tile;
}

void consume(Machine& machine) { machine.block.shared_bindings[0].consumed = true; }

ElementType transfer_type(const Bundle& bundle) {
  return bundle.operation_type().value_or(ElementType::FP64);
}

// --- TLOAD ---

Check load_header(const Bundle& bundle) {
  if (binding_of(bundle).size_code == 0 || binding_of(bundle).size_code > largest_shared_size_code)
    return reject(rules::size_code, bundle.pc(), "size code {}", binding_of(bundle).size_code);
  if (bundle.tile_bindings() != 0)
    return reject(rules::binding_pattern, bundle.pc(), "B.IOT with a Shared TLOAD");
  for (unsigned number = 0; number < state::dimension_count; ++number) {
    if (!dimension_legal(bundle.dimension(number)))
      return reject(rules::dimension_range, bundle.pc(), "LB{} is {}", number, bundle.dimension(number));
  }
  if (bundle.dimension(0) > bundle.dimension(2))
    return reject(rules::dimension_value, bundle.pc(), "LB0 is {}, LB2 is {}", bundle.dimension(0),
                  bundle.dimension(2));
  return passed;
}

Check run_shared_load(Work& work) {
  const Bundle& bundle = work.bundle;
  const Machine& machine = bundle.machine();
  const std::uint32_t capacity = state::size_code_bytes(binding_of(bundle).size_code);
  Tile tile = describe(capacity, {bundle.dimension(1), bundle.dimension(0), bundle.dimension(2)},
                       transfer_type(bundle), bundle.layout());
  if (!state::descriptor_shape_legal(capacity, tile.columns, tile.valid_rows, tile.valid_columns,
                                     tile.data_type))
    return reject(rules::shared_descriptor, bundle.pc(),
                  "{} valid rows by {} of {} columns of {} in {} bytes", tile.valid_rows, tile.valid_columns,
                  tile.columns, name_of(tile.data_type), capacity);
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

void commit_shared_load(const Work& work, Machine& machine) {
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

// A dimension where it is given, else the register's, else a default.
Word store_dimension(const Bundle& bundle, unsigned number, std::uint32_t Tile::*member, Word otherwise) {
  if (bundle.dimension_present(number))
    return bundle.dimension(number) <= dimension_limit ? bundle.dimension(number) : 0;
  return shared_of(bundle).descriptor_valid ? shared_of(bundle).tile.*member : otherwise;
}

// The smallest size that holds the shape; 0: none does.
std::uint32_t smallest_capacity(const ResultShape& shape, ElementType type) {
  for (unsigned code = 1; code <= largest_shared_size_code; ++code) {
    const std::uint32_t bytes = state::size_code_bytes(code);
    if (state::descriptor_shape_legal(bytes, static_cast<std::uint32_t>(shape.columns),
                                      static_cast<std::uint32_t>(shape.valid_rows),
                                      static_cast<std::uint32_t>(shape.valid_columns), type))
      return bytes;
  }
  return 0;
}

// Whether the register may be read as this shape.
Check need_readable(const Bundle& bundle, const ResultShape& shape, ElementType type,
                    std::uint32_t capacity) {
  const SharedTile& shared = shared_of(bundle);
  const unsigned id = binding_of(bundle).shared_id;
  bool legal = capacity != 0 && !state::is_cube(bundle.layout());
  if (legal && shared.descriptor_valid) {
    legal = shared_descriptor_legal(bundle, shared) && shared.tile.capacity_bytes == capacity &&
            shared.tile.columns == shape.columns && shape.valid_rows <= shared.tile.valid_rows &&
            shape.valid_columns <= shared.tile.valid_columns && shared.tile.data_type == type &&
            shared.tile.layout == bundle.layout();
  } else if (legal) {
    legal = shared_capacity_legal(bundle.machine(), capacity) &&
            state::descriptor_shape_legal(capacity, static_cast<std::uint32_t>(shape.columns),
                                          static_cast<std::uint32_t>(shape.valid_rows),
                                          static_cast<std::uint32_t>(shape.valid_columns), type);
  }
  if (legal) return passed;
  return reject(rules::shared_descriptor, bundle.pc(),
                "s{} cannot be read as {} valid rows by {} of {} columns of {}", id, shape.valid_rows,
                shape.valid_columns, shape.columns, name_of(type));
}

ResultShape store_shape(const Bundle& bundle) {
  const Word valid_columns = store_dimension(bundle, 0, &Tile::valid_columns, 1);
  return {store_dimension(bundle, 1, &Tile::valid_rows, 1), valid_columns,
          store_dimension(bundle, 2, &Tile::columns, valid_columns)};
}

std::uint32_t store_capacity(const Bundle& bundle, const ResultShape& shape) {
  return shared_of(bundle).descriptor_valid ? shared_of(bundle).tile.capacity_bytes
                                            : smallest_capacity(shape, transfer_type(bundle));
}

Check store_header(const Bundle& bundle) {
  const std::uint8_t mask = binding_of(bundle).pe_mask;
  if (bundle.function() == 1 && mask != all_pes)
    return reject(rules::shared_participants, bundle.pc(), "the block names PEs {:#06b}: must name all four",
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

void commit_shared_store(const Work& work, Machine& machine) {
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
  const SharedBinding& shared = binding_of(bundle);
  const state::TileBinding& bound = bundle.binding(0);
  if (bundle.tile_bindings() != 1 || !bound.valid || bound.destination_valid || !bound.source0_valid ||
      bound.source1_valid || !bound.last || bound.destination_size != 0)
    return reject(rules::binding_pattern, bundle.pc(),
                  "the B.IOT must have one source, no destination and be last");
  if (shared.size_code == 0 || shared.size_code > largest_shared_size_code)
    return reject(rules::size_code, bundle.pc(), "size code {}", shared.size_code);
  if (bound.pe_mask != shared.pe_mask)
    return reject(rules::masks_equal, bundle.pc(), "B.IOT names PEs {:#06b}, B.IOS {:#06b}", bound.pe_mask,
                  shared.pe_mask);
  const Tile& source = bundle.source(0);
  if (Check broken = need_defined(bundle, source, operand_name(bundle, 0))) return broken;
  if (source.capacity_bytes != state::size_code_bytes(shared.size_code))
    return reject(rules::shared_descriptor, bundle.pc(), "{} has {} bytes, the B.IOS {}",
                  operand_name(bundle, 0), source.capacity_bytes, state::size_code_bytes(shared.size_code));
  Tile candidate = source;
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

void commit_from_local(const Work& work, Machine& machine) {
  Tile tile = work.scratch;
  tile.allocation_mask = 0;  // a Shared tile keeps its participants beside its contents
  update_shared(work.bundle, machine, std::move(tile), publishes(work.bundle));
  consume(machine);
}

// --- TMOV out of a Shared tile ---

Word local_dimension(const Bundle& bundle, unsigned number, std::uint32_t Tile::*member, Word otherwise) {
  if (dimension_legal(bundle.dimension(number))) return bundle.dimension(number);
  return shared_descriptor_legal(bundle, shared_of(bundle)) ? shared_of(bundle).tile.*member : otherwise;
}

ResultShape local_shape(const Bundle& bundle) {
  const Word own_columns = dimension_legal(bundle.dimension(0)) ? bundle.dimension(0) : 1;
  const Word shared_columns = shared_descriptor_legal(bundle, shared_of(bundle)) && bundle.dimension(0) == 0
                                  ? shared_of(bundle).tile.valid_columns
                                  : own_columns;
  return {local_dimension(bundle, 1, &Tile::valid_rows, 1),
          local_dimension(bundle, 0, &Tile::valid_columns, 1),
          local_dimension(bundle, 2, &Tile::columns, shared_columns)};
}

Check to_local_header(const Bundle& bundle) {
  const SharedBinding& bound_shared = binding_of(bundle);
  const state::TileBinding& bound = bundle.binding(0);
  if (bundle.tile_bindings() != 1 || !bound.valid || !bound.destination_valid || bound.source0_valid ||
      bound.source1_valid || !bound.last)
    return reject(rules::binding_pattern, bundle.pc(),
                  "the B.IOT must have a destination, no source and be last");
  if (!size_code_legal(bound.destination_size, bundle.release()) || bound_shared.size_code != 0)
    return reject(rules::size_code, bundle.pc(), "size codes {} and {}", bound.destination_size,
                  bound_shared.size_code);
  if (bound.pe_mask != bound_shared.pe_mask)
    return reject(rules::masks_equal, bundle.pc(), "B.IOT names PEs {:#06b}, B.IOS {:#06b}", bound.pe_mask,
                  bound_shared.pe_mask);
  const ResultShape shape = local_shape(bundle);
  if (shape.valid_columns > shape.columns)
    return reject(rules::dimension_value, bundle.pc(), "{} of {} columns", shape.valid_columns,
                  shape.columns);
  if (Check broken =
          need_readable(bundle, shape, transfer_type(bundle), state::size_code_bytes(bound.destination_size)))
    return broken;
  const SharedTile& shared = shared_of(bundle);
  if (bundle.function() != 11) return passed;
  const bool published = shared.descriptor_valid && shared.initialized_mask == shared.allocation_mask &&
                         shared.tile.contents_defined && shared.published;
  if (bound_shared.pe_mask == all_pes && shared.allocation_mask == all_pes && published) return passed;
  return reject(rules::shared_participants, bundle.pc(), "s{} is not a published tile of all four PEs",
                bound_shared.shared_id);
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

void commit_to_local(const Work&, Machine& machine) { consume(machine); }

// --- Rows ---

Check shared_header(const Bundle& bundle) { return check_header(bundle, shared_behaviour(bundle)->header); }

constexpr BundleCheck shared_checks[] = {checks::scalar_surplus, checks::datr_fields, shared_header};
constexpr Path shared_path{.checks = shared_checks, .fault = {}};

constexpr Behaviour shared_load{.path = &shared_path,
                                .header = {.extra = load_header},
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

bool shared_descriptor_legal(const Bundle& bundle, const SharedTile& shared) {
  const Tile& tile = shared.tile;
  return shared.descriptor_valid && tile.allocated && shared.allocation_mask != 0 &&
         (shared.initialized_mask & ~shared.allocation_mask) == 0 &&
         shared_capacity_legal(bundle.machine(), tile.capacity_bytes) &&
         tile.rows == state::derived_rows(tile.capacity_bytes, tile.columns, tile.data_type) &&
         tile.rows != 0 && tile.valid_rows <= tile.rows && tile.valid_columns <= tile.columns &&
         !state::is_cube(tile.layout) && state::layout_shape_legal(tile);
}

const Behaviour* shared_behaviour(const Bundle& bundle) {
  switch (bundle.function()) {
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

}  // namespace pto::exec
