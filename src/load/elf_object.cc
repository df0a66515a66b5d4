#include "load/elf_object.h"

#include <fmt/format.h>

#include "load/elf_relocation.h"

namespace pto::load {

namespace {

constexpr Word largest_alignment = 1 << 16;
constexpr std::size_t relocation_limit = 4'000'000;
constexpr std::string_view link_hint = "link the object into an executable";

}  // namespace

std::string section_name(Elf* elf, const GElf_Shdr& header) {
  std::size_t strings = 0;
  if (elf_getshdrstrndx(elf, &strings) != 0) return "?";
  const char* name = elf_strptr(elf, strings, header.sh_name);
  return name == nullptr ? "?" : name;
}

Error ElfObject::error(std::string message, std::string hint) const {
  return {
      .message = std::move(message), .place = {image_.file, 0, 0}, .hint = std::move(hint), .excerpt = {}};
}

Error ElfObject::refused(const Relocation& relocation, const std::string& symbol, const std::string& why,
                         std::string hint) const {
  return error(fmt::format("{}: relocation {}{}{} cannot be applied: {}", relocation.place,
                           relocation_name(relocation.type), symbol.empty() ? "" : " of ", symbol, why),
               std::move(hint));
}

std::optional<Word> ElfObject::address_of(std::size_t section) const {
  const auto found = segment_of_.find(section);
  if (found == segment_of_.end()) return std::nullopt;
  return image_.segments[found->second].address;
}

Result<void> ElfObject::lay_out() {
  Word address = 0;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return error("broken ELF file: a section header");
    if ((header.sh_flags & SHF_ALLOC) == 0 || header.sh_size == 0 || header.sh_type == SHT_NOTE) continue;
    Segment segment;
    segment.name = load::section_name(elf_, header);
    const Word alignment = header.sh_addralign == 0 ? 1 : header.sh_addralign;
    if (alignment > largest_alignment || (alignment & (alignment - 1)) != 0)
      return error(fmt::format("section {} wants alignment {}", segment.name, alignment));
    if (header.sh_size > image_limit)
      return error(fmt::format("section {} claims {} bytes", segment.name, header.sh_size));
    address = round_up(address, alignment);
    segment.address = address;
    segment.size = header.sh_size;
    segment.permissions = {.read = true,
                           .write = (header.sh_flags & SHF_WRITE) != 0,
                           .execute = (header.sh_flags & SHF_EXECINSTR) != 0};
    if (header.sh_type != SHT_NOBITS) {
      if (header.sh_offset > bytes_.size() || header.sh_size > bytes_.size() - header.sh_offset)
        return error(fmt::format("section {} ends beyond the file", segment.name));
      const std::span<const std::uint8_t> content = bytes_.subspan(header.sh_offset, header.sh_size);
      segment.bytes.assign(content.begin(), content.end());
    }
    address += header.sh_size;
    if (address > image_limit)
      return error(fmt::format("the sections need more than {} bytes of memory", image_limit));
    segment_of_[elf_ndxscn(section)] = image_.segments.size();
    image_.segments.push_back(std::move(segment));
  }
  return {};
}

Result<void> ElfObject::apply_relocations() {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return error("broken ELF file: a section header");
    if ((header.sh_type != SHT_RELA && header.sh_type != SHT_REL) || header.sh_size == 0) continue;
    // Relocations of debug information and the like change nothing that runs.
    if (!segment_of_.contains(header.sh_info)) continue;
    if (header.sh_type == SHT_REL) {
      return error(
          fmt::format("section {} has relocations without addends", load::section_name(elf_, header)),
          "PTO objects keep addends in their relocations (SHT_RELA)");
    }
    if (Result<void> applied = apply_section(header, section); !applied.ok()) return applied;
  }
  return {};
}

Result<void> ElfObject::apply_section(const GElf_Shdr& header, Elf_Scn* section) {
  const std::string name = load::section_name(elf_, header);
  Elf_Data* data = elf_getdata(section, nullptr);
  Elf_Scn* symbols = elf_getscn(elf_, header.sh_link);
  if (data == nullptr || header.sh_entsize == 0 || symbols == nullptr)
    return error(fmt::format("broken ELF file: relocations {}", name));
  const std::size_t count = data->d_size / header.sh_entsize;
  if (count > relocation_limit) return error(fmt::format("section {} has {} relocations", name, count));
  Segment& segment = image_.segments[segment_of_.at(header.sh_info)];
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Rela rela;
    if (gelf_getrela(data, static_cast<int>(i), &rela) == nullptr)
      return error(fmt::format("broken ELF file: relocation {} of {}", i, name));
    const Relocation relocation{.place = fmt::format("{}+{:#x}", segment.name, rela.r_offset),
                                .type = static_cast<std::uint32_t>(GELF_R_TYPE(rela.r_info)),
                                .offset = rela.r_offset,
                                .addend = static_cast<Word>(rela.r_addend),
                                .symbol = GELF_R_SYM(rela.r_info)};
    if (Result<void> applied = apply(relocation, symbols, segment); !applied.ok()) return applied;
  }
  return {};
}

Result<void> ElfObject::apply(const Relocation& relocation, Elf_Scn* symbols, Segment& segment) {
  std::string symbol;
  const Result<Word> value = value_of(relocation, symbols, symbol);
  const Result<unsigned> size = relocation_size(relocation.type);
  if (!size.ok()) return refused(relocation, symbol, size.error().message, std::string(link_hint));
  if (*size == 0) return {};
  if (!value.ok()) return value.error();
  if (relocation.offset > segment.bytes.size() || *size > segment.bytes.size() - relocation.offset) {
    return refused(relocation, symbol,
                   fmt::format("its {} bytes are not in the section's {}", *size, segment.bytes.size()));
  }
  const std::span<std::uint8_t> patched = std::span(segment.bytes).subspan(relocation.offset, *size);
  if (Result<void> done =
          relocate(relocation.type, patched, segment.address + relocation.offset, *value + relocation.addend);
      !done.ok())
    return refused(relocation, symbol, done.error().message);
  return {};
}

Result<Word> ElfObject::value_of(const Relocation& relocation, Elf_Scn* symbols, std::string& name) const {
  if (relocation.symbol == 0) return Word{0};
  GElf_Shdr table;
  Elf_Data* data = elf_getdata(symbols, nullptr);
  GElf_Sym symbol;
  if (data == nullptr || gelf_getshdr(symbols, &table) == nullptr || table.sh_type != SHT_SYMTAB ||
      relocation.symbol > relocation_limit ||
      gelf_getsym(data, static_cast<int>(relocation.symbol), &symbol) == nullptr)
    return refused(relocation, "", fmt::format("there is no symbol {}", relocation.symbol));
  const char* text = elf_strptr(elf_, table.sh_link, symbol.st_name);
  name = text == nullptr ? "" : text;
  if (GELF_ST_TYPE(symbol.st_info) == STT_SECTION && name.empty()) {
    GElf_Shdr section;
    Elf_Scn* named = elf_getscn(elf_, symbol.st_shndx);
    if (named != nullptr && gelf_getshdr(named, &section) != nullptr)
      name = load::section_name(elf_, section);
  }
  if (GELF_ST_TYPE(symbol.st_info) == STT_TLS)
    return refused(relocation, name, "the symbol is thread-local", std::string(link_hint));
  switch (symbol.st_shndx) {
    case SHN_ABS: return Word{symbol.st_value};
    case SHN_UNDEF:
      if (GELF_ST_BIND(symbol.st_info) == STB_WEAK) return Word{0};
      return refused(relocation, name, "the object does not define the symbol",
                     "link it with the object that does");
    case SHN_COMMON:
      return refused(relocation, name, "a common symbol has no place before linking",
                     "compile with -fno-common, or link the object");
    default: break;
  }
  const std::optional<Word> start = address_of(symbol.st_shndx);
  if (!start) return refused(relocation, name, "the symbol lies in a section that is not loaded");
  return *start + symbol.st_value;
}

}  // namespace pto::load
