// Elements moved as they are: concatenated, cut out, put in, transposed, padded, and picked by row number
// (PTO-TCONCAT-CONTRACT-001 and those of TEXTRACT, TINSERT, TTRANS, TFILLPAD, TGATHER and TSCATTER). Any
// layout goes; rows and columns are logical.
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"
#include "exec/tile/elements.h"
#include "kernels/row_numbers.h"

namespace pto::exec {

using numeric::TypeSet;
using state::Tile;

namespace {

constexpr TypeSet row_number_types =
    TypeSet::of("an integer of 16 to 64 bits", {ElementType::S16, ElementType::U16, ElementType::S32,
                                                ElementType::U32, ElementType::S64, ElementType::U64});

Check need_result_type(const Work& work, unsigned number) {
  if (work.source(number).data_type == work.result().data_type) return passed;
  return reject(rules::tile_type, work.bundle.pc(), "{} holds {}, the result {}",
                operand_name(work.bundle, number), name_of(work.source(number).data_type),
                name_of(work.result().data_type));
}

// The result is legal, of an accepted type, and every source is numeric and of that type.
Check need_movable(const Work& work, const TypeSet& types) {
  const Bundle& bundle = work.bundle;
  if (Check broken = need_descriptor(bundle, work.result(), destination_name)) return broken;
  if (Check broken = need_numeric(bundle, work.result(), destination_name)) return broken;
  for (unsigned number = 0; number < bundle.sources(); ++number) {
    const OperandName name = operand_name(bundle, number);
    if (Check broken = need_defined(bundle, work.source(number), name)) return broken;
    if (Check broken = need_numeric(bundle, work.source(number), name)) return broken;
    if (!numeric::type_sets::carriers.has(work.source(number).data_type)) {
      if (Check broken = need_encodings(bundle, work.source(number), name)) return broken;
    }
    if (Check broken = need_result_type(work, number)) return broken;
  }
  return need_type(bundle, types, work.result().data_type);
}

Check need_equal(const Work& work, std::string_view what, std::uint64_t is, std::uint64_t wanted) {
  if (is == wanted) return passed;
  return reject(rules::tile_shape, work.bundle.pc(), "{}: {}, must be {}", what, is, wanted);
}

// A dimension register as an offset; values beyond any tile count as zero.
std::uint32_t offset_of(const Bundle& bundle, unsigned number) {
  if (bundle.call() != nullptr) return number == 0 ? bundle.call()->natural0 : bundle.call()->natural1;
  const Word value = bundle.dimension(number);
  return value <= dimension_limit ? static_cast<std::uint32_t>(value) : 0;
}

// --- TCONCAT ---

Check concat_operands(const Work& work) {
  if (Check broken = need_movable(work, numeric::type_sets::movable)) return broken;
  const Tile& left = work.source(0);
  const Tile& right = work.source(1);
  if (left.valid_rows == 0)
    return reject(rules::tile_shape, work.bundle.pc(), "the left source has no valid row");
  if (Check broken = need_equal(work, "valid rows of the right source", right.valid_rows, left.valid_rows))
    return broken;
  if (Check broken = need_equal(work, "valid rows of the result", work.result().valid_rows, left.valid_rows))
    return broken;
  return need_equal(work, "valid columns of the result", work.result().valid_columns,
                    std::uint64_t{left.valid_columns} + right.valid_columns);
}

// Copies the valid region of `from` to (row, column) of the result.
void copy_valid(const Tile& from, Tile& to, std::uint32_t row, std::uint32_t column) {
  copy_area(from, 0, 0, to, {row, column, from.valid_rows, from.valid_columns});
}

Check run_concat(Work& work) {
  copy_valid(work.source(0), work.result(), 0, 0);
  copy_valid(work.source(1), work.result(), 0, work.source(0).valid_columns);
  define_valid_region(work.result());
  return passed;
}

// --- TEXTRACT and TINSERT ---

Check need_inside(const Work& work, const Tile& part, const Tile& whole) {
  const std::uint64_t row = offset_of(work.bundle, 0);
  const std::uint64_t column = offset_of(work.bundle, 1);
  if (row + part.valid_rows <= whole.valid_rows && column + part.valid_columns <= whole.valid_columns)
    return passed;
  return reject(rules::tile_shape, work.bundle.pc(), "{}x{} elements at row {}, column {} of {}x{}",
                part.valid_rows, part.valid_columns, row, column, whole.valid_rows, whole.valid_columns);
}

Check extract_operands(const Work& work) {
  if (Check broken = need_movable(work, numeric::type_sets::movable)) return broken;
  return need_inside(work, work.result(), work.source(0));
}

Check run_extract(Work& work) {
  Tile& result = work.result();
  copy_area(work.source(0), offset_of(work.bundle, 0), offset_of(work.bundle, 1), result,
            valid_region(result));
  define_valid_region(result);
  pad(result, work.bundle.pad_value());
  return passed;
}

Check insert_operands(const Work& work) {
  if (Check broken = need_movable(work, numeric::type_sets::movable)) return broken;
  if (Check broken = need_same_shape_and_type(work.bundle, work.result(), destination_name, work.source(0),
                                              operand_name(work.bundle, 0)))
    return broken;
  return need_inside(work, work.source(1), work.result());
}

Check run_insert(Work& work) {
  Tile& result = work.result();
  const std::size_t bytes = result.storage.payload_bytes();
  const std::size_t elements = result.storage.elements();
  result.storage = work.source(0).storage;
  result.storage.grow(bytes, elements);
  copy_valid(work.source(1), result, offset_of(work.bundle, 0), offset_of(work.bundle, 1));
  define_valid_region(result);
  return passed;
}

// --- TTRANS and TFILLPAD ---

Check transpose_operands(const Work& work) {
  if (Check broken = need_movable(work, numeric::type_sets::movable)) return broken;
  if (Check broken = need_equal(work, "valid rows of the result", work.result().valid_rows,
                                work.source(0).valid_columns))
    return broken;
  return need_equal(work, "valid columns of the result", work.result().valid_columns,
                    work.source(0).valid_rows);
}

Check run_transpose(Work& work) {
  Tile& result = work.result();
  const DenseRows source(work.source(0));
  const unsigned bytes = kernels::carrier_bytes(result.data_type);
  const std::size_t columns = result.valid_columns;
  std::vector<std::uint8_t> turned(result.valid_rows * columns * bytes);
  kernels::transpose(bytes, source.data(), source.stride(), turned.data(), columns, columns,
                     result.valid_rows);
  CarrierWriter out(result);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    out.row(row, 0, columns, [&](std::uint8_t* made) {
      std::memcpy(made, turned.data() + row * columns * bytes, columns * bytes);
    });
  }
  define_valid_region(result);
  return passed;
}

Check fill_pad_operands(const Work& work) {
  if (Check broken = need_movable(work, numeric::type_sets::carriers)) return broken;
  const Tile& result = work.result();
  const Tile& source = work.source(0);
  if (result.rows >= source.rows && result.columns >= source.columns &&
      result.valid_rows >= source.valid_rows && result.valid_columns >= source.valid_columns)
    return passed;
  return reject(rules::tile_shape, work.bundle.pc(), "{}x{} (valid {}x{}) does not cover {}x{} (valid {}x{})",
                result.rows, result.columns, result.valid_rows, result.valid_columns, source.rows,
                source.columns, source.valid_rows, source.valid_columns);
}

Check run_fill_pad(Work& work) {
  Tile& result = work.result();
  const Word padding = work.bundle.operand(isa::TileOperand::scalar0);
  fill(result, 0, std::uint64_t{result.rows} * result.columns, padding);
  copy_valid(work.source(0), result, 0, 0);
  define_everything(result);
  return passed;
}

// --- TGATHER and TSCATTER ---

// The row an index names; nothing when it is negative or not below `rows`.
std::optional<std::uint32_t> row_number(const ElementReader& indices, ElementType type, std::uint32_t row,
                                        std::uint32_t column, std::uint32_t rows) {
  const Word index = numeric::widened(type, indices.read(row, column));
  if (index >= rows) return std::nullopt;  // a negative index is a large number
  return static_cast<std::uint32_t>(index);
}

// The rows an index of its carrier may name: a signed one of 16 bits turns negative within the range of rows.
std::uint32_t nameable_rows(const Work& work, std::uint32_t rows) {
  return work.source(1).data_type == ElementType::S16 ? std::min(rows, 0x8000u) : rows;
}

Rejection bad_row(const Work& work, std::uint32_t row, std::uint32_t column, std::uint32_t rows) {
  return reject(rules::row_index, work.bundle.pc(), "index {:#x} at row {}, column {}: must be below {}",
                number_at(work.source(1), row, column), row, column, rows);
}

Check need_indices(const Work& work) {
  const Tile& indices = work.source(1);
  const OperandName name = operand_name(work.bundle, 1);
  if (!row_number_types.has(indices.data_type))
    return reject(rules::tile_type, work.bundle.pc(), "{} holds {}: must be {}", name,
                  name_of(indices.data_type), row_number_types.description);
  return need_encodings(work.bundle, indices, name);
}

Check need_values(const Work& work) {
  if (Check broken = need_descriptor(work.bundle, work.result(), destination_name)) return broken;
  if (Check broken = need_numeric(work.bundle, work.result(), destination_name)) return broken;
  for (const unsigned number : {0u, 1u}) {
    const OperandName name = operand_name(work.bundle, number);
    if (Check broken = need_descriptor(work.bundle, work.source(number), name)) return broken;
    if (Check broken = need_numeric(work.bundle, work.source(number), name)) return broken;
  }
  if (Check broken = need_type(work.bundle, numeric::type_sets::byte_addressed, work.source(0).data_type))
    return broken;
  if (Check broken = need_result_type(work, 0)) return broken;
  return need_indices(work);
}

Check gather_operands(const Work& work) {
  if (Check broken = need_values(work)) return broken;
  const Tile& result = work.result();
  const Tile& source = work.source(0);
  const Tile& indices = work.source(1);
  if (result.valid_rows == 0 || result.valid_columns == 0 || result.valid_rows != indices.valid_rows ||
      result.valid_columns != indices.valid_columns || source.valid_columns < result.valid_columns)
    return reject(rules::tile_shape, work.bundle.pc(), "result {}x{}, indices {}x{}, source {}x{}",
                  result.valid_rows, result.valid_columns, indices.valid_rows, indices.valid_columns,
                  source.valid_rows, source.valid_columns);
  return passed;
}

// Where the first bad index or undefined element is, and which it is.
Check gather_fault(const Work& work) {
  const Tile& source = work.source(0);
  const ElementReader indices(work.source(1));
  for (std::uint32_t row = 0; row < work.result().valid_rows; ++row) {
    for (std::uint32_t column = 0; column < work.result().valid_columns; ++column) {
      const auto from = row_number(indices, work.source(1).data_type, row, column, source.valid_rows);
      if (!from) return bad_row(work, row, column, source.valid_rows);
      if (!source.defined(state::storage_index(source, *from, column)))
        return reject(rules::tile_defined, work.bundle.pc(), "{} is undefined at row {}, column {}",
                      operand_name(work.bundle, 0), *from, column);
    }
  }
  return passed;
}

Check run_gather_rows(Work& work) {
  Tile& result = work.result();
  const Tile& source = work.source(0);
  // What is picked must be defined; a source that is defined all over needs no look at each element.
  const bool whole = valid_region_defined(source);
  if (!whole) {
    if (Check broken = gather_fault(work)) return broken;
  }
  const DenseRows values(source);
  CarrierReader indices(work.source(1));
  CarrierWriter out(result);
  bool in_range = true;
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    out.row(row, 0, result.valid_columns, [&](std::uint8_t* made) {
      in_range &= kernels::pick_rows(kernels::carrier_bytes(result.data_type), values.data(), values.stride(),
                                     nameable_rows(work, source.valid_rows),
                                     kernels::carrier_bytes(work.source(1).data_type),
                                     indices.row(row, 0, result.valid_columns), made, result.valid_columns);
    });
    if (!in_range) return gather_fault(work);
  }
  define_valid_region(result);
  return passed;
}

Check scatter_operands(const Work& work) {
  if (Check broken = need_values(work)) return broken;
  if (Check broken = need_defined(work.bundle, work.source(0), operand_name(work.bundle, 0))) return broken;
  const Tile& result = work.result();
  const Tile& source = work.source(0);
  const Tile& indices = work.source(1);
  if (source.valid_rows == 0 || source.valid_columns == 0 || source.valid_rows != indices.valid_rows ||
      source.valid_columns != indices.valid_columns || result.valid_rows == 0 ||
      result.valid_columns != source.valid_columns)
    return reject(rules::tile_shape, work.bundle.pc(), "result {}x{}, indices {}x{}, source {}x{}",
                  result.valid_rows, result.valid_columns, indices.valid_rows, indices.valid_columns,
                  source.valid_rows, source.valid_columns);
  return passed;
}

// Which index is out of range or names a place twice.
Check scatter_fault(const Work& work) {
  const Tile& result = work.result();
  const ElementReader indices(work.source(1));
  std::vector<bool> taken(std::size_t{result.valid_rows} * result.valid_columns);
  for (std::uint32_t row = 0; row < work.source(0).valid_rows; ++row) {
    for (std::uint32_t column = 0; column < result.valid_columns; ++column) {
      const auto to = row_number(indices, work.source(1).data_type, row, column, result.valid_rows);
      if (!to) return bad_row(work, row, column, result.valid_rows);
      auto slot = taken[std::size_t{*to} * result.valid_columns + column];
      if (slot)
        return reject(rules::row_unique, work.bundle.pc(), "row {} of column {} is named twice", *to, column);
      slot = true;
    }
  }
  return passed;
}

Check run_scatter_rows(Work& work) {
  Tile& result = work.result();
  const Tile& source = work.source(0);
  const unsigned bytes = kernels::carrier_bytes(result.data_type);
  const std::size_t columns = result.valid_columns;
  std::vector<std::uint8_t> spread(result.valid_rows * columns * bytes);
  std::vector<std::uint8_t> taken(result.valid_rows * columns);
  CarrierReader values(source);
  CarrierReader indices(work.source(1));
  for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
    if (!kernels::place_rows(bytes, values.row(row, 0, columns),
                             kernels::carrier_bytes(work.source(1).data_type), indices.row(row, 0, columns),
                             nameable_rows(work, result.valid_rows), taken.data(), spread.data(), columns))
      return scatter_fault(work);
  }
  fill(result, 0, std::uint64_t{result.rows} * result.columns, 0);
  CarrierWriter out(result);
  for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
    out.row(row, 0, columns, [&](std::uint8_t* made) {
      std::memcpy(made, spread.data() + row * columns * bytes, columns * bytes);
    });
  }
  define_everything(result);
  return passed;
}

}  // namespace

constinit const Behaviour concat_behaviour{
    .path = &common_path, .plan = planners::from_sources, .operands = concat_operands, .run = run_concat};
constinit const Behaviour extract_behaviour{
    .path = &common_path, .plan = planners::from_sources, .operands = extract_operands, .run = run_extract};
constinit const Behaviour insert_behaviour{
    .path = &common_path, .plan = planners::from_sources, .operands = insert_operands, .run = run_insert};
constinit const Behaviour transpose_behaviour{.path = &common_path,
                                              .plan = planners::from_sources,
                                              .operands = transpose_operands,
                                              .run = run_transpose};
constinit const Behaviour fill_pad_behaviour{
    .path = &common_path, .plan = planners::from_sources, .operands = fill_pad_operands, .run = run_fill_pad};
// TGATHER needs only what it picks to be defined.
constinit const Behaviour gather_rows_behaviour{.path = &common_path,
                                                .sources_defined = false,
                                                .plan = planners::from_sources,
                                                .operands = gather_operands,
                                                .run = run_gather_rows};
constinit const Behaviour scatter_rows_behaviour{.path = &common_path,
                                                 .plan = planners::from_sources,
                                                 .operands = scatter_operands,
                                                 .run = run_scatter_rows};

}  // namespace pto::exec
