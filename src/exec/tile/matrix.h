// Matrix multiplication: what a block's function, types and Shared tiles make of its operands.
#pragma once

#include "exec/tile/behaviour.h"
#include "numeric/matrix_output.h"

namespace pto::exec {

// The form of the block. Source numbers count Local sources; `absent` where the block has none.
struct MatrixForm {
  static constexpr unsigned absent = ~0u;

  explicit MatrixForm(const Bundle& bundle);

  bool microscaled = false;  // factors with scales, one for each group of elements along K
  bool vector = false;       // one row
  bool accumulates = false;
  bool biased = false;
  std::optional<ElementType> left_type;
  std::optional<ElementType> right_type;
  bool types_legal = false;
  // The type sums are kept in.
  ElementType sum_type = ElementType::FP32;

  bool left_scaled = false;
  bool right_scaled = false;
  unsigned left_tiles = 1;  // a matrix and its scales
  unsigned right_tiles = 1;
  bool left_shared = false;
  bool right_shared = false;
  bool shared_count_legal = false;

  // Since 0.58.4, a product with Shared operands is one of all four PEs: M counts the rows of the group, of
  // which every PE computes its own. 0.58.3 has every PE compute all of them.
  bool cooperative = false;
  std::uint32_t group_m = 0;
  std::uint32_t first_row = 0;  // of the executing PE's, in the group
  [[nodiscard]] bool idle() const { return cooperative && m == 0; }

  unsigned accumulator = absent;
  unsigned left = absent;
  unsigned left_scale = absent;
  unsigned right = absent;
  unsigned right_scale = absent;
  unsigned bias = absent;
  unsigned accumulator_scale = absent;  // since 0.58.4
  unsigned row_maximum = absent;
  unsigned output_scales = absent;
  unsigned slopes = absent;
  unsigned sources = 0;
  unsigned destinations = 1;

  // M, N and K, M of the executing PE; zero: out of range.
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  [[nodiscard]] std::uint32_t left_groups() const { return divide_up(k, scale_group(*left_type)); }
  [[nodiscard]] std::uint32_t right_groups() const { return divide_up(k, scale_group(*right_type)); }
  // Elements one scale serves, and what a scale is.
  static std::uint32_t scale_group(ElementType factor) { return factor == ElementType::HiF4X2 ? 64 : 32; }
  static ElementType scale_type(ElementType factor) {
    return factor == ElementType::HiF4X2 ? ElementType::U32 : ElementType::E8M0;
  }

  const numeric::MatrixOutputMode* output = nullptr;
  unsigned activation = 0;
  [[nodiscard]] ElementType output_type() const { return output == nullptr ? sum_type : output->output; }
  bool scalar_scale = false;
  bool scalar_slope = false;
  // The layout of A, C and the result.
  state::TileLayout layout = state::TileLayout::RowMajor;
};

// Rows of the group a PE computes at most; 0: the group is too large.
constexpr std::uint32_t rows_per_pe(std::uint32_t group_m) {
  return group_m <= 64 ? 16 : group_m <= 128 ? 32 : 0;
}

// The types a product's operands may have, and whether two go together.
const numeric::TypeSet& matrix_types(Release release, bool microscaled);

// Columns of a B.FPATR group; 0: no groups.
std::uint32_t group_columns(unsigned code);

extern const Path matrix_path;
// What is judged before anything that is a PE's own is looked at.
Check judge_matrix_group(const Bundle& bundle);
// What a direct call is judged by; a block has been judged before.
Check matrix_call_operands(const Work& work);
Check plan_matrix(const Bundle& bundle, Plan& plan);
Check run_matrix(Work& work);
void commit_matrix(Work& work, state::Machine& machine);

}  // namespace pto::exec
