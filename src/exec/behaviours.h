// Which function performs which behaviour.
#pragma once

#include "exec/chain.h"
#include "isa/behaviour.h"

namespace pto::exec {

// Picks the function for an instruction whose operands are taken apart, and finishes what only the behaviour
// knows about them (the meaning of its modifier, the scale of its offset). No behaviour: none yet.
Function resolve(Instruction& instruction);

}  // namespace pto::exec
