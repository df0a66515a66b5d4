#include "exec/tile/shared_moves.h"

namespace pto::exec::shared_moves {

using state::Machine;
using state::SharedBinding;
using state::SharedTile;
using state::Tile;

bool shared_capacity_legal(const Machine& machine, std::uint32_t bytes) {
  return bytes >= state::cell_bytes && bytes % state::cell_bytes == 0 && bytes <= largest_shared_bytes &&
         bytes <= machine.system_registers.tile_capacity;
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

Check need_shared_shape(const Bundle& bundle, const Tile& tile) {
  if (!state::is_cube(tile.layout) && shared_capacity_legal(bundle.machine(), tile.capacity_bytes) &&
      tile.rows == state::derived_rows(tile.capacity_bytes, tile.columns, tile.data_type) && tile.rows != 0 &&
      tile.valid_rows <= tile.rows && tile.valid_columns <= tile.columns)
    return passed;
  return reject(rules::shared_descriptor, bundle.pc(), "{}x{} {} in {} bytes", tile.rows, tile.columns,
                name_of(tile.data_type), tile.capacity_bytes);
}

Check need_same_register(const Bundle& bundle, const Tile& tile) {
  const SharedTile& old = shared_of(bundle);
  const std::uint8_t mask = binding_of(bundle).pe_mask;
  const unsigned id = binding_of(bundle).shared_id;
  if (!old.descriptor_valid) return passed;
  if ((mask & ~old.allocation_mask) != 0)
    return reject(rules::shared_participants, bundle.pc(),
                  "s{} is held by PEs {:04b}, the block names {:04b}", id, old.allocation_mask, mask);
  if (same_descriptor(old.tile, tile)) return passed;
  return reject(rules::shared_descriptor, bundle.pc(), "s{} has another descriptor", id);
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

ElementType transfer_type(const Bundle& bundle) {
  return bundle.operation_type().value_or(ElementType::FP64);
}

Check need_load_header(const Bundle& bundle) {
  if (binding_of(bundle).size_code == 0 || binding_of(bundle).size_code > largest_shared_size_code)
    return reject(rules::size_code, bundle.pc(), "size code {}", binding_of(bundle).size_code);
  if (bundle.tile_bindings() != 0)
    return reject(rules::binding_pattern, bundle.pc(), "B.IOT with a Shared TLOAD");
  for (unsigned number = 0; number < state::dimension_count; ++number) {
    if (dimension_legal(bundle.dimension(number))) continue;
    if (!bundle.dimension_present(number))
      return reject(rules::dimension_range, bundle.pc(), "LB{} is missing: a Shared tile has all three",
                    number);
    return reject(rules::dimension_range, bundle.pc(), "LB{} is {}", number, bundle.dimension(number));
  }
  if (bundle.dimension(0) > bundle.dimension(2))
    return reject(rules::dimension_value, bundle.pc(), "LB0 is {}, LB2 is {}", bundle.dimension(0),
                  bundle.dimension(2));
  return passed;
}

Check describe_load(const Bundle& bundle, Tile& tile) {
  const std::uint32_t capacity = state::size_code_bytes(binding_of(bundle).size_code);
  tile = describe(capacity, {bundle.dimension(1), bundle.dimension(0), bundle.dimension(2)},
                  transfer_type(bundle), bundle.layout());
  if (state::descriptor_shape_legal(capacity, tile.columns, tile.valid_rows, tile.valid_columns,
                                    tile.data_type))
    return passed;
  return reject(rules::shared_descriptor, bundle.pc(), "{} valid rows by {} of {} columns of {} in {} bytes",
                tile.valid_rows, tile.valid_columns, tile.columns, name_of(tile.data_type), capacity);
}

namespace {

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

}  // namespace

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

Check need_from_local_header(const Bundle& bundle) {
  const SharedBinding& shared = binding_of(bundle);
  const state::TileBinding& bound = bundle.binding(0);
  if (bundle.tile_bindings() != 1 || !bound.valid || bound.destination_valid || !bound.source0_valid ||
      bound.source1_valid || !bound.last || bound.destination_size != 0)
    return reject(rules::binding_pattern, bundle.pc(),
                  "the B.IOT must have one source, no destination and be last");
  if (shared.size_code == 0 || shared.size_code > largest_shared_size_code)
    return reject(rules::size_code, bundle.pc(), "size code {}", shared.size_code);
  if (bound.pe_mask != shared.pe_mask)
    return reject(rules::masks_equal, bundle.pc(), "B.IOT names PEs {:04b}, B.IOS {:04b}", bound.pe_mask,
                  shared.pe_mask);
  const Tile& source = bundle.source(0);
  if (Check broken = need_defined(bundle, source, operand_name(bundle, 0))) return broken;
  if (source.capacity_bytes != state::size_code_bytes(shared.size_code))
    return reject(rules::shared_descriptor, bundle.pc(), "{} has {} bytes, the B.IOS {}",
                  operand_name(bundle, 0), source.capacity_bytes, state::size_code_bytes(shared.size_code));
  return passed;
}

namespace {

Word local_dimension(const Bundle& bundle, unsigned number, std::uint32_t Tile::*member, Word otherwise) {
  if (dimension_legal(bundle.dimension(number))) return bundle.dimension(number);
  return shared_descriptor_legal(bundle, shared_of(bundle)) ? shared_of(bundle).tile.*member : otherwise;
}

}  // namespace

ResultShape local_shape(const Bundle& bundle) {
  const Word own_columns = dimension_legal(bundle.dimension(0)) ? bundle.dimension(0) : 1;
  const Word shared_columns = shared_descriptor_legal(bundle, shared_of(bundle)) && bundle.dimension(0) == 0
                                  ? shared_of(bundle).tile.valid_columns
                                  : own_columns;
  return {local_dimension(bundle, 1, &Tile::valid_rows, 1),
          local_dimension(bundle, 0, &Tile::valid_columns, 1),
          local_dimension(bundle, 2, &Tile::columns, shared_columns)};
}

Check need_to_local_binding(const Bundle& bundle) {
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
    return reject(rules::masks_equal, bundle.pc(), "B.IOT names PEs {:04b}, B.IOS {:04b}", bound.pe_mask,
                  bound_shared.pe_mask);
  return passed;
}

Check need_to_local_shape(const Bundle& bundle) {
  const ResultShape shape = local_shape(bundle);
  if (shape.valid_columns > shape.columns)
    return reject(rules::dimension_value, bundle.pc(), "{} of {} columns", shape.valid_columns,
                  shape.columns);
  return need_readable(bundle, shape, transfer_type(bundle),
                       state::size_code_bytes(bundle.binding(0).destination_size));
}
}  // namespace pto::exec::shared_moves

namespace pto::exec {

bool shared_descriptor_legal(const Bundle& bundle, const state::SharedTile& shared) {
  const state::Tile& tile = shared.tile;
  return shared.descriptor_valid && tile.allocated && shared.allocation_mask != 0 &&
         (shared.initialized_mask & ~shared.allocation_mask) == 0 &&
         shared_moves::shared_capacity_legal(bundle.machine(), tile.capacity_bytes) &&
         tile.rows == state::derived_rows(tile.capacity_bytes, tile.columns, tile.data_type) &&
         tile.rows != 0 && tile.valid_rows <= tile.rows && tile.valid_columns <= tile.columns &&
         !state::is_cube(tile.layout) && state::layout_shape_legal(tile);
}

}  // namespace pto::exec
