// What B.SUBVIEW shows of a Shared tile (PTO ISA 0.58.5, "Shared-source B.SUBVIEW").
//
// The size is common, the place is each PE's own: its register and the immediate count CELLs from the start
// of the parent. A view is part of one row, or whole rows.
#pragma once

#include "exec/tile/bundle.h"
#include "exec/tile/rules.h"

namespace pto::exec {

bool has_shared_view(const Bundle& bundle, unsigned binding);
// Whether every PE of the block has a view; the parent is published.
Check need_shared_view(const Bundle& bundle, unsigned binding);
// The view of a PE as a tile; undefined elements read as any Shared element nobody wrote does.
state::Tile shared_view(const Bundle& bundle, unsigned binding, unsigned pe);
// What the executing PE reads: its view, or the whole parent.
state::Tile shared_source(const Bundle& bundle, unsigned binding);

}  // namespace pto::exec
