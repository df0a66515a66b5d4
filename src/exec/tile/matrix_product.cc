// The arithmetic of matrix blocks: sums of products, what B.FPATR makes of them, row and group maxima.
//
// Under pto-v0 a product is one of the operands' encodings, zero-extended, and a sum keeps 64 bits until it
// is stored; the order of the terms does not matter. The maxima look at the sums before they are converted.
#include <vector>

#include "exec/tile/elements.h"
#include "exec/tile/gather.h"
#include "exec/tile/matrix.h"

namespace pto::exec {

using numeric::Valued;
using state::Tile;

namespace {

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

// The published text keeps these row-major tiles packed in carriers, and multiplies carriers: in place of
// element e it takes the whole 64-bit carrier e.
Words read_carriers(const Tile& tile, std::uint32_t rows, std::uint32_t columns, bool transposed) {
  Tile packed = tile;
  if (transposed) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column)
        packed.set_element(std::uint64_t{row} * columns + column, number_at(tile, column, row));
    }
  }
  const std::span<const std::uint8_t> payload = packed.storage.payload();
  Words words(rows, columns);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint32_t stride = transposed ? columns : tile.columns;
      const std::uint64_t byte = (std::uint64_t{row} * stride + column) * sizeof(Word);
      if (byte < payload.size())
        std::memcpy(words.row(row) + column, payload.data() + byte,
                    std::min<std::uint64_t>(sizeof(Word), payload.size() - byte));
    }
  }
  return words;
}

Words read_words(const Tile& tile, std::uint32_t rows, std::uint32_t columns, bool transposed) {
  if (keeps_carriers(tile)) return read_carriers(tile, rows, columns, transposed);
  Words words(rows, columns);
  const ElementReader in(tile);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column)
      words.row(row)[column] = transposed ? in.read(column, row) : in.read(row, column);
  }
  return words;
}

// The operand matrices with their scales multiplied in.
struct Operands {
  Words left;
  Words right;
};

Operands read_operands(const Bundle& bundle, const MatrixForm& form) {
  const state::FixedPointAttributes& attributes = bundle.block().fixed_point_attributes;
  unsigned shared = 0;
  const bool transposed_left = form.left_shared && attributes.trans_a;
  const bool transposed_right = form.right_shared && attributes.trans_b;
  const auto next = [&](unsigned local, bool is_shared) -> const Tile& {
    if (!is_shared) return bundle.source(local);
    return bundle.machine().shared_tiles[bundle.block().shared_bindings[shared++].shared_id].tile;
  };
  Words left = read_words(next(form.left, form.left_shared), form.m, form.k, transposed_left);
  if (form.left_scaled) {
    const Words scales =
        read_words(next(form.left_scale, form.left_shared), form.m, form.scale_blocks(), false);
    for (std::uint32_t row = 0; row < form.m; ++row) {
      for (std::uint32_t inner = 0; inner < form.k; ++inner)
        left.row(row)[inner] *= scales.row(row)[inner / 32];
    }
  }
  Words right = read_words(next(form.right, form.right_shared), form.k, form.n, transposed_right);
  if (form.right_scaled) {
    const Words scales =
        read_words(next(form.right_scale, form.right_shared), form.scale_blocks(), form.n, false);
    for (std::uint32_t inner = 0; inner < form.k; ++inner) {
      for (std::uint32_t column = 0; column < form.n; ++column)
        right.row(inner)[column] *= scales.row(inner / 32)[column];
    }
  }
  return {std::move(left), std::move(right)};
}

Words sums_of(const Bundle& bundle, const MatrixForm& form) {
  const Operands operands = read_operands(bundle, form);
  Words sums = form.accumulates ? read_words(bundle.source(form.accumulator), form.m, form.n, false)
                                : Words(form.m, form.n);
  for (std::uint32_t row = 0; row < form.m; ++row) {
    Word* sum = sums.row(row);
    for (std::uint32_t inner = 0; inner < form.k; ++inner) {
      const Word factor = operands.left.row(row)[inner];
      const Word* right = operands.right.row(inner);
      for (std::uint32_t column = 0; column < form.n; ++column) sum[column] += factor * right[column];
    }
  }
  if (!form.biased) return sums;
  const Words bias = read_words(bundle.source(form.bias), 1, form.n, false);
  for (std::uint32_t row = 0; row < form.m; ++row) {
    for (std::uint32_t column = 0; column < form.n; ++column) sums.row(row)[column] += bias.row(0)[column];
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
  if (tile != MatrixForm::absent) return read_words(bundle.source(tile), 1, form.n, false);
  Words words(1, form.n);
  if (scalar && bundle.scalars().valid) {
    for (Word& word : words.values) word = bundle.scalar(slot);
  }
  return words;
}

void write_output(Work& work, const MatrixForm& form, const Words& sums) {
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
  define_valid_region(work.results[0]);
  work.results[0].location = state::TileLocation::Matrix;
}

// The maximum of `count` sums from `first` on.
Word maximum_of(Work& work, const MatrixForm& form, const Word* first, std::uint32_t count) {
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

void write_row_maxima(Work& work, const MatrixForm& form, const Words& sums, Tile& result) {
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

void write_group_maxima(Work& work, const MatrixForm& form, const Words& sums, Tile& result) {
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
  const Words sums = sums_of(work.bundle, form);
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
