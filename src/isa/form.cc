#include "isa/form.h"

#include <vector>

#include "isa/rows.h"

namespace pto::isa {

namespace {

using Rows = std::span<const Form> (*)();

constexpr Rows tables[] = {
    rows::control_start_rows, rows::tile_start_rows,
    rows::header_rows,        rows::command_rows,
    rows::agu_load_rows,      rows::agu_load_update_rows,
    rows::agu_store_rows,     rows::agu_store_update_rows,
    rows::agu_pair_rows,      rows::agu_prefetch_rows,
    rows::alu_binary_rows,    rows::alu_rows,
    rows::amo_rows,           rows::bru_rows,
    rows::fsu_rows,           rows::sys_rows,
};

// The rows as one list, and the two halves of it by surface.
struct Lists {
  std::vector<const Form*> all, block, scalar;

  Lists() {
    for (const Rows table : tables) {
      for (const Form& form : table()) {
        all.push_back(&form);
        (form.surface() == Surface::Block ? block : scalar).push_back(&form);
      }
    }
  }
};

const Lists& lists() {
  static const Lists once;
  return once;
}

constexpr std::array family_names =
    std::to_array<std::string_view>({"CMD", "BBD", "AGU", "ALU", "AMO", "BRU", "FSU", "SYS"});

}  // namespace

std::span<const Form* const> all_forms() { return lists().all; }
std::span<const Form* const> forms_of(Surface surface) {
  return surface == Surface::Block ? lists().block : lists().scalar;
}

std::string_view name_of(Surface surface) { return surface == Surface::Block ? "block" : "scalar"; }
std::string_view name_of(Family family) { return family_names[static_cast<std::size_t>(family)]; }

}  // namespace pto::isa
