// The arithmetic of matrix blocks: sums of products, what B.FPATR makes of them, row and group maxima.
//
// Under pto-v0 a product is one of the operands' encodings, zero-extended. The published sums have 64 bits,
// of which nothing but the low 32 is ever looked at; the order of the terms does not matter. The maxima look
// at the sums before they are converted.
#include <vector>

#include "exec/tile/carriers.h"
#include "exec/tile/elements.h"
#include "exec/tile/gather.h"
#include "exec/tile/matrix.h"
#include "kernels/matrix_product.h"

namespace pto::exec {

using numeric::Valued;
using state::Tile;

namespace {

using Words32 = std::vector<std::uint32_t>;

// A row-major matrix of carriers without gaps, as an operand is stored: `bytes` bytes each.
struct Operand {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  unsigned bytes = 4;
  std::vector<std::uint8_t> carriers;
};

// The published text keeps these row-major tiles packed in carriers, and multiplies carriers: in place of
// element e it takes the whole 64-bit carrier e, of which sums keep 32 bits.
Operand read_packed(const Tile& tile, std::uint32_t rows, std::uint32_t columns, bool transposed) {
  Tile packed = tile;
  if (transposed) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column)
        packed.set_element(std::uint64_t{row} * columns + column, number_at(tile, column, row));
    }
  }
  const std::span<const std::uint8_t> payload = packed.storage.payload();
  const std::uint32_t stride = transposed ? columns : tile.columns;
  Operand operand{rows, columns, sizeof(std::uint32_t), {}};
  operand.carriers.resize(std::size_t{rows} * columns * operand.bytes);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint64_t byte = (std::uint64_t{row} * stride + column) * sizeof(Word);
      if (byte < payload.size())
        std::memcpy(operand.carriers.data() + (std::size_t{row} * columns + column) * operand.bytes,
                    payload.data() + byte, std::min<std::uint64_t>(operand.bytes, payload.size() - byte));
    }
  }
  return operand;
}

Operand read_operand(const Tile& tile, std::uint32_t rows, std::uint32_t columns, bool transposed) {
  if (keeps_carriers(tile)) return read_packed(tile, rows, columns, transposed);
  CarrierReader in(tile);
  Operand operand{rows, columns, in.bytes(), {}};
  const std::uint32_t stored_rows = transposed ? columns : rows;
  const std::uint32_t stored_columns = transposed ? rows : columns;
  const std::size_t row_bytes = std::size_t{stored_columns} * in.bytes();
  operand.carriers.resize(stored_rows * row_bytes);
  for (std::uint32_t row = 0; row < stored_rows; ++row)
    std::memcpy(operand.carriers.data() + row * row_bytes, in.row(row, 0, stored_columns), row_bytes);
  if (!transposed) return operand;
  std::vector<std::uint8_t> turned(operand.carriers.size());
  kernels::transpose(in.bytes(), operand.carriers.data(), stored_columns, turned.data(), columns, stored_rows,
                     stored_columns);
  operand.carriers = std::move(turned);
  return operand;
}

// The low 32 bits of every number; nothing looks at more of a sum.
Words32 low_words(const Operand& operand) {
  Words32 words(std::size_t{operand.rows} * operand.columns);
  kernels::with_carrier(operand.bytes, [&](auto carrier) {
    using T = decltype(carrier);
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] =
          static_cast<std::uint32_t>(kernels::load_carrier<T>(operand.carriers.data() + i * sizeof(T)));
  });
  return words;
}

// A matrix of words in row-major order.
struct Words {
  std::uint32_t columns = 0;
  std::vector<Word> values;
  Words(std::uint32_t rows, std::uint32_t columns_)
      : columns(columns_), values(std::size_t{rows} * columns_) {}
  [[nodiscard]] Word* row(std::uint32_t number) { return values.data() + std::size_t{number} * columns; }
  [[nodiscard]] const Word* row(std::uint32_t number) const {
    return values.data() + std::size_t{number} * columns;
  }
};

// Parameters are read whole.
Words read_words(const Tile& tile, std::uint32_t rows, std::uint32_t columns) {
  Words words(rows, columns);
  const ElementReader in(tile);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) words.row(row)[column] = in.read(row, column);
  }
  return words;
}

// Sums, in row-major order.
struct Sums {
  std::uint32_t columns = 0;
  Words32 values;
  [[nodiscard]] const std::uint32_t* row(std::uint32_t number) const {
    return values.data() + std::size_t{number} * columns;
  }
};

// The tiles of the operands in the order the block names them, Local and Shared.
class OperandTiles {
 public:
  explicit OperandTiles(const Bundle& bundle) : bundle_(bundle) {}
  const Tile& next(unsigned local, bool is_shared) {
    if (!is_shared) return bundle_.source(local);
    return bundle_.machine().shared_tiles[bundle_.block().shared_bindings[shared_++].shared_id].tile;
  }

 private:
  const Bundle& bundle_;
  unsigned shared_ = 0;
};

void add_products(const Bundle& bundle, const MatrixForm& form, Words32& sums) {
  const state::FixedPointAttributes& attributes = bundle.block().fixed_point_attributes;
  OperandTiles tiles(bundle);
  const kernels::Product shape{form.m, form.n, form.k};
  const Operand left = read_operand(tiles.next(form.left, form.left_shared), form.m, form.k,
                                    form.left_shared && attributes.trans_a);
  Words32 left_scales, right_scales;
  if (form.left_scaled)
    left_scales = low_words(
        read_operand(tiles.next(form.left_scale, form.left_shared), form.m, form.scale_blocks(), false));
  const Operand right = read_operand(tiles.next(form.right, form.right_shared), form.k, form.n,
                                     form.right_shared && attributes.trans_b);
  if (form.right_scaled)
    right_scales = low_words(
        read_operand(tiles.next(form.right_scale, form.right_shared), form.scale_blocks(), form.n, false));
  Words32 left_words = low_words(left);
  Words32 right_words = low_words(right);
  if (form.left_scaled) {
    for (std::size_t row = 0; row < form.m; ++row) {
      for (std::size_t inner = 0; inner < form.k; ++inner)
        left_words[row * form.k + inner] *= left_scales[row * form.scale_blocks() + inner / 32];
    }
  }
  if (form.right_scaled) {
    for (std::size_t inner = 0; inner < form.k; ++inner) {
      for (std::size_t column = 0; column < form.n; ++column)
        right_words[inner * form.n + column] *= right_scales[inner / 32 * form.n + column];
    }
  }
  kernels::accumulate_products(shape, left_words.data(), right_words.data(), sums.data());
}

Sums sums_of(const Bundle& bundle, const MatrixForm& form) {
  Sums sums{form.n, {}};
  if (form.accumulates) {
    sums.values = low_words(read_operand(bundle.source(form.accumulator), form.m, form.n, false));
  } else {
    sums.values.resize(std::size_t{form.m} * form.n);
  }
  add_products(bundle, form, sums.values);
  if (!form.biased) return sums;
  const Words32 bias = low_words(read_operand(bundle.source(form.bias), 1, form.n, false));
  for (std::size_t row = 0; row < form.m; ++row) {
    for (std::size_t column = 0; column < form.n; ++column)
      sums.values[row * form.n + column] += bias[column];
  }
  return sums;
}

numeric::reference::Control control_of(const Bundle& bundle) {
  using numeric::Rounding;
  constexpr Rounding encoded[] = {Rounding::RNE, Rounding::RNE, Rounding::RTZ, Rounding::RTM,
                                  Rounding::RTP, Rounding::RNA, Rounding::RTO, Rounding::RHB};
  return {encoded[bundle.attributes().rounding_mode & 7u], bundle.attributes().saturating};
}

// One parameter word for every column: from a tile, from B.IOR, or none.
Words parameters(const Bundle& bundle, const MatrixForm& form, unsigned tile, bool scalar, unsigned slot) {
  if (tile != MatrixForm::absent) return read_words(bundle.source(tile), 1, form.n);
  Words words(1, form.n);
  if (scalar && bundle.scalars().valid) {
    for (Word& word : words.values) word = bundle.scalar(slot);
  }
  return words;
}

// Sums that leave as they are.
void store_sums(Work& work, const MatrixForm& form, const Sums& sums) {
  CarrierWriter out(work.results[0]);
  for (std::uint32_t row = 0; row < form.m; ++row) {
    out.row(row, 0, form.n, [&](std::uint8_t* made) {
      std::memcpy(made, sums.row(row), std::size_t{form.n} * sizeof(std::uint32_t));
    });
  }
}

void convert_sums(Work& work, const MatrixForm& form, const Sums& sums) {
  const Bundle& bundle = work.bundle;
  const Words scales = parameters(bundle, form, form.output_scales, form.scalar_scale, 0);
  const Words slopes = parameters(bundle, form, form.slopes, form.scalar_slope, form.scalar_scale ? 1 : 0);
  const numeric::reference::Control control = control_of(bundle);
  const ElementWriter out(work.results[0]);
  for (std::uint32_t row = 0; row < form.m; ++row) {
    for (std::uint32_t column = 0; column < form.n; ++column) {
      const Valued made = numeric::reference::matrix_output(sums.row(row)[column], form.sum_type, form.output,
                                                            form.activation, scales.row(0)[column],
                                                            slopes.row(0)[column], control);
      out.write(row, column, made.value);
      work.flags |= made.flags;
    }
  }
}

void write_output(Work& work, const MatrixForm& form, const Sums& sums) {
  if (form.output == nullptr && form.activation == 0) {
    store_sums(work, form, sums);
  } else {
    convert_sums(work, form, sums);
  }
  define_valid_region(work.results[0]);
  work.results[0].location = state::TileLocation::Matrix;
}

// The maximum of `count` sums from `first` on.
Word maximum_of(Work& work, const MatrixForm& form, const std::uint32_t* first, std::uint32_t count) {
  const bool absolute = work.bundle.block().fixed_point_attributes.max_abs_en;
  Word value = first[0];
  const auto step = [&](Word current, Word candidate) {
    const Valued made = numeric::reference::matrix_maximum(current, candidate, absolute, form.sum_type);
    work.flags |= made.flags;
    return made.value;
  };
  if (absolute) value = step(value, value);
  for (std::uint32_t i = 1; i < count; ++i) value = step(value, first[i]);
  return value;
}

void write_row_maxima(Work& work, const MatrixForm& form, const Sums& sums, Tile& result) {
  const bool absolute = work.bundle.block().fixed_point_attributes.max_abs_en;
  const ElementWriter out(result);
  for (std::uint32_t row = 0; row < form.m; ++row) {
    Word value = maximum_of(work, form, sums.row(row), form.n);
    if (form.row_maximum != MatrixForm::absent) {
      const Word before = ElementReader(work.source(form.row_maximum)).read(row, 0);
      const Valued made = numeric::reference::matrix_maximum(before, value, absolute, form.sum_type);
      work.flags |= made.flags;
      value = made.value;
    }
    out.write(row, 0, value);
  }
  define_valid_region(result);
}

void write_group_maxima(Work& work, const MatrixForm& form, const Sums& sums, Tile& result) {
  const std::uint32_t group = group_columns(work.bundle.block().fixed_point_attributes.group_n_code);
  const ElementWriter out(result);
  for (std::uint32_t row = 0; row < form.m; ++row) {
    for (std::uint32_t column = 0; column < form.n; column += group)
      out.write(row, column / group,
                maximum_of(work, form, sums.row(row) + column, std::min(group, form.n - column)));
  }
  define_valid_region(result);
}

}  // namespace

Check run_matrix(Work& work) {
  const MatrixForm form(work.bundle);
  const state::FixedPointAttributes& attributes = work.bundle.block().fixed_point_attributes;
  const Sums sums = sums_of(work.bundle, form);
  write_output(work, form, sums);
  unsigned next = 1;
  if (attributes.row_max_en) write_row_maxima(work, form, sums, work.results[next++]);
  if (attributes.group_max_en) write_group_maxima(work, form, sums, work.results[next]);
  return passed;
}

void commit_matrix(const Work& work, state::Machine& machine) {
  if (work.bundle.call() != nullptr) return;
  for (unsigned number = 0; number < work.bundle.shared_bindings(); ++number)
    machine.block.shared_bindings[number].consumed = true;
}

}  // namespace pto::exec
