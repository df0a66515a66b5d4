#include "cli/program_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/input_kind.h"
#include "cli/io.h"
#include "door/program_image.h"
#include "load/debug_lines.h"
#include "load/hex.h"
#include "text/assembler.h"

namespace pto::cli {

namespace {

constexpr std::array<std::string_view, 5> formats{"auto", "asm", "elf", "raw", "hex"};

// Everything that is recognised as nothing else is taken for a source.
std::string guess_format(const std::string& path, const std::string& content) {
  switch (recognise(path, content)) {
    case InputKind::Elf: return "elf";
    case InputKind::Hex: return "hex";
    case InputKind::Raw: return "raw";
    case InputKind::Other: break;
  }
  return "asm";
}

void keep_lines(text::Program& program, ProgramSource& source) {
  source.lines = std::move(program.lines);
  source.files = std::move(program.files);
  std::sort(source.lines.begin(), source.lines.end(),
            [](const text::LineOrigin& a, const text::LineOrigin& b) { return a.address < b.address; });
}

ProgramResult assemble_source(const std::string& path, const std::string& content,
                              const ProgramOptions& options) {
  text::AssembleOptions assemble;
  assemble.release = options.release;
  assemble.text_address = options.address;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  ProgramSource source;
  assemble.read_file = [&, limit = assemble.limits.source_bytes](const std::string& included) {
    source.included.push_back((folder / included).string());
    return read_input(source.included.back(), limit);
  };
  text::Assembled assembled = text::assemble(content, display_name(path), assemble);
  if (!assembled.ok()) return {.program = std::nullopt, .errors = std::move(assembled.errors)};
  Result<load::Image> image = door::image_of(assembled.program, display_name(path));
  if (!image.ok()) return {.program = std::nullopt, .errors = {image.error()}};
  if (image->segments.empty()) {
    return {.program = std::nullopt,
            .errors = {{.message = "the source has no instructions",
                        .place = {display_name(path), 1, 1},
                        .hint = {},
                        .excerpt = {}}}};
  }
  source.image = std::move(*image);
  keep_lines(assembled.program, source);
  return {.program = std::move(source), .errors = {}};
}

void keep_debug_lines(std::span<const std::uint8_t> elf, ProgramSource& source) {
  load::DebugLines debug = load::read_debug_lines(elf);
  for (const std::string& file : debug.files)
    source.files.push_back(std::filesystem::path(file).lexically_normal());
  for (const load::DebugLine& line : debug.lines) {
    constexpr Word longest = ~std::uint32_t{0};
    source.lines.push_back({.address = line.address,
                            .length = static_cast<std::uint32_t>(std::min(line.size, longest)),
                            .file = line.file,
                            .line = line.line,
                            .is_instruction = true});
  }
}

}  // namespace

std::string ProgramSource::place(Word address) const {
  const auto behind =
      std::upper_bound(lines.begin(), lines.end(), address,
                       [](Word value, const text::LineOrigin& line) { return value < line.address; });
  if (behind != lines.begin()) {
    const text::LineOrigin& line = *std::prev(behind);
    if (address - line.address < line.length && line.file < files.size()) {
      return fmt::format("{}:{}", files[line.file], line.line);
    }
  }
  if (const load::Symbol* symbol = image.symbol_at(address)) {
    return address == symbol->value ? symbol->name
                                    : fmt::format("{}+{:#x}", symbol->name, address - symbol->value);
  }
  return fmt::format("{:#x}", address);
}

ProgramResult read_program(const std::string& path, const ProgramOptions& options) {
  const auto refuse = [](Error error) {
    return ProgramResult{.program = std::nullopt, .errors = {std::move(error)}};
  };
  if (std::find(formats.begin(), formats.end(), options.format) == formats.end()) {
    return refuse({.message = fmt::format("unknown format '{}'", options.format),
                   .place = {},
                   .hint = "formats are auto, asm, elf, raw and hex",
                   .excerpt = {}});
  }
  const Result<std::string> content = read_input(path);
  if (!content.ok()) return refuse(content.error());
  const std::string format = options.format == "auto" ? guess_format(path, *content) : options.format;
  ProgramResult result;
  if (format == "asm") {
    result = assemble_source(path, *content, options);
  } else {
    Result<load::Image> image = format == "elf" ? load::read_elf(as_bytes(*content), display_name(path))
                                : format == "raw"
                                    ? load::raw_image(as_bytes(*content), options.address, display_name(path))
                                    : load::hex_image(*content, options.address, display_name(path));
    if (!image.ok()) return refuse(image.error());
    result.program = ProgramSource{};
    result.program->image = std::move(*image);
    if (format == "elf") keep_debug_lines(as_bytes(*content), *result.program);
  }
  if (result.program && format != "elf") {
    const load::Image& image = result.program->image;
    if (const load::Segment* segment = image.segment_at(image.entry)) {
      result.program->natural_end = segment->address + segment->size;
    }
  }
  return result;
}

}  // namespace pto::cli
