// What a header must look like for an operation, as data, and the one checker that reads it.
//
// A block is judged in the order its path lists: a path is a list of checks and, where the architecture folds
// them all into one fault, that fault. The operation's own demands are a Header row; check_header walks it.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "exec/tile/work.h"

namespace pto::exec {

// One B.IOT: how many sources, whether it has the destination, whether it ends the stream.
struct BindingShape {
  std::uint8_t sources = 0;
  bool destination = false;
  bool last = false;
};

enum class ScalarRule : std::uint8_t { Any, Absent, Required };

enum class DimensionRule : std::uint8_t {
  Any,
  Shape,     // LB0 required; whatever is present is 1..65535
  Sequence,  // as Shape; LB1 one, LB2 at least LB0
  Triangle,  // as Shape; LB2 at least LB0
  Indexed,   // as Shape; LB2 a power of two and at least LB0
  Absent,
};

// What an operation asks of a source before anything is allocated.
struct SourceNeeds {
  bool descriptor = false;
  bool defined = false;
  bool encodings = false;
  bool numeric = false;
  bool predicate = false;
  bool operation_type = false;
  bool row_major = false;
  bool block_shape = false;  // valid rows, valid columns and columns are the header's
  bool not_empty = false;
  std::int8_t matches = -1;        // shape and type equal to this source
  std::int8_t matches_shape = -1;  // shape alone
};

struct Header {
  std::array<BindingShape, 2> bindings{};
  std::uint8_t binding_count = 0;  // 0: the operation does not say how its tiles are spread over B.IOT
  bool shared_absent = false;
  ScalarRule scalars = ScalarRule::Any;
  DimensionRule dimensions = DimensionRule::Any;
  bool datr_absent = false;
  bool comparison = false;
  const numeric::TypeSet* types = nullptr;  // the types BSTART may encode
  bool row_major = false;                   // the layout B.DATR names is row-major
  std::array<SourceNeeds, 3> sources{};
  BundleCheck extra = nullptr;  // what rows cannot say
};

struct Path {
  std::span<const BundleCheck> checks;
  std::optional<state::Fault> fault;  // every broken check raises this one instead of its rule's
};

// Checks that paths are made of.
namespace checks {
Check fpatr_matrix_only(const Bundle& bundle);
Check bindings_complete(const Bundle& bundle);
Check stream_terminated(const Bundle& bundle);
Check scalar_surplus(const Bundle& bundle);
Check scalar_values(const Bundle& bundle);
Check datr_fields(const Bundle& bundle);
Check masks_equal(const Bundle& bundle);
Check shared_absent(const Bundle& bundle);
Check scalar_required(const Bundle& bundle);
Check header(const Bundle& bundle);
Check dimensions(const Bundle& bundle, DimensionRule rule);
}  // namespace checks

Check check_header(const Bundle& bundle, const Header& header);

}  // namespace pto::exec
