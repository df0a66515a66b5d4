// A line of a vector file: any bytes give a verdict or an error. Steps that parse are executed, so this also
// drives every behaviour from states no program could reach.

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "vectors/step.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static simdjson::dom::parser parser;
  std::string line(reinterpret_cast<const char*>(data), size);
  line.append(simdjson::SIMDJSON_PADDING, '\0');
  const pto::vectors::Options options;
  (void)pto::vectors::check_step(parser, line.data(), size, options).ok();
  return 0;
}
