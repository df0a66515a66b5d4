// Direct calls: one tile operation with explicit operands, without a block.
//
// A call writes its results into tiles that exist already. It judges its operands itself, as the operation of
// a block does after its header has been judged. There are two kinds. A decoded call selects its operation by
// family and code and rejects operands that are not legal. A plain call names the operation and trusts its
// operands: the architecture does not say what it does otherwise.
#pragma once

#include "exec/step.h"
#include "exec/tile/call_operands.h"

namespace pto::exec {

// A closed set of operations that a target's numeric profile lacks.
enum class Applicability : std::uint8_t { None, A2A3MxRejection };

struct DecodedCall {
  isa::TileFamily family{};
  unsigned code = 0;
  CallOperands operands;
  Applicability rules{};
  // Whether the call is an instruction attempt: it clears the last fault and advances time.
  bool attempt = true;
};

StepResult execute_decoded_call(Context& context, const DecodedCall& call);

struct PlainCall {
  const isa::TileOperation* operation = nullptr;  // null: the element that wins of two, with its index
  CallOperands operands;
};

// What became of a plain call. It returns nothing, whether it raised a fault or not.
struct PlainOutcome {
  bool accepted = false;  // false: the operands are not what the operation relies on; nothing happened
  StepResult step;        // Rejected: why it was not accepted, or the fault it raised
};

PlainOutcome execute_plain_call(Context& context, const PlainCall& call);

}  // namespace pto::exec
