// ptosim dis: words and images as text. With --format plain, what it prints is what asm accepts.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/io.h"
#include "load/image.h"
#include "text/disassembler.h"

namespace pto::cli {

namespace {

struct DisOptions {
  std::vector<std::string> inputs;
  std::string format = "full";
  std::string release{name_of(default_release)};
  std::string address = "0";
};

// Collects the output so that a pipe gets large pieces.
class Printer {
 public:
  Printer(const DisOptions& options, Release release) : options_(options), release_(release) {}

  void piece(Word address, const text::Piece& piece) {
    if (options_.format == "plain") {
      out_ += piece.text;
    } else if (options_.format == "json") {
      json(address, piece);
    } else {
      fmt::format_to(std::back_inserter(out_), "{:8x}:  {:0{}x}{:{}}  {}", address, piece.word,
                     piece.bytes * 2, "", 16 - piece.bytes * 2, piece.text);
      if (const std::string why = why_not(piece); !why.empty()) out_ += "  # " + why;
    }
    out_ += '\n';
    constexpr std::size_t enough = std::size_t{1} << 20;
    if (out_.size() > enough) (void)flush();
  }

  // A line that is no instruction; the formats for programs leave it out.
  void note(std::string_view text) {
    if (options_.format == "full") fmt::format_to(std::back_inserter(out_), "{}\n", text);
  }
  [[nodiscard]] bool shows_names() const { return options_.format == "full"; }

  // The first failure is kept and answers every later call.
  Result<void> flush() {
    if (state_.ok()) state_ = write_output("-", out_);
    out_.clear();
    return state_;
  }

 private:
  [[nodiscard]] std::string why_not(const text::Piece& piece) const {
    if (piece.decoded.form != nullptr && piece.decoded.violated == nullptr) return {};
    return explain_rejection(piece.word, piece.bytes * 8, release_);
  }

  void json(Word address, const text::Piece& piece) {
    nlohmann::ordered_json line{{"address", fmt::format("{:#x}", address)},
                                {"word", fmt::format("{:#x}", piece.word)},
                                {"bits", piece.bytes * 8},
                                {"text", piece.text}};
    if (const std::string why = why_not(piece); !why.empty()) line["illegal"] = why;
    out_ += line.dump();
  }

  const DisOptions& options_;
  Release release_;
  std::string out_;
  Result<void> state_;
};

class Disassembly {
 public:
  Disassembly(const DisOptions& options, Release release, Word address)
      : printer_(options, release), release_(release), address_(address) {}

  void word(const HexWord& given) {
    text::Piece piece;
    piece.word = given.word;
    piece.bytes = given.bits / 8;
    piece.decoded = text::disassemble(piece.text, given.word, given.bits,
                                      {.release = release_, .address = address_, .names = nullptr});
    printer_.piece(address_, piece);
    address_ += piece.bytes;
  }

  // One hexadecimal word a line; blank lines and comments are skipped.
  Result<void> lines(const std::string& text, const std::string& name) {
    std::size_t number = 0;
    std::string_view rest = text;
    while (!rest.empty()) {
      ++number;
      const std::size_t end = rest.find('\n');
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
      line = line.substr(0, line.find('#'));
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
        line.remove_suffix(1);
      while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
      if (line.empty()) continue;
      const std::optional<HexWord> given = parse_hex_word(line);
      if (!given) {
        constexpr std::size_t longest = 40;
        return Error{.message = "'" + std::string(line.substr(0, longest)) + "' is not a hexadecimal word",
                     .place = {.file = name, .line = number, .column = 1},
                     .hint = "words have 1 to 16 hexadecimal digits, one word a line",
                     .excerpt = {}};
      }
      word(*given);
    }
    return {};
  }

  void raw(const std::string& bytes) {
    stream({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, address_, nullptr, nullptr);
    address_ += bytes.size();
  }

  // The executable segments of a program file, with its symbols as labels and as names of targets.
  void program(const load::Image& image) {
    for (const std::string& warning : image.warnings) printer_.note("# " + warning);
    const text::AddressName names = [&image](Word address) -> std::optional<std::string> {
      const load::Symbol* symbol = image.symbol_at(address);
      if (symbol == nullptr || symbol->name.empty()) return std::nullopt;
      if (symbol->value == address) return symbol->name;
      return fmt::format("{}+{}", symbol->name, address - symbol->value);
    };
    for (const load::Segment& segment : image.segments) {
      if (!segment.permissions.execute) continue;
      printer_.note(fmt::format("# {} at {:#x}, {} bytes", segment.name.empty() ? "segment" : segment.name,
                                segment.address, segment.bytes.size()));
      stream(segment.bytes, segment.address, printer_.shows_names() ? &names : nullptr, &image);
    }
  }

  Result<void> finish() { return printer_.flush(); }

 private:
  void stream(std::span<const std::uint8_t> bytes, Word address, const text::AddressName* names,
              const load::Image* labels) {
    text::disassemble_stream(
        bytes, {.release = release_, .address = address, .names = names}, [&](const text::Piece& piece) {
          const Word here = address + piece.offset;
          const load::Symbol* symbol = labels == nullptr ? nullptr : labels->symbol_at(here);
          if (symbol != nullptr && symbol->value == here) printer_.note(symbol->name + ":");
          printer_.piece(here, piece);
        });
  }

  Printer printer_;
  Release release_;
  Word address_;
};

Exit refuse(const Error& error) {
  print_error(error);
  return Exit::BadInput;
}

Exit run_dis(const DisOptions& options) {
  if (options.format != "full" && options.format != "plain" && options.format != "json") {
    return refuse({.message = "unknown format '" + options.format + "'",
                   .place = {},
                   .hint = "formats are full, plain and json",
                   .excerpt = {}});
  }
  const Result<Release> release = parse_release(options.release);
  if (!release) return refuse(release.error());
  const Result<std::uint64_t> address = parse_address(options.address);
  if (!address) return refuse(address.error());

  Disassembly disassembly(options, *release, *address);
  for (const std::string& input : options.inputs) {
    if (const std::optional<HexWord> given = parse_hex_word(input)) {
      disassembly.word(*given);
      continue;
    }
    const Result<std::string> text = read_input(input);
    if (!text) {
      Error error = text.error();
      error.hint = "give hexadecimal words, a file with an image, or - for one word a line on standard input";
      return refuse(error);
    }
    if (input == "-") {
      const Result<void> read = disassembly.lines(*text, display_name(input));
      if (!read) return refuse(read.error());
      continue;
    }
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(text->data()),
                                              text->size());
    if (!load::looks_like_elf(bytes)) {
      disassembly.raw(*text);
      continue;
    }
    const Result<load::Image> image = load::read_elf(bytes, input);
    if (!image) return refuse(image.error());
    disassembly.program(*image);
  }
  const Result<void> written = disassembly.finish();
  return written ? Exit::Completed : refuse(written.error());
}

}  // namespace

void add_dis(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<DisOptions>();
  CLI::App* command = app.add_subcommand("dis", "Disassemble words or an image");
  command->add_option("INPUT", options->inputs, "Hexadecimal words, an image, or - (one word a line)")
      ->required();
  command->add_option("--format", options->format, "full, plain (what asm accepts) or json")
      ->capture_default_str();
  command->add_option("--isa", options->release, "Release of the ISA")->capture_default_str();
  command->add_option("--address", options->address, "Address of the first word")->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return run_dis(*options); }; });
}

}  // namespace pto::cli
