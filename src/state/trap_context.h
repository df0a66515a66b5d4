// What a trap saves: the portable context of the interrupted code, one record per access-control ring.
#pragma once

#include <array>

#include "state/block_state.h"

namespace pto::state {

inline constexpr unsigned queue_depth = 4;
inline constexpr unsigned predicate_count = 8;

// The T and U queues: entry 0 is the most recent push.
struct TemporaryQueue {
  std::array<Word, queue_depth> values{};
  std::array<bool, queue_depth> valid{};

  void push(Word value) {
    for (unsigned i = queue_depth - 1; i > 0; --i) {
      values[i] = values[i - 1];
      valid[i] = valid[i - 1];
    }
    values[0] = value;
    valid[0] = true;
  }
  friend bool operator==(const TemporaryQueue&, const TemporaryQueue&) = default;
};

struct TrapContext : BlockHeader {
  bool valid = false;
  std::uint8_t source_acr = 0;
  Word tpc = 0;
  Word bpc = 0;
  Word core_state = 0;
  Word commit_argument = 0;
  Word return_address = 0;
  bool bundle_active = false;
  bool bundle_body_active = false;
  Barg barg;
  Word bundle_sequential_pc = 0;
  Word frame_stack_return_target = 0;
  MemoryCopyTemplate memory_copy_template;
  FrameTemplate frame_template;
  TemporaryQueue t_queue;
  TemporaryQueue u_queue;
  std::array<std::uint32_t, predicate_count> predicates{};

  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.integer("source_acr", 0, 15, s.source_acr...);
    v.bits("tpc", 64, s.tpc...);
    v.bits("bpc", 64, s.bpc...);
    v.bits("core_state", 64, s.core_state...);
    v.bits("bundle_argument", 64, s.bundle_argument...);
    v.bits("commit_argument", 64, s.commit_argument...);
    v.bits("return_address", 64, s.return_address...);
    v.bits("bundle_sequential_pc", 64, s.bundle_sequential_pc...);
    v.bits("frame_stack_return_target", 64, s.frame_stack_return_target...);
    v.bits("bundle_argument_kind", 3, s.bundle_argument_kind...);
    v.flag("bundle_active", s.bundle_active...);
    v.flag("bundle_body_active", s.bundle_body_active...);
    v.flag("bundle_commit_target_set", s.commit_target_set...);
    v.flag("bundle_condition_set", s.condition_set...);
    v.flag("system_block_terminal_pending", s.system_block_terminal_pending...);
    v.flag("bundle_zero_participation_seen", s.zero_participation_seen...);
    v.flag("bundle_data_attributes_present", s.data_attributes_present...);
    v.record("barg", s.barg...);
    v.record("bundle_operation", s.operation...);
    v.record("bundle_control_attributes", s.control_attributes...);
    v.record("bundle_data_attributes", s.data_attributes...);
    v.record("bundle_hint", s.hint...);
    v.record("bundle_fixed_point_attributes", s.fixed_point_attributes...);
    v.record("memory_copy_template", s.memory_copy_template...);
    v.record("frame_template", s.frame_template...);
    v.bits_map("bundle_dimensions", 64, s.dimensions...);
    v.flag_map("bundle_dimension_present", s.dimension_present...);
    v.record_map("bundle_scalar_bindings", s.scalar_bindings...);
    v.record_map("bundle_tile_bindings", s.tile_bindings...);
    v.record_map("bundle_shared_bindings", s.shared_bindings...);
    v.record("bundle_range_group", s.range_group...);
    v.bits_map("t_queue", 64, s.t_queue.values...);
    v.bits_map("u_queue", 64, s.u_queue.values...);
    v.flag_map("t_queue_valid", s.t_queue.valid...);
    v.flag_map("u_queue_valid", s.u_queue.valid...);
    v.bits_map("predicates", 32, s.predicates...);
  }
};

}  // namespace pto::state
