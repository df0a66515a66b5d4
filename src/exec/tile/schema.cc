#include "exec/tile/schema.h"

#include "exec/tile/behaviour.h"
#include "exec/tile/operand_values.h"

namespace pto::exec {

using isa::TileOperand;
using state::TileBinding;

namespace checks {

Check fpatr_matrix_only(const Bundle& bundle) {
  if (!bundle.block().fixed_point_attributes.valid || bundle.matrix_block()) return passed;
  return reject(rules::fpatr_matrix_only, bundle.pc(), "{} is not a matrix operation",
                bundle.operation()->name);
}

Check scalar_surplus(const Bundle& bundle) {
  const state::ScalarBinding& bound = bundle.scalars();
  if (!bound.valid) return passed;
  const unsigned inputs = bundle.scalar_inputs();
  const unsigned registers[] = {bound.source0, bound.source1, bound.source2};
  for (unsigned slot = inputs; slot < 3; ++slot) {
    if (registers[slot] != 0) {
      return reject(rules::scalar_surplus, bundle.pc(), "RegSrc{} is {}; {} uses {} of the three", slot,
                    registers[slot], bundle.operation()->name, inputs);
    }
  }
  if (bound.destination != 0)
    return reject(rules::scalar_surplus, bundle.pc(), "RegDst is {}", bound.destination);
  return passed;
}

Check bindings_complete(const Bundle& bundle) {
  const isa::TileOperation& operation = *bundle.operation();
  if (bundle.destinations() != operation.operands.destinations()) {
    return reject(rules::destination_count, bundle.pc(), "{} destinations bound, {} wants {}",
                  bundle.destinations(), operation.name, operation.operands.destinations());
  }
  if (bundle.sources() != operation.operands.sources()) {
    return reject(rules::source_count, bundle.pc(), "{} sources bound, {} wants {}", bundle.sources(),
                  operation.name, operation.operands.sources());
  }
  if (Check broken = stream_terminated(bundle)) return broken;
  return scalar_surplus(bundle);
}

Check stream_terminated(const Bundle& bundle) {
  bool ended = false;
  for (const TileBinding& bound : bundle.block().tile_bindings) {
    if (!bound.valid) continue;
    if (ended) return reject(rules::stream_terminated, bundle.pc(), "a B.IOT follows the one marked last");
    ended = bound.last;
  }
  if (bundle.tile_bindings() != 0 && !ended)
    return reject(rules::stream_terminated, bundle.pc(), "no B.IOT is marked last");
  return passed;
}

Check scalar_values(const Bundle& bundle) {
  if (!bundle.scalars().valid) return passed;
  const isa::TileOperation& operation = *bundle.operation();
  if (Check broken = quantization_scalars(bundle)) return broken;
  if (operation.operands.has(TileOperand::flag0)) {
    const Word flag = bundle.scalar(bundle.scalar_slot(TileOperand::flag0));
    if (flag > 1) return reject(rules::scalar_value, bundle.pc(), "the flag is {}: must be 0 or 1", flag);
  }
  if (operation.operands.has(TileOperand::diagonal)) {
    const auto diagonal = static_cast<std::int64_t>(bundle.scalar(bundle.scalar_slot(TileOperand::diagonal)));
    if (diagonal < -65535 || diagonal > 65535)
      return reject(rules::scalar_value, bundle.pc(), "the diagonal is {}: must be -65535 to 65535",
                    diagonal);
  }
  return passed;
}

Check datr_fields(const Bundle& bundle) {
  if (!bundle.attributes_present()) return passed;
  const isa::TileOperation& operation = *bundle.operation();
  const isa::DatrContract& reads = operation.datr;
  const state::DataAttributes& given = bundle.attributes();
  const auto unused = [&](std::string_view field, unsigned value) {
    return reject(rules::datr_field, bundle.pc(), "{} is {}, which {} does not use", field, value,
                  operation.name);
  };
  if (given.comparison_mode != 0 && !reads.comparison_mode) return unused("CMode", given.comparison_mode);
  if (given.pad_value != 0 && !reads.pad) return unused("PadValue", given.pad_value);
  if (given.saturating && !reads.saturating) return unused("Sat", 1);
  if (given.canonicalize && !reads.canonicalize) return unused("Canonicalize", 1);
  if (given.data_type != 0 && !reads.data_type) return unused("DataType", given.data_type);
  if (given.rounding_mode != 0 && !reads.rounding_mode) return unused("RMode", given.rounding_mode);
  if (given.data_layout != 0 && !reads.layout) return unused("Layout", given.data_layout);
  // Ordinary transfers leave no padding: only a conversion to a CUBE layout does.
  const bool transfer =
      operation.does == isa::TileBehaviour::Load || operation.does == isa::TileBehaviour::Store;
  if (transfer && !is_cube_conversion(given.data_layout) && given.pad_value != 0)
    return unused("PadValue", given.pad_value);
  if (given.pad_value != 0 && reads.pad_union == isa::PadUnion::MustZero)
    return unused("PadValue", given.pad_value);
  return passed;
}

Check masks_equal(const Bundle& bundle) {
  const TileBinding* first = nullptr;
  for (const TileBinding& bound : bundle.block().tile_bindings) {
    if (!bound.valid) continue;
    if (first != nullptr && bound.pe_mask != first->pe_mask) {
      return reject(rules::masks_equal, bundle.pc(), "one B.IOT names PEs {:04b}, another {:04b}",
                    first->pe_mask, bound.pe_mask);
    }
    first = &bound;
  }
  return passed;
}

Check shared_absent(const Bundle& bundle) {
  if (bundle.shared_bindings() == 0) return passed;
  return reject(rules::shared_unused, bundle.pc(), "{} B.IOS with {}", bundle.shared_bindings(),
                bundle.operation()->name);
}

Check scalar_required(const Bundle& bundle) {
  if (bundle.scalars().valid) return passed;
  return reject(rules::scalar_required, bundle.pc(), "{} without B.IOR", bundle.operation()->name);
}

Check header(const Bundle& bundle) {
  const Behaviour* behaviour = behaviour_of(*bundle.operation());
  return behaviour == nullptr ? Check{} : check_header(bundle, behaviour->header);
}

namespace {

Check dimension_in_range(const Bundle& bundle, unsigned number) {
  if (!bundle.dimension_present(number) || dimension_legal(bundle.dimension(number))) return passed;
  return reject(rules::dimension_range, bundle.pc(), "LB{} is {}", number, bundle.dimension(number));
}

}  // namespace

Check dimensions(const Bundle& bundle, DimensionRule rule) {
  if (rule == DimensionRule::Any) return passed;
  if (rule == DimensionRule::Absent) {
    for (unsigned number = 0; number < state::dimension_count; ++number) {
      if (bundle.dimension_present(number))
        return reject(rules::dimension_absent, bundle.pc(), "LB{}", number);
    }
    return passed;
  }
  if (!bundle.dimension_present(0)) return reject(rules::dimension_required, bundle.pc(), "LB0 is missing");
  for (unsigned number = 0; number < state::dimension_count; ++number) {
    if (Check broken = dimension_in_range(bundle, number)) return broken;
  }
  if (rule == DimensionRule::Shape) return passed;
  if (bundle.columns() < bundle.valid_columns()) {
    return reject(rules::dimension_value, bundle.pc(), "LB2 is {}, below LB0, which is {}", bundle.columns(),
                  bundle.valid_columns());
  }
  if (rule == DimensionRule::Sequence && bundle.valid_rows() != 1)
    return reject(rules::dimension_value, bundle.pc(), "LB1 is {}: must be 1", bundle.valid_rows());
  const Word columns = bundle.columns();
  if (rule == DimensionRule::Indexed && (columns & (columns - 1)) != 0)
    return reject(rules::dimension_value, bundle.pc(), "Col is {}: must be a power of two", columns);
  return passed;
}

}  // namespace checks

namespace {

Check check_bindings(const Bundle& bundle, const Header& header) {
  if (header.binding_count == 0) return passed;
  if (bundle.tile_bindings() != header.binding_count) {
    return reject(rules::binding_pattern, bundle.pc(), "{} B.IOT, {} wants {}", bundle.tile_bindings(),
                  bundle.operation()->name, header.binding_count);
  }
  for (unsigned number = 0; number < header.binding_count; ++number) {
    const BindingShape& wanted = header.bindings[number];
    const TileBinding& bound = bundle.binding(number);
    const bool fits = bound.destination_valid == wanted.destination && bound.last == wanted.last &&
                      bound.source0_valid == (wanted.sources >= 1) &&
                      bound.source1_valid == (wanted.sources >= 2) &&
                      !(wanted.destination && bound.destination_allocated_by_bundle);
    if (!fits) {
      return reject(rules::binding_pattern, bundle.pc(),
                    "B.IOT {} must have {} source{}, {} destination and {}be last", number, wanted.sources,
                    wanted.sources == 1 ? "" : "s", wanted.destination ? "a" : "no",
                    wanted.last ? "" : "not ");
    }
    if (wanted.destination && !size_code_legal(bound.destination_size, bundle.release())) {
      return reject(rules::size_code, bundle.pc(), "size code {}: must be 1 to {}", bound.destination_size,
                    largest_size_code(bundle.release()));
    }
  }
  return passed;
}

Check check_scalars_and_attributes(const Bundle& bundle, const Header& header) {
  if (header.scalars == ScalarRule::Absent && bundle.scalars().valid)
    return reject(rules::scalar_absent, bundle.pc(), "B.IOR with {}", bundle.operation()->name);
  if (header.scalars == ScalarRule::Required) {
    if (Check broken = checks::scalar_required(bundle)) return broken;
  }
  if (header.datr_absent && bundle.attributes_present())
    return reject(rules::datr_absent, bundle.pc(), "B.DATR with {}", bundle.operation()->name);
  if (header.comparison && bundle.attributes().comparison_mode > 5)
    return reject(rules::comparison_mode, bundle.pc(), "CMode is {}", bundle.attributes().comparison_mode);
  return checks::dimensions(bundle, header.dimensions);
}

Check check_type_and_layout(const Bundle& bundle, const Header& header) {
  if (header.types != nullptr) {
    const std::optional<ElementType> type = bundle.operation_type();
    if (!type.has_value()) return reject(rules::operation_type, bundle.pc(), "the block names no type");
    if (Check broken = need_type(bundle, *header.types, *type)) return broken;
  }
  if (header.row_major && bundle.layout() != state::TileLayout::RowMajor)
    return reject(rules::operation_layout, bundle.pc(), "the layout is {}", name_of(bundle.layout()));
  return passed;
}

Check check_source_shape(const Bundle& bundle, const SourceNeeds& needs, const state::Tile& tile,
                         const OperandName& name) {
  if (needs.not_empty && (tile.valid_rows == 0 || tile.valid_columns == 0))
    return reject(rules::tile_shape, bundle.pc(), "{} has no valid element", name);
  if (needs.block_shape &&
      (tile.valid_rows != bundle.valid_rows() || tile.valid_columns != bundle.valid_columns() ||
       tile.columns != bundle.columns())) {
    return reject(rules::tile_shape, bundle.pc(),
                  "{} is {} valid rows by {} of {} columns, the block says {} by {} of {}", name,
                  tile.valid_rows, tile.valid_columns, tile.columns, bundle.valid_rows(),
                  bundle.valid_columns(), bundle.columns());
  }
  return passed;
}

Check check_source(const Bundle& bundle, const SourceNeeds& needs, unsigned number) {
  const state::Tile& tile = bundle.source(number);
  const OperandName name = operand_name(bundle, number);
  if (needs.predicate) {
    if (Check broken = need_predicate(bundle, tile, name)) return broken;
  }
  if (needs.descriptor) {
    if (Check broken = need_descriptor(bundle, tile, name)) return broken;
  }
  if (needs.numeric && tile.storage_kind != state::StorageKind::Numeric)
    return reject(rules::tile_numeric, bundle.pc(), "{} is a predicate", name);
  if (needs.operation_type && tile.data_type != bundle.operation_type())
    return reject(rules::tile_type, bundle.pc(), "{} holds {}", name, name_of(tile.data_type));
  if (needs.row_major && tile.layout != state::TileLayout::RowMajor)
    return reject(rules::tile_layout, bundle.pc(), "{} is {}", name, name_of(tile.layout));
  if (needs.defined) {
    if (Check broken = need_defined(bundle, tile, name)) return broken;
  }
  if (needs.encodings) {
    if (Check broken = need_encodings(bundle, tile, name)) return broken;
  }
  if (Check broken = check_source_shape(bundle, needs, tile, name)) return broken;
  if (needs.matches >= 0) {
    const auto other = static_cast<unsigned>(needs.matches);
    return need_same_shape_and_type(bundle, bundle.source(other), operand_name(bundle, other), tile, name);
  }
  if (needs.matches_shape >= 0) {
    const auto other = static_cast<unsigned>(needs.matches_shape);
    return need_same_shape(bundle, bundle.source(other), operand_name(bundle, other), tile, name);
  }
  return passed;
}

}  // namespace

Check check_header(const Bundle& bundle, const Header& header) {
  if (Check broken = check_bindings(bundle, header)) return broken;
  if (header.shared_absent) {
    if (Check broken = checks::shared_absent(bundle)) return broken;
  }
  if (Check broken = check_scalars_and_attributes(bundle, header)) return broken;
  if (Check broken = check_type_and_layout(bundle, header)) return broken;
  for (unsigned number = 0; number < header.sources.size() && number < bundle.sources(); ++number) {
    if (Check broken = check_source(bundle, header.sources[number], number)) return broken;
  }
  return header.extra == nullptr ? Check{} : header.extra(bundle);
}

}  // namespace pto::exec
