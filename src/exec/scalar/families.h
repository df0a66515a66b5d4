// The scalar behaviours, by family. Each function picks what executes an instruction of its behaviours and
// finishes the instruction's operands (see exec/behaviours.h).
#pragma once

#include "exec/instruction.h"

namespace pto::exec::scalar {

// memory.cc
Behave load(Instruction& instruction);
Behave load_pair(Instruction& instruction);
Behave store(Instruction& instruction);
Behave store_pair(Instruction& instruction);
Behave prefetch(Instruction& instruction);

// arithmetic.cc
Behave binary(Instruction& instruction);
Behave binary_word(Instruction& instruction);
Behave move(Instruction& instruction);

// multiply_divide.cc, bit_field.cc
Behave multiply(Instruction& instruction);
Behave divide(Instruction& instruction);
Behave bit_field(Instruction& instruction);

// control_flow.cc
Behave compare(Instruction& instruction);
Behave control_flow(Instruction& instruction);

// atomic.cc, floating.cc, system.cc
Behave atomic(Instruction& instruction);
Behave floating(Instruction& instruction);
Behave system(Instruction& instruction);

}  // namespace pto::exec::scalar
