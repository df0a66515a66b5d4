// An operation under way: its bundle, the fresh tiles its results go into, and what it will leave behind.
//
// Nothing here is visible to the program before publication, so everything up to then may still be rejected.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "exec/tile/bundle.h"
#include "exec/tile/legality.h"
#include "kernels/lanes.h"
#include "numeric/status.h"

namespace pto::exec {

inline constexpr unsigned max_results = 3;

// Where a result goes and what its descriptor will be. Pure: nothing is reserved yet.
struct PlannedResult {
  std::uint8_t binding = 0;
  std::uint8_t index = 0;
  state::Tile descriptor;
};

struct Plan {
  std::array<PlannedResult, max_results> results{};
  unsigned count = 0;
};

// A store that an operation will do.
struct LaneStore {
  Word address;
  Word value;
};

struct Work {
  const Bundle& bundle;
  // Fresh tiles, in destination order. Their descriptors are final, their storage starts undefined.
  std::array<state::Tile, max_results> results{};
  unsigned result_count = 0;
  numeric::StatusFlags flags = numeric::status::none;
  // What `run` made for `commit`, where that is no result.
  state::Tile scratch{};
  std::vector<LaneStore> stores{};
  // Indexed writes: what `run` found out about the lanes, if they can be written row by row.
  std::optional<kernels::Reach> lanes{};

  [[nodiscard]] state::Tile& result() { return results[0]; }
  [[nodiscard]] const state::Tile& result() const { return results[0]; }
  [[nodiscard]] const state::Tile& source(unsigned number) const { return bundle.source(number); }
};

using BundleCheck = Check (*)(const Bundle&);
using OperandCheck = Check (*)(const Work&);
// Fills the fresh results. Reads memory but never writes it.
using Kernel = Check (*)(Work&);
// Effects outside tiles, once nothing can fail any more: stores and memory events. What is only known when
// memory is written, a compare and swap puts into its result here.
using Commit = void (*)(Work&, state::Machine&);

}  // namespace pto::exec
