#include "cli/explain_names.h"

#include <fmt/format.h>

#include <iterator>

#include "base/cursor.h"
#include "exec/scalar/system_registers.h"
#include "isa/tile/operations.h"
#include "numeric/element_type.h"
#include "text/assembler.h"
#include "text/name_lists.h"
#include "text/operand_kinds.h"

namespace pto::cli {

namespace {

using exec::scalar::RegisterAccess, exec::scalar::SystemRegisterRow;

// "a layout" as "layout".
std::string_view kind_of(const text::NameList& list) {
  if (&list == &text::dimension_list) return "block dimension";
  if (&list == &text::transfer_list) return "transfer of a block start";
  if (&list == &text::trace_list) return "trace hint";
  return list.what.substr(list.what.find(' ') + 1);
}

std::string type_text(std::string_view name) {
  for (const ElementTypeRow& row : element_type_rows) {
    if (row.name == name) return fmt::format(", {} bits{}", row.bits, row.bits == 4 ? ", two to a byte" : "");
  }
  return {};
}

// Which operations read the layout of B.DATR, and the like.
std::string readers_of(const text::NameList& list) {
  std::string out;
  unsigned count = 0;
  for (const isa::TileOperation& row : isa::tile_operations()) {
    const isa::DatrContract& reads = row.datr;
    const bool does = &list == &text::layout_list       ? reads.layout
                      : &list == &text::pad_list        ? reads.pad
                      : &list == &text::comparison_list ? reads.comparison_mode
                      : &list == &text::rounding_list   ? reads.rounding_mode
                                                        : false;
    if (does) out += (count++ == 0 ? "" : ", ") + std::string(row.name);
  }
  constexpr unsigned most_listed = 24;
  if (count > most_listed)
    out = fmt::format("{} operations; 'ptosim explain' of one says what it reads", count);
  return out.empty() ? out : fmt::format("  read by {}\n", out);
}

std::string listed_name(std::string_view name) {
  std::string out;
  for (const text::NameList* list : text::name_lists()) {
    for (const text::Name& row : list->names) {
      if (!equal_ignoring_case(row.text, name)) continue;
      fmt::format_to(std::back_inserter(out), "{} {}: {}{}; code {}\n", kind_of(*list), row.text, row.meaning,
                     list == &text::type_list ? type_text(row.text) : "", row.code);
      if (!list->keys[0].empty() && list != &text::type_list)
        fmt::format_to(std::back_inserter(out), "  written in B.DATR, alone or as {}={}\n", list->keys[0],
                       row.text);
      out += readers_of(*list);
    }
  }
  for (const text::Name& row : text::directive_names()) {
    if (equal_ignoring_case(row.text, name))
      fmt::format_to(std::back_inserter(out), "directive {} {}\n", row.text, row.meaning);
  }
  for (const text::Name& row : text::flag_names()) {
    if (equal_ignoring_case(row.text, name))
      fmt::format_to(std::back_inserter(out), "{}: {}\n", row.text, row.meaning);
  }
  return out;
}

std::string general_register(unsigned selector) {
  std::string_view role;
  switch (selector) {
    case 0: role = "always zero; writes are lost"; break;
    case 1: role = "stack pointer"; break;
    case 10: role = "return address"; break;
    default: role = selector < 10 ? "argument and result by convention" : "general"; break;
  }
  return fmt::format("register {}: general register {} (r{}); {}\n", text::name_of_register(selector),
                     selector, selector, role);
}

// t#1 is an entry of a queue to a scalar instruction and a tile to a block.
std::string numbered(std::string_view name) {
  const std::size_t hash = name.find('#');
  if (hash != 1) return {};
  const std::size_t hand = text::tile_hands.find(to_lower(name[0]));
  Cursor digits(name.substr(2));
  const std::optional<Word> number = text::parse_number(digits);
  if (hand == text::tile_hands.npos || !number || !digits.at_end() || *number - 1 >= text::tiles_per_hand)
    return {};
  std::string out;
  constexpr Word queue_length = 4, queues = 2;
  const char letter = text::tile_hands[hand];
  if (hand < queues && *number <= queue_length) {
    fmt::format_to(std::back_inserter(out),
                   "{0}#{1}: for scalar instructions, entry {1} of queue {0}, 1 being the newest; a source "
                   "only, ->{0} pushes\n",
                   letter, *number);
  }
  fmt::format_to(std::back_inserter(out),
                 "{0}#{1}: for blocks, local tile register {1} of hand {0}, code {2}; a new tile takes the "
                 "first free one of its hand\n",
                 letter, *number, hand * text::tiles_per_hand + *number - 1);
  return out;
}

std::string hand_text(std::string_view name) {
  if (name.size() != 1 || text::tile_hands.find(to_lower(name[0])) == text::tile_hands.npos) return {};
  std::string out =
      fmt::format("{0}: a hand of sixteen local tiles, {0}#1 to {0}#16; ->{0}<1KB> makes one\n", name);
  const bool queue = to_lower(name[0]) == 't' || to_lower(name[0]) == 'u';
  if (queue)
    out +=
        fmt::format("{0}: a queue of scalar results; ->{0} pushes, {0}#1, the newest, to {0}#4 read\n", name);
  return out;
}

std::string shared_register(std::string_view name) {
  Cursor cursor(name);
  if (to_lower(cursor.next()) != 's' || !is_digit(cursor.peek())) return {};
  const std::optional<Word> number = text::parse_number(cursor);
  constexpr Word shared_registers = 64, old_shared_registers = 256;
  if (!number || !cursor.at_end() || *number >= old_shared_registers) return {};
  return fmt::format("S{}: shared register, bound by B.IOS{}\n", *number,
                     *number < shared_registers ? "" : "; release 0.58.3 only, 0.58.5 ends at S63");
}

std::string register_text(std::string_view name) {
  std::string out = numbered(name);
  if (!out.empty()) return out;
  constexpr unsigned general_registers = 24;
  if (const std::optional<unsigned> selector = text::register_of_name(name)) {
    out += *selector < general_registers
               ? general_register(*selector)
               : fmt::format("selector {}: as a source {}\n", *selector, text::name_of_register(*selector));
  }
  return out + hand_text(name) + shared_register(name);
}

std::string system_register(const SystemRegisterRow& row) {
  const std::string_view access = row.access == RegisterAccess::ReadOnly    ? "read only"
                                  : row.access == RegisterAccess::WriteOnly ? "write only"
                                                                            : "read and write";
  std::string where = fmt::format("address {:#06x}", row.index);
  if (row.context)
    where =
        row.only_ring < 0
            ? fmt::format("index {0:#x} of each ring's bank: address RING << 12 | {0:#x}", row.index)
            : fmt::format("address {:#x}, of ring {} only", row.only_ring << 12 | row.index, row.only_ring);
  const std::string_view use = row.access == RegisterAccess::ReadOnly ? "ssrget reads it, by its address"
                               : row.access == RegisterAccess::WriteOnly
                                   ? "ssrset writes it, by its address"
                                   : "ssrget reads and ssrset writes it, "
                                     "both by its address";
  return fmt::format("system register {}: {}, {}; {}\n", row.name, where, access, use);
}

// "mask=1000" or the digits alone when they are a mask and no word: four binary digits are a word too.
std::string mask_text(std::string_view name) {
  constexpr std::string_view key = "mask=";
  if (name.size() <= key.size() || !equal_ignoring_case(name.substr(0, key.size()), key)) return {};
  name.remove_prefix(key.size());
  for (std::size_t code = 0; code < text::pe_masks().size(); ++code) {
    if (text::pe_masks()[code] != name) continue;
    std::string pes;
    for (std::size_t pe = 0; pe < name.size(); ++pe) {
      if (name[pe] == '1') fmt::format_to(std::back_inserter(pes), "{}PE{}", pes.empty() ? "" : ", ", pe);
    }
    return fmt::format("mask={}: PE mask, PEMode {}; {} take{} part, PE0 being on the left\n", name, code,
                       pes.empty() ? "no PE" : pes, pes.size() == 3 || pes.empty() ? "s" : "");
  }
  return {};
}

std::string size_text(std::string_view name) {
  if (name.starts_with('<') && name.ends_with('>')) name = name.substr(1, name.size() - 2);
  for (unsigned code = 1; code <= text::tile_size_codes; ++code) {
    const unsigned bytes = 128u << (code - 1);
    const std::string spelled = bytes < 1024 ? fmt::format("{}B", bytes) : fmt::format("{}KB", bytes / 1024);
    if (equal_ignoring_case(spelled, name))
      return fmt::format("{}: bytes reserved in each PE for a new tile, SizeCode {}; written ->t<{}>\n",
                         spelled, code, spelled);
  }
  return {};
}

// How a tile lies in its bytes; reports and state files name it.
std::string tile_layout_text(std::string_view name) {
  struct Row {
    std::string_view name, text;
  };
  constexpr Row rows[] = {
      {"RowMajor", "row after row; what TLOAD makes without B.DATR"},
      {"ColumnMajor", "column after column"},
      {"ZN", "fractals, Z outside and N inside"},
      {"NZ", "fractals, N outside and Z inside"},
      {"CUBE_M16",
       "CELLs of 128 bytes, 16 rows of 8 bytes each; TLOAD with ND2M16 makes it, TSTORE with M162ND stores "
       "it; left side "
       "and result of matrix products"},
      {"CUBE_M32",
       "CELLs of 128 bytes, 32 rows of 4 bytes each; TLOAD with ND2M32 makes it, TSTORE with M322ND stores "
       "it; left side "
       "and result of matrix products"},
      {"CUBE_N8",
       "CELLs of 128 bytes, 8 columns of 16 bytes each; TLOAD with ND2N8 makes it, TSTORE with N82ND stores "
       "it; right side "
       "of matrix products"},
  };
  for (const Row& row : rows) {
    if (equal_ignoring_case(row.name, name)) return fmt::format("tile layout {}: {}\n", row.name, row.text);
  }
  return {};
}

}  // namespace

std::optional<std::string> explain_operand_name(std::string_view name) {
  std::string out =
      listed_name(name) + register_text(name) + mask_text(name) + size_text(name) + tile_layout_text(name);
  for (const SystemRegisterRow& row : exec::scalar::system_register_rows()) {
    if (equal_ignoring_case(row.name, name)) out += system_register(row);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

std::vector<std::string_view> operand_names() {
  std::vector<std::string_view> names;
  for (const text::NameList* list : text::name_lists()) {
    for (const text::Name& row : list->names) names.push_back(row.text);
  }
  for (const text::Name& row : text::flag_names()) names.push_back(row.text);
  for (const text::Name& row : text::directive_names()) names.push_back(row.text);
  for (const SystemRegisterRow& row : exec::scalar::system_register_rows()) names.push_back(row.name);
  return names;
}

}  // namespace pto::cli
