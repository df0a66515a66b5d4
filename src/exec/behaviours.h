// Which function performs which behaviour.
#pragma once

#include "exec/outcome.h"
#include "isa/behaviour.h"

namespace pto::exec {

// The function of a behaviour; null: ptosim has none yet.
Behave behaviour_function(isa::Behaviour behaviour);

}  // namespace pto::exec
