#include "exec/effects.h"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

namespace pto::exec {

using state::Fault;
using state::Lazy;
using state::Machine;
using state::Tile;

namespace {

// Whether two tiles have the same descriptor and the same storage.
class SameTile {
 public:
  [[nodiscard]] bool same() const { return same_; }
  void flag(std::string_view, const bool& a, const bool& b) { same_ = same_ && a == b; }
  template <class T>
  void bits(std::string_view, unsigned, const T& a, const T& b) {
    same_ = same_ && a == b;
  }
  template <class T>
  void integer(std::string_view, Word, Word, const T& a, const T& b) {
    same_ = same_ && a == b;
  }
  template <class E>
  void symbol(std::string_view, const E& a, const E& b) {
    same_ = same_ && a == b;
  }
  void tile_storage(std::string_view, std::string_view, const Tile& a, const Tile& b) {
    same_ = same_ && a.storage.shares_with(b.storage);
  }

 private:
  bool same_ = true;
};

bool same_tile(const Tile& a, const Tile& b) {
  // What the descriptor of a tile that is not there says is told nowhere.
  if (!a.allocated && !b.allocated) return a.storage.shares_with(b.storage);
  SameTile visitor;
  Tile::fields(visitor, a, b);
  return visitor.same();
}

// Walks the past and the present machine, notes what differs and makes the past equal.
class CatchUp {
 public:
  CatchUp(Effects& effects, Reach reach, std::string& path) : effects_(effects), reach_(reach), path_(path) {
    path_.clear();
  }

  void flag(std::string_view name, bool& past, const bool& now) {
    if (past != now) note(Change::Kind::Flag, name, no_index, past, now);
    past = now;
  }
  template <class T>
  void bits(std::string_view name, unsigned, T& past, const T& now) {
    if (past != now && !told_elsewhere(name)) note(Change::Kind::Bits, name, no_index, past, now);
    past = now;
  }
  template <class T>
  void integer(std::string_view name, Word, Word, T& past, const T& now) {
    if (past != now) note(Change::Kind::Integer, name, no_index, past, now);
    past = now;
  }
  template <class E>
  void symbol(std::string_view name, E& past, const E& now) {
    if (past != now && !told_elsewhere(name)) {
      note(Change::Kind::Symbol, name, no_index, 0, 0);
      effects_.members.back().old_symbol = name_of(past);
      effects_.members.back().new_symbol = name_of(now);
    }
    past = now;
  }
  // Syntax of the open header, which its commands show.
  void record(std::string_view, state::RangeGroup& past, const state::RangeGroup& now) { past = now; }
  template <class T>
  void record(std::string_view name, T& past, const T& now) {
    if (skipped(name)) return;
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (std::memcmp(&past, &now, sizeof(T)) == 0) return;
    }
    const std::size_t before = enter(name, no_index);
    T::fields(*this, past, now);
    path_.resize(before);
    // Padding too, so that the next comparison is quick.
    if constexpr (std::is_trivially_copyable_v<T>) std::memcpy(&past, &now, sizeof(T));
  }
  template <class T, std::size_t N>
  void bits_map(std::string_view name, unsigned, std::array<T, N>& past, const std::array<T, N>& now) {
    if (past == now) return;
    for (std::size_t i = 0; i < N; ++i) {
      if (past[i] != now[i]) note(Change::Kind::Bits, name, i, past[i], now[i]);
    }
    past = now;
  }
  template <std::size_t N>
  void flag_map(std::string_view name, std::array<bool, N>& past, const std::array<bool, N>& now) {
    for (std::size_t i = 0; i < N; ++i) {
      if (past[i] != now[i]) note(Change::Kind::Flag, name, i, past[i], now[i]);
    }
    past = now;
  }
  template <class T, std::size_t N>
  void record_map(std::string_view name, std::array<T, N>& past, const std::array<T, N>& now) {
    if (skipped(name)) return;
    for (std::size_t i = 0; i < N; ++i) element(name, i, past[i], now[i]);
  }
  template <class T, std::size_t N>
  void record_map(std::string_view name, Lazy<T, N>& past, const Lazy<T, N>& now) {
    if (skipped(name)) return;
    for (std::size_t i = 0; i < std::max(past.used(), now.used()); ++i) {
      if (past.exists(i) || now.exists(i)) element(name, i, past.at(i), now[i]);
    }
  }
  template <std::size_t N>
  void record_map(std::string_view name, std::array<Tile, N>& past, const std::array<Tile, N>& now) {
    if (skipped(name)) return;
    for (std::size_t i = 0; i < N; ++i) tile(false, i, past[i], now[i]);
  }
  template <std::size_t N>
  void record_map(std::string_view name, Lazy<state::SharedTile, N>& past,
                  const Lazy<state::SharedTile, N>& now) {
    if (skipped(name)) return;
    for (std::size_t i = 0; i < now.used(); ++i) {
      if (!now.exists(i)) continue;
      tile(true, i, past.at(i).tile, now[i].tile);
      element(name, i, past.at(i), now[i]);
    }
  }
  void gpr(std::string_view, std::array<state::RegisterFile, state::pe_count>& past,
           const std::array<state::RegisterFile, state::pe_count>& now) {
    for (unsigned pe = 0; pe < state::pe_count; ++pe) {
      if (std::memcmp(&past[pe], &now[pe], sizeof(past[pe])) == 0) continue;
      for (unsigned i = 0; i < state::gpr_count; ++i) {
        if (past[pe].x[i] == now[pe].x[i]) continue;
        effects_.registers.push_back({pe, i, past[pe].x[i], now[pe].x[i]});
        past[pe].x[i] = now[pe].x[i];
      }
    }
  }
  void queue(std::string_view name, state::TemporaryQueue& past, const state::TemporaryQueue& now) {
    if (past == now) return;
    QueueChange& change = name.front() == 't' ? effects_.t_queue : effects_.u_queue;
    change = {.changed = true, .old_queue = past, .new_queue = now};
    past = now;
  }
  void system_register_file(std::string_view name, state::SystemRegisterFile& past,
                            const state::SystemRegisterFile& now) {
    if (skipped(name)) return;
    for (const state::SystemRegisterFile::Entry& entry : now.entries()) {
      const Word before = past[entry.index];
      if (before == entry.value) continue;
      const std::size_t length = path_.size();
      path_ += fmt::format("{}[{:#x}]", name, entry.index);
      note_here(Change::Kind::Bits, before, entry.value);
      path_.resize(length);
      past.set(entry.index, entry.value);
    }
  }
  // The log of writes tells about memory, the fields of a tile about its storage.
  void memory(std::string_view, const state::Memory&, const state::Memory&) {}
  void events(std::string_view, const std::vector<state::MemoryEvent>&,
              const std::vector<state::MemoryEvent>&) {}
  void tile_storage(std::string_view, std::string_view, const Tile&, const Tile&) {}

 private:
  static constexpr std::size_t no_index = ~std::size_t{0};

  // The PC, time and the last fault have places of their own in what is told about a step.
  [[nodiscard]] bool told_elsewhere(std::string_view name) const {
    return name == "cycle" ||
           (path_.empty() && (name == "pc" || name == "last_fault" || name == "fault_address"));
  }
  // What a saved context holds was told when it came about.
  [[nodiscard]] bool skipped(std::string_view name) const {
    if (!path_.empty()) return false;
    if (name == "reservation" || name == "fences") return false;
    if (name == "block") return reach_ == Reach::Registers;
    if (reach_ == Reach::AllButTiles) {
      return name == "trap_contexts" || name == "tiles" || name == "tile_feature_maps" ||
             name == "shared_tiles";
    }
    return reach_ != Reach::Everything || name == "trap_contexts";
  }

  std::size_t enter(std::string_view name, std::size_t index) {
    const std::size_t before = path_.size();
    if (before != 0) path_ += '.';
    path_ += name;
    if (index != no_index) path_ += '[' + std::to_string(index) + ']';
    return before;
  }
  void note(Change::Kind kind, std::string_view name, std::size_t index, Word past, Word now) {
    const std::size_t before = enter(name, index);
    note_here(kind, past, now);
    path_.resize(before);
  }
  void note_here(Change::Kind kind, Word past, Word now) {
    effects_.members.push_back({.kind = kind,
                                .path_begin = effects_.text.size(),
                                .path_size = path_.size(),
                                .old_value = past,
                                .new_value = now,
                                .old_symbol = {},
                                .new_symbol = {}});
    effects_.text += path_;
  }
  template <class T>
  void element(std::string_view name, std::size_t index, T& past, const T& now) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (std::memcmp(&past, &now, sizeof(T)) == 0) return;
    }
    const std::size_t before = enter(name, index);
    T::fields(*this, past, now);
    path_.resize(before);
    if constexpr (std::is_trivially_copyable_v<T>) std::memcpy(&past, &now, sizeof(T));
  }
  void tile(bool shared, std::size_t index, Tile& past, const Tile& now) {
    if (same_tile(past, now)) return;
    if (past.allocated || now.allocated)
      effects_.tiles.push_back(
          {.shared = shared, .index = static_cast<unsigned>(index), .old_tile = past, .new_tile = now});
    past = now;
  }

  Effects& effects_;
  Reach reach_;
  std::string& path_;  // of the member being visited; the caller's, so that its room is kept
};

}  // namespace

void Effects::clear() {
  registers.clear();
  t_queue.changed = false;
  u_queue.changed = false;
  members.clear();
  text.clear();
  memory.clear();
  tiles.clear();
  fault = Fault::None;
  fault_address = 0;
}

Reach reach_of(const isa::Form* form) {
  if (form == nullptr) return Reach::Everything;
  if (form->does == isa::Behaviour::BlockStart || form->does == isa::Behaviour::BlockStop)
    return Reach::OpenBlock;
  switch (form->family) {
    case isa::Family::AGU:
    case isa::Family::ALU:
    case isa::Family::AMO: return Reach::Registers;
    case isa::Family::BRU: return Reach::Blocks;
    default: return Reach::Everything;
  }
}

namespace {

// What completing the open block can change.
Reach reach_of_block(const Machine& machine) {
  switch (machine.block.barg.block_type) {
    case state::BlockType::Standard:
    case state::BlockType::Floating: return Reach::Blocks;
    case state::BlockType::System: return Reach::AllButTiles;
    default: return Reach::Everything;
  }
}

}  // namespace

void EffectTracker::begin(Machine& machine) {
  past_ = std::make_unique<Machine>();
  machine.memory.log_writes(&effects_.memory);
  (void)after(machine, Reach::Everything);
}

void EffectTracker::end(Machine& machine) { machine.memory.log_writes(nullptr); }

const Effects& EffectTracker::after(const Machine& machine, Reach reach) {
  effects_.fault = machine.last_fault;
  effects_.fault_address = machine.fault_address;
  if (machine.last_fault != Fault::None) reach = Reach::Everything;
  if (reach == Reach::OpenBlock) reach = reach_of_block(*past_);
  CatchUp visitor(effects_, reach, path_);
  Machine::fields(visitor, *past_, machine);
  return effects_;
}

}  // namespace pto::exec
