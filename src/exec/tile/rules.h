// The rules of tile operations.
#pragma once

#include <span>

#include "exec/rule.h"

namespace pto::exec {

std::span<const Rule* const> tile_rules();

}  // namespace pto::exec
