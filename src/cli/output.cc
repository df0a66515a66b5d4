#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"

namespace pto::cli {

void print_error(const Error& error) {
  const std::string text = "ptosim: error: " + error.render() + "\n";
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

bool use_colour() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

}  // namespace pto::cli
