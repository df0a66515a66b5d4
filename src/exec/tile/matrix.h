// Matrix multiplication: what a block's function, types and Shared tiles make of its operands.
#pragma once

#include "exec/tile/behaviour.h"
#include "numeric/matrix_output.h"

namespace pto::exec {

// The form of the block. Source numbers count Local sources; `absent` where the block has none.
struct MatrixForm {
  static constexpr unsigned absent = ~0u;

  explicit MatrixForm(const Bundle& bundle);

  bool microscaled = false;  // E8M0 scales, one per 32 elements along K
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

  unsigned accumulator = absent;
  unsigned left = absent;
  unsigned left_scale = absent;
  unsigned right = absent;
  unsigned right_scale = absent;
  unsigned bias = absent;
  unsigned row_maximum = absent;
  unsigned output_scales = absent;
  unsigned slopes = absent;
  unsigned sources = 0;
  unsigned destinations = 1;

  // M, N and K; zero: out of range.
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  [[nodiscard]] std::uint32_t scale_blocks() const { return divide_up(k, 32u); }

  const numeric::MatrixOutputMode* output = nullptr;
  unsigned activation = 0;
  [[nodiscard]] ElementType output_type() const { return output == nullptr ? sum_type : output->output; }
  bool scalar_scale = false;
  bool scalar_slope = false;
  // The layout of A, C and the result.
  state::TileLayout layout = state::TileLayout::RowMajor;
};

// Columns of a B.FPATR group; 0: no groups.
std::uint32_t group_columns(unsigned code);

extern const Path matrix_path;
// What a direct call is judged by; a block has been judged before.
Check matrix_call_operands(const Work& work);
Check plan_matrix(const Bundle& bundle, Plan& plan);
Check run_matrix(Work& work);
void commit_matrix(const Work& work, state::Machine& machine);

}  // namespace pto::exec
