#include "cli/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>

#include "text/operand_kinds.h"

namespace pto::cli {

using exec::Change;
using exec::Effects;
using exec::QueueChange;
using exec::RegisterChange;
using exec::TileChange;
using state::Tile;
using namespace std::string_view_literals;  // appended without counting their characters

namespace {

// A line is mostly numbers, so these decide how fast a trace is: each goes into the string in one piece.
char* write_hex(char* at, Word value) {
  constexpr std::string_view digits = "0123456789abcdef";
  *at++ = '0';
  *at++ = 'x';
  for (unsigned left = (static_cast<unsigned>(std::bit_width(value | 1)) + 3) / 4; left-- != 0;)
    *at++ = digits[value >> (4 * left) & 15];
  return at;
}
void put_hex(std::string& out, Word value) {
  char text[18];
  out.append(text, write_hex(text, value));
}
void put_quoted_hex(std::string& out, Word value) {
  char text[20] = {'"'};
  char* end = write_hex(text + 1, value);
  *end++ = '"';
  out.append(text, end);
}
void put_number(std::string& out, Word value) {
  if (value < 10) {
    out += static_cast<char>('0' + value);
    return;
  }
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}
// ["0x1","0x2"]
void put_hex_pair(std::string& out, Word before, Word now) {
  char text[44] = {'[', '"'};
  char* end = write_hex(text + 2, before);
  for (const char c : std::string_view("\",\"")) *end++ = c;
  end = write_hex(end, now);
  *end++ = '"';
  *end++ = ']';
  out.append(text, end);
}
void put_bytes(std::string& out, const std::uint8_t* bytes, std::size_t count) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < count; ++i) {
    out += digits[bytes[i] >> 4];
    out += digits[bytes[i] & 15];
  }
}

// --- Memory ---

Word value_of(const std::uint8_t* bytes, std::size_t size) {
  Word value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= Word{bytes[i]} << (8 * i);
  return value;
}

// One written range: its bytes before and after, as a number when they are one.
struct Written {
  Word address = 0;
  Word size = 0;
  const std::uint8_t* old_bytes = nullptr;
  const std::uint8_t* new_bytes = nullptr;
  [[nodiscard]] bool is_number() const { return size <= 8; }
};

// What was written; refused and failed writes, and what was asked for twice, are left out.
template <class Take>
void for_each_written(const TraceLine& told, Take take) {
  const state::Memory::WriteLog& log = told.effects.memory;
  const bool executed = told.effects.fault == state::Fault::None;
  const bool may_fail = told.line.form != nullptr && told.line.form->family == isa::Family::AMO;
  for (std::size_t i = 0; i < log.ranges.size(); ++i) {
    const state::Memory::WriteLog::Range& range = log.ranges[i];
    const bool told_before = std::any_of(
        log.ranges.begin(), log.ranges.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const state::Memory::WriteLog::Range& earlier) {
          return range.address >= earlier.address && range.address - earlier.address <= earlier.size &&
                 range.size <= earlier.size - (range.address - earlier.address);
        });
    if (told_before) continue;
    Written written;
    written.address = range.address;
    written.size = range.size;
    written.old_bytes = log.bytes.data() + range.old_bytes;
    std::array<std::uint8_t, 64> small;
    std::vector<std::uint8_t> large(range.size > small.size() ? range.size : 0);
    const std::span<std::uint8_t> bytes =
        large.empty() ? std::span(small).first(range.size) : std::span(large);
    told.machine.memory.read(range.address, bytes);
    written.new_bytes = bytes.data();
    const bool changed = !std::equal(bytes.begin(), bytes.end(), written.old_bytes);
    if (changed || (executed && !may_fail)) take(written);
  }
}

void put_memory_json(std::string& out, const TraceLine& told) {
  bool any = false;
  for_each_written(told, [&](const Written& written) {
    out += any ? "," : ",\"memory\":[";
    any = true;
    out += R"({"address":)"sv;
    put_quoted_hex(out, written.address);
    out += R"(,"bytes":)"sv;
    put_number(out, written.size);
    const std::size_t shown = std::min<std::size_t>(written.size, told.limit);
    const auto put = [&](const std::uint8_t* bytes) {
      if (written.is_number()) return put_quoted_hex(out, value_of(bytes, written.size));
      out += '"';
      put_bytes(out, bytes, shown);
      out += '"';
    };
    out += R"(,"old":)"sv;
    put(written.old_bytes);
    out += R"(,"new":)"sv;
    put(written.new_bytes);
    if (!written.is_number() && shown < written.size) out += R"(,"cut":true)"sv;
    out += '}';
  });
  if (any) out += ']';
}

// --- Tiles ---

std::string tile_name(const TileChange& change) {
  if (change.shared) return fmt::format("S{}", change.index);
  return fmt::format("{}#{}", "tumn"[change.index / 16], change.index % 16 + 1);
}

std::string_view type_of(const Tile& tile) {
  return tile.storage_kind == state::StorageKind::Predicate ? "predicate" : name_of(tile.data_type);
}

void put_tile_json(std::string& out, const Tile& tile) {
  if (!tile.allocated) {
    out += "null";
    return;
  }
  fmt::format_to(std::back_inserter(out),
                 R"({{"type":"{}","layout":"{}","rows":{},"columns":{},"bytes":{},"pes":"{:04b}"}})",
                 type_of(tile), name_of(tile.layout), tile.valid_rows, tile.valid_columns,
                 tile.capacity_bytes, tile.allocation_mask);
}

bool element_differs(const TileChange& change, std::uint64_t index) {
  const bool was = change.old_tile.defined(index);
  const bool is = change.new_tile.defined(index);
  return was != is || (is && change.old_tile.element(index) != change.new_tile.element(index));
}

void put_element(std::string& out, const Tile& tile, std::uint64_t index) {
  if (tile.defined(index)) {
    put_quoted_hex(out, tile.element(index));
  } else {
    out += "null";
  }
}

// Elements in storage order: [index, before, after], the first `limit` that differ, and how many do.
void put_elements_json(std::string& out, const TileChange& change, std::size_t limit) {
  const std::uint64_t count =
      std::max(change.old_tile.storage.elements(), change.new_tile.storage.elements());
  std::size_t differing = 0;
  out += R"(,"elements":[)";
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!element_differs(change, i)) continue;
    if (++differing > limit) continue;
    out += differing == 1 ? "[" : ",[";
    put_number(out, i);
    out += ',';
    put_element(out, change.old_tile, i);
    out += ',';
    put_element(out, change.new_tile, i);
    out += ']';
  }
  out += R"(],"changed":)";
  put_number(out, differing);
}

void put_tiles_json(std::string& out, const TraceLine& told) {
  bool any = false;
  for (const TileChange& change : told.effects.tiles) {
    out += any ? "," : ",\"tiles\":[";
    any = true;
    out += R"({"tile":")" + tile_name(change) + R"(","old":)";
    put_tile_json(out, change.old_tile);
    out += R"(,"new":)";
    put_tile_json(out, change.new_tile);
    put_elements_json(out, change, told.limit);
    out += '}';
  }
  if (any) out += ']';
}

// --- Registers, queues, members ---

void put_register_name(std::string& out, const RegisterChange& change, unsigned pe) {
  if (change.pe != pe) {
    out += "pe";
    put_number(out, change.pe);
    out += '.';
  }
  out += text::name_of_register(change.index);
}

void put_registers_json(std::string& out, const TraceLine& told) {
  if (told.effects.registers.empty()) return;
  out += ",\"registers\":{"sv;
  bool first = true;
  for (const RegisterChange& change : told.effects.registers) {
    out += first ? "\""sv : ",\""sv;
    first = false;
    put_register_name(out, change, told.pe);
    out += "\":"sv;
    put_hex_pair(out, change.old_value, change.new_value);
  }
  out += '}';
}

void put_queue_values(std::string& out, const state::TemporaryQueue& queue) {
  out += '[';
  for (unsigned i = 0; i < state::queue_depth; ++i) {
    if (i != 0) out += ',';
    if (queue.valid[i]) {
      put_quoted_hex(out, queue.values[i]);
    } else {
      out += "null"sv;
    }
  }
  out += ']';
}

void put_queue_json(std::string& out, char name, const QueueChange& change) {
  if (!change.changed) return;
  out += ",\""sv;
  out += name;
  out += "\":["sv;
  put_queue_values(out, change.old_queue);
  out += ',';
  put_queue_values(out, change.new_queue);
  out += ']';
}

void put_value(std::string& out, const Change& change, Word value, std::string_view symbol, bool quoted) {
  switch (change.kind) {
    case Change::Kind::Flag: out += value != 0 ? "true" : "false"; return;
    case Change::Kind::Integer: put_number(out, value); return;
    case Change::Kind::Bits:
      if (quoted) return put_quoted_hex(out, value);
      put_hex(out, value);
      return;
    case Change::Kind::Symbol: break;
  }
  if (quoted) out += '"';
  out += symbol;
  if (quoted) out += '"';
}

void put_members_json(std::string& out, const Effects& effects) {
  if (effects.members.empty()) return;
  out += ",\"state\":{"sv;
  bool first = true;
  for (const Change& change : effects.members) {
    out += first ? "\""sv : ",\""sv;
    first = false;
    out += effects.path(change);
    out += "\":["sv;
    put_value(out, change, change.old_value, change.old_symbol, true);
    out += ',';
    put_value(out, change, change.new_value, change.new_symbol, true);
    out += ']';
  }
  out += '}';
}

// --- Columns ---

// Two blanks between effects.
void put_gap(std::string& out) { out += "  "; }

void put_log_registers(std::string& out, const TraceLine& told) {
  for (const RegisterChange& change : told.effects.registers) {
    put_gap(out);
    put_register_name(out, change, told.pe);
    out += '=';
    put_hex(out, change.new_value);
  }
  const auto queue = [&](char name, const QueueChange& change) {
    if (!change.changed || !change.new_queue.valid[0]) return;
    put_gap(out);
    out += name;
    out += "#1=";
    put_hex(out, change.new_queue.values[0]);
  };
  queue('t', told.effects.t_queue);
  queue('u', told.effects.u_queue);
}

void put_log_memory(std::string& out, const TraceLine& told) {
  for_each_written(told, [&](const Written& written) {
    put_gap(out);
    out += '[';
    put_hex(out, written.address);
    out += "]=";
    if (written.is_number()) return put_hex(out, value_of(written.new_bytes, written.size));
    const std::size_t shown = std::min<std::size_t>({written.size, told.limit, 16});
    put_bytes(out, written.new_bytes, shown);
    if (shown < written.size) out += fmt::format("... {} bytes", written.size);
  });
}

void put_log_rest(std::string& out, const TraceLine& told) {
  for (const TileChange& change : told.effects.tiles) {
    put_gap(out);
    const Tile& tile = change.new_tile;
    out += tile.allocated ? fmt::format("{}={} {} {}x{}", tile_name(change), type_of(tile),
                                        name_of(tile.layout), tile.valid_rows, tile.valid_columns)
                          : fmt::format("{} freed", tile_name(change));
  }
  const bool decides = told.line.form != nullptr && told.line.form->surface() == isa::Surface::Scalar &&
                       told.line.form->does != isa::Behaviour::EnterRequest;
  for (const Change& change : told.effects.members) {
    const std::string_view path = told.effects.path(change);
    // How a block opens and closes is what every block does; what it decides is worth a column.
    const bool usual = path == "bpc" || path == "bundle_active" || path == "bundle_body_active" ||
                       (path.starts_with("block.") && !(decides && path == "block.barg.taken"));
    if (usual) continue;
    put_gap(out);
    out += path;
    out += '=';
    put_value(out, change, change.new_value, change.new_symbol, false);
  }
  if (told.effects.fault != state::Fault::None) {
    put_gap(out);
    out += "! ";
    out += name_of(told.effects.fault);
    out += ' ';
    put_hex(out, told.effects.fault_address);
  }
  if (told.machine.pc != told.step.pc + told.step.bits / 8) {
    out += "  -> ";
    put_hex(out, told.machine.pc);
  }
}

}  // namespace

namespace {
std::string permissions_of(const load::Segment& segment) {
  std::string out;
  if (segment.permissions.read) out += 'r';
  if (segment.permissions.write) out += 'w';
  if (segment.permissions.execute) out += 'x';
  return out;
}
}  // namespace

void append_json_head(std::string& out, const ProgramSource& program, Release release, Word begins_at) {
  const auto hex = [](Word word) { return fmt::format("{:#x}", word); };
  nlohmann::ordered_json segments = nlohmann::ordered_json::array();
  for (const load::Segment& segment : program.image.segments) {
    segments.push_back({{"name", segment.name},
                        {"address", hex(segment.address)},
                        {"size", segment.size},
                        {"permissions", permissions_of(segment)}});
  }
  const nlohmann::ordered_json head{{"trace", "ptosim-trace/1"},
                                    {"image", program.image.file},
                                    {"isa", name_of(release)},
                                    {"entry", hex(begins_at)},
                                    {"segments", std::move(segments)}};
  out += head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  out += '\n';
}

void append_log_head(std::string& out, const ProgramSource& program, Release release, Word begins_at) {
  out += fmt::format("{}, PTO ISA {}, begins at {:#x}\n", program.image.file, name_of(release), begins_at);
  for (const load::Segment& segment : program.image.segments) {
    out += fmt::format("  {} at {:#x}, {} bytes, {}\n", segment.name, segment.address, segment.size,
                       permissions_of(segment));
  }
}

void append_json_line(std::string& out, const TraceLine& told) {
  out += "{\"step\":"sv;
  put_number(out, told.step.number);
  out += ',';
  out += told.line.json;
  out += ",\"pe\":"sv;
  put_number(out, told.pe);
  out += ",\"ring\":"sv;
  put_number(out, told.ring);
  put_registers_json(out, told);
  put_queue_json(out, 't', told.effects.t_queue);
  put_queue_json(out, 'u', told.effects.u_queue);
  put_memory_json(out, told);
  put_members_json(out, told.effects);
  put_tiles_json(out, told);
  if (told.effects.fault != state::Fault::None) {
    out += ",\"fault\":\""sv;
    out += name_of(told.effects.fault);
    out += "\",\"fault_address\":"sv;
    put_quoted_hex(out, told.effects.fault_address);
  }
  out += ",\"next\":"sv;
  put_quoted_hex(out, told.machine.pc);
  out += "}\n"sv;
}

void append_log_line(std::string& out, const TraceLine& told) {
  const std::string number = std::to_string(told.step.number);
  constexpr std::size_t number_width = 10;
  if (number.size() < number_width) out.append(number_width - number.size(), ' ');
  out += number;
  out += ' ';
  out += told.line.columns;
  put_log_registers(out, told);
  put_log_memory(out, told);
  put_log_rest(out, told);
  while (out.back() == ' ') out.pop_back();
  out += '\n';
}

}  // namespace pto::cli
