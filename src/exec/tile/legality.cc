#include "exec/tile/legality.h"

#include "exec/tile/carriers.h"
#include "numeric/value_class.h"

namespace pto::exec {

using state::StorageKind;
using state::Tile;

bool capacity_legal(const state::Machine& machine, Release release, std::uint32_t bytes) {
  const std::uint32_t largest = state::size_code_bytes(largest_size_code(release));
  return bytes >= state::cell_bytes && bytes % state::cell_bytes == 0 && bytes <= largest &&
         bytes <= machine.system_registers.tile_capacity;
}

bool descriptor_configured(const Bundle& bundle, const Tile& tile) {
  if (!tile.allocated || !capacity_legal(bundle.machine(), bundle.release(), tile.capacity_bytes))
    return false;
  const std::uint64_t elements = std::uint64_t{tile.rows} * tile.columns;
  if (tile.storage_kind == StorageKind::Predicate) {
    if (elements == 0 || divide_up<std::uint64_t>(elements, 8) > tile.capacity_bytes) return false;
  } else {
    const std::uint32_t rows = state::derived_rows(tile.capacity_bytes, tile.columns, tile.data_type);
    if (rows == 0 || tile.rows != rows) return false;
  }
  return tile.valid_rows <= tile.rows && tile.valid_columns <= tile.columns &&
         elements <= state::element_capacity(tile.capacity_bytes, tile.data_type);
}

bool descriptor_legal(const Bundle& bundle, const Tile& tile) {
  return descriptor_configured(bundle, tile) &&
         (tile.storage_kind == StorageKind::Predicate ||
          (!state::is_cube(tile.layout) && state::layout_shape_legal(tile)));
}

bool descriptor_addressable(const Bundle& bundle, const Tile& tile) {
  if (!tile.allocated || tile.valid_rows > tile.rows || tile.valid_columns > tile.columns ||
      std::uint64_t{tile.rows} * tile.columns > state::max_tile_elements)
    return false;
  if (tile.storage_kind == StorageKind::Predicate) return true;
  if (!state::is_cube(tile.layout)) return state::layout_shape_legal(tile);
  const state::CubeGeometry geometry = state::cube_geometry(tile.layout, tile.valid_rows, tile.valid_columns,
                                                            tile.data_type, bundle.release());
  return geometry.cells != 0 && tile.rows == geometry.rows && tile.columns == geometry.columns &&
         tile.cube_k_repeat == geometry.k_repeat;
}

bool cube_shape_legal(const Bundle& bundle, std::uint32_t capacity, std::uint32_t valid_rows,
                      std::uint32_t valid_columns, ElementType type, state::TileLayout layout) {
  if (!state::is_cube(layout) || !capacity_legal(bundle.machine(), bundle.release(), capacity)) return false;
  const state::CubeGeometry geometry =
      state::cube_geometry(layout, valid_rows, valid_columns, type, bundle.release());
  return geometry.cells != 0 && geometry.bytes <= capacity;
}

bool cube_descriptor_legal(const Bundle& bundle, const Tile& tile) {
  if (!tile.allocated || tile.storage_kind != StorageKind::Numeric ||
      tile.location != state::TileLocation::Matrix ||
      !cube_shape_legal(bundle, tile.capacity_bytes, tile.valid_rows, tile.valid_columns, tile.data_type,
                        tile.layout))
    return false;
  const state::CubeGeometry geometry = state::cube_geometry(tile.layout, tile.valid_rows, tile.valid_columns,
                                                            tile.data_type, bundle.release());
  return tile.rows == geometry.rows && tile.columns == geometry.columns &&
         tile.cube_k_repeat == geometry.k_repeat && tile.cube_n_repeat == geometry.n_repeat &&
         tile.cube_cell_count == geometry.cells && tile.cube_storage_bytes == geometry.bytes;
}

bool same_shape(const Tile& left, const Tile& right) {
  return left.rows == right.rows && left.columns == right.columns && left.valid_rows == right.valid_rows &&
         left.valid_columns == right.valid_columns && left.layout == right.layout;
}

std::string tile_name(unsigned index) {
  constexpr char hands[] = {'t', 'u', 'm', 'n'};
  return fmt::format("{}#{}", hands[index / 16 % 4], index % 16 + 1);
}

std::string OperandName::text() const {
  if (bundle == nullptr) return "the destination";
  if (source >= bundle->sources()) return fmt::format("source {}", source);
  return fmt::format("source {} ({})", source, tile_name(bundle->source_index(source)));
}

bool takes_cells(const Bundle& bundle) {
  using isa::TileBehaviour;
  if (bundle.release() != Release::v0_58_5 || bundle.operation() == nullptr) return false;
  const TileBehaviour does = bundle.operation()->does;
  return does == TileBehaviour::Binary || does == TileBehaviour::BinaryScalar ||
         does == TileBehaviour::Unary || does == TileBehaviour::MultiplyAdd;
}

namespace {

// A tile in CELLs that an elementwise operation takes as it takes a row-major one.
bool legal_in_cells(const Bundle& bundle, const Tile& tile) {
  return takes_cells(bundle) && tile.layout != state::TileLayout::CUBE_N8 &&
         cube_descriptor_legal(bundle, tile);
}

}  // namespace

Check need_descriptor(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (!tile.allocated) return reject(rules::tile_allocated, bundle.pc(), "{} is not allocated", name);
  const bool legal = bundle.plain_call() ? descriptor_addressable(bundle, tile)
                                         : descriptor_legal(bundle, tile) || legal_in_cells(bundle, tile);
  if (!legal) {
    return reject(rules::tile_descriptor, bundle.pc(), "{} is {} of {}x{} {} in {} bytes", name,
                  name_of(tile.layout), tile.rows, tile.columns, name_of(tile.data_type),
                  tile.capacity_bytes);
  }
  return passed;
}

Check need_defined(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (Check broken = need_descriptor(bundle, tile, name)) return broken;
  if (!tile.contents_defined && !bundle.plain_call()) {
    return reject(rules::tile_defined, bundle.pc(), "{} has {} of {} valid elements defined", name,
                  tile.defined_valid_elements, std::uint64_t{tile.valid_rows} * tile.valid_columns);
  }
  return passed;
}

Check need_encodings(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (Check broken = need_defined(bundle, tile, name)) return broken;
  const bool in_cells = takes_cells(bundle) && state::is_cube(tile.layout);
  if (!in_cells && (!state::layout_shape_legal(tile) || state::is_cube(tile.layout))) {
    return reject(rules::tile_layout, bundle.pc(), "{} is in {}", name, name_of(tile.layout));
  }
  if (!numeric::encodings_constrained(tile.data_type) || survey_of(tile).all_encodings) return passed;
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
      const Word value = tile.element(storage_index(tile, row, column));
      if (!numeric::encoding_valid(tile.data_type, value)) {
        return reject(rules::tile_encoding, bundle.pc(), "{} holds {:#x} at row {}, column {}: not a {}",
                      name, value, row, column, name_of(tile.data_type));
      }
    }
  }
  return passed;
}

Check need_predicate(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (Check broken = need_defined(bundle, tile, name)) return broken;
  if (tile.storage_kind != StorageKind::Predicate) {
    return reject(rules::tile_predicate, bundle.pc(), "{} holds {}", name, name_of(tile.data_type));
  }
  return passed;
}

Check need_cube(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (!tile.allocated) return reject(rules::tile_allocated, bundle.pc(), "{} is not allocated", name);
  if (!cube_descriptor_legal(bundle, tile)) {
    return reject(rules::tile_cube, bundle.pc(), "{} is {} at {}, valid {}x{} {} in {} bytes", name,
                  name_of(tile.layout), name_of(tile.location), tile.valid_rows, tile.valid_columns,
                  name_of(tile.data_type), tile.capacity_bytes);
  }
  return passed;
}

Check need_same_shape(const Bundle& bundle, const Tile& left, const OperandName& left_name, const Tile& right,
                      const OperandName& right_name) {
  if (Check broken = need_descriptor(bundle, left, left_name)) return broken;
  if (Check broken = need_descriptor(bundle, right, right_name)) return broken;
  if (left.layout != right.layout) {
    return reject(rules::tile_layout, bundle.pc(), "{} is {}, {} is {}", left_name, name_of(left.layout),
                  right_name, name_of(right.layout));
  }
  if (!same_shape(left, right)) {
    return reject(rules::tile_shape, bundle.pc(), "{} is {}x{} (valid {}x{}), {} is {}x{} (valid {}x{})",
                  left_name, left.rows, left.columns, left.valid_rows, left.valid_columns, right_name,
                  right.rows, right.columns, right.valid_rows, right.valid_columns);
  }
  return passed;
}

Check need_same_shape_and_type(const Bundle& bundle, const Tile& left, const OperandName& left_name,
                               const Tile& right, const OperandName& right_name) {
  if (Check broken = need_same_shape(bundle, left, left_name, right, right_name)) return broken;
  if (left.storage_kind != right.storage_kind || left.data_type != right.data_type) {
    return reject(rules::tile_type, bundle.pc(), "{} holds {} {}, {} holds {} {}", left_name,
                  name_of(left.storage_kind), name_of(left.data_type), right_name,
                  name_of(right.storage_kind), name_of(right.data_type));
  }
  return passed;
}

Check need_apart(const Bundle& bundle, unsigned destination, unsigned source) {
  const std::optional<unsigned> index = bundle.destination_index(destination);
  if (!index || source >= bundle.sources() || bundle.source_index(source) != *index) return passed;
  return reject(rules::tile_alias, bundle.pc(), "{} is also the destination", operand_name(bundle, source));
}

Check need_numeric(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (tile.storage_kind == StorageKind::Numeric) return passed;
  return reject(rules::tile_numeric, bundle.pc(), "{} is a predicate", name);
}

Check need_row_major(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (tile.layout == state::TileLayout::RowMajor) return passed;
  return reject(rules::tile_layout, bundle.pc(), "{} is {}", name, name_of(tile.layout));
}

Check need_elementwise_layout(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  const bool in_cells =
      tile.layout == state::TileLayout::CUBE_M16 || tile.layout == state::TileLayout::CUBE_M32;
  if (in_cells && takes_cells(bundle)) return passed;
  return need_row_major(bundle, tile, name);
}

Check need_type(const Bundle& bundle, const numeric::TypeSet& types, ElementType type) {
  if (types.has(type)) return passed;
  return reject(rules::operation_type, bundle.pc(), "{}: the type must be {}", name_of(type),
                types.description);
}

bool payload_nonzero(const Tile& tile) {
  if (tile.storage_kind == StorageKind::Numeric) return !survey_of(tile).any_zero;
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
      if (tile.element(storage_index(tile, row, column)) == 0) return false;
    }
  }
  return true;
}

kernels::Survey survey_of(const Tile& tile) {
  CarrierReader in(tile);
  kernels::Survey all;
  for_each_span(tile, [&](std::uint64_t first, std::size_t count) {
    const kernels::Survey here = kernels::survey(tile.data_type, in.run(first, count), count);
    all.any_zero |= here.any_zero;
    all.any_nan |= here.any_nan;
    all.any_signaling |= here.any_signaling;
    all.all_encodings &= here.all_encodings;
  });
  return all;
}

}  // namespace pto::exec
