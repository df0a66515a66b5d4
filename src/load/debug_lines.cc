#include "load/debug_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace pto::load {

namespace {

constexpr std::size_t line_limit = 16'000'000;

struct EndElf {
  void operator()(Elf* elf) const { (void)elf_end(elf); }
};
struct EndDwarf {
  void operator()(Dwarf* dwarf) const { (void)dwarf_end(dwarf); }
};

bool is_executable(Elf* elf) {
  GElf_Ehdr header;
  return elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) != nullptr && header.e_type != ET_REL;
}

class Collector {
 public:
  void take_unit(Dwarf_Die* unit) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
    for (std::size_t i = 0; i + 1 < count && out_.lines.size() < line_limit; ++i) {
      take_line(dwarf_onesrcline(lines, i), dwarf_onesrcline(lines, i + 1));
    }
  }
  DebugLines take() {
    std::stable_sort(out_.lines.begin(), out_.lines.end(),
                     [](const DebugLine& a, const DebugLine& b) { return a.address < b.address; });
    return std::move(out_);
  }

 private:
  void take_line(Dwarf_Line* line, Dwarf_Line* next) {
    bool ends = false;
    Dwarf_Addr address = 0;
    Dwarf_Addr behind = 0;
    int number = 0;
    if (dwarf_lineendsequence(line, &ends) != 0 || ends || dwarf_lineaddr(line, &address) != 0 ||
        dwarf_lineaddr(next, &behind) != 0 || dwarf_lineno(line, &number) != 0 || behind <= address ||
        number <= 0) {
      return;
    }
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr) return;
    out_.lines.push_back({address, behind - address, file_number(file), static_cast<std::uint32_t>(number)});
  }
  std::uint32_t file_number(const char* name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(out_.files.size()));
    if (is_new) out_.files.emplace_back(name);
    return at->second;
  }

  DebugLines out_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

DebugLines read_debug_lines(std::span<const std::uint8_t> bytes) {
  if (elf_version(EV_CURRENT) == EV_NONE) return {};
  // libelf wants a writable buffer but does not write to it when reading.
  const std::unique_ptr<Elf, EndElf> elf(
      elf_memory(reinterpret_cast<char*>(const_cast<std::uint8_t*>(bytes.data())), bytes.size()));
  if (!elf || !is_executable(elf.get())) return {};
  const std::unique_ptr<Dwarf, EndDwarf> dwarf(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr));
  if (!dwarf) return {};
  Collector collector;
  Dwarf_Off offset = 0;
  Dwarf_Off next = 0;
  std::size_t header_size = 0;
  while (dwarf_nextcu(dwarf.get(), offset, &next, &header_size, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf.get(), offset + header_size, &unit) != nullptr) collector.take_unit(&unit);
    if (next <= offset) break;
    offset = next;
  }
  return collector.take();
}

}  // namespace pto::load
