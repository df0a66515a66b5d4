// MSCATTER, MSCATTER.MASK and MGATHER.CAS: one element per lane to memory at a byte displacement
// (PTO-MSCATTER-BYTE-DISPLACEMENT-001, PTO-MSCATTER-MASK-PREDICATE-001, PTO-MGATHER-CAS-ATOMIC-001).
//
// Lanes are addressed as gathers address them. All are probed before the first is stored; ptosim stores them
// in row-major order, which is one of the orders the architecture allows for lanes that share an address.
#include "exec/memory_access.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/lane_rows.h"

namespace pto::exec {

using isa::TileBehaviour;
using state::Access;
using state::Fault;
using state::Machine;
using state::Tile;

namespace {

// The lanes of the block, in row-major order.
struct Lanes {
  ElementType type{};  // of an element
  std::uint32_t columns = 0;
  std::vector<Word> addresses;
  std::vector<std::uint8_t> enabled;  // empty: all are

  [[nodiscard]] unsigned size() const { return numeric::memory_bytes(type); }
};

// Displacements that do not lie side by side in bytes are looked at one by one.
std::vector<Word> addresses_of(const Tile& indices, Word base, Reading reading) {
  std::vector<Word> addresses(std::size_t{indices.valid_rows} * indices.valid_columns);
  Word* next = addresses.data();
  CarrierReader in(indices);
  for (std::uint32_t row = 0; row < indices.valid_rows; ++row) {
    if (!lies_in_bytes(indices, reading)) {
      for (std::uint32_t column = 0; column < indices.valid_columns; ++column)
        *next++ = base + displacement(indices, row, column, reading);
      continue;
    }
    const std::uint8_t* carriers = in.row(row, 0, indices.valid_columns);
    const bool with_sign = numeric::is_signed(indices.data_type);
    kernels::with_carrier(in.bytes(), [&](auto carrier) {
      using T = decltype(carrier);
      for (std::uint32_t column = 0; column < indices.valid_columns; ++column) {
        const T index = kernels::load_carrier<T>(carriers + column * sizeof(T));
        *next++ =
            base + (with_sign ? static_cast<Word>(std::int64_t{static_cast<std::make_signed_t<T>>(index)})
                              : Word{index});
      }
    });
  }
  return addresses;
}

Lanes lanes_of(const Work& work) {
  const TileBehaviour does = work.bundle.operation()->does;
  const bool swaps = does == TileBehaviour::MemoryCompareSwap;
  const Tile& indices = work.source(swaps ? 0 : 1);
  Lanes lanes{swaps ? work.result().data_type : work.source(0).data_type,
              indices.valid_columns,
              addresses_of(indices, lane_base(work.bundle), reading_of(work.bundle, indices)),
              {}};
  if (does != TileBehaviour::MemoryScatterMask) return lanes;
  lanes.enabled.reserve(lanes.addresses.size());
  for (std::uint32_t row = 0; row < indices.valid_rows; ++row) {
    for (std::uint32_t column = 0; column < indices.valid_columns; ++column)
      lanes.enabled.push_back(predicate_at(work.source(2), row, column) ? 1 : 0);
  }
  return lanes;
}

// Calls visit(lane, address) for the enabled lanes in row-major order, until it returns false.
template <class Visit>
void for_each_lane(const Lanes& lanes, Visit visit) {
  for (std::size_t lane = 0; lane < lanes.addresses.size(); ++lane) {
    if (!lanes.enabled.empty() && lanes.enabled[lane] == 0) continue;
    if (!visit(lane, lanes.addresses[lane])) return;
  }
}

// The numbers of a source, one for each lane: its carriers where they lie side by side, else a copy of them.
class LaneNumbers {
 public:
  LaneNumbers(const Tile& tile, Reading reading) : bytes_(kernels::carrier_bytes(tile.data_type)) {
    CarrierReader in(tile);
    const std::size_t count = std::size_t{tile.valid_rows} * tile.valid_columns;
    if (reading == Reading::Elements && tile.layout == state::TileLayout::RowMajor &&
        tile.valid_columns == tile.columns && tile.storage.payload_bytes() >= count * bytes_ &&
        tile.storage_kind == state::StorageKind::Numeric) {
      data_ = tile.storage.payload().data();
      return;
    }
    copy_.resize(count * bytes_);
    std::uint8_t* next = copy_.data();
    const std::size_t row_bytes = std::size_t{tile.valid_columns} * bytes_;
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row, next += row_bytes) {
      if (reading == Reading::Elements) {
        std::memcpy(next, in.row(row, 0, tile.valid_columns), row_bytes);
        continue;
      }
      for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
        const Word number = indexed_number(tile, row, column, reading);
        std::memcpy(next + std::size_t{column} * bytes_, &number, bytes_);
      }
    }
    data_ = copy_.data();
  }
  LaneNumbers(const LaneNumbers&) = delete;
  LaneNumbers& operator=(const LaneNumbers&) = delete;
  [[nodiscard]] Word operator[](std::size_t lane) const {
    return kernels::with_carrier(bytes_, [&](auto carrier) -> Word {
      return kernels::load_carrier<decltype(carrier)>(data_ + lane * sizeof carrier);
    });
  }

 private:
  unsigned bytes_;
  const std::uint8_t* data_ = nullptr;
  std::vector<std::uint8_t> copy_;
};

// Writes a number for every lane: carriers of the result's type side by side.
void write_lanes(Tile& result, const std::vector<std::uint8_t>& numbers) {
  CarrierWriter out(result);
  const std::size_t row_bytes = std::size_t{result.valid_columns} * kernels::carrier_bytes(result.data_type);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    out.row(row, 0, result.valid_columns,
            [&](std::uint8_t* made) { std::memcpy(made, numbers.data() + row * row_bytes, row_bytes); });
  }
}

enum class LaneAccess : std::uint8_t { Write, ReadAndWrite };

Check probe_lane(const Machine& machine, Word address, unsigned size, LaneAccess wanted) {
  for (const Access access : {Access::Read, Access::Write}) {
    if (access == Access::Read && wanted == LaneAccess::Write) continue;
    const Fault fault = probe_access(machine, address, size, size, access);
    if (fault != Fault::None) return reject_access(machine, fault, address, size, access);
  }
  return passed;
}

// Probes one lane, most of the time without asking.
Check probe_lane_quickly(const Machine& machine, Word address, unsigned size, LaneAccess wanted) {
  const state::Memory& memory = machine.memory;
  const bool known = (address & (size - 1)) == 0 && memory.granted(address, size, Access::Write) != nullptr &&
                     (wanted == LaneAccess::Write || memory.granted(address, size, Access::Read) != nullptr);
  return known ? Check{} : probe_lane(machine, address, size, wanted);
}

// --- Scatters ---

Check scatter_operands(const Work& work) {
  const Tile& source = work.source(0);
  if (Check broken = need_defined(work.bundle, source, operand_name(work.bundle, 0))) return broken;
  if (Check broken = need_type(work.bundle, numeric::type_sets::byte_addressed, source.data_type))
    return broken;
  if (Check broken = need_displacements_of(work.bundle, 1, source)) return broken;
  return need_layout_of(work.bundle, 1, source);
}

Check scatter_mask_operands(const Work& work) {
  if (Check broken = scatter_operands(work)) return broken;
  return need_mask_of(work.bundle, 2, work.source(0));
}

LaneRows rows_of(const Work& work) {
  const bool masked = work.bundle.operation()->does == TileBehaviour::MemoryScatterMask;
  return {work.source(1), masked ? &work.source(2) : nullptr, lane_base(work.bundle),
          numeric::memory_bytes(work.source(0).data_type), reading_of(work.bundle, work.source(1))};
}

Check run_scatter(Work& work) {
  const Reading reading = reading_of(work.bundle, work.source(0));
  if (reading == Reading::Elements) work.lanes = rows_of(work).writable(work.bundle.machine());
  if (work.lanes) return passed;
  const Lanes lanes = lanes_of(work);
  const LaneNumbers values(work.source(0), reading);
  work.stores.reserve(lanes.addresses.size());
  Check broken;
  for_each_lane(lanes, [&](std::size_t lane, Word address) {
    broken = probe_lane_quickly(work.bundle.machine(), address, lanes.size(), LaneAccess::Write);
    work.stores.push_back({address, values[lane]});
    return !broken.has_value();
  });
  return broken;
}

void scatter_rows(const Work& work, Machine& machine) {
  const LaneRows lanes = rows_of(work);
  const kernels::Piece<std::uint8_t> memory = lanes.write(machine, *work.lanes);
  CarrierReader values(work.source(0));
  lanes.for_each({&work.source(0)}, [&](std::uint32_t row, kernels::Displacements displacements,
                                        kernels::LaneMask mask, std::size_t count) {
    kernels::scatter_lanes(values.bytes(), memory, displacements, mask, count, values.row(row, 0, count));
  });
}

void commit_scatter(Work& work, Machine& machine) {
  if (work.lanes) return scatter_rows(work, machine);
  const unsigned size = numeric::memory_bytes(work.source(0).data_type);
  for (const LaneStore& store : work.stores) {
    store_value(machine, store.address, size, store.value);
    record_store(machine, machine.current_memory_agent, store.address, size, store.value,
                 work.bundle.memory_order());
  }
}

Check scatter_header(const Bundle& bundle) {
  const Tile& source = bundle.source(0);
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_defined(bundle, source, name)) return broken;
  if (source.data_type != bundle.operation_type())
    return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(source.data_type));
  if (source.valid_rows != bundle.valid_rows() || source.valid_columns != bundle.valid_columns() ||
      source.columns != bundle.columns())
    return reject(rules::tile_shape, bundle.pc(),
                  "{} is {} valid rows by {} of {} columns, the block says {} by {} of {}", name,
                  source.valid_rows, source.valid_columns, source.columns, bundle.valid_rows(),
                  bundle.valid_columns(), bundle.columns());
  if (Check broken = need_displacements(bundle, 1)) return broken;
  for (const unsigned number : {0u, 1u}) {
    if (bundle.source(number).layout != bundle.layout())
      return reject(rules::tile_layout, bundle.pc(), "{} is {}, the block says {}",
                    operand_name(bundle, number), name_of(bundle.source(number).layout),
                    name_of(bundle.layout()));
  }
  for (unsigned number = 0; number < bundle.tile_bindings(); ++number) {
    if (bundle.binding(number).destination_size != 0)
      return reject(rules::size_code, bundle.pc(), "B.IOT {} has a size and no destination", number);
  }
  return passed;
}

Check scatter_mask_header(const Bundle& bundle) {
  if (Check broken = scatter_header(bundle)) return broken;
  return need_mask(bundle, 2);
}

// --- Compare and swap ---

Check compare_swap_header(const Bundle& bundle) {
  if (bundle.binding(0).destination_size != 0)
    return reject(rules::size_code, bundle.pc(), "the first B.IOT has a size and no destination");
  if (Check broken = need_displacements(bundle, 0)) return broken;
  for (const unsigned number : {1u, 2u}) {
    const Tile& tile = bundle.source(number);
    const OperandName name = operand_name(bundle, number);
    if (Check broken = need_defined(bundle, tile, name)) return broken;
    if (tile.data_type != bundle.operation_type())
      return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(tile.data_type));
    if (tile.valid_rows != bundle.valid_rows() || tile.valid_columns != bundle.valid_columns())
      return reject(rules::tile_shape, bundle.pc(), "{} has {}x{} valid elements, the block says {}x{}", name,
                    tile.valid_rows, tile.valid_columns, bundle.valid_rows(), bundle.valid_columns());
  }
  return passed;
}

Check compare_swap_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_type(bundle, numeric::type_sets::byte_addressed, result.data_type)) return broken;
  if (Check broken = need_displacements_of(bundle, 0, result)) return broken;
  for (const unsigned number : {1u, 2u}) {
    const Tile& tile = work.source(number);
    const OperandName name = operand_name(bundle, number);
    if (Check broken = need_defined(bundle, tile, name)) return broken;
    if (Check broken = need_lanes_of(bundle, number, result)) return broken;
    if (tile.data_type != result.data_type)
      return reject(rules::tile_type, bundle.pc(), "{} holds {}: must hold {}", name, name_of(tile.data_type),
                    name_of(result.data_type));
  }
  return passed;
}

LaneRows swapped_rows(const Work& work) {
  return {work.source(0), nullptr, lane_base(work.bundle), numeric::memory_bytes(work.result().data_type),
          reading_of(work.bundle, work.source(0))};
}

// What a lane finds in memory depends on the lanes before it, so the result is known when memory is written:
// `commit` does both, and here is only seen to it that it can.
Check run_compare_swap(Work& work) {
  Tile& result = work.result();
  if (!fully_valid(result))
    fill(result, 0, std::uint64_t{result.rows} * result.columns,
         numeric::pad_bits(work.bundle.pad_value(), result.data_type));
  define_everything(result);
  const auto by_element = [&work](unsigned number) {
    return reading_of(work.bundle, work.source(number)) == Reading::Elements;
  };
  if (by_element(1) && by_element(2)) work.lanes = swapped_rows(work).swappable(work.bundle.machine());
  if (work.lanes) return passed;
  const Lanes lanes = lanes_of(work);
  Check broken;
  for_each_lane(lanes, [&](std::size_t, Word address) {
    broken = probe_lane_quickly(work.bundle.machine(), address, lanes.size(), LaneAccess::ReadAndWrite);
    return !broken.has_value();
  });
  return broken;
}

void swap_rows(Work& work, Machine& machine) {
  const LaneRows lanes = swapped_rows(work);
  const kernels::Piece<std::uint8_t> memory = lanes.write(machine, *work.lanes);
  CarrierReader expected(work.source(1));
  CarrierReader replacement(work.source(2));
  CarrierWriter out(work.result());
  lanes.for_each(
      {&work.source(1), &work.source(2), &work.result()},
      [&](std::uint32_t row, kernels::Displacements displacements, kernels::LaneMask, std::size_t count) {
        out.row(row, 0, count, [&](std::uint8_t* made) {
          kernels::exchange_lanes(expected.bytes(), memory, displacements, count, expected.row(row, 0, count),
                                  replacement.row(row, 0, count), made);
        });
      });
}

void commit_compare_swap(Work& work, Machine& machine) {
  if (work.lanes) return swap_rows(work, machine);
  Tile& result = work.result();
  const Lanes lanes = lanes_of(work);
  const LaneNumbers expected(work.source(1), reading_of(work.bundle, work.source(1)));
  const LaneNumbers replacements(work.source(2), reading_of(work.bundle, work.source(2)));
  const unsigned bytes = kernels::carrier_bytes(result.data_type);
  std::vector<std::uint8_t> observed(lanes.addresses.size() * bytes);
  for_each_lane(lanes, [&](std::size_t lane, Word address) {
    const Word old = machine.memory.load(address, lanes.size());
    const Word replacement = replacements[lane];
    const bool equal = expected[lane] == old;
    if (equal) store_value(machine, address, lanes.size(), replacement);
    record_atomic(machine, address, lanes.size(), old, replacement, work.bundle.memory_order(), equal);
    std::memcpy(observed.data() + lane * bytes, &old, bytes);
    return true;
  });
  write_lanes(result, observed);
}

}  // namespace

constinit const Behaviour scatter_behaviour{.path = &indexed_path,
                                            .header = {.bindings = {BindingShape{2, false, true}},
                                                       .binding_count = 1,
                                                       .dimensions = DimensionRule::Indexed,
                                                       .types = &numeric::type_sets::byte_addressed,
                                                       .extra = scatter_header},
                                            .operands = scatter_operands,
                                            .run = run_scatter,
                                            .commit = commit_scatter};

constinit const Behaviour scatter_mask_behaviour{
    .path = &indexed_path,
    .header = {.bindings = {BindingShape{2, false, false}, BindingShape{1, false, true}},
               .binding_count = 2,
               .dimensions = DimensionRule::Indexed,
               .types = &numeric::type_sets::byte_addressed,
               .extra = scatter_mask_header},
    .operands = scatter_mask_operands,
    .run = run_scatter,
    .commit = commit_scatter};

constinit const Behaviour compare_swap_behaviour{
    .path = &indexed_path,
    .header = {.bindings = {BindingShape{2, false, false}, BindingShape{1, true, true}},
               .binding_count = 2,
               .dimensions = DimensionRule::Indexed,
               .types = &numeric::type_sets::byte_addressed,
               .extra = compare_swap_header},
    .plan = planners::of_operation_type,
    .operands = compare_swap_operands,
    .run = run_compare_swap,
    .commit = commit_compare_swap};

}  // namespace pto::exec
