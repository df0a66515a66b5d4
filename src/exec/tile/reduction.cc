// Folds along rows or columns (PTO-TROWSUM-CONTRACT-001 and its siblings).
//
// A fold runs in increasing order of its axis: the order is part of the result, and kernels/fold.h says why
// its kernels may regroup. Sums and products start from their neutral element, the others from the first
// element. An index fold keeps the first winner.
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "kernels/combine.h"
#include "kernels/fold.h"

namespace pto::exec {

using isa::TileAxis;
using isa::TileVariant;
using numeric::Valued;
using state::Tile;

namespace {

bool gives_index(TileVariant variant) {
  return variant == TileVariant::ArgMax || variant == TileVariant::ArgMin;
}

Check plan_reduction(const Bundle& bundle, Plan& plan) {
  const Tile& source = bundle.source(0);
  const bool along_rows = bundle.operation()->axis == TileAxis::Row;
  const ResultShape shape = along_rows ? ResultShape{source.valid_rows, 1, 1}
                                       : ResultShape{1, source.valid_columns, source.columns};
  return plan_results(bundle, shape,
                      gives_index(bundle.operation()->variant) ? ElementType::U32 : source.data_type, plan);
}

Check need_result_type(const Work& work) {
  const ElementType source = work.source(0).data_type;
  const ElementType result = work.result().data_type;
  const bool fits = gives_index(work.bundle.operation()->variant)
                        ? result == ElementType::U32 || result == ElementType::S32
                        : result == source;
  if (fits) return passed;
  return reject(rules::tile_type, work.bundle.pc(), "the destination holds {}, the source {}",
                name_of(result), name_of(source));
}

Check need_result_shape(const Work& work) {
  const Tile& source = work.source(0);
  const Tile& result = work.result();
  const bool fits =
      work.bundle.operation()->axis == TileAxis::Row
          ? result.columns == 1 && result.valid_columns == 1 && result.valid_rows == source.valid_rows
          : result.columns == source.columns && result.valid_rows == 1 &&
                result.valid_columns == source.valid_columns;
  if (fits) return passed;
  return reject(rules::tile_shape, work.bundle.pc(),
                "the destination has {} valid rows by {} of {} columns, the source {} by {} of {}",
                result.valid_rows, result.valid_columns, result.columns, source.valid_rows,
                source.valid_columns, source.columns);
}

Check reduction_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& source = work.source(0);
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_apart(bundle, 0, 0)) return broken;
  if (Check broken = need_descriptor(bundle, work.result(), destination_name)) return broken;
  if (Check broken = need_numeric(bundle, work.result(), destination_name)) return broken;
  if (Check broken = need_row_major(bundle, work.result(), destination_name)) return broken;
  if (Check broken = need_numeric(bundle, source, name)) return broken;
  if (Check broken = need_row_major(bundle, source, name)) return broken;
  if (source.valid_rows == 0 || source.valid_columns == 0)
    return reject(rules::tile_shape, bundle.pc(), "{} has no valid element", name);
  const numeric::TypeSet& types =
      gives_index(bundle.operation()->variant) ? numeric::type_sets::partial : numeric::type_sets::arithmetic;
  if (Check broken = need_type(bundle, types, source.data_type)) return broken;
  if (Check broken = need_encodings(bundle, source, name)) return broken;
  if (Check broken = need_result_type(work)) return broken;
  return need_result_shape(work);
}

using numeric::BinaryOperation;

// The place of the winner by the definition, for folds that meet NaNs: it moves whenever the value does.
std::uint32_t place_by_definition(Work& work, BinaryOperation operation, std::uint32_t count,
                                  std::uint64_t first, std::uint64_t step) {
  const ElementReader in(work.source(0));
  Word value = in.read(first);
  std::uint32_t place = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    const Word candidate = in.read(first + i * step);
    const Valued next = numeric::reference::binary(operation, work.source(0).data_type, value, candidate);
    if (next.value == candidate && next.value != value) place = i;
    value = next.value;
    work.flags |= next.flags;
  }
  return place;
}

void fold_rows(Work& work, BinaryOperation operation) {
  const Tile& source = work.source(0);
  CarrierReader in(source);
  const ElementWriter out(work.result());
  for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
    const std::uint8_t* numbers = in.run(std::uint64_t{row} * source.columns, source.valid_columns);
    const Valued folded = kernels::fold(operation, source.data_type, numbers, source.valid_columns);
    out.write(std::uint64_t{row} * work.result().columns, folded.value);
    work.flags |= folded.flags;
  }
}

kernels::Negatives negatives_of(const Work& work) {
  return work.bundle.errata().signed_elements ? kernels::Negatives::MovePlaces
                                              : kernels::Negatives::StayBehind;
}

void place_rows(Work& work, BinaryOperation operation) {
  const Tile& source = work.source(0);
  CarrierReader in(source);
  const ElementWriter out(work.result());
  for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
    const std::uint64_t first = std::uint64_t{row} * source.columns;
    const std::uint8_t* numbers = in.run(first, source.valid_columns);
    const bool plain = !kernels::survey(source.data_type, numbers, source.valid_columns).any_nan;
    out.write(std::uint64_t{row} * work.result().columns,
              plain ? kernels::place_of_extreme(operation, source.data_type, numbers, source.valid_columns,
                                                negatives_of(work))
                    : place_by_definition(work, operation, source.valid_columns, first, 1));
  }
}

void fold_columns(Work& work, BinaryOperation operation) {
  const Tile& source = work.source(0);
  const ElementType type = source.data_type;
  CarrierReader in(source);
  CarrierWriter out(work.result());
  out.run(0, source.valid_columns, [&](std::uint8_t* sums) {
    const std::uint8_t* first = in.run(0, source.valid_columns);
    std::memcpy(sums, first, std::size_t{source.valid_columns} * kernels::carrier_bytes(type));
    if (operation == BinaryOperation::Mul)
      kernels::combine_scalar(operation, type, first, numeric::reference::one(type), sums,
                              source.valid_columns);
    for (std::uint32_t row = 1; row < source.valid_rows; ++row) {
      work.flags |= kernels::accumulate(operation, type, sums,
                                        in.run(std::uint64_t{row} * source.columns, source.valid_columns),
                                        source.valid_columns);
    }
  });
}

void place_columns(Work& work, BinaryOperation operation) {
  const Tile& source = work.source(0);
  const ElementType type = source.data_type;
  CarrierReader in(source);
  const ElementWriter out(work.result());
  const std::uint8_t* first = in.run(0, source.valid_columns);
  std::vector<std::uint8_t> best(first,
                                 first + std::size_t{source.valid_columns} * kernels::carrier_bytes(type));
  std::vector<std::uint32_t> places(source.valid_columns, 0);
  bool any_nan = kernels::survey(type, first, source.valid_columns).any_nan;
  for (std::uint32_t row = 1; row < source.valid_rows && !any_nan; ++row) {
    const std::uint8_t* numbers = in.run(std::uint64_t{row} * source.columns, source.valid_columns);
    any_nan = numeric::is_float(type) && kernels::survey(type, numbers, source.valid_columns).any_nan;
    kernels::accumulate_places(operation, type, best.data(), places.data(), numbers, row,
                               source.valid_columns, negatives_of(work));
  }
  for (std::uint32_t column = 0; column < source.valid_columns; ++column) {
    out.write(column, any_nan
                          ? place_by_definition(work, operation, source.valid_rows, column, source.columns)
                          : places[column]);
  }
}

Check run_reduction(Work& work) {
  const isa::TileOperation& operation = *work.bundle.operation();
  const BinaryOperation arithmetic = binary_operation_of(operation);
  const bool along_rows = operation.axis == TileAxis::Row;
  if (gives_index(operation.variant)) {
    along_rows ? place_rows(work, arithmetic) : place_columns(work, arithmetic);
  } else {
    along_rows ? fold_rows(work, arithmetic) : fold_columns(work, arithmetic);
  }
  define_valid_region(work.result());
  pad(work.result(), work.bundle.pad_value());
  return passed;
}

}  // namespace

constinit const Behaviour reduce_behaviour{.path = &common_path,
                                           .header = {.bindings = {BindingShape{1, true, true}},
                                                      .binding_count = 1,
                                                      .shared_absent = true,
                                                      .scalars = ScalarRule::Absent,
                                                      .dimensions = DimensionRule::Shape,
                                                      .types = &numeric::type_sets::arithmetic,
                                                      .sources = {SourceNeeds{.descriptor = true,
                                                                              .defined = true,
                                                                              .encodings = true,
                                                                              .numeric = true,
                                                                              .operation_type = true,
                                                                              .row_major = true,
                                                                              .block_shape = true,
                                                                              .not_empty = true}}},
                                           .plan = plan_reduction,
                                           .operands = reduction_operands,
                                           .run = run_reduction};

}  // namespace pto::exec
