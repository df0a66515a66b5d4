#include <cstdio>

#include "cli/commands.h"

namespace pto::cli {

void print_error(const Error& error) {
  const std::string text = "ptosim: error: " + error.render() + "\n";
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace pto::cli
