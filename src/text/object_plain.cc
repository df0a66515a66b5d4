// Programs without a container: raw images, hexadecimal words, JSON.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <nlohmann/json.hpp>

#include "text/assembler.h"
#include "text/object.h"

namespace pto::text {

namespace {

Word little_endian(const std::vector<std::uint8_t>& bytes, std::size_t offset, std::size_t width) {
  Word word = 0;
  for (std::size_t index = 0; index < width; ++index) word |= Word{bytes[offset + index]} << (8 * index);
  return word;
}

void append_word(std::string& out, Word word, std::size_t bytes) {
  fmt::format_to(std::back_inserter(out), "{:0{}x}\n", word, 2 * bytes);
}

}  // namespace

Result<std::vector<std::uint8_t>> to_raw(const Program& program) {
  std::vector<std::uint8_t> image;
  if (program.sections.empty()) return image;
  constexpr Word largest = Word{1} << 30;
  const Word base = program.sections.front().address;
  for (const Section& section : program.sections) {
    if (section.only_zeros) continue;
    const Word begin = section.address - base;
    if (begin + section.bytes.size() > largest) {
      return Error{.message = fmt::format("a raw image of this program would have {} bytes",
                                          begin + section.bytes.size()),
                   .place = {},
                   .hint = "write an ELF file",
                   .excerpt = {}};
    }
    image.resize(std::max<std::size_t>(image.size(), begin + section.bytes.size()));
    std::ranges::copy(section.bytes, image.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return image;
}

std::string to_hex(const Program& program) {
  const auto in_file = [](const Section& section) { return !section.only_zeros; };
  const bool in_one_piece = std::ranges::count_if(program.sections, in_file) == 1 &&
                            program.sections.front().address == AssembleOptions().text_address;
  std::string out;
  for (const Section& section : program.sections) {
    if (!in_file(section)) continue;
    if (!in_one_piece) fmt::format_to(std::back_inserter(out), "@{:x}\n", section.address);
    // Every byte belongs to a line of the source.
    auto line = std::ranges::lower_bound(program.lines, section.address, {}, &LineOrigin::address);
    for (; line != program.lines.end() && line->address - section.address < section.bytes.size(); ++line) {
      const std::size_t begin = line->address - section.address;
      const std::size_t end = begin + line->length;
      const bool one_word = line->length % 2 == 0 && line->length <= 8;
      for (std::size_t offset = begin, width = 0; offset < end; offset += width) {
        width = one_word ? line->length : std::min(std::bit_floor(end - offset), std::size_t{4});
        append_word(out, little_endian(section.bytes, offset, width), width);
      }
    }
  }
  return out;
}

std::string to_json(const Program& program) {
  nlohmann::ordered_json out;
  out["isa"] = name_of(program.release);
  out["entry"] = fmt::format("{:#x}", program.entry);
  out["sections"] = nlohmann::ordered_json::array();
  for (const Section& section : program.sections) {
    std::string bytes;
    if (!section.only_zeros) {
      for (const std::uint8_t byte : section.bytes) fmt::format_to(std::back_inserter(bytes), "{:02x}", byte);
    }
    out["sections"].push_back({{"name", section.name},
                               {"address", fmt::format("{:#x}", section.address)},
                               {"size", section.bytes.size()},
                               {"writable", section.writable},
                               {"executable", section.executable},
                               {"bytes", bytes}});
  }
  out["symbols"] = nlohmann::ordered_json::array();
  for (const Symbol& symbol : program.symbols) {
    out["symbols"].push_back(
        {{"name", symbol.name},
         {"value", fmt::format("{:#x}", symbol.value)},
         {"size", symbol.size},
         {"section",
          symbol.section < 0 ? "" : program.sections[static_cast<std::size_t>(symbol.section)].name},
         {"global", symbol.is_global}});
  }
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace pto::text
