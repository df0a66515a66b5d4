// One recorded step: from a line of JSON to a verdict.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "vectors/check.h"

namespace simdjson::dom {
class parser;
}

namespace pto::vectors {

enum class Verdict : std::uint8_t { Passed, Failed, Unsupported, Skipped };

struct StepOutcome {
  Verdict verdict = Verdict::Passed;
  bool rejected = false;  // the step was rejected, as recorded when Passed
  std::string_view rule;  // when rejected: by which rule
  std::string instruction;
  std::string unsupported;  // when Unsupported: what is missing
  Failure failure;          // when Failed
};

// `padded` is the line followed by simdjson's padding. `parser` is reused from step to step.
Result<StepOutcome> check_step(simdjson::dom::parser& parser, const char* line, std::size_t length,
                               const Options& options);

}  // namespace pto::vectors
