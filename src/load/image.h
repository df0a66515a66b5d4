// Programs as images: what a file asks to be put into memory, and what it says about itself.
//
// Readers take bytes that may be anything; whatever is wrong is one Error that names the file and the reason.
// Nothing is placed in a machine before the whole image is known to be good.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isa/release.h"
#include "state/machine.h"

namespace pto::load {

struct Segment {
  std::string name;  // of the section it came from, when there is one
  Word address = 0;
  Word size = 0;                    // in memory; bytes beyond `bytes` are zero
  std::vector<std::uint8_t> bytes;  // from the file
  state::Permissions permissions;
};

struct Symbol {
  std::string name;
  Word value = 0;
  Word size = 0;
  bool is_function = false;
  bool is_number = false;  // its value is no address of the program
};

// Where a section of an executable begins; for people who read it.
struct SectionName {
  std::string name;
  Word address = 0;
};

struct Image {
  std::string file;
  Word entry = 0;
  std::vector<Segment> segments;      // ascending, not overlapping
  std::vector<Symbol> symbols;        // ascending by value
  std::vector<SectionName> sections;  // of an executable, those in memory
  std::optional<Release> release;     // what the file's note names, if it has one
  std::string unknown_release;        // the note names a release ptosim does not follow
  std::string bad_note;               // the file has such a note, and this is wrong with it
  std::vector<std::string> warnings;  // one sentence each
  bool elf = false;
  bool relocatable = false;         // an object file laid out from address 0
  std::optional<Error> unresolved;  // its first relocation that cannot be applied: it can be read, not run

  [[nodiscard]] const Symbol* find_symbol(std::string_view name) const;
  // The symbol that `address` lies in or behind, within its segment.
  [[nodiscard]] const Symbol* symbol_at(Word address) const;
  [[nodiscard]] const Segment* segment_at(Word address) const;
};

// Largest image a reader accepts, in bytes of memory.
inline constexpr Word image_limit = Word{1} << 32;

inline constexpr std::uint16_t elf_machine = 0xE9;
inline constexpr std::uint16_t elf_machine_old = 0x105;

bool looks_like_elf(std::span<const std::uint8_t> bytes);

// A static ELF64 executable, or a relocatable object whose sections are laid out from address 0 and whose
// relocations are applied.
Result<Image> read_elf(std::span<const std::uint8_t> bytes, const std::string& file);

// Bytes at an address, executable.
Result<Image> raw_image(std::span<const std::uint8_t> bytes, Word address, const std::string& file);

// Sorts segments and symbols and refuses overlaps, wrapping and images beyond the limit. Readers end with it.
Result<Image> checked(Image image);

// Whether the file is for this release, as far as it says; what is wrong otherwise.
Result<void> check_release(const Image& image, Release release);

// Whether an ELF executable begins at an instruction.
Result<void> check_entry(const Image& image);

// The addresses behind code that cannot be written, where its last page goes on with fill.
std::vector<Word> code_ends(const Image& image);

// The addresses behind code of any kind, where its last page goes on with fill.
std::vector<Word> fetch_ends(const Image& image);

// Maps the segments and copies their bytes. An image with something unresolved is refused.
Result<void> place(const Image& image, state::Machine& machine);

}  // namespace pto::load
