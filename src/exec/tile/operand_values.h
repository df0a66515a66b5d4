// Checks on values that B.IOR brings in, beyond the plain ranges of flags and diagonals.
#pragma once

#include "exec/tile/work.h"

namespace pto::exec {

// The multiplier and zero point of TQUANT and TDEQUANT; other operations have none.
Check quantization_scalars(const Bundle& bundle);
// The same values, however they came in; `integer` is the type on the quantized side.
Check need_quantization(const Bundle& bundle, Word multiplier, Word zero_point,
                        std::optional<ElementType> integer);

}  // namespace pto::exec
