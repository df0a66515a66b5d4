#include "exec/tile/rules.h"

namespace pto::exec {

std::span<const Rule* const> tile_rules() {
  static constexpr const Rule* all[] = {
      &rules::operation_assigned,  &rules::fpatr_matrix_only,
      &rules::source_count,        &rules::destination_count,
      &rules::stream_terminated,   &rules::scalar_surplus,
      &rules::scalar_value,        &rules::datr_field,
      &rules::masks_equal,         &rules::shared_count,
      &rules::shared_unused,       &rules::binding_pattern,
      &rules::size_code,           &rules::scalar_absent,
      &rules::scalar_required,     &rules::datr_absent,
      &rules::dimension_required,  &rules::dimension_absent,
      &rules::dimension_range,     &rules::dimension_value,
      &rules::comparison_mode,     &rules::operation_type,
      &rules::operation_layout,    &rules::tile_allocated,
      &rules::tile_descriptor,     &rules::tile_cube,
      &rules::tile_defined,        &rules::tile_numeric,
      &rules::tile_predicate,      &rules::tile_type,
      &rules::tile_layout,         &rules::tile_shape,
      &rules::tile_encoding,       &rules::scalar_encoding,
      &rules::divisor_zero,        &rules::tile_alias,
      &rules::tile_participants,   &rules::type_known,
      &rules::register_free,       &rules::capacity_free,
      &rules::size_sufficient,     &rules::transfer_form,
      &rules::displacement_type,   &rules::cell_header,
      &rules::cell_layout,         &rules::cell_control,
      &rules::permute_index_shape, &rules::permute_index_defined,
      &rules::permute_index_range, &rules::permute_source_defined,
      &rules::fpatr_required,      &rules::matrix_types,
      &rules::matrix_shared,       &rules::matrix_parameter,
  };
  return all;
}

}  // namespace pto::exec
