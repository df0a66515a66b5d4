// The assembler: a source text becomes a Program or a list of errors. docs/ASSEMBLY.md describes the
// language.
//
// Two passes. The first reads lines, expands macros, repetitions and conditions, and gives every item an
// offset in its section; the length of an instruction depends on its mnemonic alone, so no offset ever
// changes. Then sections get their addresses, and the second pass evaluates expressions and encodes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isa/release.h"
#include "text/name_lists.h"
#include "text/program.h"

namespace pto::text {

struct AssembleLimits {
  std::size_t source_bytes = std::size_t{64} << 20;     // of one file
  std::size_t output_bytes = std::size_t{256} << 20;    // of all sections
  std::size_t lines = 4'000'000;                        // after expansion
  std::size_t line_bytes = std::size_t{1} << 20;        // of a line that a macro makes
  std::size_t expanded_bytes = std::size_t{256} << 20;  // of all lines that macros make
  unsigned expansion_depth = 64;                        // macros within macros
  unsigned include_depth = 16;
  std::size_t included_files = 10'000;
  std::size_t errors = 20;  // reported before giving up
};

struct AssembleOptions {
  Release release = default_release;
  Word text_address = 0x10000;
  // Reads a file named by .include, as seen from the folder of the first source; absent: .include is an
  // error.
  std::function<Result<std::string>(const std::string& path)> read_file;
  AssembleLimits limits;
};

struct Assembled {
  Program program;  // meaningful when there are no errors
  std::vector<Error> errors;
  [[nodiscard]] bool ok() const { return errors.empty(); }
};

// Every directive and what it does.
std::vector<Name> directive_names();

Assembled assemble(std::string_view source, const std::string& file_name, const AssembleOptions& options);

}  // namespace pto::text
