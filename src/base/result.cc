#include "base/result.h"

#include <fmt/format.h>

#include <algorithm>

namespace pto {

std::string Error::render() const {
  std::string out;
  if (!place.file.empty()) {
    out += place.file;
    if (place.line != 0) out += fmt::format(":{}", place.line);
    if (place.line != 0 && place.column != 0) out += fmt::format(":{}", place.column);
    out += ": ";
  }
  out += message;
  if (!excerpt.empty()) {
    // Keep tabs in the caret line so that the caret stands under the character on every terminal.
    std::string margin;
    const std::size_t before =
        place.column < excerpt_column ? 0 : std::min(place.column - excerpt_column, excerpt.size());
    for (std::size_t i = 0; i < before; ++i) margin += excerpt[i] == '\t' ? '\t' : ' ';
    out += fmt::format("\n  {}\n  {}^", excerpt, margin);
  }
  if (!hint.empty()) out += fmt::format("\n  hint: {}", hint);
  return out;
}

}  // namespace pto
