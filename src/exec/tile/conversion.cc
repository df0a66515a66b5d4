// TCVT, TQUANT and TDEQUANT (PTO-TCVT-CONTRACT-001, PTO-TQUANT-CONTRACT-001, PTO-TDEQUANT-CONTRACT-001).
//
// BSTART names the source's type, B.DATR the result's; rounding and saturation come from B.DATR too.
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "exec/tile/operand_values.h"
#include "kernels/convert.h"

namespace pto::exec {

using isa::TileBehaviour;
using isa::TileOperand;
using numeric::Rounding;
using numeric::Valued;
using state::Tile;

namespace {

constexpr Word one_fp32 = 0x3f800000;

// What nobody decides is rounded to nearest even, from float to integer towards zero.
Rounding rounding_of(const Bundle& bundle, bool float_to_integer) {
  return bundle.rounding().value_or(float_to_integer ? Rounding::RTZ : Rounding::RNE);
}

// Converts the valid elements row by row, or all at once where rows follow each other: convert(in, out,
// count).
template <class Convert>
void convert_rows(Work& work, Convert convert) {
  const Tile& source = work.source(0);
  Tile& result = work.result();
  CarrierReader in(source);
  CarrierWriter out(result);
  const auto dense = [](const Tile& tile) {
    return tile.layout == state::TileLayout::RowMajor && fully_valid(tile);
  };
  if (dense(source) && dense(result) && source.columns == result.columns) {
    const std::size_t count = std::size_t{result.rows} * result.columns;
    out.run(0, count, [&](std::uint8_t* made) { work.flags |= convert(in.run(0, count), made, count); });
  } else {
    const std::size_t count = result.valid_columns;
    for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
      out.row(row, 0, count,
              [&](std::uint8_t* made) { work.flags |= convert(in.row(row, 0, count), made, count); });
    }
  }
  define_valid_region(result);
  result.location = state::TileLocation::Any;
}

// --- TCVT ---

Check need_convertible(const Bundle& bundle, ElementType from, ElementType to) {
  using enum ElementType;
  if (to != E8M0 || from == FP16 || from == BF16 || from == FP32) return passed;
  return reject(rules::operation_type, bundle.pc(), "{} into E8M0: must be FP16, BF16 or FP32",
                name_of(from));
}

// A source at Matrix location needs Canonicalize and stays row-major; any other is in the layout B.DATR
// converts from.
Check need_convertible_layout(const Bundle& bundle) {
  const Tile& source = bundle.source(0);
  const OperandName name = operand_name(bundle, 0);
  const bool at_matrix = source.location == state::TileLocation::Matrix;
  if (at_matrix != bundle.attributes().canonicalize)
    return reject(rules::tile_layout, bundle.pc(), "{} is at {}, Canonicalize is {}", name,
                  name_of(source.location), bundle.attributes().canonicalize);
  const bool fits = at_matrix
                        ? bundle.attributes().data_layout == 0 && source.layout == state::TileLayout::RowMajor
                        : source.layout == source_layout_of(bundle.attributes().data_layout);
  if (fits) return passed;
  return reject(rules::tile_layout, bundle.pc(), "{} is {}", name, name_of(source.layout));
}

Check convert_header(const Bundle& bundle) {
  const Tile& source = bundle.source(0);
  if (Check broken = need_encodings(bundle, source, operand_name(bundle, 0))) return broken;
  if (source.data_type != bundle.operation_type())
    return reject(rules::tile_type, bundle.pc(), "{} holds {}", operand_name(bundle, 0),
                  name_of(source.data_type));
  const std::optional<ElementType> to = bundle.effective_type();
  if (!to.has_value()) return reject(rules::type_known, bundle.pc(), "no result type");
  if (Check broken = need_convertible(bundle, source.data_type, *to)) return broken;
  return need_convertible_layout(bundle);
}

Check convert_operands(const Work& work) {
  const Tile& source = work.source(0);
  const Tile& result = work.result();
  const Bundle& bundle = work.bundle;
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_encodings(bundle, source, operand_name(bundle, 0))) return broken;
  if (Check broken = need_convertible(bundle, source.data_type, result.data_type)) return broken;
  if (Check broken = need_convertible_layout(bundle)) return broken;
  const state::TileLayout layout =
      source.location == state::TileLocation::Matrix ? state::TileLayout::RowMajor : bundle.layout();
  if (result.layout != layout)
    return reject(rules::tile_layout, bundle.pc(), "the destination is {}: must be {}",
                  name_of(result.layout), name_of(layout));
  if (result.rows == source.rows && result.columns == source.columns &&
      result.valid_rows == source.valid_rows && result.valid_columns == source.valid_columns)
    return passed;
  return reject(rules::tile_shape, bundle.pc(),
                "the result is {}x{} (valid {}x{}), the source {}x{} (valid {}x{})", result.rows,
                result.columns, result.valid_rows, result.valid_columns, source.rows, source.columns,
                source.valid_rows, source.valid_columns);
}

Check run_convert(Work& work) {
  const ElementType from = work.source(0).data_type;
  const ElementType to = work.result().data_type;
  const bool to_integer = numeric::is_float(from) && !numeric::is_float(to);
  const numeric::reference::Control control{rounding_of(work.bundle, to_integer), work.bundle.saturating()};
  convert_rows(work, [&](const std::uint8_t* in, std::uint8_t* out, std::size_t count) {
    return kernels::convert(from, to, control, in, out, count);
  });
  pad(work.result(), work.bundle.pad_value());
  return passed;
}

// --- TQUANT and TDEQUANT ---

bool quantizes(const Bundle& bundle) { return bundle.operation()->does == TileBehaviour::Quantize; }
bool is_byte(std::optional<ElementType> type) { return type == ElementType::S8 || type == ElementType::U8; }

Check quantize_header(const Bundle& bundle) {
  const state::DataAttributes& given = bundle.attributes();
  const std::optional<ElementType> from = bundle.operation_type();
  const std::optional<ElementType> to = element_type_of_code(given.data_type);
  if (!bundle.attributes_present() || !given.data_type_present || !to.has_value())
    return reject(rules::type_known, bundle.pc(), "B.DATR must name the result's type");
  if (given.comparison_mode != 0 || given.pad_value != 0 || given.canonicalize || given.data_layout != 0)
    return reject(rules::datr_field, bundle.pc(), "CMode, PadValue, Canonicalize or Layout is set");
  const bool types_fit = quantizes(bundle) ? from == ElementType::FP32 && is_byte(to)
                                           : is_byte(from) && to == ElementType::FP32 && !given.saturating;
  if (!types_fit)
    return reject(rules::operation_type, bundle.pc(), "{} into {}{}", from ? name_of(*from) : "no type",
                  name_of(*to), given.saturating ? ", saturating" : "");
  return passed;
}

Check need_quantizable(const Work& work) {
  const ElementType from = work.source(0).data_type;
  const ElementType to = work.result().data_type;
  const bool saturates = work.bundle.saturating();
  const bool fits = quantizes(work.bundle) ? from == ElementType::FP32 && is_byte(to)
                                           : is_byte(from) && to == ElementType::FP32 && !saturates;
  if (fits) return passed;
  return reject(rules::operation_type, work.bundle.pc(), "{} into {}{}", name_of(from), name_of(to),
                saturates ? ", saturating" : "");
}

Check quantize_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& source = work.source(0);
  const Tile& result = work.result();
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_numeric(bundle, result, destination_name)) return broken;
  if (Check broken = need_row_major(bundle, result, destination_name)) return broken;
  if (Check broken = need_encodings(bundle, source, name)) return broken;
  if (Check broken = need_numeric(bundle, source, name)) return broken;
  if (Check broken = need_row_major(bundle, source, name)) return broken;
  if (Check broken = need_quantizable(work)) return broken;
  if (result.valid_rows == 0 || result.valid_columns == 0 || result.valid_rows != source.valid_rows ||
      result.valid_columns != source.valid_columns)
    return reject(rules::tile_shape, bundle.pc(), "the result has {}x{} valid elements, the source {}x{}",
                  result.valid_rows, result.valid_columns, source.valid_rows, source.valid_columns);
  return need_quantization(bundle, bundle.operand(TileOperand::scalar0, one_fp32),
                           bundle.operand(TileOperand::scalar1),
                           quantizes(bundle) ? result.data_type : source.data_type);
}

Check run_quantize(Work& work) {
  const Bundle& bundle = work.bundle;
  const Word multiplier = bundle.operand(TileOperand::scalar0, one_fp32);
  const Word zero_point = bundle.operand(TileOperand::scalar1);
  const numeric::reference::Control control{rounding_of(bundle, false), bundle.saturating()};
  const ElementType from = work.source(0).data_type;
  const ElementType to = work.result().data_type;
  convert_rows(work, [&](const std::uint8_t* in, std::uint8_t* out, std::size_t count) {
    return quantizes(bundle) ? kernels::quantize(multiplier, zero_point, to, control, in, out, count)
                             : kernels::dequantize(multiplier, zero_point, from, control, in, out, count);
  });
  return passed;
}

}  // namespace

constinit const Behaviour convert_behaviour{.path = &common_path,
                                            .header = {.bindings = {BindingShape{1, true, true}},
                                                       .binding_count = 1,
                                                       .shared_absent = true,
                                                       .scalars = ScalarRule::Absent,
                                                       .dimensions = DimensionRule::Shape,
                                                       .extra = convert_header},
                                            .plan = planners::from_dimensions,
                                            .operands = convert_operands,
                                            .run = run_convert};

constinit const Behaviour quantize_behaviour{.path = &common_path,
                                             .header = {.bindings = {BindingShape{1, true, true}},
                                                        .binding_count = 1,
                                                        .shared_absent = true,
                                                        .dimensions = DimensionRule::Shape,
                                                        .sources = {SourceNeeds{.descriptor = true,
                                                                                .defined = true,
                                                                                .encodings = true,
                                                                                .operation_type = true,
                                                                                .row_major = true,
                                                                                .block_shape = true}},
                                                        .extra = quantize_header},
                                             .plan = planners::from_dimensions,
                                             .operands = quantize_operands,
                                             .run = run_quantize};

}  // namespace pto::exec
