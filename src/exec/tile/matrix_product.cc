// The arithmetic of matrix blocks: sums of products, what B.FPATR makes of them, row and group maxima.
//
// Under pto-v0 a product is one of the operands' encodings, integers extended by their sign or, as a recorded
// state has them, by zeros (erratum signed-elements). The published sums have 64 bits,
// of which nothing but the low 32 is ever looked at; the order of the terms does not matter. The maxima look
// at the sums before they are converted.
#include <vector>

#include "exec/tile/carriers.h"
#include "exec/tile/elements.h"
#include "exec/tile/gather.h"
#include "exec/tile/matrix.h"
#include "exec/tile/shared_views.h"
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
  bool with_sign = false;  // the numbers are to be extended so
  std::vector<std::uint8_t> carriers;
};

// Which part of a tile an operand is: its rows from `first` on, or its columns, turned.
struct Part {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  bool transposed = false;
  std::uint32_t first = 0;  // row of the operand, in the whole
  bool rebuilt = false;     // the published text copies the operand into a tile of its own shape
};

// The published text keeps these row-major tiles packed in carriers, and multiplies carriers: in place of
// element e it takes the whole 64-bit carrier e, of which sums keep 32 bits.
Operand read_packed(const Tile& tile, const Part& part) {
  Tile packed = tile;
  const bool copied = part.transposed || part.rebuilt;
  if (copied) {
    for (std::uint32_t row = 0; row < part.rows; ++row) {
      for (std::uint32_t column = 0; column < part.columns; ++column)
        packed.set_element(std::uint64_t{row} * part.columns + column,
                           part.transposed ? number_at(tile, column, part.first + row)
                                           : number_at(tile, part.first + row, column));
    }
  }
  const std::uint32_t stride = copied ? part.columns : tile.columns;
  const unsigned bits = element_bits(tile.data_type);
  Operand operand{part.rows, part.columns, sizeof(std::uint32_t), false, {}};
  operand.carriers.resize(std::size_t{part.rows} * part.columns * operand.bytes);
  for (std::uint32_t row = 0; row < part.rows; ++row) {
    for (std::uint32_t column = 0; column < part.columns; ++column) {
      const std::uint64_t first = (std::uint64_t{row} * stride + column) * (64 / bits);
      Word low = 0;
      for (unsigned at = 0; at * bits < 32; ++at) {
        if (packed.defined(first + at)) low |= packed.element(first + at) << (at * bits);
      }
      std::memcpy(operand.carriers.data() + (std::size_t{row} * part.columns + column) * operand.bytes, &low,
                  operand.bytes);
    }
  }
  return operand;
}

Operand read_operand(const Bundle& bundle, const Tile& tile, const Part& part) {
  if (reading_of(bundle, tile) == Reading::Carriers) return read_packed(tile, part);
  CarrierReader in(tile);
  const bool with_sign = bundle.errata().signed_elements && numeric::is_signed(tile.data_type) &&
                         !numeric::is_four_bit(tile.data_type);
  Operand operand{part.rows, part.columns, in.bytes(), with_sign, {}};
  const std::uint32_t stored_rows = part.transposed ? part.columns : part.rows;
  const std::uint32_t stored_columns = part.transposed ? part.rows : part.columns;
  const std::uint32_t first_row = part.transposed ? 0 : part.first;
  const std::uint32_t first_column = part.transposed ? part.first : 0;
  operand.carriers.resize(std::size_t{stored_rows} * stored_columns * in.bytes());
  in.copy({first_row, first_column, stored_rows, stored_columns}, operand.carriers.data());
  if (!part.transposed) return operand;
  std::vector<std::uint8_t> turned(operand.carriers.size());
  kernels::transpose(in.bytes(), operand.carriers.data(), stored_columns, turned.data(), part.columns,
                     stored_rows, stored_columns);
  operand.carriers = std::move(turned);
  return operand;
}

// The low 32 bits of every number; nothing looks at more of a sum.
Words32 low_words(const Operand& operand) {
  Words32 words(std::size_t{operand.rows} * operand.columns);
  kernels::with_carrier(operand.bytes, [&](auto carrier) {
    using T = decltype(carrier);
    const auto extend = [&]<class Number>() {
      for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = static_cast<std::uint32_t>(
            static_cast<Number>(kernels::load_carrier<T>(operand.carriers.data() + i * sizeof(T))));
    };
    operand.with_sign ? extend.template operator()<std::make_signed_t<T>>() : extend.template operator()<T>();
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
  Tile next(unsigned local, bool is_shared) {
    return is_shared ? shared_source(bundle_, shared_++) : bundle_.source(local);
  }

 private:
  const Bundle& bundle_;
  unsigned shared_ = 0;
};

struct Factors {
  Words32 left;
  Words32 right;
};

// The factors with their scales multiplied in.
Factors read_factors(const Bundle& bundle, const MatrixForm& form) {
  const state::FixedPointAttributes& attributes = bundle.block().fixed_point_attributes;
  const bool later = bundle.release() != Release::v0_58_3;
  const bool left_turned = form.left_shared && attributes.trans_a;
  const bool right_turned = form.right_shared && attributes.trans_b;
  // A Local scale of the right factor is stored on its side since 0.58.4, a Shared one as its matrix is.
  const bool right_scale_turned = later && (form.right_shared ? right_turned : true);
  const auto part = [&](std::uint32_t rows, std::uint32_t columns, bool turned, std::uint32_t first = 0) {
    return Part{rows, columns, turned, first, later};
  };
  OperandTiles tiles(bundle);
  Factors factors;
  factors.left =
      low_words(read_operand(bundle, tiles.next(form.left, form.left_shared),
                             part(form.m, form.k, left_turned, form.left_shared ? form.first_row : 0)));
  if (form.left_scaled) {
    const std::uint32_t groups = form.left_groups();
    const Words32 scales = low_words(
        read_operand(bundle, tiles.next(form.left_scale, form.left_shared),
                     part(form.m, groups, later && left_turned, form.left_shared ? form.first_row : 0)));
    const std::uint32_t group = MatrixForm::scale_group(*form.left_type);
    for (std::size_t row = 0; row < form.m; ++row) {
      for (std::size_t inner = 0; inner < form.k; ++inner)
        factors.left[row * form.k + inner] *= scales[row * groups + inner / group];
    }
  }
  factors.right = low_words(
      read_operand(bundle, tiles.next(form.right, form.right_shared), part(form.k, form.n, right_turned)));
  if (form.right_scaled) {
    const Words32 scales = low_words(read_operand(bundle, tiles.next(form.right_scale, form.right_shared),
                                                  part(form.right_groups(), form.n, right_scale_turned)));
    const std::uint32_t group = MatrixForm::scale_group(*form.right_type);
    for (std::size_t inner = 0; inner < form.k; ++inner) {
      for (std::size_t column = 0; column < form.n; ++column)
        factors.right[inner * form.n + column] *= scales[inner / group * form.n + column];
    }
  }
  return factors;
}

// C, scaled down row by row where B.FPATR asks for it; or zeros.
Words32 initial_sums(Work& work, const MatrixForm& form) {
  if (!form.accumulates) return Words32(std::size_t{form.m} * form.n);
  Words32 sums = low_words(
      read_operand(work.bundle, work.bundle.source(form.accumulator), Part{form.m, form.n, false, 0, false}));
  if (form.accumulator_scale == MatrixForm::absent) return sums;
  const ElementReader exponents(work.source(form.accumulator_scale));
  for (std::uint32_t row = 0; row < form.m; ++row) {
    const auto exponent = static_cast<unsigned>(exponents.read(row, 0));
    for (std::uint32_t column = 0; column < form.n; ++column) {
      std::uint32_t& sum = sums[std::size_t{row} * form.n + column];
      const Valued scaled = numeric::reference::scale_down(sum, exponent);
      sum = static_cast<std::uint32_t>(scaled.value);
      work.flags |= scaled.flags;
    }
  }
  return sums;
}

Sums sums_of(Work& work, const MatrixForm& form) {
  Sums sums{form.n, initial_sums(work, form)};
  const Factors factors = read_factors(work.bundle, form);
  kernels::accumulate_products({form.m, form.n, form.k}, factors.left.data(), factors.right.data(),
                               sums.values.data());
  if (!form.biased) return sums;
  const Words32 bias =
      low_words(read_operand(work.bundle, work.bundle.source(form.bias), Part{1, form.n, false, 0, false}));
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
  CarrierWriter out(work.results[0]);
  const unsigned bits = element_bits(work.results[0].data_type);
  const unsigned bytes = kernels::carrier_bytes(work.results[0].data_type);
  for (std::uint32_t row = 0; row < form.m; ++row) {
    out.row(row, 0, form.n, [&](std::uint8_t* carriers) {
      for (std::uint32_t column = 0; column < form.n; ++column) {
        const Valued made = numeric::reference::matrix_output(
            sums.row(row)[column], form.sum_type, form.output, form.activation, scales.row(0)[column],
            slopes.row(0)[column], control);
        const Word number = made.value & mask_of(bits);
        std::memcpy(carriers + std::size_t{column} * bytes, &number, bytes);
        work.flags |= made.flags;
      }
    });
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
  if (form.idle()) return passed;
  const state::FixedPointAttributes& attributes = work.bundle.block().fixed_point_attributes;
  const Sums sums = sums_of(work, form);
  write_output(work, form, sums);
  unsigned next = 1;
  if (attributes.row_max_en) write_row_maxima(work, form, sums, work.results[next++]);
  if (attributes.group_max_en) write_group_maxima(work, form, sums, work.results[next]);
  return passed;
}

void commit_matrix(Work& work, state::Machine& machine) {
  if (work.bundle.call() != nullptr) return;
  for (unsigned number = 0; number < work.bundle.shared_bindings(); ++number)
    machine.block.shared_bindings[number].consumed = true;
}

}  // namespace pto::exec
