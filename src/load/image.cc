#include "load/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pto::load {

namespace {

Error wrong(const std::string& file, std::string message, std::size_t line = 0, std::string hint = {}) {
  return {.message = std::move(message),
          .place = {file, line, line == 0 ? 0u : 1u},
          .hint = std::move(hint),
          .excerpt = {}};
}

constexpr std::size_t longest_word_digits = 16;

}  // namespace

const Symbol* Image::find_symbol(std::string_view name) const {
  const auto found =
      std::find_if(symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

const Segment* Image::segment_at(Word address) const {
  const auto found = std::find_if(segments.begin(), segments.end(), [&](const Segment& segment) {
    return address >= segment.address && address - segment.address < segment.size;
  });
  return found == segments.end() ? nullptr : &*found;
}

const Symbol* Image::symbol_at(Word address) const {
  const Segment* segment = segment_at(address);
  if (segment == nullptr) return nullptr;
  const auto behind = std::upper_bound(symbols.begin(), symbols.end(), address,
                                       [](Word value, const Symbol& symbol) { return value < symbol.value; });
  for (auto at = behind; at != symbols.begin();) {
    --at;
    if (at->value < segment->address) break;
    if (at->size != 0 && address - at->value >= at->size) continue;
    return &*at;
  }
  return nullptr;
}

Result<Image> checked(Image image) {
  std::erase_if(image.segments, [](const Segment& segment) { return segment.size == 0; });
  std::sort(image.segments.begin(), image.segments.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  std::stable_sort(image.symbols.begin(), image.symbols.end(),
                   [](const Symbol& a, const Symbol& b) { return a.value < b.value; });
  Word total = 0;
  const Segment* previous = nullptr;
  for (const Segment& segment : image.segments) {
    if (segment.bytes.size() > segment.size) {
      return wrong(image.file,
                   fmt::format("segment {} holds more bytes than its size {}", segment.name, segment.size));
    }
    if (segment.size > image_limit || (total += segment.size) > image_limit) {
      return wrong(image.file, fmt::format("the image needs more than {} bytes of memory", image_limit));
    }
    if (segment.address + (segment.size - 1) < segment.address) {
      return wrong(image.file, fmt::format("segment {} at {:#x} wraps around the address space", segment.name,
                                           segment.address));
    }
    if (previous != nullptr && segment.address - previous->address < previous->size) {
      return wrong(image.file, fmt::format("segments {} and {} overlap at {:#x}", previous->name,
                                           segment.name, segment.address));
    }
    previous = &segment;
  }
  return image;
}

Result<Image> raw_image(std::span<const std::uint8_t> bytes, Word address, const std::string& file) {
  if (bytes.empty()) return wrong(file, "the image is empty");
  Image image;
  image.file = file;
  image.entry = address;
  image.segments.push_back({.name = "image",
                            .address = address,
                            .size = bytes.size(),
                            .bytes = {bytes.begin(), bytes.end()},
                            .permissions = {.read = true, .write = true, .execute = true}});
  return checked(std::move(image));
}

Result<Image> hex_image(std::string_view text, Word address, const std::string& file) {
  std::vector<std::uint8_t> bytes;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text = newline == std::string_view::npos ? std::string_view{} : text.substr(newline + 1);
    line = line.substr(0, line.find('#'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    if (line.starts_with("0x")) line = line.substr(2);
    Word word = 0;
    const auto parsed = std::from_chars(line.data(), line.data() + line.size(), word, 16);
    const bool whole = parsed.ec == std::errc{} && parsed.ptr == line.data() + line.size();
    if (!whole || line.size() % 4 != 0 || line.size() > longest_word_digits) {
      return wrong(file,
                   fmt::format("'{}' is not a word of 4, 8, 12 or 16 hexadecimal digits", line.substr(0, 40)),
                   line_number);
    }
    for (std::size_t i = 0; i < line.size() / 2; ++i)
      bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
  }
  return raw_image(bytes, address, file);
}

Result<void> place(const Image& image, state::Machine& machine) {
  for (const Segment& segment : image.segments) {
    if (!machine.memory.map(segment.address, segment.size, segment.permissions)) {
      return wrong(image.file,
                   fmt::format("segment {} cannot be mapped at {:#x}", segment.name, segment.address));
    }
    machine.memory.write(segment.address, segment.bytes);
  }
  return {};
}

}  // namespace pto::load
