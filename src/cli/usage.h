// What was wrong with a command line, in the words of the user.
#pragma once

#include "base/result.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace pto::cli {

// The parser stops at the first thing it misses; this looks for what the user more likely meant: a command or
// an option that does not exist, with the nearest that does.
Error usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv);

}  // namespace pto::cli
