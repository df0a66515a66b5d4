// Reading ELF64 files. libelf finds its way through the file; every figure it reports is checked here before
// it is used, because a file may claim anything.

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <cstring>
#include <memory>
#include <optional>

#include "base/bits.h"
#include "load/elf_check.h"
#include "load/elf_note.h"
#include "load/elf_object.h"
#include "load/image.h"

namespace pto::load {

namespace {

struct EndElf {
  void operator()(Elf* elf) const { (void)elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, EndElf>;

constexpr std::size_t symbol_limit = 4'000'000;

class ElfReader {
 public:
  ElfReader(std::span<const std::uint8_t> bytes, const std::string& file) : bytes_(bytes) {
    image_.file = file;
    image_.elf = true;
  }

  Result<Image> read() {
    if (Result<void> opened = open(); !opened.ok()) return opened.error();
    if (Result<void> laid_out = image_.relocatable ? read_sections() : read_segments(); !laid_out.ok()) {
      return laid_out.error();
    }
    if (Result<void> note = read_note(); !note.ok()) return note.error();
    if (Result<void> symbols = read_symbols(); !symbols.ok()) return symbols.error();
    if (image_.segments.empty()) return error("nothing in the file is to be loaded");
    return checked(std::move(image_));
  }

 private:
  [[nodiscard]] Error error(std::string message, std::string hint = {}) const {
    return {
        .message = std::move(message), .place = {image_.file, 0, 0}, .hint = std::move(hint), .excerpt = {}};
  }
  [[nodiscard]] Error broken(std::string_view what) const {
    const int number = elf_errno();
    const char* why = number != 0 ? elf_errmsg(number) : nullptr;
    return error(fmt::format("broken ELF file: {}{}{}", what, why ? ": " : "", why ? why : ""));
  }

  Result<void> open() {
    if (elf_version(EV_CURRENT) == EV_NONE) return error("libelf is too old");
    if (!looks_like_elf(bytes_)) return error("not an ELF file");
    // libelf wants a writable buffer but does not write to it when reading.
    elf_.reset(elf_memory(reinterpret_cast<char*>(const_cast<std::uint8_t*>(bytes_.data())), bytes_.size()));
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) return broken("the header is cut off or makes no sense");
    if (gelf_getclass(elf_.get()) != ELFCLASS64)
      return error("not a 64-bit ELF file", "PTO programs are ELF64, little-endian");
    GElf_Ehdr header;
    if (gelf_getehdr(elf_.get(), &header) == nullptr) return broken("header");
    if (header.e_ident[EI_DATA] != ELFDATA2LSB) return error("not a little-endian ELF file");
    if (header.e_machine == elf_machine_old) {
      image_.warnings.push_back(
          fmt::format("the file names the old machine number {:#x}; current files use {:#x}", elf_machine_old,
                      elf_machine));
    } else if (header.e_machine != elf_machine) {
      return error(
          fmt::format("the file is for machine {:#x}, not for PTO ({:#x})", header.e_machine, elf_machine));
    }
    if (header.e_type == ET_REL) {
      image_.relocatable = true;
    } else if (header.e_type == ET_DYN) {
      return error("the file is position-independent or a shared object (ET_DYN)",
                   "link the program statically, at fixed addresses (-static -no-pie)");
    } else if (header.e_type != ET_EXEC) {
      return error(fmt::format("ELF type {} is neither an executable nor an object", header.e_type));
    }
    image_.entry = header.e_entry;
    return check_elf_tables(elf_.get(), bytes_, image_.file);
  }

  Result<void> read_segments() {
    std::size_t count = 0;
    if (elf_getphdrnum(elf_.get(), &count) != 0) return broken("program headers");
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (gelf_getphdr(elf_.get(), static_cast<int>(i), &header) == nullptr) return broken("program header");
      if (header.p_type == PT_INTERP || header.p_type == PT_DYNAMIC) {
        return error("the program is dynamically linked", "link it statically");
      }
      if (header.p_type != PT_LOAD || (header.p_memsz == 0 && header.p_filesz == 0)) continue;
      if (header.p_filesz > header.p_memsz) {
        return error(fmt::format("segment {} takes {} bytes of file for {} of memory", i, header.p_filesz,
                                 header.p_memsz));
      }
      const std::span<const std::uint8_t> content = bytes_.subspan(header.p_offset, header.p_filesz);
      image_.segments.push_back({.name = fmt::format("#{}", i),
                                 .address = header.p_vaddr,
                                 .size = header.p_memsz,
                                 .bytes = {content.begin(), content.end()},
                                 .permissions = {.read = (header.p_flags & PF_R) != 0,
                                                 .write = (header.p_flags & PF_W) != 0,
                                                 .execute = (header.p_flags & PF_X) != 0}});
    }
    return {};
  }

  // Objects only: sections where segments would be.
  Result<void> read_sections() {
    object_.emplace(elf_.get(), bytes_, image_);
    if (Result<void> laid_out = object_->lay_out(); !laid_out.ok()) return laid_out;
    if (Result<void> applied = object_->apply_relocations(); !applied.ok())
      image_.unresolved = applied.error();
    return {};
  }

  // And the names of the sections beside it.
  Result<void> read_note() {
    bool found = false;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) return broken("section header");
      const std::string name(section_name(elf_.get(), header));
      if ((header.sh_flags & SHF_ALLOC) != 0 && header.sh_size != 0 && !image_.relocatable && !name.empty())
        image_.sections.push_back({name, header.sh_addr});
      if (name != isa_note_section) continue;
      if (found) {
        image_.bad_note = "there are two of them";
        continue;
      }
      found = true;
      if (header.sh_type == SHT_NOTE)
        take_note(bytes_.subspan(header.sh_offset, header.sh_size));
      else
        image_.bad_note = fmt::format("its section has type {}, not {} (SHT_NOTE)", header.sh_type, SHT_NOTE);
    }
    if (!found) found = read_note_segments();
    if (!found)
      image_.warnings.emplace_back("it has no .note.pto.isa, so nothing says which release it is for");
    return {};
  }

  // Where no section has the note's name: a file may do without sections, or have lost their names.
  bool read_note_segments() {
    std::size_t count = 0;
    if (elf_getphdrnum(elf_.get(), &count) != 0) return false;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (gelf_getphdr(elf_.get(), static_cast<int>(i), &header) == nullptr) return false;
      if (header.p_type != PT_NOTE || header.p_filesz == 0) continue;
      const std::span<const std::uint8_t> note =
          find_isa_note(bytes_.subspan(header.p_offset, header.p_filesz));
      if (note.empty()) continue;
      take_note(note);
      return true;
    }
    return false;
  }

  void take_note(std::span<const std::uint8_t> note) {
    const Result<std::string> named = release_of_note(note);
    if (!named.ok()) {
      image_.bad_note = named.error().message;
      return;
    }
    image_.release = release_of_name(*named);
    if (!image_.release) image_.unknown_release = *named;
  }

  Result<void> read_symbols() {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) return broken("section header");
      if (header.sh_type != SHT_SYMTAB || header.sh_size == 0) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      if (data == nullptr) return broken("symbol table");
      const std::size_t count = data->d_size / header.sh_entsize;
      if (count > symbol_limit) return error(fmt::format("the symbol table has {} entries", count));
      for (std::size_t i = 1; i < count; ++i) take_symbol(data, static_cast<int>(i), header.sh_link);
    }
    return {};
  }

  void take_symbol(Elf_Data* data, int index, std::size_t strings) {
    GElf_Sym symbol;
    if (gelf_getsym(data, index, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) return;
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    if (type == STT_SECTION || type == STT_FILE) return;
    const char* name = elf_strptr(elf_.get(), strings, symbol.st_name);
    if (name == nullptr || *name == '\0') return;
    Word value = symbol.st_value;
    if (image_.relocatable && symbol.st_shndx != SHN_ABS) {
      const std::optional<Word> start = object_->address_of(symbol.st_shndx);
      if (!start) return;
      value += *start;
    }
    image_.symbols.push_back({.name = name,
                              .value = value,
                              .size = symbol.st_size,
                              .is_function = type == STT_FUNC,
                              .is_number = symbol.st_shndx == SHN_ABS});
  }

  std::span<const std::uint8_t> bytes_;
  ElfHandle elf_;
  Image image_;
  std::optional<ElfObject> object_;  // when it is one
};

}  // namespace

bool looks_like_elf(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

Result<Image> read_elf(std::span<const std::uint8_t> bytes, const std::string& file) {
  return ElfReader(bytes, file).read();
}

}  // namespace pto::load
