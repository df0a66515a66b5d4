// TLOAD and TSTORE: rows of elements between memory and a tile, in any layout (PTO-TLOAD-MEMORY-001,
// PTO-TSTORE-MEMORY-001, PTO-TLOAD-CUBE-001, PTO-TSTORE-CUBE-001).
//
// Memory holds rows at a byte stride; the tile keeps them in its own order. Every element is probed before
// the first is moved, so a fault changes nothing. A row in memory is contiguous and moves as bytes. Four-bit
// elements are reached through the byte that holds them; a row starts at a whole byte and its even columns
// are the low nibbles.
#include "exec/tile/transfer.h"

#include <cstring>

#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "kernels/convert.h"

namespace pto::exec {

using state::Access;
using state::Fault;
using state::Machine;
using state::Memory;
using state::Tile;

namespace {

Check probe_row(const Bundle& bundle, const StridedRows& rows, const Tile& tile, std::uint32_t row,
                Access access) {
  const Machine& machine = bundle.machine();
  const unsigned size = numeric::memory_bytes(rows.type);
  const Word start = rows.row(row);
  if ((start & (size - 1)) == 0 &&
      machine.memory.permitted(start, dense_stride(tile.valid_columns, rows.type), access,
                               machine.current_acr))
    return passed;
  // Something is wrong with the row; the first element that shows it is the one that faults.
  for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
    const Word address = rows.address(row, column);
    const Fault fault = probe_access(machine, address, size, size, access);
    if (fault != Fault::None) return reject_access(machine, fault, address, size, access);
  }
  return passed;
}

// Whether the rows of a tile lie in its storage as they lie in memory: always those of whole elements, those
// of nibbles only where no byte is shared with an element that is not moved.
bool keeps_memory_order(const Tile& tile) {
  return tile.layout == state::TileLayout::RowMajor && tile.storage_kind == state::StorageKind::Numeric &&
         (!numeric::is_four_bit(tile.data_type) || (tile.columns % 2 == 0 && tile.valid_columns % 2 == 0));
}
// Where such a row begins, in bytes.
std::size_t row_start(const Tile& tile, std::uint32_t row) {
  return std::size_t{row} * tile.columns * element_bits(tile.data_type) / 8;
}

void store_rows(Machine& machine, const StridedRows& rows, const Tile& tile) {
  const std::size_t count = tile.valid_columns;
  const bool nibbles = numeric::is_four_bit(tile.data_type);
  const std::size_t bytes = dense_stride(count, tile.data_type);
  std::vector<std::uint8_t> packed(nibbles ? bytes : 0);
  const std::span<const std::uint8_t> payload = tile.storage.payload();
  // A storage may be shorter than its shape; the missing elements are zeros.
  const bool whole = keeps_memory_order(tile) && row_start(tile, tile.valid_rows) <= payload.size();
  CarrierReader in(tile);
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    const Word address = rows.row(row);
    if (whole) {
      machine.memory.write(address, payload.subspan(row_start(tile, row), bytes));
      break_reservation(machine, address, bytes);
      continue;
    }
    const std::uint8_t* carriers = in.row(row, 0, count);
    if (nibbles) {
      // The upper half of a last byte that is not the tile's stays as it is.
      if (count % 2 != 0)
        packed.back() = static_cast<std::uint8_t>(machine.memory.load(address + bytes - 1, 1));
      kernels::pack_nibbles(carriers, count, packed.data(), 0);
      carriers = packed.data();
    }
    machine.memory.write(address, {carriers, bytes});
    break_reservation(machine, address, bytes);
  }
}

// The bytes an element's store leaves in memory: itself, or the byte that holds its nibble.
Word stored_value(const Machine& machine, const Tile& tile, Word address, std::uint32_t column,
                  Word element) {
  if (!numeric::is_four_bit(tile.data_type)) return element;
  return with_nibble(machine.memory.load(address, 1), column, element);
}

void store_elements(Machine& machine, const Bundle& bundle, const StridedRows& rows, const Tile& tile,
                    unsigned agent) {
  const unsigned size = numeric::memory_bytes(tile.data_type);
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
      const Word address = rows.address(row, column);
      const Word element = number_at(tile, row, column);
      const Word value = stored_value(machine, tile, address, column, element);
      store_value(machine, address, size, value);
      record_store(machine, agent, address, size, value, bundle.memory_order());
    }
  }
}

// --- The operands a block gives ---

// What stands for a stride that B.IOR does not give: rows of the tile's columns without gaps.
Word default_stride(const Bundle& bundle, const Tile* source) {
  const ElementType type = bundle.operation_type().value_or(ElementType::FP64);
  if (dimension_legal(bundle.dimension(2))) return dense_stride(bundle.dimension(2), type);
  if (source != nullptr && descriptor_configured(bundle, *source)) return dense_stride(source->columns, type);
  return dense_stride(dimension_legal(bundle.dimension(0)) ? bundle.dimension(0) : 1, type);
}

StridedRows rows_of(const Bundle& bundle, ElementType type, const Tile* source) {
  if (!bundle.scalars().valid) return {0, default_stride(bundle, source), type};
  return {bundle.scalar(0), bundle.scalar(1), type};
}

StridedRows conversion_rows(const Bundle& bundle, ElementType type) {
  if (!bundle.scalars().valid) return {0, dense_stride(bundle.valid_columns(), type), type};
  return {bundle.scalar(0), bundle.scalar(1), type};
}

bool converts(const Bundle& bundle) {
  return bundle.attributes_present() && is_cube_conversion(bundle.attributes().data_layout);
}

StridedRows called_rows(const CallOperands& operands, ElementType type) {
  return {operands.address, operands.scalar0, type};
}

StridedRows load_source(const Work& work) {
  const ElementType type = work.result().data_type;
  if (work.bundle.call() != nullptr) return called_rows(*work.bundle.call(), type);
  return converts(work.bundle) ? conversion_rows(work.bundle, type) : rows_of(work.bundle, type, nullptr);
}

StridedRows store_target(const Work& work) {
  const ElementType type = work.source(0).data_type;
  if (work.bundle.call() != nullptr) return called_rows(*work.bundle.call(), type);
  return converts(work.bundle) ? conversion_rows(work.bundle, type)
                               : rows_of(work.bundle, type, &work.source(0));
}

// --- TLOAD ---

Check load_operands(const Work& work) {
  return need_descriptor(work.bundle, work.result(), destination_name);
}

// The published text loads a full four-bit tile of zeros at stride zero in one step, and that step marks its
// whole definedness map, far beyond the tile. Nothing can read those elements, but recorded states show them.
constexpr std::uint64_t whole_map = 524288;

bool loads_zeros_in_one_step(const Work& work, const StridedRows& rows) {
  const Tile& tile = work.result();
  const Machine& machine = work.bundle.machine();
  if (!numeric::is_four_bit(tile.data_type) || state::is_cube(tile.layout) || machine.memory_event_capture ||
      rows.stride != 0 || !fully_valid(tile) || tile.defined_valid_elements != 0 ||
      std::uint64_t{tile.rows} * tile.columns != state::element_capacity(tile.capacity_bytes, tile.data_type))
    return false;
  for (std::uint32_t column = 0; column < tile.columns; column += 2) {
    if (machine.memory.load(rows.address(0, column), 1) != 0) return false;
  }
  return true;
}

Check run_load(Work& work) {
  Tile& result = work.result();
  const StridedRows rows = load_source(work);
  if (Check broken = probe_rows(work.bundle, rows, result, Access::Read)) return broken;
  const bool in_one_step = loads_zeros_in_one_step(work, rows);
  load_rows(work.bundle.machine().memory, rows, result);
  define_valid_region(result);
  if (in_one_step) {
    result.storage.grow(result.storage.payload_bytes(), whole_map);
    kernels::set_bits(result.storage.mutable_defined(), 0, whole_map);
  }
  if (state::is_cube(result.layout)) pad(result, work.bundle.pad_value());
  return passed;
}

void commit_load(Work& work, Machine& machine) {
  record_row_loads(work.bundle, load_source(work), work.result(), machine.current_memory_agent, machine);
}

// --- TSTORE ---

Check store_operands(const Work& work) {
  return need_defined(work.bundle, work.source(0), operand_name(work.bundle, 0));
}

Check run_store(Work& work) {
  return probe_rows(work.bundle, store_target(work), work.source(0), Access::Write);
}

void commit_store(Work& work, Machine& machine) {
  store_tile(machine, work.bundle, store_target(work), work.source(0), machine.current_memory_agent);
}

// --- Conversions between memory order and CUBE layouts ---

Check conversion_dimensions(const Bundle& bundle) {
  for (unsigned number = 0; number < 2; ++number) {
    if (!bundle.dimension_present(number))
      return reject(rules::dimension_required, bundle.pc(), "LB{} is missing", number);
    if (!dimension_legal(bundle.dimension(number)))
      return reject(rules::dimension_range, bundle.pc(), "LB{} is {}", number, bundle.dimension(number));
  }
  if (bundle.dimension_present(2)) return reject(rules::dimension_absent, bundle.pc(), "LB2");
  return passed;
}

Check conversion_form(const Bundle& bundle) {
  const state::DataAttributes& given = bundle.attributes();
  const unsigned layout = given.data_layout;
  if (!bundle.memory_block() || !bundle.block().operation.selector_valid)
    return reject(rules::transfer_form, bundle.pc(), "layout {} in a block that is not a transfer", layout);
  if (given.data_type != no_element_type_code)
    return reject(rules::transfer_form, bundle.pc(), "DataType is {}: must be 31", given.data_type);
  if (given.comparison_mode != 0 || given.rounding_mode != 0 || given.saturating || given.canonicalize)
    return reject(rules::datr_field, bundle.pc(), "CMode, RMode, Sat or Canonicalize is set");
  const bool fits =
      bundle.function() == 0 ? is_cube_load(layout) : bundle.function() == 1 && is_cube_store(layout);
  if (!fits)
    return reject(rules::transfer_form, bundle.pc(), "layout {} with function {}", layout, bundle.function());
  return passed;
}

Check conversion_no_fpatr(const Bundle& bundle) {
  if (!bundle.block().fixed_point_attributes.valid) return passed;
  return reject(rules::fpatr_matrix_only, bundle.pc(), "B.FPATR with a transfer");
}

Check conversion_header(const Bundle& bundle) {
  const Behaviour& behaviour = bundle.function() == 0 ? cube_load_behaviour : cube_store_behaviour;
  return check_header(bundle, behaviour.header);
}

Check conversion_type(const Bundle& bundle) {
  const std::optional<ElementType> type = bundle.effective_type();
  if (!type.has_value()) return reject(rules::operation_type, bundle.pc(), "the block names no type");
  if (!state::cube_type_supported(*type, bundle.release()))
    return reject(rules::operation_type, bundle.pc(), "{} has no CUBE layout", name_of(*type));
  return passed;
}

constexpr BundleCheck conversion_checks[] = {
    conversion_dimensions, conversion_form,   checks::bindings_complete, checks::scalar_values,
    checks::masks_equal,   conversion_header, conversion_no_fpatr,       conversion_type};
constexpr Path conversion_path{.checks = conversion_checks, .fault = Fault::TileLegality};

Check conversion_source(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& tile = work.source(0);
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_cube(bundle, tile, name)) return broken;
  if (!tile.contents_defined)
    return reject(rules::tile_defined, bundle.pc(), "{} is not fully defined", name);
  if (tile.data_type != bundle.effective_type())
    return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(tile.data_type));
  if (tile.layout != cube_layout_of(bundle.attributes().data_layout))
    return reject(rules::tile_layout, bundle.pc(), "{} is {}", name, name_of(tile.layout));
  if (tile.valid_rows != bundle.dimension(1) || tile.valid_columns != bundle.dimension(0))
    return reject(rules::tile_shape, bundle.pc(), "{} has {}x{} valid elements, the block says {}x{}", name,
                  tile.valid_rows, tile.valid_columns, bundle.dimension(1), bundle.dimension(0));
  const std::uint8_t participants = bundle.binding(0).pe_mask;
  if ((tile.allocation_mask & participants) != participants)
    return reject(rules::tile_participants, bundle.pc(), "{} is held by PEs {:04b}, the block names {:04b}",
                  name, tile.allocation_mask, participants);
  return passed;
}

}  // namespace

// Rows of memory are read straight into the tile where it keeps rows, else by way of one row.
void load_rows(const Memory& memory, const StridedRows& rows, Tile& tile) {
  if (keeps_memory_order(tile)) {
    const std::span<std::uint8_t> payload = tile.storage.mutable_payload();
    const std::size_t bytes = dense_stride(tile.valid_columns, tile.data_type);
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
      memory.read(rows.row(row), payload.subspan(row_start(tile, row), bytes));
    return;
  }
  const std::size_t count = tile.valid_columns;
  std::vector<std::uint8_t> packed(numeric::is_four_bit(tile.data_type) ? divide_up<std::size_t>(count, 2)
                                                                        : 0);
  CarrierWriter out(tile);
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    out.row(row, 0, count, [&](std::uint8_t* made) {
      if (packed.empty())
        return memory.read(rows.row(row), {made, count * numeric::memory_bytes(tile.data_type)});
      memory.read(rows.row(row), packed);
      kernels::unpack_nibbles(packed.data(), 0, count, made);
    });
  }
}

void store_tile(Machine& machine, const Bundle& bundle, const StridedRows& rows, const Tile& tile,
                unsigned agent) {
  if (machine.memory_event_capture) return store_elements(machine, bundle, rows, tile, agent);
  store_rows(machine, rows, tile);
}

void record_row_loads(const Bundle& bundle, const StridedRows& rows, const Tile& tile, unsigned agent,
                      Machine& machine) {
  if (!machine.memory_event_capture) return;
  const unsigned size = numeric::memory_bytes(rows.type);
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
      const Word address = rows.address(row, column);
      record_load(machine, agent, address, size, machine.memory.load(address, size), bundle.memory_order());
    }
  }
}

Check probe_rows(const Bundle& bundle, const StridedRows& rows, const Tile& tile, Access access) {
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    if (Check broken = probe_row(bundle, rows, tile, row, access)) return broken;
  }
  return passed;
}

constinit const Behaviour load_behaviour{.path = &common_path,
                                         .keeps_destination = true,
                                         .plan = planners::from_sources,
                                         .operands = load_operands,
                                         .run = run_load,
                                         .commit = commit_load};

constinit const Behaviour store_behaviour{.path = &common_path,
                                          .plan = planners::from_sources,
                                          .operands = store_operands,
                                          .run = run_store,
                                          .commit = commit_store};

constinit const Behaviour cube_load_behaviour{
    .path = &conversion_path,
    .header = {.bindings = {BindingShape{0, true, true}}, .binding_count = 1, .shared_absent = true},
    .plan = planners::cube_conversion,
    .run = run_load,
    .commit = commit_load};

constinit const Behaviour cube_store_behaviour{
    .path = &conversion_path,
    .header = {.bindings = {BindingShape{1, false, true}}, .binding_count = 1, .shared_absent = true},
    .sources_defined = false,
    .operands = conversion_source,
    .run = run_store,
    .commit = commit_store};

}  // namespace pto::exec
