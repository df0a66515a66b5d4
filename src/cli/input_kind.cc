#include "cli/input_kind.h"

#include <algorithm>
#include <filesystem>

#include "load/hex.h"
#include "load/image.h"

namespace pto::cli {

InputKind recognise(const std::string& path, std::string_view content) {
  if (load::looks_like_elf(as_bytes(content))) return InputKind::Elf;
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".hex") return InputKind::Hex;
  if (extension == ".bin" || extension == ".raw") return InputKind::Raw;
  if (extension == ".s" || extension == ".S" || extension == ".asm") return InputKind::Other;
  return load::looks_like_hex(content) ? InputKind::Hex : InputKind::Other;
}

bool is_text(std::string_view content) {
  const bool has_control = std::ranges::any_of(content, [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f') ||
           c == 0x7f;
  });
  return !has_control && content.find('\n') != content.npos;
}

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace pto::cli
