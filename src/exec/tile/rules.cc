#include "exec/tile/rules.h"

namespace pto::exec {

std::span<const Rule* const> tile_rules() { return {}; }

}  // namespace pto::exec
