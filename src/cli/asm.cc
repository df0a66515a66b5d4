// ptosim asm: a source becomes an executable, an image, words or JSON.

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/io.h"
#include "text/assembler.h"
#include "text/object.h"

namespace pto::cli {

namespace {

struct AsmOptions {
  std::string file;
  std::string output;
  std::string format;
  std::string release{name_of(default_release)};
  std::string text_address = "0x10000";
};

constexpr const char* formats[] = {"elf", "raw", "hex", "json"};

Error bad_format(const std::string& format) {
  return {.message = "unknown format '" + format + "'",
          .place = {},
          .hint = "formats are elf, raw, hex and json",
          .excerpt = {}};
}

// The files that were read, by what they are and not by how they are called: two names of a file, links or
// not, are one.
class Sources {
 public:
  void add(const std::string& path) {
    struct stat status {};
    if ((path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) == 0)
      files_.push_back({status.st_dev, status.st_ino, display_name(path)});
  }
  // The source that writing `path` would replace; empty: none.
  [[nodiscard]] std::string replaced_by(const std::string& path) const {
    struct stat status {};
    if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const auto found = std::ranges::find_if(files_, [&status](const File& file) {
      return file.device == status.st_dev && file.number == status.st_ino;
    });
    return found == files_.end() ? std::string() : found->name;
  }

 private:
  struct File {
    dev_t device;
    ino_t number;
    std::string name;
  };
  std::vector<File> files_;
};

// Images end with what has bytes: memory of zeros needs a container.
void warn_of_zeros(const text::Program& program, const std::string& format) {
  for (const text::Section& section : program.sections) {
    if (!section.only_zeros) continue;
    fmt::print(
        stderr,
        "ptosim: warning: {} ({} bytes of zeros at {:#x}) is not in the {} image; --format elf and json "
        "keep it\n",
        section.name, section.bytes.size(), section.address, format);
  }
}

// Text formats go to standard output unless a file is named; binary ones need a name.
Result<void> write_program(const text::Program& program, const AsmOptions& options) {
  const bool is_text = options.format == "hex" || options.format == "json";
  if (options.output.empty() && !is_text) {
    return Error{.message = "no output file",
                 .place = {},
                 .hint = "name one with -o FILE (-o - is standard output)",
                 .excerpt = {}};
  }
  const std::string& path = options.output.empty() ? "-" : options.output;
  if (options.format == "hex" || options.format == "raw") warn_of_zeros(program, options.format);
  if (options.format == "hex") return write_output(path, text::to_hex(program));
  if (options.format == "json") return write_output(path, text::to_json(program));
  if (options.format == "elf") return write_output(path, text::to_elf(program));
  const Result<std::vector<std::uint8_t>> image = text::to_raw(program);
  if (!image) return image.error();
  return write_output(path, *image);
}

Exit refuse(const Error& error) {
  print_error(error);
  return Exit::BadInput;
}

Exit run_asm(AsmOptions options) {
  if (options.format.empty()) options.format = "elf";
  if (std::find(std::begin(formats), std::end(formats), options.format) == std::end(formats)) {
    return refuse(bad_format(options.format));
  }
  text::AssembleOptions assemble;
  const Result<Release> release = parse_release(options.release);
  if (!release) return refuse(release.error());
  assemble.release = *release;
  const Result<std::uint64_t> address = parse_address("--text-address", options.text_address);
  if (!address) return refuse(address.error());
  assemble.text_address = *address;

  Sources sources;
  sources.add(options.file);
  const Result<std::string> source = read_input(options.file, assemble.limits.source_bytes);
  if (!source) return refuse(source.error());
  // .include looks beside the source.
  const std::filesystem::path folder = std::filesystem::path(options.file).parent_path();
  assemble.read_file = [&sources, folder, limit = assemble.limits.source_bytes](const std::string& path) {
    const std::string beside = (folder / path).string();
    sources.add(beside);
    return read_input(beside, limit);
  };

  const text::Assembled assembled = text::assemble(*source, display_name(options.file), assemble);
  for (const Error& error : assembled.errors) print_error(error);
  if (!assembled.ok()) return Exit::BadInput;
  if (const std::string replaced = sources.replaced_by(options.output); !replaced.empty()) {
    return refuse(option_error("-o", options.output,
                               replaced == options.output
                                   ? "this is a source of the program"
                                   : fmt::format("this is {}, a source of the program", replaced),
                               "name another file"));
  }
  if (assembled.program.sections.empty()) {
    fmt::print(stderr, "ptosim: warning: {}: there is nothing in the source: no instruction, no data\n",
               display_name(options.file));
  }
  const Result<void> written = write_program(assembled.program, options);
  return written ? Exit::Completed : refuse(written.error());
}

}  // namespace

void add_asm(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<AsmOptions>();
  CLI::App* command = app.add_subcommand("asm", "Assemble a source file");
  command->add_option("FILE", options->file, "Source; - is standard input")->required();
  command->add_option("-o,--output", options->output, "Output file; - is standard output");
  command->add_option("--format", options->format, "elf (the default), raw, hex (one word a line) or json");
  command->add_option("--isa", options->release, "Release of the ISA")->capture_default_str();
  command->add_option("--text-address", options->text_address, "Where .text begins")->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return run_asm(*options); }; });
}

}  // namespace pto::cli
