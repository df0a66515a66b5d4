// The scalar behaviours, by family. Each function picks what executes an instruction of its behaviours and
// finishes the instruction's operands (see exec/behaviours.h).
#pragma once

#include "exec/chain.h"

namespace pto::exec::scalar {

// memory.cc
Function load(Instruction& instruction);
Function load_pair(Instruction& instruction);
Function store(Instruction& instruction);
Function store_pair(Instruction& instruction);
Function prefetch(Instruction& instruction);

// arithmetic.cc
Function binary(Instruction& instruction);
Function binary_word(Instruction& instruction);
Function move(Instruction& instruction);

// multiply_divide.cc, bit_field.cc
Function multiply(Instruction& instruction);
Function divide(Instruction& instruction);
Function bit_field(Instruction& instruction);

// control_flow.cc
Function compare(Instruction& instruction);
Function control_flow(Instruction& instruction);

// atomic.cc, floating.cc, system.cc
Function atomic(Instruction& instruction);
Function floating(Instruction& instruction);
Function system(Instruction& instruction);

}  // namespace pto::exec::scalar
