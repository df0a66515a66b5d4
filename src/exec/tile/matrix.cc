// The judgement of matrix blocks (PTO-CUBE-LOCAL-MATRIX-001, PTO-CUBE-ACCUMULATOR-OUTPUT-001,
// PTO-B-FPATR-MATRIX-POSTPROCESS-001; since 0.58.4 PTO-CUBE-GROUP-M-DISTRIBUTION-001 and
// PTO-CUBE-MATRIX-SCALE-001).
//
// A is CUBE_M16 or CUBE_M32, B is CUBE_N8, the result takes A's layout. Either the right operand or both may
// be Shared tiles, which are row-major. Since 0.58.4 the four PEs share the rows of such a product; one that
// has none finishes without a look at anything that is its own.
#include "exec/tile/matrix.h"

#include <bit>

#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/shared.h"
#include "exec/tile/shared_views.h"

namespace pto::exec {

using numeric::MatrixParameter;
using state::FixedPointAttributes;
using state::Tile;
using state::TileLayout;

namespace {

const FixedPointAttributes& post(const Bundle& bundle) { return bundle.block().fixed_point_attributes; }

// Elements a product called directly may have.
constexpr Word largest_product = 32768;

constexpr bool m_layout_legal(TileLayout layout, std::uint32_t m) {
  return (layout == TileLayout::CUBE_M16 && m <= 16) || (layout == TileLayout::CUBE_M32 && m <= 32);
}

}  // namespace

namespace {

Check fpatr_required(const Bundle& bundle) {
  if (post(bundle).valid) return passed;
  return reject(rules::fpatr_required, bundle.pc(), "no B.FPATR with {}", bundle.operation()->name);
}

Check need_types(const Bundle& bundle, const MatrixForm& form) {
  if (form.types_legal) return passed;
  const auto name = [](std::optional<ElementType> type) { return type ? name_of(*type) : "no type"; };
  return reject(rules::matrix_types, bundle.pc(), "{} by {}: each must be {}, and of one class",
                name(form.left_type), name(form.right_type),
                matrix_types(bundle.release(), form.microscaled).description);
}

Check need_bindings(const Bundle& bundle, const MatrixForm& form) {
  if (!form.shared_count_legal)
    return reject(rules::matrix_shared, bundle.pc(), "{} B.IOS with {}", bundle.shared_bindings(),
                  bundle.operation()->name);
  if (bundle.sources() != form.sources || bundle.destinations() != form.destinations)
    return reject(rules::binding_pattern, bundle.pc(), "{} sources and {} destinations: must be {} and {}",
                  bundle.sources(), bundle.destinations(), form.sources, form.destinations);
  return checks::stream_terminated(bundle);
}

Check need_scalar_fields(const Bundle& bundle, const MatrixForm& form) {
  const state::ScalarBinding& bound = bundle.scalars();
  if (!bound.valid) return passed;
  const unsigned inputs = (form.scalar_scale ? 1 : 0) + (form.scalar_slope ? 1 : 0);
  const unsigned registers[] = {bound.source0, bound.source1, bound.source2};
  for (unsigned slot = inputs; slot < 3; ++slot) {
    if (registers[slot] != 0)
      return reject(rules::scalar_value, bundle.pc(), "RegSrc{} is {}; B.FPATR uses {} of the three", slot,
                    registers[slot], inputs);
  }
  if (bound.destination == 0) return passed;
  return reject(rules::scalar_value, bundle.pc(), "RegDst is {}", bound.destination);
}

Check need_scalar_words(const Bundle& bundle, const MatrixForm& form) {
  if (!bundle.scalars().valid) return passed;
  if (form.scalar_scale && !numeric::matrix_scale_word_legal(*form.output, bundle.scalar(0)))
    return reject(rules::matrix_parameter, bundle.pc(), "the scale word is {:#x}", bundle.scalar(0));
  const unsigned slope = form.scalar_scale ? 1 : 0;
  if (form.scalar_slope && !numeric::matrix_slope_word_legal(bundle.scalar(slope)))
    return reject(rules::matrix_parameter, bundle.pc(), "the slope word is {:#x}", bundle.scalar(slope));
  return passed;
}

Check need_attributes(const Bundle& bundle) {
  if (!bundle.attributes_present()) return passed;
  const state::DataAttributes& given = bundle.attributes();
  if (given.data_layout == 0 && given.pad_value == 0 && given.comparison_mode == 0 && !given.canonicalize)
    return passed;
  return reject(rules::datr_field, bundle.pc(), "a matrix block uses DataType, RMode and Sat only");
}

Check need_dimensions(const Bundle& bundle, const MatrixForm& form) {
  const std::uint32_t values[] = {form.group_m, form.n, form.k};
  if (form.cooperative && rows_per_pe(form.group_m) == 0)
    return reject(rules::dimension_value, bundle.pc(), "M is {}: four PEs compute at most 128 rows",
                  form.group_m);
  for (unsigned number = 0; number < 3; ++number) {
    const bool power_of_two = form.right_shared && !(form.cooperative && number == 0);
    if (values[number] == 0 || (power_of_two && !std::has_single_bit(values[number])))
      return reject(rules::dimension_value, bundle.pc(), "{} is {}{}", "MNK"[number],
                    bundle.dimension(number), power_of_two ? ": Shared operands need powers of two" : "");
  }
  return passed;
}

Check need_masks(const Bundle& bundle, const MatrixForm& form) {
  if (Check broken = checks::masks_equal(bundle)) return broken;
  const std::uint8_t mask = bundle.binding(bundle.destination_binding(0)).pe_mask;
  for (const state::SharedBinding& bound : bundle.block().shared_bindings) {
    if (bound.valid && bound.pe_mask != mask)
      return reject(rules::masks_equal, bundle.pc(), "B.IOS names PEs {:04b}", bound.pe_mask);
  }
  constexpr std::uint8_t all_pes = 0xf;
  if (!form.cooperative || mask == all_pes) return passed;
  return reject(rules::masks_equal, bundle.pc(), "the block names PEs {:04b}: must name all four", mask);
}

// Shared operand `number` as a row-major matrix.
Check need_shared(const Bundle& bundle, unsigned number, std::uint32_t rows, std::uint32_t columns,
                  ElementType type) {
  const state::SharedBinding& bound = bundle.block().shared_bindings[number];
  const state::SharedTile& shared = bundle.machine().shared_tiles[bound.shared_id];
  // Since 0.58.4 the parent as a whole is ready or not; before, each PE had its quarter.
  const bool whole = bundle.release() != Release::v0_58_3 ||
                     (shared.allocation_mask == 0xf && shared.initialized_mask == 0xf);
  const bool ready = bound.size_code == 0 && shared_descriptor_legal(bundle, shared) && whole &&
                     shared.published && shared.tile.contents_defined;
  const bool view = ready && has_shared_view(bundle, number);
  if (view) {
    if (Check broken = need_shared_view(bundle, number)) return broken;
  }
  const Tile tile = ready ? shared_source(bundle, number) : Tile{};
  // A view is taken whole, a parent may have more rows and columns.
  const bool fits = view ? rows == tile.valid_rows && columns == tile.valid_columns
                         : rows <= tile.valid_rows && columns <= tile.valid_columns;
  if (ready && fits && tile.columns == columns && tile.data_type == type &&
      tile.layout == TileLayout::RowMajor)
    return passed;
  return reject(rules::matrix_shared, bundle.pc(), "s{} is not a published {}x{} row-major matrix of {}",
                bound.shared_id, rows, columns, name_of(type));
}

Check need_shared_operands(const Bundle& bundle, const MatrixForm& form) {
  const FixedPointAttributes& attributes = post(bundle);
  if ((attributes.trans_a && !form.left_shared) || (attributes.trans_b && !form.right_shared))
    return reject(rules::matrix_shared, bundle.pc(), "only a Shared operand can be transposed");
  unsigned number = 0;
  const auto matrix = [&](bool transposed, std::uint32_t rows, std::uint32_t columns, ElementType type) {
    return transposed ? need_shared(bundle, number++, columns, rows, type)
                      : need_shared(bundle, number++, rows, columns, type);
  };
  // Since 0.58.4 scales are stored as their matrices are.
  const bool later = bundle.release() != Release::v0_58_3;
  if (form.left_shared) {
    if (Check broken = matrix(attributes.trans_a, form.group_m, form.k, *form.left_type)) return broken;
    if (form.left_scaled) {
      if (Check broken = matrix(later && attributes.trans_a, form.group_m, form.left_groups(),
                                MatrixForm::scale_type(*form.left_type)))
        return broken;
    }
  }
  if (form.right_shared) {
    if (Check broken = matrix(attributes.trans_b, form.k, form.n, *form.right_type)) return broken;
    if (form.right_scaled)
      return matrix(later && attributes.trans_b, form.right_groups(), form.n,
                    MatrixForm::scale_type(*form.right_type));
  }
  return passed;
}

// A defined row-major source of this shape; `anywhere`: its location must not be prescribed.
Check need_row_major(const Bundle& bundle, unsigned number, std::uint32_t rows, std::uint32_t columns,
                     ElementType type, bool anywhere) {
  const Tile& tile = bundle.source(number);
  if (Check broken = need_defined(bundle, tile, operand_name(bundle, number))) return broken;
  if (tile.valid_rows == rows && tile.valid_columns == columns && tile.data_type == type &&
      tile.layout == TileLayout::RowMajor && (!anywhere || tile.location == state::TileLocation::Any))
    return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} must be a row-major {}x{} of {}",
                operand_name(bundle, number), rows, columns, name_of(type));
}

template <class Legal>
Check need_words(const Bundle& bundle, unsigned number, Legal legal) {
  const Tile& tile = bundle.source(number);
  for (std::uint32_t column = 0; column < tile.valid_columns; ++column) {
    const Word word = tile.element(state::storage_index(tile, 0, column));
    if (!legal(word))
      return reject(rules::matrix_parameter, bundle.pc(), "{} holds {:#x} at column {}",
                    operand_name(bundle, number), word, column);
  }
  return passed;
}

Check need_output_operands(const Bundle& bundle, const MatrixForm& form) {
  if (form.output != nullptr && form.output->accumulator != form.sum_type)
    return reject(rules::matrix_parameter, bundle.pc(), "PreQuantMode {} converts from {}, the sums are {}",
                  form.output->code, name_of(form.output->accumulator), name_of(form.sum_type));
  if (form.row_maximum != MatrixForm::absent) {
    if (Check broken = need_row_major(bundle, form.row_maximum, form.m, 1, form.sum_type, true))
      return broken;
  }
  if (form.output_scales != MatrixForm::absent) {
    if (Check broken = need_row_major(bundle, form.output_scales, 1, form.n, ElementType::U64, true))
      return broken;
    const auto legal = [&](Word word) { return numeric::matrix_scale_word_legal(*form.output, word); };
    if (Check broken = need_words(bundle, form.output_scales, legal)) return broken;
  }
  if (form.slopes == MatrixForm::absent) return passed;
  if (Check broken = need_row_major(bundle, form.slopes, 1, form.n, ElementType::U64, true)) return broken;
  return need_words(bundle, form.slopes, numeric::matrix_slope_word_legal);
}

Check need_cube_matrix(const Bundle& bundle, unsigned number, std::uint32_t rows, std::uint32_t columns,
                       ElementType type, TileLayout layout) {
  const Tile& tile = bundle.source(number);
  if (Check broken = need_cube(bundle, tile, operand_name(bundle, number))) return broken;
  if (!tile.contents_defined)
    return reject(rules::tile_defined, bundle.pc(), "{} is not defined", operand_name(bundle, number));
  if (tile.valid_rows == rows && tile.valid_columns == columns && tile.data_type == type &&
      tile.layout == layout)
    return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} must be a {} {}x{} of {}", operand_name(bundle, number),
                name_of(layout), rows, columns, name_of(type));
}

// `capacity` is the result's.
Check need_accumulator(const Bundle& bundle, const MatrixForm& form, std::uint32_t capacity) {
  if (Check broken = need_cube_matrix(bundle, form.accumulator, form.m, form.n, form.sum_type, form.layout))
    return broken;
  const Tile& tile = bundle.source(form.accumulator);
  if (form.output != nullptr || tile.capacity_bytes == capacity) return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} has {} bytes, the result {}",
                operand_name(bundle, form.accumulator), tile.capacity_bytes, capacity);
}

// Scales were row-major tiles in 0.58.3 and are CELLs since.
Check need_scale(const Bundle& bundle, unsigned number, std::uint32_t rows, std::uint32_t columns,
                 ElementType factor) {
  const ElementType type = MatrixForm::scale_type(factor);
  if (bundle.release() == Release::v0_58_3) return need_row_major(bundle, number, rows, columns, type, false);
  return need_cube_matrix(bundle, number, rows, columns, type, TileLayout::CUBE_M32);
}

// The exponents by which rows of C are scaled down.
Check need_accumulator_scale(const Bundle& bundle, const MatrixForm& form) {
  if (form.accumulator_scale == MatrixForm::absent) return passed;
  if (!form.accumulates || form.vector || form.sum_type != ElementType::FP32)
    return reject(rules::matrix_parameter, bundle.pc(), "CScale with {} and sums of {}",
                  bundle.operation()->name, name_of(form.sum_type));
  return need_cube_matrix(bundle, form.accumulator_scale, form.m, 1, ElementType::U8, TileLayout::CUBE_M32);
}

Check need_operands(const Bundle& bundle, const MatrixForm& form, std::uint32_t capacity) {
  if (form.accumulates) {
    if (Check broken = need_accumulator(bundle, form, capacity)) return broken;
  }
  if (!form.left_shared) {
    if (!m_layout_legal(form.layout, form.m))
      return reject(rules::tile_layout, bundle.pc(), "{} is {} with M {}", operand_name(bundle, form.left),
                    name_of(form.layout), form.m);
    if (Check broken = need_cube_matrix(bundle, form.left, form.m, form.k, *form.left_type, form.layout))
      return broken;
  }
  if (form.left_scale != MatrixForm::absent) {
    if (Check broken = need_scale(bundle, form.left_scale, form.m, form.left_groups(), *form.left_type))
      return broken;
  }
  if (!form.right_shared) {
    if (Check broken =
            need_cube_matrix(bundle, form.right, form.k, form.n, *form.right_type, TileLayout::CUBE_N8))
      return broken;
  }
  if (form.right_scale != MatrixForm::absent) {
    // A Local scale of the right factor is stored on its side since 0.58.4.
    const bool turned = bundle.release() != Release::v0_58_3;
    if (Check broken = need_scale(bundle, form.right_scale, turned ? form.n : form.right_groups(),
                                  turned ? form.right_groups() : form.n, *form.right_type))
      return broken;
  }
  if (form.biased) {
    if (Check broken = need_row_major(bundle, form.bias, 1, form.n, form.sum_type, false)) return broken;
  }
  return need_accumulator_scale(bundle, form);
}

// C and its scale are not encoded as the destinations are.
Check need_distinct_sources(const Bundle& bundle, const MatrixForm& form) {
  const unsigned hand = bundle.binding(bundle.destination_binding(0)).destination_hand;
  if (form.accumulates && bundle.source_index(form.accumulator) == hand)
    return reject(rules::tile_alias, bundle.pc(), "C is encoded as the destination is: {}", hand);
  if (form.accumulator_scale == MatrixForm::absent) return passed;
  for (unsigned number = 0; number < bundle.destinations(); ++number) {
    const unsigned other = bundle.binding(bundle.destination_binding(number)).destination_hand;
    if (bundle.source_index(form.accumulator_scale) == other)
      return reject(rules::tile_alias, bundle.pc(), "the scale of C is encoded as destination {} is: {}",
                    number, other);
  }
  return passed;
}

// What all PEs of a block are judged by, whether they have rows to compute or not.
Check judge_group(const Bundle& bundle, const MatrixForm& form) {
  if (Check broken = need_types(bundle, form)) return broken;
  if (Check broken = need_bindings(bundle, form)) return broken;
  if (Check broken = need_scalar_fields(bundle, form)) return broken;
  if (Check broken = need_attributes(bundle)) return broken;
  if (Check broken = need_dimensions(bundle, form)) return broken;
  if (Check broken = need_masks(bundle, form)) return broken;
  if (form.vector && form.group_m != 1)
    return reject(rules::dimension_value, bundle.pc(), "M is {}: a vector has one row", form.group_m);
  return need_shared_operands(bundle, form);
}

// What a PE with rows is judged by besides.
Check judge_rows(const Bundle& bundle, const MatrixForm& form) {
  if (Check broken = need_scalar_words(bundle, form)) return broken;
  if (Check broken = need_output_operands(bundle, form)) return broken;
  const state::TileBinding& bound = bundle.binding(bundle.destination_binding(0));
  if (Check broken = need_operands(bundle, form, state::size_code_bytes(bound.destination_size)))
    return broken;
  if (Check broken = need_distinct_sources(bundle, form)) return broken;
  if (m_layout_legal(form.layout, form.m)) return passed;
  return reject(rules::tile_layout, bundle.pc(), "M is {}: no CUBE layout has as many rows", form.m);
}

Check matrix_header(const Bundle& bundle) {
  const MatrixForm form(bundle);
  Check broken = judge_group(bundle, form);
  if (!broken && !form.idle()) broken = judge_rows(bundle, form);
  if (broken) broken->fault = state::Fault::TileLegality;
  return broken;
}

constexpr BundleCheck matrix_checks[] = {fpatr_required, matrix_header};

}  // namespace

Check judge_matrix_group(const Bundle& bundle) {
  if (Check broken = fpatr_required(bundle)) return broken;
  Check broken = judge_group(bundle, MatrixForm(bundle));
  if (broken) broken->fault = state::Fault::TileLegality;
  return broken;
}

namespace {

// The result has the shape and type of the product; a decoded call wants it in the layout of A too.
Check need_call_result(const Work& work, const MatrixForm& form) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  const bool plain = bundle.plain_call();
  if (Check broken = plain ? need_descriptor(bundle, result, destination_name)
                           : need_cube(bundle, result, destination_name))
    return broken;
  if (result.valid_rows == form.m && result.valid_columns == form.n &&
      result.data_type == form.output_type() && (plain || result.layout == form.layout))
    return passed;
  return reject(rules::tile_shape, bundle.pc(), "the destination must be a {} {}x{} of {}",
                name_of(form.layout), form.m, form.n, name_of(form.output_type()));
}

// What a plain call asks of its sources: contents, and an inner dimension.
Check need_call_sources(const Bundle& bundle, const MatrixForm& form) {
  for (const unsigned number :
       {form.accumulator, form.left, form.left_scale, form.right, form.right_scale, form.bias}) {
    if (number == MatrixForm::absent) continue;
    if (Check broken = need_defined(bundle, bundle.source(number), operand_name(bundle, number)))
      return broken;
  }
  if (bundle.source(form.right).valid_rows == form.k) return passed;
  return reject(rules::tile_shape, bundle.pc(), "{} has {} valid rows: must have {}",
                operand_name(bundle, form.right), bundle.source(form.right).valid_rows, form.k);
}

}  // namespace

Check matrix_call_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  if (bundle.call() == nullptr) return passed;
  if (!bundle.tile_operation_open() || !bundle.block().operation.data_type_valid)
    return reject(rules::operation_type, bundle.pc(), "no tile operation with a type is open");
  const MatrixForm form(bundle);
  if (Check broken = need_types(bundle, form)) return broken;
  if (Check broken = need_call_result(work, form)) return broken;
  if (form.vector && form.m != 1)
    return reject(rules::dimension_value, bundle.pc(), "M is {}: a vector has one row", form.m);
  if (bundle.plain_call()) return need_call_sources(bundle, form);
  if (Check broken = need_operands(bundle, form, work.result().capacity_bytes)) return broken;
  if (form.accumulates) {
    if (Check broken = need_apart(bundle, 0, form.accumulator)) return broken;
  }
  if (Word{form.m} * form.n <= largest_product) return passed;
  return reject(rules::dimension_value, bundle.pc(), "{}x{} elements: a product has at most {}", form.m,
                form.n, largest_product);
}

constinit const Path matrix_path{.checks = matrix_checks, .fault = {}};

Check plan_matrix(const Bundle& bundle, Plan& plan) {
  const MatrixForm form(bundle);
  if (form.idle()) return passed;
  // A cooperative product gives every PE rows of its own; they are charged to it alone.
  const std::uint8_t holders =
      form.cooperative ? state::pe_bit(bundle.machine().current_memory_agent) : std::uint8_t{0xf};
  if (Check broken = choose_registers(bundle, plan)) return broken;
  if (Check broken = need_capacity(bundle, holders)) return broken;
  if (Check broken =
          describe_cube_result(bundle, form.m, form.n, form.output_type(), form.layout, plan.results[0]))
    return broken;
  const FixedPointAttributes& attributes = post(bundle);
  for (unsigned number = 1; number < plan.count; ++number) {
    const bool groups = !(attributes.row_max_en && number == 1);
    const Word columns = groups ? divide_up(form.n, group_columns(attributes.group_n_code)) : 1;
    if (Check broken =
            describe_result(bundle, {form.m, columns, columns}, form.sum_type, plan.results[number]))
      return broken;
  }
  for (unsigned number = 0; number < plan.count; ++number)
    plan.results[number].descriptor.allocation_mask &= holders;
  return passed;
}

constinit const Behaviour matrix_behaviour{.path = &matrix_path,
                                           .sources_defined = false,
                                           .plan = plan_matrix,
                                           .operands = matrix_call_operands,
                                           .run = run_matrix,
                                           .commit = commit_matrix};

}  // namespace pto::exec
