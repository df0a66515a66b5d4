#include "load/image.h"

#include <fmt/format.h>

#include <algorithm>

namespace pto::load {

namespace {

Error wrong(const std::string& file, std::string message, std::string hint = {}) {
  return {.message = std::move(message), .place = {.file = file}, .hint = std::move(hint), .excerpt = {}};
}

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

Result<void> check_release(const Image& image, Release release) {
  if (!image.bad_note.empty())
    return wrong(image.file, fmt::format("the note .note.pto.isa is malformed: {}", image.bad_note));
  const bool fits = image.release ? *image.release == release : image.unknown_release.empty();
  if (fits) return {};
  const std::string theirs = image.release ? std::string(name_of(*image.release)) : image.unknown_release;
  return wrong(image.file,
               fmt::format("the program is for PTO ISA {}, this run follows {}", theirs, name_of(release)),
               image.release ? fmt::format("run it with --isa {}", theirs) : "");
}

Result<void> check_entry(const Image& image) {
  if (!image.elf || image.relocatable) return {};
  if ((image.entry & 1) != 0)
    return wrong(image.file,
                 fmt::format("the entry {:#x} is odd; instructions are at even addresses", image.entry));
  const Segment* segment = image.segment_at(image.entry);
  if (segment != nullptr && segment->permissions.execute) return {};
  return wrong(image.file, fmt::format("the entry {:#x} lies in no executable segment", image.entry));
}

namespace {

// Whether nothing of the image lies behind the segment, in a page that it only begins.
bool fill_follows(const Image& image, const Segment& segment) {
  const Word end = segment.address + segment.size;
  return (end & (state::Memory::page_bytes - 1)) != 0 && image.segment_at(end) == nullptr;
}

}  // namespace

std::vector<Word> code_ends(const Image& image) {
  std::vector<Word> ends;
  for (const Segment& segment : image.segments) {
    if (segment.permissions.execute && !segment.permissions.write && fill_follows(image, segment))
      ends.push_back(segment.address + segment.size);
  }
  return ends;
}

std::vector<Word> fetch_ends(const Image& image) {
  std::vector<Word> ends;
  for (const Segment& segment : image.segments) {
    if (segment.permissions.execute && fill_follows(image, segment))
      ends.push_back(segment.address + segment.size);
  }
  return ends;
}

Result<void> place(const Image& image, state::Machine& machine) {
  if (image.unresolved) return *image.unresolved;
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
