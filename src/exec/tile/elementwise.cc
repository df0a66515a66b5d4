// Operations that make each element of the result from the elements at the same place in their sources: two
// tiles, a tile and a scalar, one tile, three tiles, or a choice between two by a predicate.
//
// All of them work on tiles of one shape and layout, so an element has the same storage index everywhere.
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "kernels/combine.h"
#include "kernels/predicate.h"
#include "kernels/transform.h"
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

// Makes the valid elements with kernels, each by the run: make(storage index, carriers, out).
template <class Make>
void make_runs(Work& work, Make make) {
  CarrierWriter out(work.result());
  for_each_span(work.result(), [&](std::uint64_t first, std::size_t count) {
    out.run(first, count, [&](std::uint8_t* made) { make(first, count, made); });
  });
  finish_elements(work);
}

Check need_plain_numbers(const Work& work, unsigned number) {
  const OperandName name = operand_name(work.bundle, number);
  if (Check broken = need_numeric(work.bundle, work.source(number), name)) return broken;
  return need_elementwise_layout(work.bundle, work.source(number), name);
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
  // A plain call takes carriers of any type in any layout, but does not divide just anything.
  if (!bundle.plain_call() || is_division(operation)) {
    if (Check broken = need_type(bundle, binary_types(operation), type)) return broken;
  }
  if (!bundle.plain_call()) {
    if (Check broken = need_elementwise_layout(bundle, work.source(0), operand_name(bundle, 0)))
      return broken;
  }
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
  if (kernels::combines(operation, type)) {
    CarrierReader left(work.source(0));
    CarrierReader right(work.source(1));
    // Two-tile operations record no status.
    make_runs(work, [&](std::uint64_t first, std::size_t count, std::uint8_t* made) {
      kernels::combine(operation, type, left.run(first, count), right.run(first, count), made, count);
    });
    return passed;
  }
  const ElementReader left(work.source(0));
  const ElementReader right(work.source(1));
  make_elements(work, [&](std::uint64_t index) {
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
  if (kernels::combines(operation, type)) {
    CarrierReader left(work.source(0));
    make_runs(work, [&](std::uint64_t first, std::size_t count, std::uint8_t* made) {
      work.flags |= kernels::combine_scalar(operation, type, left.run(first, count), scalar, made, count);
    });
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
  if (!bundle.plain_call()) {
    if (Check broken = need_elementwise_layout(bundle, work.source(0), operand_name(bundle, 0)))
      return broken;
  }
  return numeric::is_float(type) ? need_encodings(bundle, work.source(0), operand_name(bundle, 0)) : Check{};
}

Check unary_header(const Bundle& bundle) {
  return need_type(bundle, unary_types(unary_operation_of(*bundle.operation())),
                   bundle.operation_type().value_or(ElementType::HiF4X2));
}

Check run_unary(Work& work) {
  const UnaryOperation operation = unary_operation_of(*work.bundle.operation());
  const ElementType type = work.result().data_type;
  if (kernels::transforms(type)) {
    CarrierReader source(work.source(0));
    make_runs(work, [&](std::uint64_t first, std::size_t count, std::uint8_t* made) {
      work.flags |= kernels::transform(operation, type, source.run(first, count), made, count);
    });
    return passed;
  }
  const ElementReader source(work.source(0));
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
  if (Check broken = need_elementwise_layout(bundle, work.result(), destination_name)) return broken;
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
  CarrierReader left(work.source(0));
  CarrierReader right(work.source(1));
  CarrierReader addend(work.source(2));
  make_runs(work, [&](std::uint64_t first, std::size_t count, std::uint8_t* made) {
    work.flags |= kernels::multiply_add(work.result().data_type, left.run(first, count),
                                        right.run(first, count), addend.run(first, count), made, count);
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

// The bits of a predicate with an element each; a storage that is too short is read as zeros.
class PredicateBits {
 public:
  explicit PredicateBits(const Tile& tile) : payload_(tile.storage.payload()) {
    const std::size_t bytes = divide_up<std::size_t>(std::size_t{tile.rows} * tile.columns, 8);
    if (payload_.size() >= bytes) return;
    copy_.assign(bytes, 0);
    std::copy(payload_.begin(), payload_.end(), copy_.begin());
    payload_ = copy_;
  }
  [[nodiscard]] const std::uint8_t* data() const { return payload_.data(); }

 private:
  std::span<const std::uint8_t> payload_;
  std::vector<std::uint8_t> copy_;
};

Check run_select(Work& work) {
  const PredicateBits mask(work.source(0));
  CarrierReader where_set(work.source(1));
  CarrierReader where_clear(work.source(2));
  const unsigned bytes = kernels::carrier_bytes(work.result().data_type);
  make_runs(work, [&](std::uint64_t first, std::size_t count, std::uint8_t* made) {
    kernels::choose(bytes, mask.data(), first, where_set.run(first, count), where_clear.run(first, count),
                    made, count);
  });
  return passed;
}

Check run_select_scalar(Work& work) {
  const PredicateBits mask(work.source(0));
  CarrierReader where_set(work.source(1));
  const Word scalar = scalar_of(work.bundle, work.result().data_type);
  const unsigned bytes = kernels::carrier_bytes(work.result().data_type);
  make_runs(work, [&](std::uint64_t first, std::size_t count, std::uint8_t* made) {
    kernels::choose_scalar(bytes, mask.data(), first, where_set.run(first, count), scalar, made, count);
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
