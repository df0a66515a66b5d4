// Comparing two states: a visitor that walks both in step and notes the first differences with their paths.
//
// Tiles compare by what is observable: definedness bit for bit, values of defined elements only.

#include <fmt/format.h>

#include <algorithm>

#include "state/describe.h"

namespace pto::state {
namespace {

std::string hex(Word word) { return fmt::format("{:#x}", word); }

class Comparer {
 public:
  explicit Comparer(std::size_t limit) : limit_(limit) {}
  [[nodiscard]] std::vector<Difference> take() { return std::move(differences_); }

  void flag(std::string_view name, const bool& e, const bool& a) {
    if (e != a) note(name, e ? "true" : "false", a ? "true" : "false");
  }
  template <class T>
  void bits(std::string_view name, unsigned, const T& e, const T& a) {
    if (e != a) note(name, hex(e), hex(a));
  }
  template <class T>
  void integer(std::string_view name, Word, Word, const T& e, const T& a) {
    if (e != a) note(name, std::to_string(e), std::to_string(a));
  }
  template <class E>
  void symbol(std::string_view name, const E& e, const E& a) {
    if (e != a) note(name, std::string(name_of(e)), std::string(name_of(a)));
  }
  // Syntax of the open header: it says nothing that its bindings do not, and recorded states do not have it.
  void record(std::string_view, const RangeGroup&, const RangeGroup&) {}
  template <class T>
  void record(std::string_view name, const T& e, const T& a) {
    path_.push_back({name, no_index});
    T::fields(*this, e, a);
    path_.pop_back();
  }
  template <class T, std::size_t N>
  void bits_map(std::string_view name, unsigned, const std::array<T, N>& e, const std::array<T, N>& a) {
    if (e == a) return;
    for (std::size_t i = 0; i < N; ++i) {
      if (e[i] != a[i]) note_at(name, i, hex(e[i]), hex(a[i]));
    }
  }
  template <std::size_t N>
  void flag_map(std::string_view name, const std::array<bool, N>& e, const std::array<bool, N>& a) {
    for (std::size_t i = 0; i < N; ++i) {
      if (e[i] != a[i]) note_at(name, i, e[i] ? "true" : "false", a[i] ? "true" : "false");
    }
  }
  template <class T, std::size_t N>
  void record_map(std::string_view name, const std::array<T, N>& e, const std::array<T, N>& a) {
    for (std::size_t i = 0; i < N; ++i) element(name, i, e[i], a[i]);
  }
  template <class T, std::size_t N>
  void record_map(std::string_view name, const Lazy<T, N>& e, const Lazy<T, N>& a) {
    for (std::size_t i = 0; i < std::max(e.used(), a.used()); ++i) {
      if (e.exists(i) || a.exists(i)) element(name, i, e[i], a[i]);
    }
  }
  void gpr(std::string_view name, const std::array<RegisterFile, pe_count>& e,
           const std::array<RegisterFile, pe_count>& a) {
    for (std::size_t pe = 0; pe < pe_count; ++pe) {
      for (std::size_t i = 0; i < gpr_count; ++i) {
        if (e[pe].x[i] == a[pe].x[i]) continue;
        path_.push_back({name, pe});
        note_at({}, i, hex(e[pe].x[i]), hex(a[pe].x[i]));
        path_.pop_back();
      }
    }
  }
  void queue(std::string_view name, const TemporaryQueue& e, const TemporaryQueue& a) {
    if (e == a) return;
    const auto show = [](const TemporaryQueue& q, std::size_t i) {
      return fmt::format("[{},{:#x}]", q.valid[i], q.values[i]);
    };
    for (std::size_t i = 0; i < queue_depth; ++i) {
      if (e.valid[i] != a.valid[i] || e.values[i] != a.values[i]) note_at(name, i, show(e, i), show(a, i));
    }
  }
  void memory(std::string_view name, const Memory& e, const Memory& a) {
    Word address = 0;
    if (!Memory::first_difference(e, a, address)) return;
    path_.push_back({name, no_index});
    differences_note(fmt::format("{}[{:#x}]", path(), address), hex(e.load(address, 1)),
                     hex(a.load(address, 1)));
    path_.pop_back();
  }
  void events(std::string_view name, const std::vector<MemoryEvent>& e, const std::vector<MemoryEvent>& a) {
    if (e.size() != a.size())
      note(name, fmt::format("{} events", e.size()), fmt::format("{} events", a.size()));
    for (std::size_t i = 0; i < std::min(e.size(), a.size()); ++i) element(name, i, e[i], a[i]);
  }
  void system_register_file(std::string_view name, const SystemRegisterFile& e, const SystemRegisterFile& a) {
    const auto check = [&](const SystemRegisterFile& from) {
      for (const SystemRegisterFile::Entry& entry : from.entries()) {
        const Word expected = e[entry.index];
        const Word actual = a[entry.index];
        if (expected != actual) note_at(name, entry.index, hex(expected), hex(actual));
      }
    };
    check(e);
    if (differences_.empty()) check(a);
  }
  void tile_storage(std::string_view defined_name, std::string_view payload_name, const Tile& e,
                    const Tile& a);

 private:
  static constexpr std::size_t no_index = ~std::size_t{0};
  struct Step {
    std::string_view name;
    std::size_t index;
  };

  template <class T>
  void element(std::string_view name, std::size_t i, const T& e, const T& a) {
    if (full()) return;
    path_.push_back({name, i});
    T::fields(*this, e, a);
    path_.pop_back();
  }

  [[nodiscard]] bool full() const { return differences_.size() >= limit_; }

  [[nodiscard]] std::string path() const {
    std::string out;
    for (const Step& step : path_) {
      if (!step.name.empty() && !out.empty()) out += '.';
      out += step.name;
      if (step.index != no_index) out += fmt::format("[{}]", step.index);
    }
    return out;
  }
  void differences_note(std::string where, std::string expected, std::string actual) {
    if (!full()) differences_.push_back({std::move(where), std::move(expected), std::move(actual)});
  }
  void note(std::string_view name, std::string expected, std::string actual) {
    note_at(name, no_index, std::move(expected), std::move(actual));
  }
  void note_at(std::string_view name, std::size_t index, std::string expected, std::string actual) {
    if (full()) return;
    path_.push_back({name, index});
    differences_note(path(), std::move(expected), std::move(actual));
    path_.pop_back();
  }

  void note_element(const Tile& tile, std::size_t e, std::string expected, std::string actual);

  std::size_t limit_;
  std::vector<Step> path_;
  std::vector<Difference> differences_;
};

// The first differing defined element of words [0, count), or `none`.
constexpr std::size_t none = ~std::size_t{0};

std::size_t first_value_difference(const Tile& e, const Tile& a, std::size_t from) {
  const std::span<const std::uint64_t> defined = e.storage.defined();
  const unsigned bits = e.storage_bits();
  const std::span<const std::uint8_t> left = e.storage.payload();
  const std::span<const std::uint8_t> right = a.storage.payload();
  for (std::size_t word = from / 64; word < defined.size(); ++word) {
    if (defined[word] == 0) continue;
    const std::size_t first = word * 8 * bits;
    const std::size_t bytes = std::size_t{8} * bits;
    // Whole words of 64 defined elements compare as bytes.
    if (from <= word * 64 && first + bytes <= left.size() && first + bytes <= right.size() &&
        std::memcmp(left.data() + first, right.data() + first, bytes) == 0) {
      continue;
    }
    for (std::size_t bit = 0; bit < 64; ++bit) {
      const std::size_t index = word * 64 + bit;
      if (index < from || (defined[word] >> bit & 1) == 0) continue;
      if (e.element(index) != a.element(index)) return index;
    }
  }
  return none;
}

void Comparer::tile_storage(std::string_view, std::string_view, const Tile& e, const Tile& a) {
  if (full() || e.storage.shares_with(a.storage)) return;
  const std::span<const std::uint64_t> left = e.storage.defined();
  const std::span<const std::uint64_t> right = a.storage.defined();
  for (std::size_t word = 0; word < std::max(left.size(), right.size()) && !full(); ++word) {
    const std::uint64_t l = word < left.size() ? left[word] : 0;
    const std::uint64_t r = word < right.size() ? right[word] : 0;
    for (std::uint64_t rest = l ^ r; rest != 0 && !full(); rest &= rest - 1) {
      const std::size_t index = word * 64 + static_cast<std::size_t>(__builtin_ctzll(rest));
      const auto show = [&](const Tile& tile) {
        return tile.defined(index) ? hex(tile.element(index)) : std::string("undefined");
      };
      note_element(e, index, show(e), show(a));
    }
  }
  if (full() || e.storage_bits() != a.storage_bits()) return;
  for (std::size_t at = first_value_difference(e, a, 0); at != none && !full();
       at = first_value_difference(e, a, at + 1)) {
    if (a.defined(at)) note_element(e, at, hex(e.element(at)), hex(a.element(at)));
  }
}

// Names an element by its logical row and column where it has one, by its storage index otherwise.
void Comparer::note_element(const Tile& tile, std::size_t e, std::string expected, std::string actual) {
  const bool cube = is_cube(tile.layout);
  const bool addressable = cube ? element_bits(tile.data_type) != 64 : layout_shape_legal(tile);
  if (addressable && std::uint64_t{tile.rows} * tile.columns <= max_tile_elements) {
    for (std::uint32_t row = 0; row < tile.rows; ++row) {
      for (std::uint32_t column = 0; column < tile.columns; ++column) {
        if (storage_index(tile, row, column) != e) continue;
        return differences_note(fmt::format("{}.elements[{},{}]", path(), row, column), std::move(expected),
                                std::move(actual));
      }
    }
  }
  differences_note(fmt::format("{}.storage[{}]", path(), e), std::move(expected), std::move(actual));
}

}  // namespace

std::vector<Difference> compare_states(const Machine& expected, const Machine& actual, std::size_t limit) {
  Comparer comparer(limit);
  Machine::fields(comparer, expected, actual);
  return comparer.take();
}

}  // namespace pto::state
