// Where results go: which register, how large, of what shape. Planning is pure; an Allocation then holds
// fresh tiles and, unless they are published, takes everything back.
//
// Every result is judged before any is allocated, so an allocation is all or nothing.
#pragma once

#include "exec/tile/behaviour.h"

namespace pto::exec {

// The shape of a result as an operation prescribes it.
struct ResultShape {
  Word valid_rows = 0;
  Word valid_columns = 0;
  Word columns = 0;
};

namespace planners {
// The header's dimensions; where it has none, the first source's shape.
Check from_sources(const Bundle& bundle, Plan& plan);
// The header's dimensions alone.
Check from_dimensions(const Bundle& bundle, Plan& plan);
// The header's dimensions, of the type BSTART encodes whatever B.DATR says.
Check of_operation_type(const Bundle& bundle, Plan& plan);
// A packed predicate as large as the first source.
Check predicate(const Bundle& bundle, Plan& plan);
// A CUBE tile shaped like the first source.
Check like_cube_source(const Bundle& bundle, Plan& plan);
// A CUBE tile of the layout B.DATR converts to.
Check cube_conversion(const Bundle& bundle, Plan& plan);
}  // namespace planners

// Row-major-like results of this shape; `type` is the first result's, further ones are U32.
Check plan_results(const Bundle& bundle, const ResultShape& shape, ElementType type, Plan& plan);
// The steps of planning, for operations whose results are not alike. Registers first: they number the
// results.
Check choose_registers(const Bundle& bundle, Plan& plan);
// `holders`: the PEs of the block that the results are charged to.
Check need_capacity(const Bundle& bundle, std::uint8_t holders = 0xf);
// Room for one more tile, of the PEs it belongs to (0.58.4 and later).
Check need_capacity_for(const Bundle& bundle, const state::Tile& tile);
// A result in the layout B.DATR names.
Check describe_result(const Bundle& bundle, const ResultShape& shape, ElementType type,
                      PlannedResult& result);
Check describe_cube_result(const Bundle& bundle, std::uint32_t valid_rows, std::uint32_t valid_columns,
                           ElementType type, state::TileLayout layout, PlannedResult& result);
// The type of a result where the operation prescribes none.
std::optional<ElementType> result_type(const Bundle& bundle);

// What a released register holds.
state::Tile released_tile();

class Allocation {
 public:
  Allocation(const Bundle& bundle, state::Machine& machine, const Plan& plan);
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  // Unpublished registers end up released, as the architecture leaves them.
  ~Allocation();

  [[nodiscard]] Work& work() { return work_; }
  // Makes the results the live tiles and adds the status flags. Nothing can fail any more.
  void publish() noexcept;

 private:
  state::Machine& machine_;
  Plan plan_;
  Work work_;
  bool published_ = false;
};

}  // namespace pto::exec
