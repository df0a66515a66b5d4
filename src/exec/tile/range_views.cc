#include "exec/tile/range_views.h"

#include <algorithm>
#include <bit>

#include "exec/tile/destinations.h"
#include "exec/tile/matrix.h"
#include "exec/tile/regions.h"

namespace pto::exec {

using state::RangeModifier;
using state::Tile;
using state::TileLayout;

namespace {

constexpr Word largest_offset = 2047;  // of an assembled range, in CELLs
constexpr unsigned hand_size = 16;

constexpr Word cells_of(unsigned size_code) { return state::size_code_bytes(size_code) / state::cell_bytes; }

bool shared_ranges(const state::BlockState& block) {
  return std::any_of(block.shared_bindings.begin(), block.shared_bindings.end(), [](const auto& bound) {
    return bound.valid && (bound.source0_subview.valid || bound.destination_assemble.valid);
  });
}

// Operations whose effects beside their result cannot be taken back.
bool effects_stay(isa::TileBehaviour does) {
  using isa::TileBehaviour;
  return does == TileBehaviour::MemoryCompareSwap || does == TileBehaviour::MemoryScatter ||
         does == TileBehaviour::MemoryScatterMask || does == TileBehaviour::Prefetch ||
         does == TileBehaviour::Scatter || does == TileBehaviour::Store;
}

// Which source of the operation is one column that stands for whole rows.
std::optional<unsigned> broadcast_source(const isa::TileOperation& operation) {
  if (operation.does != isa::TileBehaviour::Expand || operation.axis != isa::TileAxis::Row)
    return std::nullopt;
  return operation.variant == isa::TileVariant::Copy ? 0u : 1u;
}

// --- Views ---

// The part of a CUBE parent that a range shows: a rectangle of its valid region.
struct Window {
  Rectangle area;
  std::uint32_t bytes = 0;
};

Check find_window(const Bundle& bundle, const Tile& parent, const OperandName& name,
                  const RangeModifier& range, Window& window) {
  const Word pc = bundle.pc();
  if (!parent.allocated || parent.location != state::TileLocation::Matrix || !state::is_cube(parent.layout) ||
      parent.valid_rows == 0 || parent.valid_columns == 0 || parent.cube_cell_count == 0) {
    return reject(rules::view_parent, pc, "{} is {}", name.text(),
                  parent.allocated ? name_of(parent.layout) : "not allocated");
  }
  if (range.offset >= parent.cube_cell_count) {
    return reject(rules::view_range, pc, "{}: CELL {} of {}", name.text(), range.offset,
                  parent.cube_cell_count);
  }
  const unsigned bits = element_bits(parent.data_type);
  const auto offset = static_cast<std::uint32_t>(range.offset);
  const std::uint32_t rows = state::cell_rows(parent.layout, bits);
  const std::uint32_t columns = state::cell_columns(parent.layout, bits);
  std::uint32_t cells =
      std::min(static_cast<std::uint32_t>(cells_of(range.size_code)), parent.cube_cell_count - offset);
  Rectangle& area = window.area;
  const bool by_rows = parent.layout == TileLayout::CUBE_N8;
  if (by_rows) {
    // CELLs go down a column of CELLs before they go right; a view stays in its column.
    const std::uint32_t repeat = parent.cube_k_repeat;
    if (repeat == 0) return reject(rules::view_parent, pc, "{} has no rows of CELLs", name.text());
    cells = std::min(cells, repeat - offset % repeat);
    area.row = offset % repeat * rows;
    area.column = offset / repeat * columns;
  } else {
    area.column = offset * columns;
  }
  if (area.row >= parent.valid_rows || area.column >= parent.valid_columns) {
    return reject(rules::view_range, pc, "{}: CELL {} begins at row {}, column {} of valid {}x{}",
                  name.text(), offset, area.row, area.column, parent.valid_rows, parent.valid_columns);
  }
  area.rows = parent.valid_rows - area.row;
  if (by_rows) area.rows = std::min(area.rows, cells * rows);
  area.columns = std::min(by_rows ? columns : cells * columns, parent.valid_columns - area.column);
  const state::CubeGeometry geometry =
      state::cube_geometry(parent.layout, area.rows, area.columns, parent.data_type, bundle.release());
  if (geometry.cells == 0 || geometry.cells > cells) {
    return reject(rules::view_range, pc, "{}: valid {}x{} needs {} CELLs, the view has {}", name.text(),
                  area.rows, area.columns, geometry.cells, cells);
  }
  window.bytes = geometry.bytes;
  return passed;
}

// The window as CELLs of its own: what products read.
Tile cube_view(const Bundle& bundle, const Tile& parent, const Window& window) {
  const Rectangle& area = window.area;
  const state::CubeGeometry geometry =
      state::cube_geometry(parent.layout, area.rows, area.columns, parent.data_type, bundle.release());
  Tile view;
  view.allocated = true;
  view.allocation_mask = parent.allocation_mask;
  view.capacity_bytes = window.bytes;
  view.data_type = parent.data_type;
  view.layout = parent.layout;
  view.location = state::TileLocation::Matrix;
  view.rows = geometry.rows;
  view.columns = geometry.columns;
  view.valid_rows = area.rows;
  view.valid_columns = area.columns;
  view.cube_k_repeat = geometry.k_repeat;
  view.cube_n_repeat = geometry.n_repeat;
  view.cube_cell_count = geometry.cells;
  view.cube_storage_bytes = geometry.bytes;
  return view;
}

// A row-major tile for the window; operations other than products, and their bias, read nothing else.
Check describe_view(const Bundle& bundle, const Tile& parent, const OperandName& name, const Window& window,
                    bool broadcast, Tile& view) {
  const Rectangle& area = window.area;
  std::uint32_t columns = broadcast ? 1 : std::bit_ceil(area.columns);
  if (const Word named = bundle.dimension(2);
      !broadcast && bundle.dimension_present(2) && named >= area.columns && named <= dimension_limit)
    columns = static_cast<std::uint32_t>(named);
  if (!state::descriptor_shape_legal(window.bytes, columns, area.rows, area.columns, parent.data_type)) {
    return reject(rules::view_shape, bundle.pc(), "{}: valid {}x{} with {} columns in {} bytes of {}",
                  name.text(), area.rows, area.columns, columns, window.bytes, name_of(parent.data_type));
  }
  view.allocated = true;
  view.allocation_mask = parent.allocation_mask;
  view.capacity_bytes = window.bytes;
  view.data_type = parent.data_type;
  view.columns = columns;
  view.rows = state::derived_rows(window.bytes, columns, parent.data_type);
  view.valid_rows = area.rows;
  view.valid_columns = area.columns;
  return passed;
}

void copy_window(const Tile& parent, const Rectangle& area, Tile& view) {
  view.fresh_storage();
  for (std::uint32_t row = 0; row < area.rows; ++row) {
    for (std::uint32_t column = 0; column < area.columns; ++column) {
      const std::uint64_t from = state::storage_index(parent, area.row + row, area.column + column);
      if (!parent.defined(from)) continue;
      view.set_element(state::storage_index(view, row, column), parent.element(from));
      ++view.defined_valid_elements;
    }
  }
  view.contents_defined = view.defined_valid_elements == area.rows * area.columns;
}

bool reads_cells(const Bundle& bundle, unsigned number) {
  return bundle.matrix_block() && MatrixForm(bundle).bias != number;
}

// --- Assemblies ---

Rejection at_block_start(Rejection why) {
  why.restarts_block = true;
  return why;
}

Check check_range(Word pc, const RangeModifier& range, unsigned writer_size, Word parent_cells) {
  const Word writer = cells_of(writer_size);
  if (range.offset > largest_offset || range.offset + writer > parent_cells) {
    return reject(rules::assemble_range, pc, "a range of {} from CELL {} on, in a parent of {} CELLs", writer,
                  range.offset, parent_cells);
  }
  if (range.last && writer != parent_cells) {
    return reject(rules::assemble_coverage, pc, "{} of {} CELLs are written", writer, parent_cells);
  }
  return passed;
}

// No generation outlives a block here (unplaced_result), so only a first writer can be legal.
Check check_local_writer(const Bundle& bundle, const state::TileBinding& bound) {
  const RangeModifier& range = bound.destination_assemble;
  if (!range.init) {
    return reject(rules::assemble_open, bundle.pc(), "hand {} has no open assembly",
                  "TUMN"[bound.destination_hand % 4u]);
  }
  if (Check broken = check_range(bundle.pc(), range, bound.destination_size, cells_of(range.size_code)))
    return at_block_start(std::move(*broken));
  return passed;
}

Check check_shared_writer(const Bundle& bundle, const state::SharedBinding& bound) {
  const RangeModifier& range = bound.destination_assemble;
  if (!range.init)
    return reject(rules::assemble_shared_open, bundle.pc(), "S{} has no open assembly", bound.shared_id);
  return check_range(bundle.pc(), range, bound.size_code, cells_of(range.size_code));
}

Completion rejected(Rejection rejection) {
  return {.status = CompletionStatus::Rejected, .rejection = std::move(rejection), .unsupported = {}};
}
Completion unsupported(std::string_view what) {
  return {.status = CompletionStatus::Unsupported, .rejection = {}, .unsupported = what};
}

}  // namespace

bool has_ranges(const state::BlockState& block) {
  const auto has_range = [](const state::TileBinding& bound) {
    return bound.valid &&
           (bound.source0_subview.valid || bound.source1_subview.valid || bound.destination_assemble.valid);
  };
  return std::any_of(block.tile_bindings.begin(), block.tile_bindings.end(), has_range) ||
         shared_ranges(block);
}

Check RangeViews::install(const Bundle& bundle, unsigned number, std::uint8_t& source,
                          const RangeModifier& range) {
  state::Machine& machine = context_.machine;
  const std::uint8_t parent_index = source;
  const Tile& parent = machine.tiles[parent_index];
  const OperandName name = operand_name(bundle, number);
  Window window;
  if (Check broken = find_window(bundle, parent, name, range, window)) return broken;
  if (parent.allocation_mask == 0)
    return reject(rules::view_parent, bundle.pc(), "{} belongs to no PE", name.text());
  const unsigned first = parent_index / hand_size * hand_size;
  unsigned index = first;
  while (index < first + hand_size && machine.tiles[index].allocated) ++index;
  if (index == first + hand_size)
    return reject(rules::register_free, bundle.pc(), "hand {} has no register for a view of {}",
                  "TUMN"[first / hand_size], tile_name(parent_index));
  Tile view;
  if (reads_cells(bundle, number)) {
    view = cube_view(bundle, parent, window);
  } else if (Check broken = describe_view(bundle, parent, name, window,
                                          broadcast_source(*bundle.operation()) == number, view)) {
    return broken;
  }
  if (Check broken = need_capacity_for(bundle, view)) return broken;
  copy_window(parent, window.area, view);
  machine.tiles[index] = std::move(view);
  source = static_cast<std::uint8_t>(index);
  views_[count_++] = {&source, parent_index};
  return passed;
}

std::optional<Completion> RangeViews::prepare() {
  const Bundle bundle(context_);
  state::BlockState& block = context_.machine.block;
  if (bundle.operation() == nullptr) return std::nullopt;  // completion refuses the block for that
  const bool assembles =
      std::any_of(block.tile_bindings.begin(), block.tile_bindings.end(),
                  [](const auto& bound) { return bound.valid && bound.destination_assemble.valid; });
  if (assembles && effects_stay(bundle.operation()->does))
    return rejected(reject(rules::assemble_effects, bundle.pc(), "{}", bundle.operation()->name));
  if (bundle.matrix_block()) {
    // A product is judged as a group first, and a PE without rows looks at no view.
    if (Check broken = judge_matrix_group(bundle)) return rejected(std::move(*broken));
    if (MatrixForm(bundle).idle()) return std::nullopt;
  }
  unsigned number = 0;
  for (state::TileBinding& bound : block.tile_bindings) {
    if (!bound.valid) continue;
    if (bound.source0_subview.valid) {
      if (Check broken = install(bundle, number, bound.source0, bound.source0_subview))
        return rejected(std::move(*broken));
    }
    number += bound.source0_valid ? 1 : 0;
    if (bound.source1_subview.valid) {
      if (Check broken = install(bundle, number, bound.source1, bound.source1_subview))
        return rejected(std::move(*broken));
    }
    number += bound.source1_valid ? 1 : 0;
  }
  for (const state::TileBinding& bound : block.tile_bindings) {
    if (!bound.valid || !bound.destination_assemble.valid) continue;
    if (Check broken = check_local_writer(bundle, bound)) return rejected(std::move(*broken));
  }
  for (const state::SharedBinding& bound : block.shared_bindings) {
    if (!bound.valid || !bound.destination_assemble.valid) continue;
    if (Check broken = check_shared_writer(bundle, bound)) return rejected(std::move(*broken));
  }
  for (const state::SharedBinding& bound : block.shared_bindings) {
    const RangeModifier& range = bound.destination_assemble;
    const bool alone = range.init && range.last && std::popcount(bound.pe_mask) == 1;
    if (bound.valid && range.valid && !alone)
      return unsupported("a Shared tile assembled by several writers");
  }
  return std::nullopt;
}

RangeViews::~RangeViews() {
  // A register can be the parent of another view, so the last comes first.
  while (count_ != 0) {
    const View& view = views_[--count_];
    state::Machine& machine = context_.machine;
    machine.tiles[*view.source] = released_tile();
    if (machine.tile_feature_maps.exists(*view.source))
      machine.tile_feature_maps.at(*view.source).valid = false;
    *view.source = view.parent;
  }
}

std::optional<std::string_view> unplaced_result(const Bundle& bundle) {
  for (unsigned number = 0; number < bundle.destinations(); ++number) {
    if (bundle.call() != nullptr) break;
    const RangeModifier& range = bundle.binding(bundle.destination_binding(number)).destination_assemble;
    if (range.valid && !(range.init && range.last)) return "assembled-placement";
  }
  return std::nullopt;
}

}  // namespace pto::exec
