#include "exec/tile/destinations.h"

#include <bit>

#include "exec/tile/shared.h"

namespace pto::exec {

using state::Tile;
using state::TileLayout;

namespace {

constexpr unsigned hand_size = 16;

std::uint32_t bytes_of(const state::TileBinding& bound, Release release) {
  // The first writer of an assembly allocates the whole parent.
  const state::RangeModifier& assemble = bound.destination_assemble;
  const unsigned size = assemble.valid && assemble.init ? assemble.size_code : bound.destination_size;
  return size_code_legal(size, release) ? state::size_code_bytes(size) : 0;
}

// Tile bytes each PE has in use.
std::array<Word, state::pe_count> bytes_in_use(const state::Machine& machine) {
  std::array<Word, state::pe_count> used{};
  for (const Tile& tile : machine.tiles) {
    if (!tile.allocated) continue;
    for (unsigned pe = 0; pe < state::pe_count; ++pe) {
      if ((tile.allocation_mask & state::pe_bit(pe)) != 0) used[pe] += tile.capacity_bytes;
    }
  }
  return used;
}

}  // namespace

Check need_capacity(const Bundle& bundle, std::uint8_t holders) {
  const state::Machine& machine = bundle.machine();
  const Word limit = machine.system_registers.tile_capacity;
  const auto wanted = [&](auto charge) {
    Word total = 0;
    for (unsigned number = 0; number < bundle.destinations(); ++number) {
      const state::TileBinding& bound = bundle.binding(bundle.destination_binding(number));
      if (!bound.destination_allocated_by_bundle) total += charge(bound) * bytes_of(bound, bundle.release());
    }
    return total;
  };
  if (bundle.release() == Release::v0_58_3) {
    const Word more = wanted(
        [](const state::TileBinding& bound) { return static_cast<Word>(std::popcount(bound.pe_mask)); });
    const Word used = core_bytes_in_use(machine);
    if (used + more <= limit) return passed;
    return reject(rules::capacity_free, bundle.pc(), "{} bytes wanted, {} of {} in use", more, used, limit);
  }
  const std::array<Word, state::pe_count> used = bytes_in_use(machine);
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    const Word more = wanted([&](const state::TileBinding& bound) {
      return (bound.pe_mask & holders & state::pe_bit(pe)) != 0 ? Word{1} : Word{0};
    });
    if (more != 0 && used[pe] + more > limit)
      return reject(rules::capacity_free, bundle.pc(), "{} bytes wanted in PE{}, {} of {} in use", more, pe,
                    used[pe], limit);
  }
  return passed;
}

Check need_capacity_for(const Bundle& bundle, const Tile& tile) {
  const Word limit = bundle.machine().system_registers.tile_capacity;
  const std::array<Word, state::pe_count> used = bytes_in_use(bundle.machine());
  for (unsigned pe = 0; pe < state::pe_count; ++pe) {
    if ((tile.allocation_mask & state::pe_bit(pe)) == 0) continue;
    if (used[pe] + tile.capacity_bytes > limit)
      return reject(rules::capacity_free, bundle.pc(), "{} bytes wanted in PE{}, {} of {} in use",
                    tile.capacity_bytes, pe, used[pe], limit);
  }
  return passed;
}

// Gives every result the first free register of its hand that no other result has taken.
Check choose_registers(const Bundle& bundle, Plan& plan) {
  std::uint64_t taken = 0;
  for (unsigned number = 0; number < bundle.destinations(); ++number) {
    const unsigned binding = bundle.destination_binding(number);
    const state::TileBinding& bound = bundle.binding(binding);
    if (bound.destination_allocated_by_bundle) continue;
    const unsigned first = bound.destination_hand % 4u * hand_size;
    unsigned index = first;
    while (index < first + hand_size &&
           (bundle.machine().tiles[index].allocated || (taken >> index & 1) != 0))
      ++index;
    if (index == first + hand_size)
      return reject(rules::register_free, bundle.pc(), "hand {} is full",
                    "TUMN"[bound.destination_hand % 4u]);
    taken |= std::uint64_t{1} << index;
    if (plan.count == max_results) break;
    PlannedResult& result = plan.results[plan.count++];
    result.binding = static_cast<std::uint8_t>(binding);
    result.index = static_cast<std::uint8_t>(index);
  }
  return passed;
}

namespace {

Tile blank_descriptor(const state::TileBinding& bound, Release release) {
  Tile tile;
  tile.allocated = true;
  tile.allocation_mask = bound.pe_mask;
  tile.capacity_bytes = bytes_of(bound, release);
  return tile;
}

}  // namespace

Check describe_result(const Bundle& bundle, const ResultShape& shape, ElementType type,
                      PlannedResult& result) {
  Tile tile = blank_descriptor(bundle.binding(result.binding), bundle.release());
  tile.data_type = type;
  tile.layout = bundle.layout();
  const bool in_range = shape.columns <= dimension_limit && shape.valid_rows <= dimension_limit &&
                        shape.valid_columns <= dimension_limit;
  tile.columns = in_range ? static_cast<std::uint32_t>(shape.columns) : 0;
  tile.valid_rows = in_range ? static_cast<std::uint32_t>(shape.valid_rows) : 0;
  tile.valid_columns = in_range ? static_cast<std::uint32_t>(shape.valid_columns) : 0;
  if (tile.capacity_bytes == 0 || !state::descriptor_shape_legal(tile.capacity_bytes, tile.columns,
                                                                 tile.valid_rows, tile.valid_columns, type)) {
    return reject(rules::size_sufficient, bundle.pc(),
                  "{} valid rows by {} of {} columns of {} do not make whole rows of {} bytes",
                  shape.valid_rows, shape.valid_columns, shape.columns, name_of(type), tile.capacity_bytes);
  }
  tile.rows = state::derived_rows(tile.capacity_bytes, tile.columns, type);
  result.descriptor = std::move(tile);
  return passed;
}

Check describe_cube_result(const Bundle& bundle, std::uint32_t valid_rows, std::uint32_t valid_columns,
                           ElementType type, TileLayout layout, PlannedResult& result) {
  Tile tile = blank_descriptor(bundle.binding(result.binding), bundle.release());
  if (!cube_shape_legal(bundle, tile.capacity_bytes, valid_rows, valid_columns, type, layout)) {
    return reject(rules::size_sufficient, bundle.pc(), "{} of valid {}x{} {} does not fit {} bytes",
                  name_of(layout), valid_rows, valid_columns, name_of(type), tile.capacity_bytes);
  }
  const state::CubeGeometry geometry =
      state::cube_geometry(layout, valid_rows, valid_columns, type, bundle.release());
  tile.data_type = type;
  tile.layout = layout;
  tile.location = state::TileLocation::Matrix;
  tile.rows = geometry.rows;
  tile.columns = geometry.columns;
  tile.valid_rows = valid_rows;
  tile.valid_columns = valid_columns;
  tile.cube_k_repeat = geometry.k_repeat;
  tile.cube_n_repeat = geometry.n_repeat;
  tile.cube_cell_count = geometry.cells;
  tile.cube_storage_bytes = geometry.bytes;
  result.descriptor = std::move(tile);
  return passed;
}

namespace {

// A dimension register where it holds a legal value, else what the first source or the one Shared tile has.
Word dimension_or(const Bundle& bundle, unsigned number, std::uint32_t Tile::*member, Word otherwise) {
  if (dimension_legal(bundle.dimension(number))) return bundle.dimension(number);
  if (bundle.sources() != 0 && descriptor_configured(bundle, bundle.source(0)))
    return bundle.source(0).*member;
  return otherwise;
}

Check plan_cube(const Bundle& bundle, std::uint32_t valid_rows, std::uint32_t valid_columns, ElementType type,
                TileLayout layout, Plan& plan) {
  if (Check broken = choose_registers(bundle, plan)) return broken;
  if (Check broken = describe_cube_result(bundle, valid_rows, valid_columns, type, layout, plan.results[0]))
    return broken;
  return need_capacity(bundle);
}

ResultShape block_shape(const Bundle& bundle) {
  return {bundle.valid_rows(), bundle.valid_columns(), bundle.columns()};
}

}  // namespace

Word core_bytes_in_use(const state::Machine& machine) {
  Word total = 0;
  for (const Tile& tile : machine.tiles) {
    if (tile.allocated)
      total += Word{tile.capacity_bytes} * static_cast<unsigned>(std::popcount(tile.allocation_mask));
  }
  for (unsigned id = 0; id < state::shared_tile_count; ++id) {
    if (!machine.shared_tiles.exists(id)) continue;
    const state::SharedTile& shared = machine.shared_tiles[id];
    if (shared.descriptor_valid)
      total +=
          Word{shared.tile.capacity_bytes} * static_cast<unsigned>(std::popcount(shared.allocation_mask));
  }
  return total;
}

std::optional<ElementType> result_type(const Bundle& bundle) {
  if (const std::optional<ElementType> type = bundle.effective_type()) return type;
  // A TMOV without a type takes its source's.
  if (bundle.operation()->does != isa::TileBehaviour::Move) return std::nullopt;
  for (unsigned number = 0; number < bundle.sources(); ++number) {
    if (descriptor_configured(bundle, bundle.source(number))) return bundle.source(number).data_type;
  }
  return std::nullopt;
}

Check plan_results(const Bundle& bundle, const ResultShape& shape, ElementType type, Plan& plan) {
  if (!result_type(bundle).has_value())
    return reject(rules::type_known, bundle.pc(), "neither BSTART nor B.DATR names a type");
  if (Check broken = choose_registers(bundle, plan)) return broken;
  if (Check broken = need_capacity(bundle)) return broken;
  for (unsigned number = 0; number < plan.count; ++number) {
    const ElementType of = number == 0 ? type : ElementType::U32;
    if (Check broken = describe_result(bundle, shape, of, plan.results[number])) return broken;
  }
  return passed;
}

namespace planners {

Check from_sources(const Bundle& bundle, Plan& plan) {
  const std::optional<ElementType> type = result_type(bundle);
  const Word valid_columns = dimension_or(bundle, 0, &Tile::valid_columns, 1);
  const Word valid_rows = dimension_or(bundle, 1, &Tile::valid_rows, 1);
  const Word own_columns = dimension_legal(bundle.dimension(0)) ? bundle.dimension(0) : 1;
  const Word columns = dimension_or(bundle, 2, &Tile::columns, own_columns);
  return plan_results(bundle, {valid_rows, valid_columns, columns}, type.value_or(ElementType::FP64), plan);
}

Check from_dimensions(const Bundle& bundle, Plan& plan) {
  const std::optional<ElementType> type = result_type(bundle);
  return plan_results(bundle, block_shape(bundle), type.value_or(ElementType::FP64), plan);
}

Check of_operation_type(const Bundle& bundle, Plan& plan) {
  const std::optional<ElementType> type = bundle.operation_type();
  return plan_results(bundle, block_shape(bundle), type.value_or(ElementType::FP64), plan);
}

Check predicate(const Bundle& bundle, Plan& plan) {
  const Tile& source = bundle.source(0);
  Tile tile = blank_descriptor(bundle.binding(bundle.destination_binding(0)), bundle.release());
  const std::uint64_t elements = std::uint64_t{source.rows} * source.columns;
  if (source.storage_kind != state::StorageKind::Numeric ||
      elements > state::element_capacity(source.capacity_bytes, source.data_type) ||
      divide_up<std::uint64_t>(elements, 8) > tile.capacity_bytes) {
    return reject(rules::size_sufficient, bundle.pc(), "{}x{} predicates do not fit {} bytes", source.rows,
                  source.columns, tile.capacity_bytes);
  }
  if (Check broken = need_capacity(bundle)) return broken;
  if (Check broken = choose_registers(bundle, plan)) return broken;
  tile.storage_kind = state::StorageKind::Predicate;
  tile.data_type = ElementType::U8;
  tile.rows = source.rows;
  tile.columns = source.columns;
  tile.valid_rows = source.valid_rows;
  tile.valid_columns = source.valid_columns;
  plan.results[0].descriptor = std::move(tile);
  return passed;
}

Check like_cube_source(const Bundle& bundle, Plan& plan) {
  const Tile& source = bundle.source(0);
  if (Check broken = need_cube(bundle, source, operand_name(bundle, 0))) return broken;
  return plan_cube(bundle, source.valid_rows, source.valid_columns, source.data_type, source.layout, plan);
}

Check cube_conversion(const Bundle& bundle, Plan& plan) {
  const std::optional<ElementType> type = bundle.effective_type();
  return plan_cube(bundle, static_cast<std::uint32_t>(bundle.dimension(1)),
                   static_cast<std::uint32_t>(bundle.dimension(0)), type.value_or(ElementType::FP64),
                   cube_layout_of(bundle.attributes().data_layout), plan);
}

}  // namespace planners

Tile released_tile() {
  Tile tile;
  tile.data_type = ElementType::U8;
  return tile;
}

Allocation::Allocation(const Bundle& bundle, state::Machine& machine, const Plan& plan)
    : machine_(machine), plan_(plan), work_{.bundle = bundle} {
  work_.result_count = plan.count;
  for (unsigned number = 0; number < plan.count; ++number) {
    work_.results[number] = plan.results[number].descriptor;
    work_.results[number].fresh_storage();
  }
}

Allocation::~Allocation() {
  if (published_) return;
  for (unsigned number = 0; number < plan_.count; ++number) {
    const PlannedResult& result = plan_.results[number];
    machine_.tiles[result.index] = released_tile();
    if (machine_.tile_feature_maps.exists(result.index))
      machine_.tile_feature_maps.at(result.index).valid = false;
    state::TileBinding& bound = machine_.block.tile_bindings[result.binding];
    bound.destination = bound.destination_hand;
    bound.destination_allocated_by_bundle = false;
  }
}

void Allocation::publish() noexcept {
  for (unsigned number = 0; number < plan_.count; ++number) {
    const PlannedResult& result = plan_.results[number];
    machine_.tiles[result.index] = std::move(work_.results[number]);
    if (machine_.tile_feature_maps.exists(result.index))
      machine_.tile_feature_maps.at(result.index).valid = false;
    state::TileBinding& bound = machine_.block.tile_bindings[result.binding];
    bound.destination = result.index;
    bound.destination_allocated_by_bundle = true;
  }
  machine_.system_registers.core_state |= Word{work_.flags} << numeric::status_flags_lsb;
  published_ = true;
}

}  // namespace pto::exec
