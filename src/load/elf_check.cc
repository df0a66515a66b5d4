#include "load/elf_check.h"

#include <fmt/format.h>
#include <gelf.h>

#include <vector>

#include "base/bits.h"

namespace pto::load {

namespace {

constexpr std::string_view cut_off = "the file may be cut off";

bool is_alignment(Word value) { return (value & (value - 1)) == 0; }

class Checker {
 public:
  Checker(Elf* elf, std::span<const std::uint8_t> bytes, const std::string& file)
      : elf_(elf), bytes_(bytes), file_(file) {}

  Result<void> check() {
    if (gelf_getehdr(elf_, &header_) == nullptr) return error("broken ELF file: header");
    if (Result<void> checked = check_header(); !checked.ok()) return checked;
    if (Result<void> checked = check_segments(); !checked.ok()) return checked;
    if (Result<void> checked = read_sections(); !checked.ok()) return checked;
    for (std::size_t i = 1; i < sections_.size(); ++i) {
      if (Result<void> checked = check_section(i); !checked.ok()) return checked;
    }
    return check_names();
  }

 private:
  [[nodiscard]] Error error(std::string message, std::string_view hint = {}) const {
    return {.message = std::move(message), .place = {file_, 0, 0}, .hint = std::string(hint), .excerpt = {}};
  }
  [[nodiscard]] bool ends_beyond(Word offset, Word size) const {
    return offset > bytes_.size() || size > bytes_.size() - offset;
  }
  [[nodiscard]] Error wrong_size(std::string_view field, Word value, Word wanted) const {
    return error(fmt::format("{} is {}, not {}", field, value, wanted));
  }

  Result<void> check_header() const {
    if (header_.e_version != EV_CURRENT) return wrong_size("e_version", header_.e_version, EV_CURRENT);
    if (header_.e_ehsize != sizeof(Elf64_Ehdr))
      return wrong_size("e_ehsize", header_.e_ehsize, sizeof(Elf64_Ehdr));
    if (header_.e_phnum != 0 && header_.e_phentsize != sizeof(Elf64_Phdr))
      return wrong_size("e_phentsize", header_.e_phentsize, sizeof(Elf64_Phdr));
    const bool has_sections = header_.e_shoff != 0 || header_.e_shnum != 0;
    if (has_sections && header_.e_shentsize != sizeof(Elf64_Shdr))
      return wrong_size("e_shentsize", header_.e_shentsize, sizeof(Elf64_Shdr));
    if (ends_beyond(header_.e_shoff, Word{header_.e_shnum} * header_.e_shentsize))
      return error("the table of sections ends beyond the file", cut_off);
    if (ends_beyond(header_.e_phoff, Word{header_.e_phnum} * header_.e_phentsize))
      return error("the table of segments ends beyond the file", cut_off);
    return {};
  }

  Result<void> check_segments() const {
    std::size_t count = 0;
    if (elf_getphdrnum(elf_, &count) != 0) return error("broken ELF file: program headers");
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr segment;
      if (gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr)
        return error("broken ELF file: program header");
      if (segment.p_type == PT_NULL) continue;
      if (segment.p_filesz != 0 && ends_beyond(segment.p_offset, segment.p_filesz)) {
        return error(fmt::format("segment {} ends beyond the file: p_offset is {:#x}, p_filesz {:#x}", i,
                                 segment.p_offset, segment.p_filesz),
                     cut_off);
      }
      if (!is_alignment(segment.p_align))
        return error(fmt::format("segment {}: p_align is {}, not a power of two", i, segment.p_align));
    }
    return {};
  }

  Result<void> read_sections() {
    if (elf_getshdrnum(elf_, &count_) != 0) return error("broken ELF file: section headers");
    if (count_ > bytes_.size() / sizeof(Elf64_Shdr) ||
        ends_beyond(header_.e_shoff, count_ * sizeof(Elf64_Shdr)))
      return error("the table of sections ends beyond the file", cut_off);
    sections_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      Elf_Scn* section = elf_getscn(elf_, i);
      if (section == nullptr || gelf_getshdr(section, &sections_[i]) == nullptr)
        return error(fmt::format("broken ELF file: header of section {}", i));
    }
    return {};
  }

  // "section 4 (.symtab)", by number alone where the names are not to be read.
  [[nodiscard]] std::string called(std::size_t index) const {
    std::size_t names = 0;
    const char* name = nullptr;
    if (elf_getshdrstrndx(elf_, &names) == 0 && names < count_ && sections_[names].sh_type == SHT_STRTAB)
      name = elf_strptr(elf_, names, sections_[index].sh_name);
    return name == nullptr || *name == '\0' ? fmt::format("section {}", index)
                                            : fmt::format("section {} ({})", index, name);
  }
  [[nodiscard]] Error bad(std::size_t index, std::string_view field, Word value, std::string_view why) const {
    return error(fmt::format("{}: {} is {:#x}: {}", called(index), field, value, why));
  }

  Result<void> check_section(std::size_t index) const {
    const GElf_Shdr& section = sections_[index];
    if (section.sh_type == SHT_NULL) return {};
    if (section.sh_type != SHT_NOBITS && section.sh_size != 0 &&
        ends_beyond(section.sh_offset, section.sh_size)) {
      return error(fmt::format("{} ends beyond the file: sh_offset is {:#x}, sh_size {:#x}", called(index),
                               section.sh_offset, section.sh_size),
                   cut_off);
    }
    if (!is_alignment(section.sh_addralign))
      return bad(index, "sh_addralign", section.sh_addralign, "not a power of two");
    switch (section.sh_type) {
      case SHT_STRTAB: return check_strings(index);
      case SHT_SYMTAB: return check_symbols(index);
      case SHT_RELA: return check_relocations(index, sizeof(Elf64_Rela));
      case SHT_REL: return check_relocations(index, sizeof(Elf64_Rel));
      default: return {};
    }
  }

  Result<void> check_strings(std::size_t index) const {
    const GElf_Shdr& section = sections_[index];
    if (section.sh_size != 0 && bytes_[section.sh_offset + section.sh_size - 1] != 0)
      return bad(index, "sh_size", section.sh_size, "the last string does not end there");
    return {};
  }

  Result<void> check_table(std::size_t index, Word entry) const {
    const GElf_Shdr& section = sections_[index];
    if (section.sh_entsize != entry)
      return bad(index, "sh_entsize", section.sh_entsize, fmt::format("an entry has {} bytes", entry));
    if (section.sh_size % entry != 0)
      return bad(index, "sh_size", section.sh_size, fmt::format("not whole entries of {} bytes", entry));
    return {};
  }

  Result<void> check_symbols(std::size_t index) const {
    const GElf_Shdr& section = sections_[index];
    if (Result<void> checked = check_table(index, sizeof(Elf64_Sym)); !checked.ok()) return checked;
    if (section.sh_size != 0 && type_of(section.sh_link) != SHT_STRTAB)
      return bad(index, "sh_link", section.sh_link, "that is no string table");
    return {};
  }

  // Executables may keep relocations, which say what was done; only objects need them.
  Result<void> check_relocations(std::size_t index, Word entry) const {
    const GElf_Shdr& section = sections_[index];
    if (header_.e_type != ET_REL) return {};
    if (Result<void> checked = check_table(index, entry); !checked.ok()) return checked;
    if (section.sh_size == 0) return {};
    if (type_of(section.sh_link) != SHT_SYMTAB)
      return bad(index, "sh_link", section.sh_link, "that is no symbol table");
    switch (type_of(section.sh_info)) {
      case SHT_NULL:
        return bad(index, "sh_info", section.sh_info, "there is no section of that number to relocate");
      case SHT_STRTAB:
      case SHT_SYMTAB:
      case SHT_RELA:
      case SHT_REL: return bad(index, "sh_info", section.sh_info, "nothing in such a section is relocated");
      default: break;
    }
    if (sections_[section.sh_info].sh_size == 0)
      return bad(index, "sh_info", section.sh_info, "that section is empty");
    return {};
  }

  // SHT_NULL: there is no such section.
  [[nodiscard]] std::uint32_t type_of(Word index) const {
    return index != 0 && index < count_ ? sections_[index].sh_type : SHT_NULL;
  }

  Result<void> check_names() const {
    if (count_ == 0) return {};
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0 || (names != SHN_UNDEF && type_of(names) != SHT_STRTAB)) {
      return error(fmt::format("e_shstrndx is {}: that is no string table", header_.e_shstrndx));
    }
    if (names == SHN_UNDEF) return {};
    for (std::size_t i = 1; i < count_; ++i) {
      if (sections_[i].sh_type != SHT_NULL && sections_[i].sh_name >= sections_[names].sh_size)
        return bad(i, "sh_name", sections_[i].sh_name, "beyond the names of sections");
    }
    return {};
  }

  Elf* elf_;
  std::span<const std::uint8_t> bytes_;
  const std::string& file_;
  GElf_Ehdr header_{};
  std::size_t count_ = 0;
  std::vector<GElf_Shdr> sections_;
};

}  // namespace

Result<void> check_elf_tables(Elf* elf, std::span<const std::uint8_t> bytes, const std::string& file) {
  return Checker(elf, bytes, file).check();
}

}  // namespace pto::load
