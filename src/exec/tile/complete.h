// The completion of a tile block: the point where everything its header collected takes effect.
#pragma once

#include <string_view>

#include "exec/context.h"
#include "exec/rule.h"
#include "isa/tile/operations.h"

namespace pto::exec {

enum class CompletionStatus : std::uint8_t { Executed, Rejected, Unsupported, Unspecified };

struct Completion {
  CompletionStatus status = CompletionStatus::Executed;
  Rejection rejection;           // when Rejected
  std::string_view unsupported;  // when Unsupported: the operation's name; when Unspecified: the open point
};

// Executes the operation the open block describes; reads nothing but the machine. A rejected completion has
// undone whatever it prepared and leaves the fault to the caller, who raises it from the rejection.
Completion complete_tile_operation(Context& context);

}  // namespace pto::exec
