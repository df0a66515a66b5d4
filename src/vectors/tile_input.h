// The input of a `tile` step: a function of Appendix A and its operands (SCHEMA 2.1).
#pragma once

#include <simdjson.h>

#include <string_view>
#include <variant>

#include "base/result.h"
#include "exec/tile/direct.h"

namespace pto::vectors {

// A plain call returns nothing; a decoded one returns a status and a word.
using TileCall = std::variant<exec::PlainCall, exec::DecodedCall>;

Result<TileCall> read_tile_call(const simdjson::dom::object& input, Release release);

}  // namespace pto::vectors
