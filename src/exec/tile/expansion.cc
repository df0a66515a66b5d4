// A row or column of values spread over a whole tile, alone or combined with it (PTO-TROWEXPAND-CONTRACT-001
// and its siblings). Along rows the broadcast source is one column, along columns one row.
//
// EXPDIF is the exponential of a difference; its result may be FP32 where the sources are FP16 or BF16, which
// widen exactly.
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "kernels/combine.h"
#include "kernels/transform.h"
#include "kernels/words.h"
#include "numeric/exponential_difference.h"

namespace pto::exec {

using isa::TileAxis;
using isa::TileVariant;
using numeric::Valued;
using state::Tile;

namespace {

bool copies(const Bundle& bundle) { return bundle.operation()->variant == TileVariant::Copy; }
bool is_exponential(const Bundle& bundle) { return bundle.operation()->variant == TileVariant::ExpDif; }
unsigned broadcast_number(const Bundle& bundle) { return copies(bundle) ? 0 : 1; }

bool exponential_types_legal(ElementType source, ElementType result) {
  return source == result
             ? source == ElementType::FP16 || source == ElementType::BF16 || source == ElementType::FP32
             : result == ElementType::FP32 && (source == ElementType::FP16 || source == ElementType::BF16);
}

// The result type an EXPDIF block names: B.DATR's, where it has one.
std::optional<ElementType> exponential_result_type(const Bundle& bundle) {
  if (!bundle.attributes_present() || bundle.attributes().data_type == no_element_type_code)
    return bundle.operation_type();
  return element_type_of_code(bundle.attributes().data_type);
}

Check check_types(const Bundle& bundle) {
  const std::optional<ElementType> type = bundle.operation_type();
  if (!is_exponential(bundle))
    return need_type(bundle, numeric::type_sets::arithmetic, type.value_or(ElementType::HiF4X2));
  const std::optional<ElementType> result = exponential_result_type(bundle);
  if (type && result && exponential_types_legal(*type, *result)) return passed;
  return reject(rules::operation_type, bundle.pc(), "{} into {}", type ? name_of(*type) : "no type",
                result ? name_of(*result) : "no type");
}

Check need_expansion_source(const Bundle& bundle, unsigned number) {
  const Tile& tile = bundle.source(number);
  const OperandName name = operand_name(bundle, number);
  if (Check broken = need_encodings(bundle, tile, name)) return broken;
  if (tile.storage_kind != state::StorageKind::Numeric)
    return reject(rules::tile_numeric, bundle.pc(), "{} is a predicate", name);
  if (tile.data_type != bundle.operation_type())
    return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(tile.data_type));
  if (tile.layout != state::TileLayout::RowMajor)
    return reject(rules::tile_layout, bundle.pc(), "{} is {}", name, name_of(tile.layout));
  return passed;
}

Check need_shape(const Bundle& bundle, unsigned number, const ResultShape& shape) {
  const Tile& tile = bundle.source(number);
  if (tile.valid_rows == shape.valid_rows && tile.valid_columns == shape.valid_columns &&
      tile.columns == shape.columns)
    return passed;
  return reject(rules::tile_shape, bundle.pc(),
                "{} is {} valid rows by {} of {} columns: must be {} by {} of {}",
                operand_name(bundle, number), tile.valid_rows, tile.valid_columns, tile.columns,
                shape.valid_rows, shape.valid_columns, shape.columns);
}

Check need_divisors(const Bundle& bundle) {
  const bool divides = bundle.operation()->variant == TileVariant::Div;
  if (!divides || !numeric::is_integer(bundle.source(1).data_type) || payload_nonzero(bundle.source(1)))
    return passed;
  return reject(rules::divisor_zero, bundle.pc(), "{} holds a zero", operand_name(bundle, 1));
}

Check expansion_header(const Bundle& bundle) {
  const bool along_rows = bundle.operation()->axis == TileAxis::Row;
  const unsigned broadcast = broadcast_number(bundle);
  if (bundle.binding(0).source1_valid == copies(bundle))
    return reject(rules::binding_pattern, bundle.pc(), "{} takes {} sources", bundle.operation()->name,
                  broadcast + 1);
  if (Check broken = check_types(bundle)) return broken;
  if (Check broken = need_expansion_source(bundle, broadcast)) return broken;
  const ResultShape spread = along_rows ? ResultShape{bundle.valid_rows(), 1, 1}
                                        : ResultShape{1, bundle.valid_columns(), bundle.columns()};
  if (Check broken = need_shape(bundle, broadcast, spread)) return broken;
  if (copies(bundle)) return passed;
  if (Check broken = need_expansion_source(bundle, 0)) return broken;
  if (Check broken = need_shape(bundle, 0, {bundle.valid_rows(), bundle.valid_columns(), bundle.columns()}))
    return broken;
  return need_divisors(bundle);
}

Check plan_expansion(const Bundle& bundle, Plan& plan) {
  if (!is_exponential(bundle)) return planners::from_dimensions(bundle, plan);
  return plan_results(bundle, {bundle.valid_rows(), bundle.valid_columns(), bundle.columns()},
                      *exponential_result_type(bundle), plan);
}

Check need_result_type(const Work& work) {
  const Bundle& bundle = work.bundle;
  const ElementType result = work.result().data_type;
  const ElementType source = work.source(0).data_type;
  if (!is_exponential(bundle)) return need_type(bundle, numeric::type_sets::arithmetic, result);
  if (exponential_types_legal(source, result)) return passed;
  return reject(rules::operation_type, bundle.pc(), "{} into {}", name_of(source), name_of(result));
}

// A source holds row-major numbers of `type`; one that is only copied need not hold valid encodings.
Check need_spreadable(const Work& work, unsigned number, ElementType type) {
  const Bundle& bundle = work.bundle;
  const Tile& tile = work.source(number);
  const OperandName name = operand_name(bundle, number);
  if (Check broken = need_defined(bundle, tile, name)) return broken;
  if (Check broken = need_numeric(bundle, tile, name)) return broken;
  if (Check broken = need_row_major(bundle, tile, name)) return broken;
  if (tile.data_type != type)
    return reject(rules::tile_type, bundle.pc(), "{} holds {}: must hold {}", name, name_of(tile.data_type),
                  name_of(type));
  return copies(bundle) ? passed : need_encodings(bundle, tile, name);
}

Check expansion_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& result = work.result();
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_numeric(bundle, result, destination_name)) return broken;
  if (Check broken = need_row_major(bundle, result, destination_name)) return broken;
  if (result.valid_rows == 0 || result.valid_columns == 0)
    return reject(rules::tile_shape, bundle.pc(), "the destination has no valid element");
  if (Check broken = need_result_type(work)) return broken;
  const ElementType type = is_exponential(bundle) ? work.source(0).data_type : result.data_type;
  if (Check broken = need_spreadable(work, broadcast_number(bundle), type)) return broken;
  const bool along_rows = bundle.operation()->axis == TileAxis::Row;
  const ResultShape spread = along_rows ? ResultShape{result.valid_rows, 1, 1}
                                        : ResultShape{1, result.valid_columns, result.columns};
  if (Check broken = need_shape(bundle, broadcast_number(bundle), spread)) return broken;
  if (copies(bundle)) return passed;
  if (Check broken = need_spreadable(work, 0, type)) return broken;
  if (Check broken =
          need_same_shape(bundle, result, destination_name, work.source(0), operand_name(bundle, 0)))
    return broken;
  return need_divisors(bundle);
}

// A row of carriers as FP32.
void widen_row(ElementType from, const std::uint8_t* carriers, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i)
    kernels::store_carrier(
        out + i * sizeof(std::uint32_t),
        static_cast<std::uint32_t>(numeric::reference::widen_to_fp32(
            from, kernels::load_carrier<std::uint16_t>(carriers + i * sizeof(std::uint16_t)))));
}

// The mixed differences that the profile gives results of their own.
void mend_known_differences(const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                            std::uint8_t* made) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * sizeof(std::uint32_t);
    const Word known = numeric::reference::known_mixed_difference(
        kernels::load_carrier<std::uint32_t>(left + at), kernels::load_carrier<std::uint32_t>(right + at));
    if (known != 0) kernels::store_carrier(made + at, static_cast<std::uint32_t>(known));
  }
}

// exp(left - right), a row at a time: widened where the types differ, subtracted, and looked up in the
// profile.
void run_exponential(Work& work) {
  Tile& result = work.result();
  const ElementType from = work.source(0).data_type;
  const ElementType to = result.data_type;
  const bool along_rows = work.bundle.operation()->axis == TileAxis::Row;
  const std::size_t count = result.valid_columns;
  CarrierReader left(work.source(0));
  CarrierReader line(work.source(1));
  const ElementReader column(work.source(1));
  CarrierWriter out(result);
  const std::size_t bytes = kernels::carrier_bytes(to);
  std::vector<std::uint8_t> spread(count * kernels::carrier_bytes(from)), widened(count * bytes),
      widened_spread(count * bytes), difference(count * bytes);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    const std::uint64_t first = std::uint64_t{row} * result.columns;
    const std::uint8_t* numbers = left.run(first, count);
    if (along_rows) {
      kernels::count_up(kernels::carrier_bytes(from), column.read(row), 0, spread.data(), count);
    } else {
      std::memcpy(spread.data(), line.run(0, count), spread.size());
    }
    const std::uint8_t* subtrahends = spread.data();
    if (from != to) {
      widen_row(from, numbers, count, widened.data());
      widen_row(from, spread.data(), count, widened_spread.data());
      numbers = widened.data();
      subtrahends = widened_spread.data();
    }
    kernels::combine(numeric::BinaryOperation::Sub, to, numbers, subtrahends, difference.data(), count);
    out.run(first, count, [&](std::uint8_t* made) {
      work.flags |= kernels::transform(numeric::UnaryOperation::Exp, to, difference.data(), made, count);
      if (from != to) mend_known_differences(numbers, subtrahends, count, made);
    });
  }
}

void run_copies(Work& work) {
  Tile& result = work.result();
  const bool along_rows = work.bundle.operation()->axis == TileAxis::Row;
  const ElementReader column(work.source(0));
  CarrierReader line(work.source(0));
  CarrierWriter out(result);
  const std::size_t bytes = std::size_t{result.valid_columns} * kernels::carrier_bytes(result.data_type);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    const std::uint64_t first = std::uint64_t{row} * result.columns;
    if (along_rows) {
      fill(result, first, result.valid_columns, column.read(row));
    } else {
      out.run(first, result.valid_columns,
              [&](std::uint8_t* made) { std::memcpy(made, line.run(0, result.valid_columns), bytes); });
    }
  }
}

void run_arithmetic(Work& work, numeric::BinaryOperation operation) {
  Tile& result = work.result();
  const ElementType type = result.data_type;
  const bool along_rows = work.bundle.operation()->axis == TileAxis::Row;
  CarrierReader left(work.source(0));
  CarrierReader line(work.source(1));
  const ElementReader column(work.source(1));
  CarrierWriter out(result);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    const std::uint64_t first = std::uint64_t{row} * result.columns;
    const std::size_t count = result.valid_columns;
    out.run(first, count, [&](std::uint8_t* made) {
      const std::uint8_t* numbers = left.run(first, count);
      work.flags |= along_rows
                        ? kernels::combine_scalar(operation, type, numbers, column.read(row), made, count)
                        : kernels::combine(operation, type, numbers, line.run(0, count), made, count);
    });
  }
}

Check run_expansion(Work& work) {
  if (is_exponential(work.bundle)) {
    run_exponential(work);
  } else if (copies(work.bundle)) {
    run_copies(work);
  } else {
    run_arithmetic(work, binary_operation_of(*work.bundle.operation()));
  }
  define_valid_region(work.result());
  pad(work.result(), work.bundle.pad_value());
  return passed;
}

}  // namespace

constinit const Behaviour expand_behaviour{.path = &common_path,
                                           .header = {.shared_absent = true,
                                                      .scalars = ScalarRule::Absent,
                                                      .dimensions = DimensionRule::Shape,
                                                      .extra = expansion_header},
                                           .plan = plan_expansion,
                                           .operands = expansion_operands,
                                           .run = run_expansion};

}  // namespace pto::exec
