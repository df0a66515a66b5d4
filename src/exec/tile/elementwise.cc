// Operations that make each element of the result from the elements at the same place in their sources: two
// tiles, a tile and a scalar, one tile, three tiles, or a choice between two by a predicate.
//
// All of them work on tiles of one shape and layout, so an element has the same storage index everywhere.
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "exec/tile/regions.h"
#include "kernels/combine.h"
#include "numeric/reference_profile.h"

namespace pto::exec {

using numeric::BinaryOperation;
using numeric::UnaryOperation;
using numeric::Valued;
using numeric::type_sets::arithmetic;
using state::Tile;

namespace {

constexpr bool is_division(BinaryOperation operation) {
  return operation == BinaryOperation::Div || operation == BinaryOperation::Rem;
}
constexpr bool is_min_max(BinaryOperation operation) {
  return operation == BinaryOperation::Max || operation == BinaryOperation::Min;
}

void finish_elements(Work& work) {
  define_valid_region(work.result());
  pad(work.result(), work.bundle.pad_value());
}

// Makes the valid elements with make(storage index) and pads the rest.
template <class Make>
void make_elements(Work& work, Make make) {
  Tile& result = work.result();
  const ElementWriter out(result);
  for_each_run(result, valid_region(result),
               [&](std::uint32_t, std::uint32_t, std::uint64_t first, std::uint32_t count) {
                 for (std::uint64_t index = first; index < first + count; ++index) {
                   const Valued made = make(index);
                   work.flags |= made.flags;
                   out.write(index, made.value);
                 }
               });
  finish_elements(work);
}

// The kernel that computes an operation on a type exactly as the profile does; absent: element by element.
// Floating sums and products of the reference profile are those of the carriers.
std::optional<kernels::Combination> combination_of(BinaryOperation operation, ElementType type) {
  using kernels::Combination;
  if (numeric::is_four_bit(type)) return std::nullopt;
  const bool with_sign = numeric::is_signed(type);
  switch (operation) {
    case BinaryOperation::Add: return Combination::Add;
    case BinaryOperation::Sub: return Combination::Sub;
    case BinaryOperation::Mul: return Combination::Mul;
    case BinaryOperation::And: return Combination::And;
    case BinaryOperation::Or: return Combination::Or;
    case BinaryOperation::Xor: return Combination::Xor;
    case BinaryOperation::Max:
      if (numeric::is_float(type)) return std::nullopt;
      return with_sign ? Combination::MaxSigned : Combination::MaxUnsigned;
    case BinaryOperation::Min:
      if (numeric::is_float(type)) return std::nullopt;
      return with_sign ? Combination::MinSigned : Combination::MinUnsigned;
    default: return std::nullopt;
  }
}

// Whether a kernel may read every element of the result's shape straight from the storage.
bool holds_numbers_of(const Tile& source, const Tile& result) {
  const std::size_t bytes = std::size_t{result.rows} * result.columns * (element_bits(result.data_type) / 8);
  return source.storage_kind == state::StorageKind::Numeric && source.data_type == result.data_type &&
         source.storage.payload().size() >= bytes;
}

// Calls work(first byte, elements) for the valid part of every row, or once when rows follow each other.
template <class RowWork>
void for_each_valid_row(const Tile& tile, RowWork row_work) {
  const std::size_t bytes = element_bits(tile.data_type) / 8;
  if (tile.valid_columns == tile.columns) {
    row_work(std::size_t{0}, std::size_t{tile.valid_rows} * tile.columns);
    return;
  }
  for (std::size_t row = 0; row < tile.valid_rows; ++row)
    row_work(row * tile.columns * bytes, std::size_t{tile.valid_columns});
}

Check need_plain_numbers(const Work& work, unsigned number) {
  const OperandName name = operand_name(work.bundle, number);
  if (Check broken = need_numeric(work.bundle, work.source(number), name)) return broken;
  return need_row_major(work.bundle, work.source(number), name);
}

Check need_source_like_result(const Work& work, unsigned number) {
  return need_same_shape_and_type(work.bundle, work.result(), destination_name, work.source(number),
                                  operand_name(work.bundle, number));
}

Check need_divisors(const Work& work, unsigned number) {
  if (payload_nonzero(work.source(number))) return passed;
  return reject(rules::divisor_zero, work.bundle.pc(), "{} holds a zero", operand_name(work.bundle, number));
}

// --- Two tiles ---

Check binary_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const BinaryOperation operation = binary_operation_of(*bundle.operation());
  const ElementType type = work.source(0).data_type;
  if (Check broken = need_same_shape_and_type(bundle, work.source(0), operand_name(bundle, 0), work.source(1),
                                              operand_name(bundle, 1)))
    return broken;
  if (Check broken = need_source_like_result(work, 0)) return broken;
  if (Check broken = need_type(bundle, binary_types(operation), type)) return broken;
  if (Check broken = need_row_major(bundle, work.source(0), operand_name(bundle, 0))) return broken;
  if (is_min_max(operation) && numeric::is_float(type)) {
    for (const unsigned number : {0u, 1u}) {
      if (Check broken = need_encodings(bundle, work.source(number), operand_name(bundle, number)))
        return broken;
    }
  }
  if (is_division(operation) && numeric::is_integer(type)) return need_divisors(work, 1);
  return passed;
}

Check run_binary(Work& work) {
  const BinaryOperation operation = binary_operation_of(*work.bundle.operation());
  const ElementType type = work.result().data_type;
  const std::optional<kernels::Combination> combination = combination_of(operation, type);
  if (combination && holds_numbers_of(work.source(0), work.result()) &&
      holds_numbers_of(work.source(1), work.result())) {
    const std::uint8_t* left = work.source(0).storage.payload().data();
    const std::uint8_t* right = work.source(1).storage.payload().data();
    std::uint8_t* out = work.result().storage.mutable_payload().data();
    for_each_valid_row(work.result(), [&](std::size_t at, std::size_t count) {
      kernels::combine(*combination, element_bits(type) / 8, left + at, right + at, out + at, count);
    });
    finish_elements(work);
    return passed;
  }
  const ElementReader left(work.source(0));
  const ElementReader right(work.source(1));
  make_elements(work, [&](std::uint64_t index) {
    // Two-tile operations record no status.
    return Valued{numeric::reference::binary(operation, type, left.read(index), right.read(index)).value, 0};
  });
  return passed;
}

// --- A tile and a scalar ---

Word scalar_of(const Bundle& bundle, ElementType type) {
  return bundle.operand(isa::TileOperand::scalar0) & mask_of(element_bits(type));
}

Check check_scalar(const Bundle& bundle, BinaryOperation operation, ElementType type) {
  const Word scalar = scalar_of(bundle, type);
  if (!numeric::encoding_valid(type, scalar))
    return reject(rules::scalar_encoding, bundle.pc(), "{:#x} is not a {}", scalar, name_of(type));
  if (is_division(operation) && numeric::is_integer(type) && scalar == 0)
    return reject(rules::divisor_zero, bundle.pc(), "the scalar is zero");
  return passed;
}

Check scalar_header(const Bundle& bundle) {
  const BinaryOperation operation = binary_operation_of(*bundle.operation());
  const ElementType type = bundle.operation_type().value_or(ElementType::U64);
  if (Check broken = need_type(bundle, binary_types(operation), type)) return broken;
  return check_scalar(bundle, operation, type);
}

Check scalar_operands(const Work& work) {
  const BinaryOperation operation = binary_operation_of(*work.bundle.operation());
  const Tile& source = work.source(0);
  if (Check broken = need_source_like_result(work, 0)) return broken;
  if (Check broken = need_plain_numbers(work, 0)) return broken;
  if (Check broken = need_type(work.bundle, binary_types(operation), source.data_type)) return broken;
  if (Check broken = need_encodings(work.bundle, source, operand_name(work.bundle, 0))) return broken;
  return check_scalar(work.bundle, operation, source.data_type);
}

Check run_binary_scalar(Work& work) {
  const BinaryOperation operation = binary_operation_of(*work.bundle.operation());
  const ElementType type = work.result().data_type;
  const Word scalar = scalar_of(work.bundle, type);
  const std::optional<kernels::Combination> combination = combination_of(operation, type);
  if (combination && holds_numbers_of(work.source(0), work.result())) {
    const std::uint8_t* left = work.source(0).storage.payload().data();
    std::uint8_t* out = work.result().storage.mutable_payload().data();
    for_each_valid_row(work.result(), [&](std::size_t at, std::size_t count) {
      kernels::combine_scalar(*combination, element_bits(type) / 8, left + at, scalar, out + at, count);
    });
    finish_elements(work);
    return passed;
  }
  const ElementReader left(work.source(0));
  make_elements(work, [&](std::uint64_t index) {
    return numeric::reference::binary(operation, type, left.read(index), scalar);
  });
  return passed;
}

// --- One tile ---

Check unary_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const ElementType type = work.source(0).data_type;
  if (Check broken = need_source_like_result(work, 0)) return broken;
  if (Check broken = need_type(bundle, unary_types(unary_operation_of(*bundle.operation())), type))
    return broken;
  if (Check broken = need_row_major(bundle, work.source(0), operand_name(bundle, 0))) return broken;
  return numeric::is_float(type) ? need_encodings(bundle, work.source(0), operand_name(bundle, 0)) : Check{};
}

Check unary_header(const Bundle& bundle) {
  return need_type(bundle, unary_types(unary_operation_of(*bundle.operation())),
                   bundle.operation_type().value_or(ElementType::HiF4X2));
}

Check run_unary(Work& work) {
  const UnaryOperation operation = unary_operation_of(*work.bundle.operation());
  const ElementReader source(work.source(0));
  const ElementType type = work.result().data_type;
  make_elements(work, [&](std::uint64_t index) {
    return numeric::reference::unary(operation, type, source.read(index));
  });
  return passed;
}

// --- Three tiles ---

Check multiply_add_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const ElementType type = work.result().data_type;
  if (Check broken = need_type(bundle, arithmetic, type)) return broken;
  if (Check broken = need_row_major(bundle, work.result(), destination_name)) return broken;
  for (unsigned number = 0; number < 3; ++number) {
    const Tile& source = work.source(number);
    const OperandName name = operand_name(bundle, number);
    if (Check broken = need_same_shape(bundle, work.result(), destination_name, source, name)) return broken;
    if (source.data_type != type)
      return reject(rules::tile_type, bundle.pc(), "{} holds {}, the result {}", name,
                    name_of(source.data_type), name_of(type));
    if (numeric::is_float(type)) {
      if (Check broken = need_encodings(bundle, source, name)) return broken;
    }
  }
  return passed;
}

Check run_multiply_add(Work& work) {
  const ElementReader left(work.source(0));
  const ElementReader right(work.source(1));
  const ElementReader addend(work.source(2));
  const ElementType type = work.result().data_type;
  make_elements(work, [&](std::uint64_t index) {
    return numeric::reference::multiply_add(type, left.read(index), right.read(index), addend.read(index));
  });
  return passed;
}

// --- A choice by predicate ---

Check select_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& chosen = work.source(1);
  const OperandName name = operand_name(bundle, 1);
  if (Check broken = need_source_like_result(work, 1)) return broken;
  if (Check broken = need_plain_numbers(work, 1)) return broken;
  if (Check broken = need_type(bundle, arithmetic, chosen.data_type)) return broken;
  if (Check broken = need_defined(bundle, chosen, name)) return broken;
  if (Check broken = need_predicate(bundle, work.source(0), operand_name(bundle, 0))) return broken;
  return need_same_shape(bundle, work.source(0), operand_name(bundle, 0), chosen, name);
}

Check select_two_operands(const Work& work) {
  if (Check broken = select_operands(work)) return broken;
  if (Check broken = need_defined(work.bundle, work.source(2), operand_name(work.bundle, 2))) return broken;
  return need_source_like_result(work, 2);
}

Check run_select(Work& work) {
  const Tile& mask = work.source(0);
  const ElementReader where_set(work.source(1));
  const ElementReader where_clear(work.source(2));
  make_elements(work, [&](std::uint64_t index) {
    return Valued{mask.element(index) != 0 ? where_set.read(index) : where_clear.read(index), 0};
  });
  return passed;
}

Check run_select_scalar(Work& work) {
  const Tile& mask = work.source(0);
  const ElementReader where_set(work.source(1));
  const Word scalar = scalar_of(work.bundle, work.result().data_type);
  make_elements(work, [&](std::uint64_t index) {
    return Valued{mask.element(index) != 0 ? where_set.read(index) : scalar, 0};
  });
  return passed;
}

constexpr SourceNeeds whole_source{.descriptor = true,
                                   .defined = true,
                                   .encodings = true,
                                   .numeric = true,
                                   .operation_type = true,
                                   .row_major = true,
                                   .block_shape = true};
constexpr SourceNeeds selected_source{.defined = true,
                                      .numeric = true,
                                      .operation_type = true,
                                      .row_major = true,
                                      .block_shape = true,
                                      .matches_shape = 0};

}  // namespace

constinit const Behaviour binary_behaviour{.path = &common_path,
                                           .header = {.bindings = {BindingShape{2, true, true}},
                                                      .binding_count = 1,
                                                      .shared_absent = true,
                                                      .dimensions = DimensionRule::Shape,
                                                      .types = &arithmetic,
                                                      .row_major = true},
                                           .plan = planners::from_dimensions,
                                           .operands = binary_operands,
                                           .run = run_binary};

// The bitwise operations and shifts take their shape from their sources.
constinit const Behaviour binary_open_behaviour{
    .path = &common_path, .plan = planners::from_sources, .operands = binary_operands, .run = run_binary};

constinit const Behaviour binary_scalar_behaviour{.path = &common_path,
                                                  .header = {.bindings = {BindingShape{1, true, true}},
                                                             .binding_count = 1,
                                                             .shared_absent = true,
                                                             .dimensions = DimensionRule::Shape,
                                                             .row_major = true,
                                                             .sources = {whole_source},
                                                             .extra = scalar_header},
                                                  .plan = planners::from_dimensions,
                                                  .operands = scalar_operands,
                                                  .run = run_binary_scalar};

constinit const Behaviour unary_behaviour{.path = &common_path,
                                          .header = {.bindings = {BindingShape{1, true, true}},
                                                     .binding_count = 1,
                                                     .shared_absent = true,
                                                     .dimensions = DimensionRule::Shape,
                                                     .row_major = true,
                                                     .extra = unary_header},
                                          .plan = planners::from_dimensions,
                                          .operands = unary_operands,
                                          .run = run_unary};

// EXP, LOG, RECIP, SQRT and RSQRT take their shape from their source.
constinit const Behaviour unary_open_behaviour{
    .path = &common_path, .plan = planners::from_sources, .operands = unary_operands, .run = run_unary};

constinit const Behaviour multiply_add_behaviour{
    .path = &common_path,
    .header = {.bindings = {BindingShape{2, false, false}, BindingShape{1, true, true}},
               .binding_count = 2,
               .shared_absent = true,
               .scalars = ScalarRule::Absent,
               .dimensions = DimensionRule::Shape,
               .types = &arithmetic,
               .row_major = true},
    .plan = planners::from_dimensions,
    .operands = multiply_add_operands,
    .run = run_multiply_add};

constinit const Behaviour select_behaviour{
    .path = &common_path,
    .header = {.bindings = {BindingShape{2, false, false}, BindingShape{1, true, true}},
               .binding_count = 2,
               .shared_absent = true,
               .scalars = ScalarRule::Absent,
               .dimensions = DimensionRule::Shape,
               .types = &arithmetic,
               .sources = {SourceNeeds{.predicate = true}, selected_source,
                           SourceNeeds{.defined = true, .matches = 1}}},
    .plan = planners::from_dimensions,
    .operands = select_two_operands,
    .run = run_select};

constinit const Behaviour select_scalar_behaviour{
    .path = &common_path,
    .header = {.bindings = {BindingShape{2, true, true}},
               .binding_count = 1,
               .shared_absent = true,
               .dimensions = DimensionRule::Shape,
               .types = &arithmetic,
               .sources = {SourceNeeds{.predicate = true}, SourceNeeds{.descriptor = true,
                                                                       .defined = true,
                                                                       .encodings = true,
                                                                       .numeric = true,
                                                                       .operation_type = true,
                                                                       .row_major = true,
                                                                       .block_shape = true,
                                                                       .matches_shape = 0}}},
    .plan = planners::from_dimensions,
    .operands = select_operands,
    .run = run_select_scalar};

}  // namespace pto::exec
