// A behaviour: everything ptosim knows about one way tile operations work, stage by stage.
#pragma once

#include "exec/tile/schema.h"
#include "exec/tile/work.h"

namespace pto::exec {

// Decides where the results go and what they will be; refuses what cannot be allocated.
using Planner = Check (*)(const Bundle&, Plan&);

struct Behaviour {
  const Path* path = nullptr;
  Header header{};
  // Sources must be fully defined before the operation looks at its operands.
  bool sources_defined = true;
  // A direct call leaves what the operation does not write; every other operation starts from nothing.
  bool keeps_destination = false;
  Planner plan = nullptr;           // null: no results
  OperandCheck operands = nullptr;  // what the operation asks of its operands, results included
  Kernel run = nullptr;
  Commit commit = nullptr;
};

// The behaviour of an operation; null: it has none yet.
const Behaviour* behaviour_of(const isa::TileOperation& operation);

// The path of operations that have no path of their own.
extern const Path common_path;
extern const Path cell_path;

}  // namespace pto::exec
