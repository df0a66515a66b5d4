// Reading a state: a visitor that looks each described member up in a JSON object.
//
// The first error wins and keeps its path; after it the visitor does nothing more. A member the description
// does not know is an error: a misspelt member must not be taken for an absent one.

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/json_error.h"
#include "state/describe.h"
#include "state/member_names.h"
#include "state/possible_tiles.h"

namespace pto::state {
namespace {

namespace dom = simdjson::dom;

class Reader {
 public:
  static constexpr std::size_t no_index = ~std::size_t{0};
  // One level of the path: a member name, an index, or both.
  struct Step {
    std::string_view name;
    std::size_t index = no_index;
  };

  template <class T>
  void read_record(const dom::object& object, T& target) {
    const dom::object outer = object_;
    const std::size_t outer_used = used_;
    object_ = object;
    used_ = 0;
    T::fields(*this, target);
    if (!failed() && used_ != object_.size()) report_unknown_member(target);
    object_ = outer;
    used_ = outer_used;
  }

  [[nodiscard]] bool failed() const { return !message_.empty(); }
  [[nodiscard]] const std::string& message() const { return message_; }
  // Of the failure, from the outside in.
  [[nodiscard]] const std::vector<std::string>& where() const { return where_; }

  void flag(std::string_view name, bool& x) {
    dom::element value;
    if (!take(name, value)) return;
    if (value.get(x)) fail(name, "expected true or false");
  }

  template <class T>
  void bits(std::string_view name, unsigned width, T& x) {
    dom::element value;
    if (!take(name, value)) return;
    Word word = 0;
    if (hex_word(value, width, name, word)) x = static_cast<T>(word);
  }

  template <class T>
  void integer(std::string_view name, Word low, Word high, T& x) {
    dom::element value;
    if (!take(name, value)) return;
    std::uint64_t number = 0;
    if (value.get(number) || number < low || number > high) {
      return fail(name, fmt::format("expected an integer from {} to {}", low, high));
    }
    x = static_cast<T>(number);
  }

  template <class E>
  void symbol(std::string_view name, E& x) {
    dom::element value;
    if (!take(name, value)) return;
    std::string_view text;
    if (value.get(text)) return fail(name, "expected a name");
    const auto& names = EnumNames<E>::names;
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) return fail(name, fmt::format("no such name: '{}'", text));
    x = static_cast<E>(found - names.begin());
  }

  template <class T>
  void record(std::string_view name, T& x) {
    dom::element value;
    if (!take(name, value)) return;
    dom::object object;
    if (value.get(object)) return fail(name, "expected an object");
    path_.push_back({name});
    read_record(object, x);
    path_.pop_back();
  }

  template <class T, std::size_t N>
  void bits_map(std::string_view name, unsigned width, std::array<T, N>& x) {
    each_index(name, N, [&](std::size_t i, dom::element value) {
      Word word = 0;
      if (hex_word(value, width, {}, word)) x[i] = static_cast<T>(word);
    });
  }

  template <std::size_t N>
  void flag_map(std::string_view name, std::array<bool, N>& x) {
    each_index(name, N, [&](std::size_t i, dom::element value) {
      if (value.get(x[i])) fail({}, "expected true or false");
    });
  }

  template <class T, std::size_t N>
  void record_map(std::string_view name, std::array<T, N>& x) {
    each_index(name, N, [&](std::size_t i, dom::element value) { read_element(value, x[i]); });
  }
  template <class T, std::size_t N>
  void record_map(std::string_view name, Lazy<T, N>& x) {
    each_index(name, N, [&](std::size_t i, dom::element value) { read_element(value, x.at(i)); });
  }

  void gpr(std::string_view name, std::array<RegisterFile, pe_count>& x) {
    each_index(name, pe_count, [&](std::size_t pe, dom::element value) {
      dom::object object;
      if (value.get(object)) return fail({}, "expected an object");
      each_member(object, gpr_count, [&](std::size_t i, dom::element element) {
        Word word = 0;
        // Register 0 reads as zero whatever a file says.
        if (hex_word(element, 64, {}, word) && i != 0) x[pe].x[i] = word;
      });
    });
  }

  void queue(std::string_view name, TemporaryQueue& x) {
    dom::element value;
    if (!take(name, value)) return;
    dom::array entries;
    if (value.get(entries) || entries.size() != queue_depth)
      return fail(name, "expected a list of 4 entries");
    std::size_t i = 0;
    for (const dom::element entry : entries) {
      path_.push_back({name, i});
      dom::array pair;
      Word word = 0;
      if (entry.get(pair) || pair.size() != 2 || pair.at(0).get(x.valid[i])) {
        fail({}, "expected [valid, word]");
      } else if (hex_word(pair.at(1).value_unsafe(), 64, {}, word)) {
        x.values[i] = word;
      }
      path_.pop_back();
      ++i;
    }
  }

  void memory(std::string_view name, Memory& x) {
    read_pages(x);
    dom::element value;
    if (!take(name, value)) return;
    dom::array runs;
    if (value.get(runs)) return fail(name, "expected a list of runs");
    std::size_t i = 0;
    for (const dom::element run : runs) {
      path_.push_back({name, i++});
      read_memory_run(run, x);
      path_.pop_back();
    }
  }

  void events(std::string_view name, std::vector<MemoryEvent>& x) {
    dom::element value;
    if (!take(name, value)) return;
    dom::array list;
    if (value.get(list)) return fail(name, "expected a list of events");
    x.clear();
    for (const dom::element entry : list) {
      path_.push_back({name, x.size()});
      x.emplace_back();
      read_element(entry, x.back());
      path_.pop_back();
      if (failed()) return;
    }
  }

  void system_register_file(std::string_view name, SystemRegisterFile& x) {
    each_index(name, 65536, [&](std::size_t i, dom::element value) {
      Word word = 0;
      if (hex_word(value, 64, {}, word)) x.set(static_cast<unsigned>(i), word);
    });
  }

  void tile_storage(std::string_view defined_name, std::string_view payload_name, Tile& tile);

 private:
  bool take(std::string_view name, dom::element& value) {
    if (failed() || object_[name].get(value) != simdjson::SUCCESS) return false;
    ++used_;
    return true;
  }

  template <class T>
  void read_element(dom::element value, T& x) {
    dom::object object;
    if (value.get(object)) return fail({}, "expected an object");
    read_record(object, x);
  }

  template <class F>
  void each_index(std::string_view name, std::size_t limit, F&& use) {
    dom::element value;
    if (!take(name, value)) return;
    dom::object object;
    if (value.get(object)) return fail(name, "expected an object of index: element");
    path_.push_back({name});
    each_member(object, limit, use);
    path_.pop_back();
  }

  template <class F>
  void each_member(const dom::object& object, std::size_t limit, F&& use) {
    for (const auto [key, value] : object) {
      std::size_t index = 0;
      const auto parsed = std::from_chars(key.data(), key.data() + key.size(), index);
      if (parsed.ec != std::errc{} || parsed.ptr != key.data() + key.size() || index >= limit) {
        fail({}, fmt::format("index '{}' is not a decimal number below {}", key, limit));
        where_.emplace_back(key);
        return;
      }
      path_.push_back({{}, index});
      use(index, value);
      path_.pop_back();
      if (failed()) return;
    }
  }

  bool hex_word(dom::element value, unsigned width, std::string_view name, Word& word) {
    std::string_view text;
    if (value.get(text) || text.size() < 3 || text.size() > 18 || text[0] != '0' || text[1] != 'x') {
      fail(name, "expected a word such as \"0x1f\"");
      return false;
    }
    const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), word, 16);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) {
      fail(name, fmt::format("'{}' is not a hexadecimal word", text));
      return false;
    }
    if ((word & ~mask_of(width)) != 0) {
      fail(name, fmt::format("{} does not fit {} bits", text, width));
      return false;
    }
    return true;
  }

  // Hexadecimal pairs, first byte first.
  bool byte_string(std::string_view name, dom::element value, std::vector<std::uint8_t>& bytes) {
    std::string_view text;
    if (value.get(text) || text.size() % 2 != 0) {
      fail(name, "expected a string of hexadecimal pairs");
      return false;
    }
    bytes.resize(text.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const int high = nibble(text[2 * i]);
      const int low = nibble(text[2 * i + 1]);
      if ((high | low) < 0) {
        fail(name, fmt::format("'{}' is not a hexadecimal pair", text.substr(2 * i, 2)));
        return false;
      }
      bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    return true;
  }

  static int nibble(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }

  void read_memory_run(dom::element run, Memory& x) {
    dom::object object;
    dom::element address_element;
    dom::element bytes_element;
    if (run.get(object) || object["addr"].get(address_element) || object["bytes"].get(bytes_element) ||
        object.size() != 2) {
      return fail({}, "expected {\"addr\": \"0x..\", \"bytes\": \"..\"}");
    }
    Word address = 0;
    if (!hex_word(address_element, 64, "addr", address) || !byte_string("bytes", bytes_element, buffer_))
      return;
    if (x.bounded() && (address > x.bounds().size || buffer_.size() > x.bounds().size - address)) {
      return fail({}, fmt::format("the run ends beyond the {} bytes of this memory", x.bounds().size));
    }
    if (!buffer_.empty() && address + (buffer_.size() - 1) < address)
      return fail({}, "the run wraps around the address space");
    constexpr Word in_page = Memory::page_bytes - 1;
    for (Word done = 0; done < buffer_.size(); done += Memory::page_bytes - ((address + done) & in_page)) {
      if (!x.mapped(address + done)) (void)x.map(address + done, 1, {true, true, true});
    }
    x.write(address, buffer_);
  }

  void read_pages(Memory& x) {
    dom::element value;
    if (!take(pages_member, value)) return;
    dom::array runs;
    if (value.get(runs)) return fail(pages_member, "expected a list of pages");
    std::size_t i = 0;
    Word total = 0;
    for (const dom::element run : runs) {
      path_.push_back({pages_member, i++});
      read_page_run(run, x, total);
      path_.pop_back();
    }
  }

  void read_page_run(dom::element run, Memory& x, Word& total) {
    dom::object object;
    dom::element address_element, size_element, permissions_element;
    std::string_view letters;
    if (run.get(object) || object["addr"].get(address_element) || object["size"].get(size_element) ||
        object["permissions"].get(permissions_element) || permissions_element.get(letters) ||
        object.size() != 3) {
      return fail({}, R"(expected {"addr": "0x..", "size": "0x..", "permissions": "rwx"})");
    }
    Word address = 0, size = 0;
    if (!hex_word(address_element, 64, "addr", address) || !hex_word(size_element, 64, "size", size)) return;
    constexpr Word in_page = Memory::page_bytes - 1;
    if (((address | size) & in_page) != 0 || size == 0) return fail({}, "pages are 4096 bytes each");
    if (address + (size - 1) < address) return fail({}, "the pages wrap around the address space");
    constexpr Word most = Word{1} << 35;  // more than any run may have
    if (size > most - total) return fail({}, fmt::format("more than {} bytes of pages", most));
    total += size;
    if (letters.find_first_not_of("rwx") != letters.npos)
      return fail("permissions", fmt::format("'{}' is not made of r, w and x", letters));
    const auto grants = [&](char letter) { return letters.find(letter) != letters.npos; };
    x.clear(address, size);
    (void)x.protect(address, size, {.read = grants('r'), .write = grants('w'), .execute = grants('x')});
  }

  template <class T>
  void report_unknown_member(T& target) {
    NameCollector collector;
    T::fields(collector, target);
    for (const auto [key, value] : object_) {
      if (std::find(collector.names.begin(), collector.names.end(), key) == collector.names.end()) {
        fail({}, fmt::format("unknown member '{}'", key));
        where_.emplace_back(key);
        return;
      }
    }
    fail({}, "a member is named twice");
  }

  void fail(std::string_view name, std::string_view what) {
    if (failed()) return;
    std::string path;
    for (const Step& step : path_) {
      if (!step.name.empty()) where_.emplace_back(step.name);
      if (step.index != no_index) where_.push_back(std::to_string(step.index));
      if (!step.name.empty() && !path.empty()) path += '.';
      path += step.name;
      if (step.index != no_index) path += fmt::format("[{}]", step.index);
    }
    if (!name.empty()) where_.emplace_back(name);
    if (!name.empty()) path += fmt::format("{}{}", path.empty() ? "" : ".", name);
    message_ = path.empty() ? std::string(what) : fmt::format("{}: {}", path, what);
  }

  dom::object object_;
  std::size_t used_ = 0;
  std::vector<Step> path_;
  std::string message_;
  std::vector<std::string> where_;
  std::vector<std::uint8_t> buffer_;
};

void Reader::tile_storage(std::string_view defined_name, std::string_view payload_name, Tile& tile) {
  dom::element defined_element;
  dom::element payload_element;
  const bool has_defined = take(defined_name, defined_element);
  const bool has_payload = take(payload_name, payload_element);
  if (failed()) return;
  if (tile.allocated) {
    tile.fresh_storage();
    const std::span<std::uint8_t> payload = tile.storage.mutable_payload();
    std::fill(payload.begin(), payload.end(), std::uint8_t{0});
  }
  const unsigned bits = tile.storage_bits();
  if (has_defined) {
    if (!byte_string(defined_name, defined_element, buffer_)) return;
    if (buffer_.size() > max_tile_bytes) return fail(defined_name, "longer than any tile's definedness");
    tile.storage.grow(divide_up<std::size_t>(buffer_.size() * 8 * bits, 8), buffer_.size() * 8);
    const std::span<std::uint64_t> words = tile.storage.mutable_defined();
    std::memcpy(words.data(), buffer_.data(), buffer_.size());
  }
  if (has_payload) {
    if (!byte_string(payload_name, payload_element, buffer_)) return;
    if (buffer_.size() > 16 * std::size_t{max_tile_bytes}) return fail(payload_name, "longer than any tile");
    tile.storage.grow(buffer_.size(), buffer_.size() * 8 / bits);
    std::memcpy(tile.storage.mutable_payload().data(), buffer_.data(), buffer_.size());
  }
}

void reset_all_but_memory(Machine& machine) {
  const auto reset = std::make_unique<Machine>();
  reset->memory = std::move(machine.memory);
  machine = std::move(*reset);
}

}  // namespace

Result<void> read_state(const dom::object& object, Machine& machine) {
  Reader reader;
  reader.read_record(object, machine);
  if (reader.failed()) return Error{.message = reader.message(), .place = {}, .hint = {}, .excerpt = {}};
  return {};
}

Result<void> read_state_text(std::string_view text, const std::string& file, Machine& machine) {
  simdjson::dom::parser parser;
  dom::element document;
  if (const auto code = parser.parse(text.data(), text.size()).get(document)) {
    Error error = json_syntax_error(text, simdjson::error_message(code), file);
    error.hint = "a state file holds one JSON object; tests/vectors/SCHEMA.md, section 5, lists its members";
    return error;
  }
  dom::object object;
  if (document.get(object)) {
    return Error{.message = "a state file holds one JSON object",
                 .place = {file, 1, 1},
                 .hint = "see tests/vectors/SCHEMA.md, section 5",
                 .excerpt = {}};
  }
  if (!object[pages_member].error() && !machine.memory.bounded()) reset_all_but_memory(machine);
  Reader reader;
  reader.read_record(object, machine);
  if (reader.failed()) {
    return Error{.message = reader.message(),
                 .place = json_member_place(text, reader.where(), file),
                 .hint = {},
                 .excerpt = {}};
  }
  if (const std::optional<BadTile> bad = find_impossible_tile(machine)) {
    return Error{.message = bad->message,
                 .place = json_member_place(text, bad->path, file),
                 .hint = "no run leaves such a tile behind",
                 .excerpt = {}};
  }
  return {};
}

}  // namespace pto::state
