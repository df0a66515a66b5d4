// The lanes of an indexed memory operation taken row by row, where none of them needs a look of its own.
//
// Most of the time all lanes lie in one piece of memory that may be accessed throughout. Then a row of lanes
// is one call of a kernel; what is left (indices of four bits or in carriers, lanes in several pieces, pages
// that somebody watches, lanes that will be refused) is taken lane by lane.
#pragma once

#include "exec/tile/carriers.h"
#include "exec/tile/gather.h"

namespace pto::exec {

class LaneRows {
 public:
  // `mask` may be null: every lane is enabled. `size` is that of an element in memory, `reading` the way the
  // indices are read.
  LaneRows(const state::Tile& indices, const state::Tile* mask, Word base, unsigned size, Reading reading)
      : indices_(indices), mask_(mask), base_(base), size_(size), reading_(reading) {}

  // The reach of the lanes, if all enabled ones are aligned and lie in a piece of memory that the running
  // ring may read. Nothing: they must be taken one by one.
  [[nodiscard]] std::optional<kernels::Reach> readable(const state::Machine& machine) const;
  // The same for writes that break no reservation and that no memory event records.
  [[nodiscard]] std::optional<kernels::Reach> writable(const state::Machine& machine) const;
  [[nodiscard]] std::optional<kernels::Reach> swappable(const state::Machine& machine) const;

  // The piece of memory, once that is known.
  [[nodiscard]] kernels::Piece<const std::uint8_t> read(const state::Machine& machine,
                                                        const kernels::Reach& reach) const {
    return {machine.memory.readable_piece(start(reach), bytes(reach), machine.current_acr), reach.least};
  }
  [[nodiscard]] kernels::Piece<std::uint8_t> write(state::Machine& machine,
                                                   const kernels::Reach& reach) const {
    return {machine.memory.writable_piece(start(reach), bytes(reach), machine.current_acr), reach.least};
  }

  // Calls visit(row, displacements, mask, count) for every row of lanes. Where rows follow each other in
  // `others` as well, the tiles whose elements belong to the lanes, all are one row.
  template <class Visit>
  void for_each(std::initializer_list<const state::Tile*> others, Visit visit) const {
    const bool joined =
        rows_follow(indices_) && (mask_ == nullptr || mask_->valid_columns == mask_->columns) &&
        std::ranges::all_of(others, [](const state::Tile* tile) { return rows_follow(*tile); });
    const std::uint32_t rows = joined ? 1 : indices_.valid_rows;
    const std::size_t count = std::size_t{indices_.valid_columns} * (joined ? indices_.valid_rows : 1);
    CarrierReader in(indices_);
    for (std::uint32_t row = 0; row < rows; ++row) {
      const kernels::Displacements displacements{in.row(row, 0, count), in.bytes(),
                                                 numeric::is_signed(indices_.data_type)};
      visit(row, displacements, mask_of(row), count);
    }
  }

 private:
  [[nodiscard]] static bool rows_follow(const state::Tile& tile) {
    return tile.layout == state::TileLayout::RowMajor && tile.valid_columns == tile.columns;
  }
  [[nodiscard]] kernels::LaneMask mask_of(std::uint32_t row) const {
    if (mask_ == nullptr) return {};
    return {mask_->storage.payload().data(), std::uint64_t{row} * mask_->columns};
  }
  // From the first lane to the last.
  [[nodiscard]] static Word span(const kernels::Reach& reach) {
    return static_cast<Word>(reach.greatest) - static_cast<Word>(reach.least);
  }
  [[nodiscard]] Word start(const kernels::Reach& reach) const {
    return base_ + static_cast<Word>(reach.least);
  }
  [[nodiscard]] Word bytes(const kernels::Reach& reach) const { return span(reach) + size_; }

  [[nodiscard]] bool may_read(const state::Machine& machine, const kernels::Reach& reach) const;
  [[nodiscard]] bool may_write(const state::Machine& machine, const kernels::Reach& reach) const;
  // The reach of the lanes if they are regular and memory grants it.
  template <class Grants>
  [[nodiscard]] std::optional<kernels::Reach> reach_where(Grants grants) const;

  const state::Tile& indices_;
  const state::Tile* mask_;
  Word base_;
  unsigned size_;
  Reading reading_;
};

}  // namespace pto::exec
