// ptosim dis: words and images as text. With --format plain, what it prints is what asm accepts.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/input_kind.h"
#include "cli/io.h"
#include "load/hex.h"
#include "load/image.h"
#include "text/disassembler.h"

namespace pto::cli {

namespace {

struct DisOptions {
  std::vector<std::string> inputs;
  std::string format = "full";
  std::string kind = "auto";
  std::string release;  // empty: what the file says, or the default
  std::string address = "0";
};

// Collects the output so that a pipe gets large pieces.
class Printer {
 public:
  Printer(const DisOptions& options, Release release) : options_(options), release_(release) {}

  void piece(Word address, const text::Piece& piece) {
    if (is_source()) {
      out_ += piece.text;
    } else if (options_.format == "json") {
      json(address, piece);
    } else {
      fmt::format_to(std::back_inserter(out_), "{:8x}:  {:0{}x}{:{}}  {}", address, piece.word,
                     piece.bytes * 2, "", 16 - piece.bytes * 2, piece.text);
      if (const std::string why = remark(piece); !why.empty()) out_ += "  # " + why;
    }
    out_ += '\n';
    constexpr std::size_t enough = std::size_t{1} << 20;
    if (out_.size() > enough) (void)flush();
  }

  // A line that is no instruction; the formats for programs leave it out.
  void note(std::string_view text) {
    if (options_.format == "full") fmt::format_to(std::back_inserter(out_), "{}\n", text);
  }
  // The words go on elsewhere.
  void gap(Word offset) {
    if (is_source()) fmt::format_to(std::back_inserter(out_), ".org {:#x}\n", offset);
  }
  // Whether it prints what asm accepts.
  [[nodiscard]] bool is_source() const { return options_.format == "plain"; }
  [[nodiscard]] bool shows_names() const { return options_.format == "full"; }

  void follow(Release release) { release_ = release; }

  // The first failure is kept and answers every later call.
  Result<void> flush() {
    if (state_.ok()) state_ = write_output("-", out_);
    out_.clear();
    return state_;
  }

 private:
  // Why the word is no legal instruction, or what there is to say of one that is.
  [[nodiscard]] std::string why_not(const text::Piece& piece) const {
    if (piece.decoded.form != nullptr && piece.decoded.violated == nullptr) return {};
    return explain_rejection(piece.word, piece.bytes * 8, release_);
  }
  [[nodiscard]] std::string remark(const text::Piece& piece) const {
    if (piece.decoded.form == nullptr || piece.decoded.violated != nullptr) return why_not(piece);
    return explain_remark(*piece.decoded.form, piece.word, release_);
  }

  void json(Word address, const text::Piece& piece) {
    nlohmann::ordered_json line{{"address", fmt::format("{:#x}", address)},
                                {"word", fmt::format("{:#x}", piece.word)},
                                {"bits", piece.bytes * 8},
                                {"text", piece.text}};
    if (const std::string why = why_not(piece); !why.empty()) line["illegal"] = why;
    if (const std::string said = remark(piece); !said.empty() && !line.contains("illegal"))
      line["remark"] = said;
    out_ += line.dump();
  }

  const DisOptions& options_;
  Release release_;
  std::string out_;
  Result<void> state_;
};

// An executable segment by the section that begins there, if the file has sections.
std::string name_of_part(const load::Image& image, const load::Segment& segment) {
  const auto section = std::ranges::find(image.sections, segment.address, &load::SectionName::address);
  if (section != image.sections.end()) return section->name;
  return segment.name.empty() ? "segment" : segment.name;
}

class Disassembly {
 public:
  Disassembly(const DisOptions& options, Release release, Word address)
      : printer_(options, release), release_(release), address_(address) {}

  Result<void> word(Word word, unsigned bytes, const std::string& name) {
    if (Result<void> room = check_room(bytes, name); !room) return room;
    go_to(address_);
    text::Piece piece;
    piece.word = word;
    piece.bytes = bytes;
    piece.decoded = text::disassemble(piece.text, word, bytes * 8,
                                      {.release = release_, .address = shown(address_), .names = nullptr});
    printer_.piece(address_, piece);
    address_ += bytes;
    beyond_ = address_ == 0;
    return {};
  }

  // Hexadecimal text: each word as it is written.
  Result<void> hex(const std::string& text, const std::string& name) {
    Result<std::vector<load::HexPiece>> pieces = load::read_hex(text, address_, name);
    if (!pieces) return pieces.error();
    std::erase_if(*pieces, [](const load::HexPiece& piece) { return piece.words.empty(); });
    if (pieces->empty()) return nothing_in(name);
    if (const Result<load::Image> image = load::image_of(*pieces, name); !image) return image.error();
    std::ranges::stable_sort(*pieces, {}, &load::HexPiece::address);
    for (const load::HexPiece& piece : *pieces) {
      if (Result<void> even = check_even(piece.address, name); !even) return even;
      go_to(piece.address);
      for (const load::HexWord& given : piece.words) {
        if (Result<void> shown = word(given.word, given.bytes, name); !shown) return shown;
      }
    }
    return {};
  }

  Result<void> raw(const std::string& bytes, const std::string& name) {
    if (bytes.empty()) return nothing_in(name);
    if (Result<void> room = check_room(bytes.size(), name); !room) return room;
    stream(as_bytes(bytes), address_, nullptr, nullptr);
    return {};
  }

  // What follows is judged by this release.
  void follow(Release release) {
    release_ = release;
    printer_.follow(release);
  }

  // The executable segments of a program file, with its symbols as labels and as names of targets.
  void program(const load::Image& image) {
    printer_.note(image.release == release_
                      ? fmt::format("# PTO ISA {}, which the file is for", name_of(release_))
                      : fmt::format("# PTO ISA {}", name_of(release_)));
    for (const std::string& warning : image.warnings) printer_.note("# " + warning);
    if (image.unresolved) printer_.note("# " + image.unresolved->message);
    const text::AddressName names = [&image](Word address) -> std::optional<std::string> {
      const load::Symbol* symbol = image.symbol_at(address);
      if (symbol == nullptr || symbol->name.empty()) return std::nullopt;
      if (symbol->value == address) return symbol->name;
      return fmt::format("{}+{}", symbol->name, address - symbol->value);
    };
    const Word words = address_;
    for (const load::Segment& segment : image.segments) {
      if (!segment.permissions.execute) continue;
      printer_.note(fmt::format("# {} at {:#x}, {} bytes", name_of_part(image, segment), segment.address,
                                segment.bytes.size()));
      this->segment(image, segment, printer_.shows_names() ? &names : nullptr);
    }
    if (!printer_.is_source()) address_ = words;  // words that follow the file have addresses of their own
  }

  Result<void> finish() { return printer_.flush(); }

 private:
  static Result<void> check_even(Word address, const std::string& name) {
    if (address % 2 == 0) return {};
    return Error{
        .message = fmt::format("the address {:#x} is odd, and instructions lie on even ones", address),
        .place = {.file = name},
        .hint = "addresses are multiples of 2",
        .excerpt = {}};
  }

  // What lies behind the last address of all has none.
  [[nodiscard]] Result<void> check_room(Word bytes, const std::string& name) const {
    if (!beyond_ && (bytes == 0 || bytes - 1 <= ~address_)) return {};
    return Error{.message = fmt::format("{} bytes at {:#x} wrap around the address space", bytes, address_),
                 .place = {.file = name},
                 .hint = "choose a lower --address",
                 .excerpt = {}};
  }
  static Error nothing_in(const std::string& name) {
    return {.message = "there are no words in it",
            .place = {.file = name},
            .hint = "dis reads ELF files, images and hexadecimal words",
            .excerpt = {}};
  }

  // Where the next word lies. Text for the assembler says so by .org, counted from its first word.
  void go_to(Word address) {
    if (!begun_) {
      origin_ = address;
    } else if (address != address_) {
      printer_.gap(address - origin_);
    }
    begun_ = true;
    address_ = address;
  }

  // The address that targets are counted from. The assembler puts its first word on a multiple of four,
  // wherever it lay.
  [[nodiscard]] Word shown(Word address) const { return printer_.is_source() ? address - origin_ : address; }

  void stream(std::span<const std::uint8_t> bytes, Word address, const text::AddressName* names,
              const load::Image* labels) {
    go_to(address);
    text::disassemble_stream(bytes, {.release = release_, .address = shown(address), .names = names},
                             [&](const text::Piece& piece) {
                               const Word here = address + piece.offset;
                               const load::Symbol* symbol =
                                   labels == nullptr ? nullptr : labels->symbol_at(here);
                               if (symbol != nullptr && symbol->value == here)
                                 printer_.note(symbol->name + ":");
                               printer_.piece(here, piece);
                             });
    address_ += bytes.size();
  }

  // A segment of a program: at each label a new stream begins, so that data before it swallows nothing.
  void segment(const load::Image& image, const load::Segment& segment, const text::AddressName* names) {
    std::span<const std::uint8_t> rest = segment.bytes;
    Word address = segment.address;
    for (const load::Symbol& symbol : image.symbols) {
      const Word label = symbol.value;
      if (symbol.is_number || label % 2 != 0 || label <= address || label - address >= rest.size()) continue;
      stream(rest.first(label - address), address, names, &image);
      rest = rest.subspan(label - address);
      address = label;
    }
    stream(rest, address, names, &image);
  }

  Printer printer_;
  Release release_;
  Word address_;
  Word origin_ = 0;  // of the first word
  bool begun_ = false;
  bool beyond_ = false;  // the last word ended where addresses end
};

Exit refuse(const Error& error) {
  print_error(error);
  return Exit::BadInput;
}

// The release a program file names, unless the user names one; when the two differ, or the note says nothing
// that can be followed, a warning.
Release release_for(const load::Image& image, const std::string& name, const DisOptions& options,
                    Release release) {
  const auto warn = [&](const std::string& what) {
    fmt::print(stderr, "ptosim: warning: {}: {}; PTO ISA {} is followed\n", name, what, name_of(release));
  };
  if (image.release && options.release.empty()) return *image.release;
  if (image.release && *image.release != release)
    warn(fmt::format("its .note.pto.isa says that it is for PTO ISA {}", name_of(*image.release)));
  if (!image.unknown_release.empty())
    warn(fmt::format("it is for PTO ISA {}, which ptosim does not know", image.unknown_release));
  if (!image.bad_note.empty()) warn("its .note.pto.isa is malformed: " + image.bad_note);
  return release;
}

Error bad_choice(std::string_view option, const std::string& value, std::string_view known) {
  return option_error(option, value, "unknown", known);
}

// A word may be the name of a file as well.
void warn_of_file(const std::string& word) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(word, problem)) return;
  fmt::print(stderr, "ptosim: warning: '{0}' is taken for a word; ./{0} is the file of that name\n", word);
}

// Text that is no hexadecimal text is a source, most likely.
Error no_image(const std::string& text, const std::string& name) {
  const Result<std::vector<load::HexPiece>> pieces = load::read_hex(text, 0, name);
  const bool has_words = pieces.ok() && !pieces->empty();
  Error error{
      .message = has_words ? "by its name this is a source, not an image" : "there are no words in the file",
      .place = {.file = name},
      .hint = {},
      .excerpt = {}};
  if (!pieces.ok()) {
    error = pieces.error();
    error.message += ", and a text file is disassembled only if it holds nothing else";
  }
  error.hint = "a source is assembled by 'ptosim asm'; --input raw takes the bytes as they are";
  return error;
}

Result<void> disassemble_file(Disassembly& disassembly, const std::string& input, const DisOptions& options,
                              Release release) {
  const Result<std::string> text = read_input(input);
  if (!text) {
    Error error = text.error();
    std::error_code problem;
    if (const std::string why = miscounted_digits(input);
        !why.empty() && !std::filesystem::exists(input, problem))
      error = {.message = why, .place = {}, .hint = {}, .excerpt = {}};
    error.hint = "give hexadecimal words, a file with an image, or - for one word a line on standard input";
    return error;
  }
  const std::string name = display_name(input);
  InputKind kind = recognise(input, *text);
  if (options.kind == "elf") kind = InputKind::Elf;
  if (options.kind == "hex") kind = InputKind::Hex;
  if (options.kind == "raw") kind = InputKind::Raw;
  if (kind == InputKind::Other && input == "-") kind = InputKind::Hex;
  switch (kind) {
    case InputKind::Elf: {
      const Result<load::Image> image = load::read_elf(as_bytes(*text), name);
      if (!image) return image.error();
      disassembly.follow(release_for(*image, name, options, release));
      disassembly.program(*image);
      disassembly.follow(release);
      return {};
    }
    case InputKind::Hex: return disassembly.hex(*text, name);
    case InputKind::Other:
      if (is_text(*text)) return no_image(*text, name);
      break;
    case InputKind::Raw: break;
  }
  return disassembly.raw(*text, name);
}

Exit run_dis(const DisOptions& options) {
  if (options.format != "full" && options.format != "plain" && options.format != "json")
    return refuse(bad_choice("--format", options.format, "formats are full, plain and json"));
  if (options.kind != "auto" && options.kind != "elf" && options.kind != "raw" && options.kind != "hex")
    return refuse(bad_choice("--input", options.kind, "inputs are auto, elf, raw and hex"));
  const Result<Release> release =
      parse_release(options.release.empty() ? std::string(name_of(default_release)) : options.release);
  if (!release) return refuse(release.error());
  const Result<std::uint64_t> address = parse_address("--address", options.address);
  if (!address) return refuse(address.error());
  if (*address % 2 != 0) {
    return refuse(option_error("--address", options.address, "instructions lie on even addresses",
                               "addresses are multiples of 2"));
  }

  Disassembly disassembly(options, *release, *address);
  for (const std::string& input : options.inputs) {
    if (const std::optional<HexWord> given = parse_hex_word(input); given && options.kind == "auto") {
      warn_of_file(input);
      if (const Result<void> shown = disassembly.word(given->word, given->bits / 8, input); !shown)
        return refuse(shown.error());
      continue;
    }
    const Result<void> done = disassemble_file(disassembly, input, options, *release);
    if (!done) return refuse(done.error());
  }
  const Result<void> written = disassembly.finish();
  return written ? Exit::Completed : refuse(written.error());
}

}  // namespace

void add_dis(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<DisOptions>();
  CLI::App* command = app.add_subcommand("dis", "Disassemble words or an image");
  command
      ->add_option("INPUT", options->inputs,
                   "Hexadecimal words; files: ELF, raw, hexadecimal text; - (one word a line)")
      ->required();
  command->add_option("--format", options->format, "full, plain (what asm accepts) or json")
      ->capture_default_str();
  command
      ->add_option("--input", options->kind,
                   "What the files are: auto, elf, raw or hex (words and @address lines)")
      ->capture_default_str();
  command->add_option("--isa", options->release,
                      fmt::format("Release of the ISA; otherwise the one a program file names, or {}",
                                  name_of(default_release)));
  command->add_option("--address", options->address, "Address of the first word")->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return run_dis(*options); }; });
}

}  // namespace pto::cli
