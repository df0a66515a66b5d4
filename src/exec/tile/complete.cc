#include "exec/tile/complete.h"

namespace pto::exec {

Completion complete_tile_operation(Context&) {
  return {.status = CompletionStatus::Unsupported, .rejection = {}, .unsupported = "tile operations"};
}

bool tile_operation_supported(const isa::TileOperation&) { return false; }

}  // namespace pto::exec
