// A program as `run` gets it: an assembly source, an ELF file, a raw image or hexadecimal words, all as one
// image with what is known about where its instructions came from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "isa/release.h"
#include "load/image.h"
#include "text/program.h"

namespace pto::cli {

struct ProgramSource {
  load::Image image;
  // Which line made which address, ascending: of an assembly source, or of an ELF file with debug
  // information.
  std::vector<text::LineOrigin> lines;
  std::vector<std::string> files;
  // What a source includes, as paths.
  std::vector<std::string> included;
  // Where a program without an end of its own may stop: the end of the section it starts in. Not for ELF
  // files, whose programs end themselves.
  std::optional<Word> natural_end;

  // "sum.s:14" when the line is known, else "main+0x12", else the address.
  [[nodiscard]] std::string place(Word address) const;
};

struct ProgramOptions {
  std::string format = "auto";  // auto, asm, elf, raw, hex
  Release release = default_release;
  Word address = 0x10000;  // of the text of a source, of raw and hexadecimal images
};

// Reads and understands the file. Several errors are possible for a source; the others give one.
struct ProgramResult {
  std::optional<ProgramSource> program;
  std::vector<Error> errors;
};
ProgramResult read_program(const std::string& path, const ProgramOptions& options);

}  // namespace pto::cli
