// The block state: what the header commands of the open block have said so far, and what the block will do
// when it completes (PTO ISA, "Block control state").
//
// Every record lists its members once more in `fields`, in words a visitor understands; reading, writing and
// comparing states all come from that list (state/describe.h says how).
#pragma once

#include <array>
#include <cstdint>

#include "base/bits.h"
#include "numeric/element_type.h"
#include "state/enums.h"

namespace pto::state {

// Where execution goes when the block completes; BPC, its start address, is kept beside the PC.
struct Barg {
  BlockType block_type{};
  Transfer transfer_type{};
  bool taken = false;  // meaningful for Conditional only
  Word bpcn = 0;       // the candidate next PC
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.symbol("block_type", s.block_type...);
    v.symbol("transfer_type", s.transfer_type...);
    v.flag("taken", s.taken...);
    v.bits("bpcn", 64, s.bpcn...);
  }
};

// What the block start selected.
struct Operation {
  bool valid = false;
  std::uint8_t form_identity = 0;  // catalog index of the start form
  OperationClass operation_class{};
  bool selector_valid = false;
  std::uint16_t selector = 0;
  bool data_type_valid = false;
  std::uint8_t data_type = 0;
  bool mode_valid = false;
  std::uint8_t mode = 0;
  bool branch_type_valid = false;
  std::uint8_t branch_type = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.bits("form_identity", 7, s.form_identity...);
    v.symbol("operation_class", s.operation_class...);
    v.flag("selector_valid", s.selector_valid...);
    v.bits("selector", 10, s.selector...);
    v.flag("data_type_valid", s.data_type_valid...);
    v.bits("data_type", 5, s.data_type...);
    v.flag("mode_valid", s.mode_valid...);
    v.bits("mode", 2, s.mode...);
    v.flag("branch_type_valid", s.branch_type_valid...);
    v.bits("branch_type", 3, s.branch_type...);
  }
};

struct ScalarBinding {
  bool valid = false;
  std::uint8_t destination = 0;
  std::uint8_t source0 = 0;
  std::uint8_t source1 = 0;
  std::uint8_t source2 = 0;
  std::uint8_t source_count = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.integer("destination", 0, 31, s.destination...);
    v.integer("source0", 0, 31, s.source0...);
    v.integer("source1", 0, 31, s.source1...);
    v.integer("source2", 0, 31, s.source2...);
    v.integer("source_count", 0, 3, s.source_count...);
  }
};

// B.SUBVIEW and B.ASSEMBLE: the range of a tile's CELLs that a binding reads or writes (since 0.58.4).
struct RangeModifier {
  bool valid = false;
  std::uint8_t reg_src = 0;
  std::uint16_t uimm11 = 0;
  std::uint8_t size_code = 0;  // of the view; of the parent, for the first writer of an assembly
  Word offset = 0;             // in CELLs
  bool init = false;
  bool last = false;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.integer("reg_src", 0, 31, s.reg_src...);
    v.bits("uimm11", 11, s.uimm11...);
    v.integer("size_code", 0, 15, s.size_code...);
    v.bits("offset", 64, s.offset...);
    v.flag("init", s.init...);
    v.flag("last", s.last...);
  }
};

// The binder that range modifiers belong to while they directly follow it, and the roles it offers.
struct RangeGroup {
  bool open = false;
  bool zero_mode = false;  // the binder named no PE: modifiers are discarded
  RangeGroupKind kind{};
  std::uint8_t tile_binding = 0;
  std::uint8_t shared_binding = 0;
  bool source0_allowed = false;
  bool source1_allowed = false;
  bool destination_allowed = false;
  bool source0_seen = false;
  bool source1_seen = false;
  bool destination_seen = false;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("open", s.open...);
    v.flag("zero_mode", s.zero_mode...);
    v.symbol("kind", s.kind...);
    v.integer("tile_binding", 0, 15, s.tile_binding...);
    v.integer("shared_binding", 0, 3, s.shared_binding...);
    v.flag("source0_allowed", s.source0_allowed...);
    v.flag("source1_allowed", s.source1_allowed...);
    v.flag("destination_allowed", s.destination_allowed...);
    v.flag("source0_seen", s.source0_seen...);
    v.flag("source1_seen", s.source1_seen...);
    v.flag("destination_seen", s.destination_seen...);
  }
};

struct TileBinding {
  bool valid = false;
  bool destination_valid = false;
  std::uint8_t destination = 0;  // a hand until completion resolves it to a tile register
  std::uint8_t destination_hand = 0;
  bool destination_allocated_by_bundle = false;
  std::uint8_t destination_size = 0;  // SizeCode
  std::uint8_t pe_mask = 0;           // PE0 in the most significant of four bits
  bool source0_valid = false;
  bool source1_valid = false;
  std::uint8_t source0 = 0;
  std::uint8_t source1 = 0;
  bool last = false;
  RangeModifier source0_subview{};
  RangeModifier source1_subview{};
  RangeModifier destination_assemble{};
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.flag("destination_valid", s.destination_valid...);
    v.integer("destination", 0, 63, s.destination...);
    v.bits("destination_hand", 2, s.destination_hand...);
    v.flag("destination_allocated_by_bundle", s.destination_allocated_by_bundle...);
    v.integer("destination_size", 0, 15, s.destination_size...);
    v.bits("pe_mask", 4, s.pe_mask...);
    v.flag("source0_valid", s.source0_valid...);
    v.flag("source1_valid", s.source1_valid...);
    v.integer("source0", 0, 63, s.source0...);
    v.integer("source1", 0, 63, s.source1...);
    v.flag("last", s.last...);
    v.record("source0_subview", s.source0_subview...);
    v.record("source1_subview", s.source1_subview...);
    v.record("destination_assemble", s.destination_assemble...);
  }
};

struct SharedBinding {
  bool valid = false;
  std::uint8_t shared_id = 0;
  std::uint8_t size_code = 0;  // 0: a source
  std::uint8_t pe_mask = 0;
  bool consumed = false;
  RangeModifier source0_subview{};
  RangeModifier destination_assemble{};
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.bits("shared_id", 8, s.shared_id...);
    v.integer("size_code", 0, 12, s.size_code...);
    v.bits("pe_mask", 4, s.pe_mask...);
    v.flag("consumed", s.consumed...);
    v.record("source0_subview", s.source0_subview...);
    v.record("destination_assemble", s.destination_assemble...);
  }
};

struct ControlAttributes {  // B.CATR
  bool present = false;
  bool trap_enabled = false;
  bool atomic = false;
  bool acquire = false;
  bool release = false;
  bool far = false;
  bool dimension_reduction = false;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("present", s.present...);
    v.flag("trap_enabled", s.trap_enabled...);
    v.flag("atomic", s.atomic...);
    v.flag("acquire", s.acquire...);
    v.flag("release", s.release...);
    v.flag("far", s.far...);
    v.flag("dimension_reduction", s.dimension_reduction...);
  }
};

// B.DATR. Absence of the command and an encoded zero differ: an absent pad value means Null (3).
struct DataAttributes {
  bool data_type_present = false;
  std::uint8_t data_type = no_element_type_code;
  std::uint8_t data_layout = 0;
  std::uint8_t pad_value = 3;
  std::uint8_t comparison_mode = 0;
  std::uint8_t rounding_mode = 0;
  bool saturating = false;
  bool canonicalize = false;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("data_type_present", s.data_type_present...);
    v.bits("data_type", 5, s.data_type...);
    v.bits("data_layout", 5, s.data_layout...);
    v.bits("pad_value", 2, s.pad_value...);
    v.bits("comparison_mode", 3, s.comparison_mode...);
    v.bits("rounding_mode", 3, s.rounding_mode...);
    v.flag("saturating", s.saturating...);
    v.flag("canonicalize", s.canonicalize...);
  }
};

struct Hint {  // B.HINT
  bool present = false;
  bool trace = false;
  bool trace_end = false;
  bool branch_valid = false;
  bool branch_likely = false;
  std::uint8_t temperature = 0;
  std::uint16_t prefetch_size = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("present", s.present...);
    v.flag("trace", s.trace...);
    v.flag("trace_end", s.trace_end...);
    v.flag("branch_valid", s.branch_valid...);
    v.flag("branch_likely", s.branch_likely...);
    v.bits("temperature", 2, s.temperature...);
    v.bits("prefetch_size", 12, s.prefetch_size...);
  }
};

struct FixedPointAttributes {  // B.FPATR
  bool valid = false;
  std::uint8_t pre_quant_mode = 0;
  std::uint8_t relu_mode = 0;
  std::uint8_t group_n_code = 0;
  bool row_max_en = false;
  bool group_max_en = false;
  bool row_max_init = false;
  bool max_abs_en = false;
  bool trans_a = false;
  bool trans_b = false;
  bool c_scale_en = false;  // since 0.58.4
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.bits("pre_quant_mode", 6, s.pre_quant_mode...);
    v.bits("relu_mode", 3, s.relu_mode...);
    v.bits("group_n_code", 4, s.group_n_code...);
    v.flag("row_max_en", s.row_max_en...);
    v.flag("group_max_en", s.group_max_en...);
    v.flag("row_max_init", s.row_max_init...);
    v.flag("max_abs_en", s.max_abs_en...);
    v.flag("trans_a", s.trans_a...);
    v.flag("trans_b", s.trans_b...);
    v.flag("c_scale_en", s.c_scale_en...);
  }
};

// MCOPY keeps its operands and the first byte not yet copied, so that a fault in the middle can be restarted.
struct MemoryCopyTemplate {
  bool active = false;
  Word instruction_pc = 0;
  Word destination = 0;
  Word source = 0;
  Word length = 0;
  Word progress = 0;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("active", s.active...);
    v.bits("instruction_pc", 64, s.instruction_pc...);
    v.bits("destination", 64, s.destination...);
    v.bits("source", 64, s.source...);
    v.bits("length", 64, s.length...);
    v.bits("progress", 64, s.progress...);
  }
};

inline constexpr unsigned frame_register_limit = 22;  // x2..x23

struct FrameTemplate {
  bool active = false;
  FrameKind kind{};
  Word instruction_pc = 0;
  std::uint8_t begin_reg = 2;
  std::uint8_t end_reg = 2;
  std::uint8_t register_count = 0;
  Word frame_size = 0;
  Word caller_sp = 0;
  bool stack_adjusted = false;
  std::uint8_t progress = 0;
  Word return_target = 0;
  bool return_target_valid = false;
  std::array<Word, frame_register_limit> source_values{};
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("active", s.active...);
    v.symbol("kind", s.kind...);
    v.bits("instruction_pc", 64, s.instruction_pc...);
    v.integer("begin_reg", 0, 31, s.begin_reg...);
    v.integer("end_reg", 0, 31, s.end_reg...);
    v.integer("register_count", 0, 22, s.register_count...);
    v.bits("frame_size", 64, s.frame_size...);
    v.bits("caller_sp", 64, s.caller_sp...);
    v.flag("stack_adjusted", s.stack_adjusted...);
    v.integer("progress", 0, 22, s.progress...);
    v.bits("return_target", 64, s.return_target...);
    v.flag("return_target_valid", s.return_target_valid...);
    v.bits_map("source_values", 64, s.source_values...);
  }
};

inline constexpr unsigned dimension_count = 3;
inline constexpr unsigned scalar_binding_count = 32;
inline constexpr unsigned tile_binding_count = 16;
inline constexpr unsigned shared_binding_count = 4;

// The part of the block state that header commands build, a completed block clears and a trap context saves.
struct BlockHeader {
  bool commit_target_set = false;
  bool condition_set = false;
  bool system_block_terminal_pending = false;
  Word bundle_argument = 0;
  std::uint8_t bundle_argument_kind = 0;
  Operation operation;
  std::array<Word, dimension_count> dimensions{};
  std::array<bool, dimension_count> dimension_present{};
  std::array<ScalarBinding, scalar_binding_count> scalar_bindings{};
  std::array<TileBinding, tile_binding_count> tile_bindings{};
  std::array<SharedBinding, shared_binding_count> shared_bindings{};
  RangeGroup range_group;
  bool zero_participation_seen = false;
  ControlAttributes control_attributes;
  DataAttributes data_attributes;
  bool data_attributes_present = false;
  Hint hint;
  FixedPointAttributes fixed_point_attributes;

  // Not state: false promises that nothing a header command sets differs from reset, so that closing a block
  // without header commands need not clear it all. Header commands set it; only clearing the header resets
  // it.
  bool header_may_be_set = true;
};

struct BlockState : BlockHeader {
  Barg barg;
  Word sequential_pc = 0;
  Word frame_stack_return_target = 0;
  MemoryCopyTemplate memory_copy_template;
  FrameTemplate frame_template;
  std::uint32_t tile_data_layout_capabilities = 1;
  std::uint8_t frame_depth = 0;
  std::uint8_t last_frame_begin = 0;
  std::uint8_t last_frame_end = 0;
  Word last_frame_size = 0;
  Word last_queue_left = 0;
  Word last_queue_right = 0;
  std::uint8_t last_queue_flags = 0;
  Word last_memory_command_address = 0;
  Word last_memory_command_size = 0;
  std::uint16_t last_cross_block_acr = 0;
  std::uint8_t last_cross_block_id = 0;
  Word last_bundle_hint_payload = 0;

  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.record("barg", s.barg...);
    v.flag("commit_target_set", s.commit_target_set...);
    v.flag("condition_set", s.condition_set...);
    v.flag("system_block_terminal_pending", s.system_block_terminal_pending...);
    v.flag("zero_participation_seen", s.zero_participation_seen...);
    v.flag("data_attributes_present", s.data_attributes_present...);
    v.bits("sequential_pc", 64, s.sequential_pc...);
    v.bits("frame_stack_return_target", 64, s.frame_stack_return_target...);
    v.bits("bundle_argument", 64, s.bundle_argument...);
    v.bits("bundle_argument_kind", 3, s.bundle_argument_kind...);
    v.record("operation", s.operation...);
    v.bits_map("dimensions", 64, s.dimensions...);
    v.flag_map("dimension_present", s.dimension_present...);
    v.record_map("scalar_bindings", s.scalar_bindings...);
    v.record_map("tile_bindings", s.tile_bindings...);
    v.record_map("shared_bindings", s.shared_bindings...);
    v.record("range_group", s.range_group...);
    v.record("control_attributes", s.control_attributes...);
    v.record("data_attributes", s.data_attributes...);
    v.record("hint", s.hint...);
    v.record("fixed_point_attributes", s.fixed_point_attributes...);
    v.record("memory_copy_template", s.memory_copy_template...);
    v.record("frame_template", s.frame_template...);
    v.bits("tile_data_layout_capabilities", 32, s.tile_data_layout_capabilities...);
    v.integer("frame_depth", 0, 16, s.frame_depth...);
    v.integer("last_frame_begin", 0, 31, s.last_frame_begin...);
    v.integer("last_frame_end", 0, 31, s.last_frame_end...);
    v.bits("last_frame_size", 64, s.last_frame_size...);
    v.bits("last_queue_left", 64, s.last_queue_left...);
    v.bits("last_queue_right", 64, s.last_queue_right...);
    v.bits("last_queue_flags", 4, s.last_queue_flags...);
    v.bits("last_memory_command_address", 64, s.last_memory_command_address...);
    v.bits("last_memory_command_size", 64, s.last_memory_command_size...);
    v.bits("last_cross_block_acr", 10, s.last_cross_block_acr...);
    v.bits("last_cross_block_id", 7, s.last_cross_block_id...);
    v.bits("last_bundle_hint_payload", 64, s.last_bundle_hint_payload...);
  }
};

}  // namespace pto::state
