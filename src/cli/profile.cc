#include "cli/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/instruction_lines.h"
#include "isa/decode.h"

namespace pto::cli {

namespace {

struct Named {
  std::string name;
  std::uint64_t count = 0;
};

// One address, with what is there.
struct Place {
  Profiler::Hot hot;
  std::string text;
  std::string place;
  std::string symbol;
};

struct Summary {
  std::uint64_t total = 0;
  std::vector<Named> kinds, mnemonics, symbols, lines;
  std::vector<Place> places;  // the hottest first
};

std::vector<Named> descending(const std::map<std::string, std::uint64_t>& counts) {
  std::vector<Named> out;
  for (const auto& [name, count] : counts) out.push_back({name, count});
  std::stable_sort(out.begin(), out.end(), [](const Named& a, const Named& b) { return a.count > b.count; });
  return out;
}

exec::ObservedStep instruction_at(const state::Memory& memory, Word address) {
  exec::ObservedStep step;
  step.pc = address;
  if (!memory.permitted(address, 2, state::Access::Read, 0)) return step;
  const unsigned bits = isa::length_bits(static_cast<std::uint16_t>(memory.load(address, 2)));
  if (!memory.permitted(address, bits / 8, state::Access::Read, 0)) return step;
  step.bits = bits;
  step.word = memory.load(address, bits / 8);
  return step;
}

Summary summarise(const Profiler& profiler, const ProgramSource& program, const state::Memory& memory,
                  Release release) {
  Summary summary;
  std::map<std::string, std::uint64_t> kinds, mnemonics, symbols, lines;
  InstructionLines texts(program, release);
  for (const Profiler::Hot& hot : profiler.counts()) {
    const InstructionLine& line = texts.at(instruction_at(memory, hot.address));
    summary.total += hot.count;
    kinds[line.form == nullptr ? "none" : std::string(name_of(line.form->family))] += hot.count;
    mnemonics[line.form == nullptr ? "(no instruction)" : std::string(line.form->name)] += hot.count;
    const load::Symbol* symbol = program.image.symbol_at(hot.address);
    const std::string name = symbol != nullptr ? symbol->name : "(no symbol)";
    symbols[name] += hot.count;
    lines[line.place] += hot.count;
    summary.places.push_back({hot, line.text, line.place, name});
  }
  summary.kinds = descending(kinds);
  summary.mnemonics = descending(mnemonics);
  summary.symbols = descending(symbols);
  summary.lines = descending(lines);
  std::stable_sort(summary.places.begin(), summary.places.end(),
                   [](const Place& a, const Place& b) { return a.hot.count > b.hot.count; });
  return summary;
}

double share(std::uint64_t count, std::uint64_t total) {
  return total == 0 ? 0 : 100.0 * static_cast<double>(count) / static_cast<double>(total);
}

std::string table(std::string_view title, const std::vector<Named>& rows, std::uint64_t total) {
  constexpr std::size_t shown = 20;
  std::string out = fmt::format("\n  {:>14}  {:>6}  {}\n", "executed", "share", title);
  for (std::size_t i = 0; i < std::min(rows.size(), shown); ++i) {
    out += fmt::format("  {:>14}  {:>5.1f}%  {}\n", rows[i].count, share(rows[i].count, total), rows[i].name);
  }
  if (rows.size() > shown) out += fmt::format("  {:>14}  {} more\n", "...", rows.size() - shown);
  return out;
}

nlohmann::ordered_json named_json(const std::vector<Named>& rows) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Named& row : rows) out.push_back({{"name", row.name}, {"count", row.count}});
  return out;
}

}  // namespace

void Profiler::after(const state::Machine&, const exec::ObservedStep& step) {
  const Word index = step.pc >> state::Memory::page_bits;
  if (index != page_index_) {
    std::unique_ptr<Page>& page = pages_[index];
    if (!page) page = std::make_unique<Page>();
    page_ = page.get();
    page_index_ = index;
  }
  ++(*page_)[(step.pc & (state::Memory::page_bytes - 1)) / 2];
}

std::vector<Profiler::Hot> Profiler::counts() const {
  std::vector<Hot> out;
  for (const auto& [index, page] : pages_) {
    for (std::size_t i = 0; i < page->size(); ++i) {
      if ((*page)[i] != 0) out.push_back({(index << state::Memory::page_bits) + i * 2, (*page)[i]});
    }
  }
  std::sort(out.begin(), out.end(), [](const Hot& a, const Hot& b) { return a.address < b.address; });
  return out;
}

std::string describe_profile(const Profiler& profiler, const ProgramSource& program,
                             const state::Memory& memory, Release release) {
  constexpr std::size_t shown = 20;
  const Summary summary = summarise(profiler, program, memory, release);
  std::string out =
      fmt::format("profile: {} instructions at {} addresses\n", summary.total, summary.places.size());
  out += table("kind", summary.kinds, summary.total);
  out += table("mnemonic", summary.mnemonics, summary.total);
  out += table("symbol", summary.symbols, summary.total);
  std::size_t width = 0;
  for (std::size_t i = 0; i < std::min(summary.places.size(), shown); ++i)
    width = std::max(width, summary.places[i].place.size());
  out += fmt::format("\n  {:>14}  {:>6}  {:>10}  {:<{}}  {}\n", "executed", "share", "address", "place",
                     width, "instruction");
  for (std::size_t i = 0; i < std::min(summary.places.size(), shown); ++i) {
    const Place& place = summary.places[i];
    out +=
        fmt::format("  {:>14}  {:>5.1f}%  {:>#10x}  {:<{}}  {}\n", place.hot.count,
                    share(place.hot.count, summary.total), place.hot.address, place.place, width, place.text);
  }
  if (summary.places.size() > shown)
    out += fmt::format("  {:>14}  {} more\n", "...", summary.places.size() - shown);
  return out;
}

std::string profile_json(const Profiler& profiler, const ProgramSource& program, const state::Memory& memory,
                         Release release) {
  const Summary summary = summarise(profiler, program, memory, release);
  nlohmann::ordered_json addresses = nlohmann::ordered_json::array();
  for (const Place& place : summary.places) {
    addresses.push_back({{"address", fmt::format("{:#x}", place.hot.address)},
                         {"count", place.hot.count},
                         {"place", place.place},
                         {"symbol", place.symbol},
                         {"text", place.text}});
  }
  const nlohmann::ordered_json out{{"total", summary.total},
                                   {"kinds", named_json(summary.kinds)},
                                   {"mnemonics", named_json(summary.mnemonics)},
                                   {"symbols", named_json(summary.symbols)},
                                   {"lines", named_json(summary.lines)},
                                   {"addresses", std::move(addresses)}};
  return out.dump(1) + "\n";
}

}  // namespace pto::cli
