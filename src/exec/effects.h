// What one instruction changed, found by comparing the machine with a copy of its small parts.
//
// The copy follows the machine: comparing and catching up are one walk over the description of the state
// (state/machine.h), so nothing here lists its members. Memory is not copied; a log of writes kept by the
// memory itself says where to look. Tiles share their storage with the copy, so a tile whose storage and
// descriptor are the same has not changed.
//
// Plain scalar instructions can change registers, queues and little else; the walk skips the rest for them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exec/observe.h"
#include "isa/form.h"

namespace pto::exec {

// A member of the state, or one element of it. `path` lies in Effects::text.
struct Change {
  enum class Kind : std::uint8_t { Bits, Integer, Flag, Symbol };
  Kind kind = Kind::Bits;
  std::size_t path_begin = 0;
  std::size_t path_size = 0;
  Word old_value = 0;
  Word new_value = 0;
  std::string_view old_symbol;
  std::string_view new_symbol;
};

struct RegisterChange {
  unsigned pe = 0;
  unsigned index = 0;
  Word old_value = 0;
  Word new_value = 0;
};

struct QueueChange {
  bool changed = false;
  state::TemporaryQueue old_queue;
  state::TemporaryQueue new_queue;
};

struct TileChange {
  bool shared = false;
  unsigned index = 0;
  state::Tile old_tile;
  state::Tile new_tile;
};

struct Effects {
  std::vector<RegisterChange> registers;
  QueueChange t_queue;
  QueueChange u_queue;
  std::vector<Change> members;
  std::string text;                // the paths of `members`
  state::Memory::WriteLog memory;  // what was there before
  std::vector<TileChange> tiles;
  state::Fault fault{};
  Word fault_address = 0;

  [[nodiscard]] std::string_view path(const Change& change) const {
    return std::string_view(text).substr(change.path_begin, change.path_size);
  }
  void clear();
};

// How much of the machine an instruction can change. OpenBlock: what completing the block that was open
// before it can.
enum class Reach : std::uint8_t { Registers, Blocks, OpenBlock, AllButTiles, Everything };
Reach reach_of(const isa::Form* form);

class EffectTracker {
 public:
  // From here on memory logs its writes.
  void begin(state::Machine& machine);
  void end(state::Machine& machine);

  // Around every instruction. What it changed is valid until the next one.
  void before() { effects_.clear(); }
  const Effects& after(const state::Machine& machine, Reach reach);

 private:
  Effects effects_;
  std::string path_;
  std::unique_ptr<state::Machine> past_;
};

}  // namespace pto::exec
