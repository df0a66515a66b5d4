#include "exec/tile/shared_views.h"

#include "exec/tile/regions.h"

namespace pto::exec {

using state::RangeModifier;
using state::SharedBinding;
using state::SharedTile;
using state::Tile;

namespace {

constexpr Word largest_offset = 2047;  // in CELLs

const SharedBinding& bound(const Bundle& bundle, unsigned binding) {
  return bundle.block().shared_bindings[binding];
}
const SharedTile& parent_of(const Bundle& bundle, unsigned binding) {
  return bundle.machine().shared_tiles[bound(bundle, binding).shared_id];
}

Word offset_of(const Bundle& bundle, unsigned binding, unsigned pe) {
  const RangeModifier& range = bound(bundle, binding).source0_subview;
  return bundle.machine().read_gpr(pe, range.reg_src) + range.uimm11;
}

// The elements a view takes from its parent.
struct Extent {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint32_t row = 0, column = 0;  // of the first
  std::uint64_t left = 0;             // columns from there to the end of the row
  [[nodiscard]] bool in_one_row() const { return count <= left; }
};

Extent extent_of(const Tile& parent, std::uint32_t bytes, Word offset) {
  const unsigned bits = element_bits(parent.data_type);
  Extent extent;
  extent.first = offset * state::cell_bytes * 8 / bits;
  extent.count = std::uint64_t{bytes} * 8 / bits;
  extent.row = static_cast<std::uint32_t>(extent.first / parent.columns);
  extent.column = static_cast<std::uint32_t>(extent.first % parent.columns);
  extent.left = parent.columns - extent.column;
  return extent;
}

Check need_view_of(const Bundle& bundle, unsigned binding, unsigned pe) {
  const Tile& parent = parent_of(bundle, binding).tile;
  const unsigned id = bound(bundle, binding).shared_id;
  const std::uint32_t bytes = state::size_code_bytes(bound(bundle, binding).source0_subview.size_code);
  const Word offset = offset_of(bundle, binding, pe);
  if (offset > largest_offset || offset * state::cell_bytes + bytes > parent.capacity_bytes)
    return reject(rules::view_range, bundle.pc(), "PE{}: {} bytes from CELL {} on, of s{} with {} bytes", pe,
                  bytes, offset, id, parent.capacity_bytes);
  const Extent extent = extent_of(parent, bytes, offset);
  if (extent.in_one_row() || (extent.column == 0 && extent.count % parent.columns == 0)) return passed;
  return reject(
      rules::view_shape, bundle.pc(),
      "PE{}: {} elements from column {} on, of s{} with rows of {}, are neither in one row nor whole rows",
      pe, extent.count, extent.column, id, parent.columns);
}

}  // namespace

bool has_shared_view(const Bundle& bundle, unsigned binding) {
  return bound(bundle, binding).valid && bound(bundle, binding).source0_subview.valid;
}

Check need_shared_view(const Bundle& bundle, unsigned binding) {
  const Tile& parent = parent_of(bundle, binding).tile;
  const SharedBinding& shared = bound(bundle, binding);
  if (shared.size_code != 0 || shared.source0_subview.size_code == 0 || state::is_cube(parent.layout) ||
      parent.columns == 0)
    return reject(rules::view_parent, bundle.pc(), "s{} is {} with {} columns", shared.shared_id,
                  name_of(parent.layout), parent.columns);
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    if ((shared.pe_mask & state::pe_bit(pe)) == 0) continue;
    if (Check broken = need_view_of(bundle, binding, pe)) return broken;
  }
  return passed;
}

Tile shared_view(const Bundle& bundle, unsigned binding, unsigned pe) {
  const Tile& parent = parent_of(bundle, binding).tile;
  const std::uint32_t bytes = state::size_code_bytes(bound(bundle, binding).source0_subview.size_code);
  const Extent extent = extent_of(parent, bytes, offset_of(bundle, binding, pe));
  Tile view;
  view.allocated = true;
  view.data_type = parent.data_type;
  view.layout = parent.layout;
  view.location = parent.location;
  view.capacity_bytes = bytes;
  view.columns = extent.in_one_row() ? static_cast<std::uint32_t>(extent.count) : parent.columns;
  view.rows = state::derived_rows(bytes, view.columns, view.data_type);
  const auto rows = extent.in_one_row() ? 1u : static_cast<std::uint32_t>(extent.count / parent.columns);
  // The parent's valid region cuts the view's.
  view.valid_rows = std::min(rows, parent.valid_rows - std::min(parent.valid_rows, extent.row));
  view.valid_columns =
      std::min(view.columns, parent.valid_columns - std::min(parent.valid_columns, extent.column));
  view.fresh_storage();
  for (std::uint64_t element = 0; element < extent.count; ++element) {
    const std::uint64_t from = extent.first + element;
    view.set_element(
        element, parent.defined(from) ? number_at(parent, from) : bound(bundle, binding).shared_id ^ from);
  }
  view.contents_defined = true;
  view.defined_valid_elements = view.valid_rows * view.valid_columns;
  return view;
}

Tile shared_source(const Bundle& bundle, unsigned binding) {
  if (has_shared_view(bundle, binding))
    return shared_view(bundle, binding, bundle.machine().current_memory_agent);
  return parent_of(bundle, binding).tile;
}

}  // namespace pto::exec
