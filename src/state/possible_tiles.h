// Tiles that a state file describes but no run leaves behind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "state/machine.h"

namespace pto::state {

struct BadTile {
  std::vector<std::string> path;  // of its member in a state file
  std::string message;
};
std::optional<BadTile> find_impossible_tile(const Machine& machine);

}  // namespace pto::state
