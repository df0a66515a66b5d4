#include "exec/rule.h"

#include <vector>

#include "exec/rules.h"
#include "exec/tile/rules.h"

namespace pto::exec {

namespace {

constexpr const Rule* general_rules[] = {
    &rules::undecodable,
    &rules::operand_constraint,
    &rules::source_unavailable,
    &rules::not_in_profile,
    &rules::odd_pc,
    &rules::instruction_page,
    &rules::data_alignment,
    &rules::data_page,
    &rules::no_open_block,
    &rules::header_only,
    &rules::given_twice,
    &rules::system_block_terminal,
    &rules::bad_selector,
    &rules::indirect_target,
    &rules::odd_target,
    &rules::dimension_reduction,
    &rules::fixed_point_block,
    &rules::post_commit,
    &rules::fixed_point_placement,
    &rules::fixed_point_fields,
    &rules::tile_size,
    &rules::tile_stream_closed,
    &rules::tile_mask,
    &rules::tile_destination,
    &rules::tile_bindings_full,
    &rules::shared_size,
    &rules::shared_mask,
    &rules::shared_twice,
    &rules::range_group,
    &rules::range_role,
    &rules::assemble_size,
    &rules::frame_operands,
    &rules::frame_resume,
    &rules::copy_range,
    &rules::copy_resume,
    &rules::set_length,
    &rules::queue_flags,
    &rules::standing,
    &rules::system_register,
    &rules::local_register,
    &rules::maintenance_ring,
    &rules::maintenance_address,
    &rules::maintenance_asid,
    &rules::breakpoint,
    &rules::assertion,
    &rules::service,
    &rules::service_request,
    &rules::recoverable,
};

}  // namespace

std::span<const Rule* const> all_rules() {
  static const std::vector<const Rule*> all = [] {
    std::vector<const Rule*> list(std::begin(general_rules), std::end(general_rules));
    const std::span<const Rule* const> tile = tile_rules();
    list.insert(list.end(), tile.begin(), tile.end());
    return list;
  }();
  return all;
}

}  // namespace pto::exec
