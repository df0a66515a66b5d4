// A relocatable object as a program: its sections laid out from address 0, its relocations applied.
#pragma once

#include <gelf.h>
#include <libelf.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "load/image.h"

namespace pto::load {

class ElfObject {
 public:
  ElfObject(Elf* elf, std::span<const std::uint8_t> bytes, Image& image)
      : elf_(elf), bytes_(bytes), image_(image) {}

  // Sections that occupy memory, in file order, each at its alignment, from address 0 on.
  Result<void> lay_out();
  // Where a section begins, if it was laid out.
  [[nodiscard]] std::optional<Word> address_of(std::size_t section) const;
  // Applies every relocation of the sections laid out. One that cannot be applied is an error: code that
  // keeps its zeros would run and be wrong.
  Result<void> apply_relocations();

 private:
  struct Relocation {
    std::string place;  // ".text+0x10"
    std::uint32_t type = 0;
    Word offset = 0;
    Word addend = 0;
    std::size_t symbol = 0;
  };
  [[nodiscard]] Error error(std::string message, std::string hint = {}) const;
  [[nodiscard]] Error refused(const Relocation& relocation, const std::string& symbol, const std::string& why,
                              std::string hint = {}) const;
  Result<void> apply_section(const GElf_Shdr& header, Elf_Scn* section);
  Result<void> apply(const Relocation& relocation, Elf_Scn* symbols, Segment& segment);
  // The value of a symbol, and its name for messages.
  Result<Word> value_of(const Relocation& relocation, Elf_Scn* symbols, std::string& name) const;

  Elf* elf_;
  std::span<const std::uint8_t> bytes_;
  Image& image_;
  std::unordered_map<std::size_t, std::size_t> segment_of_;  // by section number: place in image_.segments
};

// The name of a section; "?" where the file has none for it.
std::string section_name(Elf* elf, const GElf_Shdr& header);

}  // namespace pto::load
