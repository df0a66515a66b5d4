// Ranges of tiles in a block that completes: what B.SUBVIEW shows of a source, what B.ASSEMBLE asks of a
// result.
//
// A view is a tile of its own for as long as the block completes: it takes the first free register of its
// parent's hand and counts against capacity, so it can be refused for want of either, and a result of the
// same hand goes behind it. It is gone when the completion ends, however it ends.
#pragma once

#include <array>

#include "exec/tile/complete.h"
#include "exec/tile/work.h"

namespace pto::exec {

// Whether any binding of the open block has a range.
bool has_ranges(const state::BlockState& block);

class RangeViews {
 public:
  explicit RangeViews(Context& context) : context_(context) {}
  RangeViews(const RangeViews&) = delete;
  RangeViews& operator=(const RangeViews&) = delete;
  ~RangeViews();

  // Judges all ranges and puts the views in the places of their parents. An answer ends the completion.
  std::optional<Completion> prepare();

 private:
  struct View {
    std::uint8_t* source;  // the binding's
    std::uint8_t parent;
  };
  Check install(const Bundle& bundle, unsigned number, std::uint8_t& source,
                const state::RangeModifier& range);

  Context& context_;
  std::array<View, 2u * state::tile_binding_count> views_{};
  unsigned count_ = 0;
};

// The open point that a block runs into which writes part of a tile only, if it does.
std::optional<std::string_view> unplaced_result(const Bundle& bundle);

}  // namespace pto::exec
