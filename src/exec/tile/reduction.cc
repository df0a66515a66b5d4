// Folds along rows or columns (PTO-TROWSUM-CONTRACT-001 and its siblings).
//
// A fold runs in increasing order of its axis and never regroups: the order is part of the result. Sums and
// products start from their neutral element, the others from the first element. An index fold keeps the first
// winner.
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"

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

struct Folded {
  Word value = 0;
  std::uint32_t index = 0;
};

// Folds `count` elements; read(i) gives the i-th.
template <class Read>
Folded fold(TileVariant variant, numeric::BinaryOperation operation, ElementType type, std::uint32_t count,
            numeric::StatusFlags& flags, Read read) {
  const bool neutral = variant == TileVariant::Add || variant == TileVariant::Mul;
  Folded folded{variant == TileVariant::Add   ? 0
                : variant == TileVariant::Mul ? numeric::reference::one(type)
                                              : read(0),
                0};
  for (std::uint32_t i = neutral ? 0 : 1; i < count; ++i) {
    const Word value = read(i);
    const Valued next = numeric::reference::binary(operation, type, folded.value, value);
    if (next.value == value && next.value != folded.value) folded.index = i;
    folded.value = next.value;
    flags |= next.flags;
  }
  return folded;
}

Check run_reduction(Work& work) {
  const Tile& source = work.source(0);
  Tile& result = work.result();
  const isa::TileOperation& operation = *work.bundle.operation();
  const ElementReader in(source);
  const ElementWriter out(result);
  const ElementType type = source.data_type;
  const bool along_rows = operation.axis == TileAxis::Row;
  const std::uint32_t folds = along_rows ? source.valid_rows : source.valid_columns;
  const std::uint32_t length = along_rows ? source.valid_columns : source.valid_rows;
  const std::uint64_t step = along_rows ? 1 : source.columns;
  for (std::uint32_t number = 0; number < folds; ++number) {
    const std::uint64_t first = along_rows ? std::uint64_t{number} * source.columns : number;
    const Folded folded = fold(operation.variant, binary_operation_of(operation), type, length, work.flags,
                               [&](std::uint32_t i) { return in.read(first + i * step); });
    out.write(along_rows ? std::uint64_t{number} * result.columns : number,
              gives_index(operation.variant) ? folded.index : folded.value);
  }
  define_valid_region(result);
  pad(result, work.bundle.pad_value());
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
