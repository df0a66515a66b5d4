#include "load/elf_note.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/bits.h"

namespace pto::load {

namespace {

constexpr std::size_t header_bytes = 12;
constexpr std::string_view owner("PTO\0", 4);
constexpr std::uint32_t identity_type = 1;
constexpr std::size_t longest_descriptor = 4096;

Error malformed(std::string why) {
  return {.message = std::move(why), .place = {}, .hint = {}, .excerpt = {}};
}

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{bytes[at + i]} << (8 * i);
  return value;
}

std::optional<std::string> text_member(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  const std::string text = found->get<std::string>();
  const bool plain = !text.empty() && text.size() <= 80 &&
                     std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
  return plain ? std::optional(text) : std::nullopt;
}

Result<std::string> release_of_descriptor(std::string_view text) {
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
  if (object.is_discarded() || !object.is_object()) return malformed("its descriptor is not a JSON object");
  const std::optional<std::string> release = text_member(object, "release");
  if (!release) return malformed("its descriptor names no release");
  const std::optional<std::string> abi = text_member(object, "encoding_abi");
  if (!abi) return malformed("its descriptor names no encoding ABI");
  if (const std::string wanted = fmt::format("pto-isa-{}-", *release); !abi->starts_with(wanted))
    return malformed(
        fmt::format("it names release {} and encoding ABI {}, which do not go together", *release, *abi));
  return *release;
}

}  // namespace

Result<std::string> release_of_note(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < header_bytes)
    return malformed(fmt::format("its {} bytes are no note header of {}", bytes.size(), header_bytes));
  const std::uint32_t name_size = word_at(bytes, 0);
  const std::uint32_t text_size = word_at(bytes, 4);
  const std::uint32_t type = word_at(bytes, 8);
  const std::size_t behind_header = bytes.size() - header_bytes;
  if (name_size != owner.size() || behind_header < owner.size() ||
      !std::equal(owner.begin(), owner.end(), bytes.begin() + header_bytes))
    return malformed("its owner is not \"PTO\"");
  if (type != identity_type) return malformed(fmt::format("its type is {}, not {}", type, identity_type));
  const std::size_t room = behind_header - owner.size();
  if (text_size > room)
    return malformed(fmt::format("its descriptor of {} bytes ends beyond its section", text_size));
  if (text_size > longest_descriptor)
    return malformed(fmt::format("its descriptor has {} bytes, more than {}", text_size, longest_descriptor));
  if (round_up<std::size_t>(text_size, 4) < room)
    return malformed(fmt::format("{} bytes follow it", room - text_size));
  const std::span<const std::uint8_t> text = bytes.subspan(header_bytes + owner.size(), text_size);
  return release_of_descriptor({reinterpret_cast<const char*>(text.data()), text.size()});
}

std::span<const std::uint8_t> find_isa_note(std::span<const std::uint8_t> notes) {
  while (notes.size() >= header_bytes) {
    const std::size_t name_size = word_at(notes, 0);
    const std::size_t size =
        header_bytes + round_up<std::size_t>(name_size, 4) + round_up<std::size_t>(word_at(notes, 4), 4);
    const bool ours = name_size == owner.size() && notes.size() - header_bytes >= owner.size() &&
                      std::equal(owner.begin(), owner.end(), notes.begin() + header_bytes);
    if (ours) return notes.first(std::min(size, notes.size()));
    notes = notes.subspan(std::min(size, notes.size()));
  }
  return {};
}

}  // namespace pto::load
