// Writing a state: a visitor that walks a value beside its reset default and keeps what differs.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "state/describe.h"
#include "state/member_names.h"

namespace pto::state {
namespace {

using nlohmann::json;

std::string hex(Word word) { return fmt::format("{:#x}", word); }

std::string hex_bytes(std::span<const std::uint8_t> bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

// Without its trailing zero bytes.
std::vector<std::uint8_t> cut(std::vector<std::uint8_t> bytes) {
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  return bytes;
}

class Writer {
 public:
  // `whole`: write every member, also those at their default (memory events).
  explicit Writer(bool whole = false) : whole_(whole) {}
  [[nodiscard]] json take() { return std::move(out_); }

  template <class T>
  static json write_record(const T& value, const T& reset, bool whole = false) {
    Writer writer(whole);
    T::fields(writer, value, reset);
    return writer.take();
  }

  void flag(std::string_view name, const bool& x, const bool& reset) {
    if (whole_ || x != reset) put(name, x);
  }
  template <class T>
  void bits(std::string_view name, unsigned, const T& x, const T& reset) {
    if (whole_ || x != reset) put(name, hex(x));
  }
  template <class T>
  void integer(std::string_view name, Word, Word, const T& x, const T& reset) {
    if (whole_ || x != reset) put(name, static_cast<std::uint64_t>(x));
  }
  template <class E>
  void symbol(std::string_view name, const E& x, const E& reset) {
    if (whole_ || x != reset) put(name, std::string(name_of(x)));
  }
  template <class T>
  void record(std::string_view name, const T& x, const T& reset) {
    put_nonempty(name, write_record(x, reset));
  }
  template <class T, std::size_t N>
  void bits_map(std::string_view name, unsigned, const std::array<T, N>& x, const std::array<T, N>& reset) {
    json map = json::object();
    for (std::size_t i = 0; i < N; ++i) {
      if (x[i] != reset[i]) map[std::to_string(i)] = hex(x[i]);
    }
    put_nonempty(name, std::move(map));
  }
  template <std::size_t N>
  void flag_map(std::string_view name, const std::array<bool, N>& x, const std::array<bool, N>& reset) {
    json map = json::object();
    for (std::size_t i = 0; i < N; ++i) {
      if (x[i] != reset[i]) map[std::to_string(i)] = x[i];
    }
    put_nonempty(name, std::move(map));
  }
  template <class Map>
  void record_map(std::string_view name, const Map& x, const Map& reset) {
    json map = json::object();
    for (std::size_t i = 0; i < std::size_t{std::size(x)}; ++i) {
      json element = write_record(x[i], reset[i]);
      if (!element.empty()) map[std::to_string(i)] = std::move(element);
    }
    put_nonempty(name, std::move(map));
  }
  template <class T, std::size_t N>
  void record_map(std::string_view name, const Lazy<T, N>& x, const Lazy<T, N>&) {
    json map = json::object();
    for (std::size_t i = 0; i < x.used(); ++i) {
      if (!x.exists(i)) continue;
      json element = write_record(x[i], Lazy<T, N>::reset());
      if (!element.empty()) map[std::to_string(i)] = std::move(element);
    }
    put_nonempty(name, std::move(map));
  }
  void gpr(std::string_view name, const std::array<RegisterFile, pe_count>& x,
           const std::array<RegisterFile, pe_count>&) {
    json map = json::object();
    for (std::size_t pe = 0; pe < pe_count; ++pe) {
      for (std::size_t i = 0; i < gpr_count; ++i) {
        if (x[pe].x[i] != 0) map[std::to_string(pe)][std::to_string(i)] = hex(x[pe].x[i]);
      }
    }
    put_nonempty(name, std::move(map));
  }
  void queue(std::string_view name, const TemporaryQueue& x, const TemporaryQueue& reset) {
    if (x == reset) return;
    json list = json::array();
    for (std::size_t i = 0; i < queue_depth; ++i) list.push_back(json::array({x.valid[i], hex(x.values[i])}));
    put(name, std::move(list));
  }
  void memory(std::string_view name, const Memory& x, const Memory&) {
    json list = json::array();
    for (const Memory::Run& run : x.nonzero_runs()) {
      list.push_back({{"addr", hex(run.address)}, {"bytes", hex_bytes(run.bytes)}});
    }
    put_nonempty(name, std::move(list));
    json pages = json::array();
    for (const Memory::Pages& run : x.mapped_pages()) {
      std::string permissions;
      if (run.permissions.read) permissions += 'r';
      if (run.permissions.write) permissions += 'w';
      if (run.permissions.execute) permissions += 'x';
      pages.push_back({{"addr", hex(run.address)}, {"size", hex(run.size)}, {"permissions", permissions}});
    }
    put_nonempty(pages_member, std::move(pages));
  }
  void events(std::string_view name, const std::vector<MemoryEvent>& x, const std::vector<MemoryEvent>&) {
    json list = json::array();
    for (const MemoryEvent& event : x) list.push_back(write_record(event, MemoryEvent{}, true));
    put_nonempty(name, std::move(list));
  }
  void system_register_file(std::string_view name, const SystemRegisterFile& x, const SystemRegisterFile&) {
    json map = json::object();
    for (const SystemRegisterFile::Entry& entry : x.entries()) {
      if (entry.value != SystemRegisterFile::reset_value(entry.index))
        map[std::to_string(entry.index)] = hex(entry.value);
    }
    put_nonempty(name, std::move(map));
  }
  void tile_storage(std::string_view defined_name, std::string_view payload_name, const Tile& tile,
                    const Tile&) {
    const std::span<const std::uint64_t> words = tile.storage.defined();
    std::vector<std::uint8_t> defined(words.size() * 8);
    if (!words.empty()) std::memcpy(defined.data(), words.data(), defined.size());
    defined = cut(std::move(defined));
    // Only defined elements show their bits.
    const unsigned bits = tile.storage_bits();
    std::vector<std::uint8_t> payload(divide_up<std::size_t>(defined.size() * 8 * bits, 8));
    for (std::size_t e = 0; e < defined.size() * 8; ++e) {
      if (!tile.defined(e)) continue;
      const std::uint64_t value = tile.element(e);
      if (bits < 8) {
        payload[e * bits / 8] |= static_cast<std::uint8_t>(value << (e * bits % 8));
      } else {
        std::memcpy(payload.data() + e * bits / 8, &value, bits / 8);
      }
    }
    payload = cut(std::move(payload));
    if (!defined.empty()) put(defined_name, hex_bytes(defined));
    if (!payload.empty()) put(payload_name, hex_bytes(payload));
  }

 private:
  void put(std::string_view name, json value) { out_[std::string(name)] = std::move(value); }
  void put_nonempty(std::string_view name, json value) {
    if (!value.empty()) put(name, std::move(value));
  }
  json out_ = json::object();
  bool whole_;
};

}  // namespace

nlohmann::json write_state(const Machine& machine) {
  const Machine reset;
  return Writer::write_record(machine, reset);
}

}  // namespace pto::state
