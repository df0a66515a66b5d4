// The machine: everything that exists between two steps (PTO ISA, "Architecture-visible state").
//
// A default-constructed Machine is in the reset state of an open memory. Machine::conformance() gives the
// bounded model the published vectors were recorded on. Large and rare parts (trap contexts, Shared tiles,
// feature maps, queues, system-register file) exist only once something in them differs from reset.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "isa/release.h"
#include "state/block_state.h"
#include "state/memory.h"
#include "state/tile.h"
#include "state/trap_context.h"

namespace pto::state {

inline constexpr unsigned pe_count = 4;
inline constexpr unsigned gpr_count = 24;
inline constexpr unsigned ring_count = 16;
inline constexpr unsigned tile_count = 64;
inline constexpr unsigned shared_tile_count = 256;
inline constexpr unsigned gqm_slot_count = 4096;
inline constexpr unsigned gqm_max_capacity = 1023;
inline constexpr Word reset_tile_capacity = 0x40000;

// PE0 stands in the most significant bit of a four-bit PE mask.
constexpr std::uint8_t pe_bit(unsigned pe) { return static_cast<std::uint8_t>(8u >> pe); }

// N records that come into being when first written; reading one that does not exist gives the reset value.
template <class T, std::size_t N>
class Lazy {
 public:
  static constexpr std::size_t size = N;
  Lazy() = default;
  Lazy(Lazy&&) noexcept = default;
  Lazy& operator=(Lazy&&) noexcept = default;
  Lazy(const Lazy& other) { *this = other; }
  Lazy& operator=(const Lazy& other) {
    if (this == &other) return *this;
    items_.resize(other.items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i)
      items_[i] = other.items_[i] ? std::make_unique<T>(*other.items_[i]) : nullptr;
    return *this;
  }
  // Nothing exists from here on.
  [[nodiscard]] std::size_t used() const { return items_.size(); }
  [[nodiscard]] bool exists(std::size_t i) const { return i < items_.size() && items_[i] != nullptr; }
  const T& operator[](std::size_t i) const { return exists(i) ? *items_[i] : reset(); }
  T& at(std::size_t i) {
    if (i >= items_.size()) items_.resize(i + 1);
    if (!items_[i]) items_[i] = std::make_unique<T>();
    return *items_[i];
  }
  static const T& reset() {
    static const T value{};
    return value;
  }

 private:
  std::vector<std::unique_ptr<T>> items_;
};

// The banked system-register file: 16 banks of 4096 words, nearly all zero.
class SystemRegisterFile {
 public:
  static constexpr Word reset_value(unsigned index) { return (index & 0xfff) == 0xf07 ? 3 : 0; }
  Word operator[](unsigned index) const;
  void set(unsigned index, Word value);
  struct Entry {
    std::uint16_t index;
    Word value;
  };
  // Registers that were ever written, ascending; some may hold their reset value again.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

// Low indices of the context registers every ring's bank has.
namespace context_register {
inline constexpr unsigned ecstate = 0xf00, trap_vector = 0xf01, interrupt_config = 0xf07,
                          interrupt_pending = 0xf08, interrupt_top = 0xf09, timer_compare = 0xf21,
                          ebarg_control = 0xf40, ebarg_bpc = 0xf41, ebarg_bpcn = 0xf42, ebarg_tpc = 0xf43,
                          ebarg_return_address = 0xf44, ebarg_t_queue = 0xf45, ebarg_u_queue = 0xf49,
                          ebarg_reserved0 = 0xf4d, ebarg_reserved1 = 0xf4e;
}
constexpr unsigned system_register_index(unsigned ring, unsigned low) { return ring * 4096 + low; }

struct SystemRegisters {
  Word thread_ptr = 0, global_ptr = 0, core_state = 0, core_id = 0, thread_id = 0, vendor = 0, version = 1;
  Word core_feature = 0, core_feature_enable = 0, tile_capacity = reset_tile_capacity, blocknum = 0,
       blockid = 0;
  Word cycle = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.bits("thread_ptr", 64, s.thread_ptr...);
    v.bits("global_ptr", 64, s.global_ptr...);
    v.bits("core_state", 64, s.core_state...);
    v.bits("core_id", 64, s.core_id...);
    v.bits("thread_id", 64, s.thread_id...);
    v.bits("vendor", 64, s.vendor...);
    v.bits("version", 64, s.version...);
    v.bits("core_feature", 64, s.core_feature...);
    v.bits("core_feature_enable", 64, s.core_feature_enable...);
    v.bits("tile_capacity", 64, s.tile_capacity...);
    v.bits("blocknum", 64, s.blocknum...);
    v.bits("blockid", 64, s.blockid...);
    v.bits("cycle", 64, s.cycle...);
  }
};

struct RingTrap {
  bool asynchronous = false;
  bool argument_valid = false;
  std::uint32_t cause = 0;
  std::uint8_t number = 0;
  Word argument0 = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("asynchronous", s.asynchronous...);
    v.flag("argument_valid", s.argument_valid...);
    v.bits("cause", 24, s.cause...);
    v.bits("number", 6, s.number...);
    v.bits("argument0", 64, s.argument0...);
  }
};

struct Reservation {
  bool valid = false;
  Word address = 0;
  std::uint8_t size = 1;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.bits("address", 64, s.address...);
    v.integer("size", 1, 8, s.size...);
  }
};

struct Fences {
  std::uint8_t predecessor = 0;
  std::uint8_t successor = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.bits("predecessor", 4, s.predecessor...);
    v.bits("successor", 4, s.successor...);
  }
};

struct MemoryEvent {
  EventKind kind{};
  std::uint8_t agent = 0;
  Word address = 0;
  std::uint8_t size_bytes = 1;
  Word read_value = 0;
  Word write_value = 0;
  bool write_performed = false;
  MemoryOrder order{};
  std::uint8_t read_from = 0;
  std::uint8_t coherence_rank = 0;
  std::uint8_t fence_predecessor = 0;
  std::uint8_t fence_successor = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.symbol("kind", s.kind...);
    v.integer("agent", 0, 3, s.agent...);
    v.bits("address", 64, s.address...);
    v.integer("size_bytes", 1, 8, s.size_bytes...);
    v.bits("read_value", 64, s.read_value...);
    v.bits("write_value", 64, s.write_value...);
    v.flag("write_performed", s.write_performed...);
    v.symbol("order", s.order...);
    v.integer("read_from", 0, 15, s.read_from...);
    v.integer("coherence_rank", 0, 15, s.coherence_rank...);
    v.bits("fence_predecessor", 4, s.fence_predecessor...);
    v.bits("fence_successor", 4, s.fence_successor...);
  }
};

struct Maintenance {
  Word data_cache_epoch = 0, instruction_cache_epoch = 0, bundle_cache_epoch = 0, tlb_epoch = 0;
  Word bundle_hint_epoch = 0, architecture_request_epoch = 0;
  MaintenanceOperation last_operation{};
  Word last_operand = 0;
  ControlRequest last_control_request{};
  Word control_request_operand = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    constexpr Word unbounded = ~Word{0} >> 1;
    v.integer("data_cache_epoch", 0, unbounded, s.data_cache_epoch...);
    v.integer("instruction_cache_epoch", 0, unbounded, s.instruction_cache_epoch...);
    v.integer("bundle_cache_epoch", 0, unbounded, s.bundle_cache_epoch...);
    v.integer("tlb_epoch", 0, unbounded, s.tlb_epoch...);
    v.integer("bundle_hint_epoch", 0, unbounded, s.bundle_hint_epoch...);
    v.integer("architecture_request_epoch", 0, unbounded, s.architecture_request_epoch...);
    v.symbol("last_operation", s.last_operation...);
    v.bits("last_operand", 64, s.last_operand...);
    v.symbol("last_control_request", s.last_control_request...);
    v.bits("control_request_operand", 64, s.control_request_operand...);
  }
};

struct GqmEntry {
  Word value = 0;
  Word release_epoch = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.bits("value", 64, s.value...);
    v.integer("release_epoch", 0, ~Word{0} >> 1, s.release_epoch...);
  }
};

struct GqmQueue {
  bool valid = false;
  Word address = 0;
  std::uint16_t capacity = 0;
  std::uint16_t count = 0;
  std::uint16_t head = 0;
  bool suspended = false;
  bool corrupt = false;
  std::array<GqmEntry, gqm_max_capacity> entries{};
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.bits("address", 64, s.address...);
    v.integer("capacity", 0, gqm_max_capacity, s.capacity...);
    v.integer("count", 0, gqm_max_capacity, s.count...);
    v.integer("head", 0, gqm_max_capacity - 1, s.head...);
    v.flag("suspended", s.suspended...);
    v.flag("corrupt", s.corrupt...);
    v.record_map("entries", s.entries...);
  }
};

struct Gqm {
  Lazy<GqmQueue, gqm_slot_count> queues;
  Word release_epoch = 0;
  Word last_acquire_epoch = 0;
  Word event_epoch = 0;
  Word last_event_address = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.record_map("queues", s.queues...);
    v.integer("release_epoch", 0, ~Word{0} >> 1, s.release_epoch...);
    v.integer("last_acquire_epoch", 0, ~Word{0} >> 1, s.last_acquire_epoch...);
    v.integer("event_epoch", 0, ~Word{0} >> 1, s.event_epoch...);
    v.bits("last_event_address", 64, s.last_event_address...);
  }
};

struct RegisterFile {
  std::array<Word, gpr_count> x{};
};

struct Machine {
  Word pc = 0;
  Word bpc = 0;
  bool bundle_active = false;
  bool bundle_body_active = false;
  Word return_address = 0;
  Word commit_argument = 0;
  std::array<std::uint32_t, predicate_count> predicates{};
  std::array<RegisterFile, pe_count> gpr{};
  TemporaryQueue t_queue;
  TemporaryQueue u_queue;
  Fault last_fault{};
  Word fault_address = 0;
  std::uint8_t current_memory_agent = 0;  // the executing PE
  std::uint8_t current_acr = 0;
  Memory memory;
  Reservation reservation;
  Fences fences;
  bool memory_event_capture = false;
  std::vector<MemoryEvent> memory_events;
  Maintenance maintenance;
  SystemRegisters system_registers;
  SystemRegisterFile extended_system_registers;
  std::array<RingTrap, ring_count> acr_traps{};
  Lazy<TrapContext, ring_count> trap_contexts;
  Gqm gqm;
  BlockState block;
  std::array<Tile, tile_count> tiles{};
  Lazy<FeatureMap, tile_count> tile_feature_maps;
  Lazy<SharedTile, shared_tile_count> shared_tiles;

  // The bounded model of the conformance vectors: 4096 bytes, rings 2..15 limited to 3072.
  static Machine conformance();

  // The current PE's general registers; x0 reads as zero and ignores writes.
  [[nodiscard]] Word read_gpr(unsigned index) const { return read_gpr(current_memory_agent, index); }
  [[nodiscard]] Word read_gpr(unsigned pe, unsigned index) const { return index == 0 ? 0 : gpr[pe].x[index]; }
  void write_gpr(unsigned index, Word value) {
    if (index != 0) gpr[current_memory_agent].x[index] = value;
  }

  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.bits("pc", 64, s.pc...);
    v.bits("bpc", 64, s.bpc...);
    v.flag("bundle_active", s.bundle_active...);
    v.flag("bundle_body_active", s.bundle_body_active...);
    v.bits("return_address", 64, s.return_address...);
    v.bits("commit_argument", 64, s.commit_argument...);
    v.bits_map("predicates", 32, s.predicates...);
    v.gpr("gpr", s.gpr...);
    v.queue("t_queue", s.t_queue...);
    v.queue("u_queue", s.u_queue...);
    v.symbol("last_fault", s.last_fault...);
    v.bits("fault_address", 64, s.fault_address...);
    v.integer("current_memory_agent", 0, pe_count - 1, s.current_memory_agent...);
    v.integer("current_acr", 0, ring_count - 1, s.current_acr...);
    v.memory("memory", s.memory...);
    v.record("reservation", s.reservation...);
    v.record("fences", s.fences...);
    v.flag("memory_event_capture", s.memory_event_capture...);
    v.events("memory_events", s.memory_events...);
    v.record("maintenance", s.maintenance...);
    v.record("system_registers", s.system_registers...);
    v.system_register_file("extended_system_registers", s.extended_system_registers...);
    v.record_map("acr_traps", s.acr_traps...);
    v.record_map("trap_contexts", s.trap_contexts...);
    v.record("gqm", s.gqm...);
    v.record("block", s.block...);
    v.record_map("tiles", s.tiles...);
    v.record_map("tile_feature_maps", s.tile_feature_maps...);
    v.record_map("shared_tiles", s.shared_tiles...);
  }
};

}  // namespace pto::state
