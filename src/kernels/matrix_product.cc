#include "kernels/matrix_product.h"

#include <algorithm>
#include <vector>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matrix_product.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Columns of the result that are worked on at once, and rows: their sums stay in vector registers over all of
// K.
constexpr std::size_t max_rows = 4;

// Two columns of `rows` rows each in vectors of `lanes` columns: sums in registers for all of K.
template <std::size_t rows>
HWY_INLINE void Block(Product shape, const std::uint32_t* HWY_RESTRICT left,
                      const std::uint32_t* HWY_RESTRICT right, std::uint32_t* HWY_RESTRICT sums) {
  const hn::ScalableTag<std::uint32_t> d;
  using V = hn::Vec<decltype(d)>;
  for (std::size_t column = 0; column < shape.n; column += hn::Lanes(d)) {
    const auto load = [&](std::size_t row) { return hn::LoadU(d, sums + row * shape.n + column); };
    const auto store = [&](V sum, std::size_t row) { hn::StoreU(sum, d, sums + row * shape.n + column); };
    V sum0 = load(0), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    if constexpr (rows > 1) sum1 = load(1);
    if constexpr (rows > 2) sum2 = load(2);
    if constexpr (rows > 3) sum3 = load(3);
    for (std::size_t inner = 0; inner < shape.k; ++inner) {
      const V factors = hn::LoadU(d, right + inner * shape.n + column);
      const auto add = [&](V sum, std::size_t row) {
        return hn::Add(sum, hn::Mul(hn::Set(d, left[row * shape.k + inner]), factors));
      };
      sum0 = add(sum0, 0);
      if constexpr (rows > 1) sum1 = add(sum1, 1);
      if constexpr (rows > 2) sum2 = add(sum2, 2);
      if constexpr (rows > 3) sum3 = add(sum3, 3);
    }
    store(sum0, 0);
    if constexpr (rows > 1) store(sum1, 1);
    if constexpr (rows > 2) store(sum2, 2);
    if constexpr (rows > 3) store(sum3, 3);
  }
}

// Requires n to be a whole number of vectors.
void MultiplyWhole(Product shape, const std::uint32_t* left, const std::uint32_t* right,
                   std::uint32_t* sums) {
  for (std::size_t row = 0; row < shape.m;) {
    const std::size_t rows = std::min(max_rows, shape.m - row);
    const std::uint32_t* l = left + row * shape.k;
    std::uint32_t* s = sums + row * shape.n;
    switch (rows) {
      case 1: Block<1>(shape, l, right, s); break;
      case 2: Block<2>(shape, l, right, s); break;
      case 3: Block<3>(shape, l, right, s); break;
      default: Block<4>(shape, l, right, s); break;
    }
    row += rows;
  }
}

// Rows of `from` in rows of `stride` numbers.
std::vector<std::uint32_t> Widened(const std::uint32_t* from, std::size_t rows, std::size_t columns,
                                   std::size_t stride) {
  std::vector<std::uint32_t> wide(rows * stride);
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(from + row * columns, columns, wide.data() + row * stride);
  return wide;
}

void Multiply(Product shape, const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* sums) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<std::uint32_t>());
  const std::size_t stride = (shape.n + lanes - 1) / lanes * lanes;
  if (stride == shape.n) return MultiplyWhole(shape, left, right, sums);
  // What lies beyond the last column is computed too, and thrown away.
  const std::vector<std::uint32_t> wide_right = Widened(right, shape.k, shape.n, stride);
  std::vector<std::uint32_t> wide_sums = Widened(sums, shape.m, shape.n, stride);
  MultiplyWhole({shape.m, stride, shape.k}, left, wide_right.data(), wide_sums.data());
  for (std::size_t row = 0; row < shape.m; ++row)
    std::copy_n(wide_sums.data() + row * stride, shape.n, sums + row * shape.n);
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Multiply);

void accumulate_products(Product shape, const std::uint32_t* left, const std::uint32_t* right,
                         std::uint32_t* sums) {
  HWY_DYNAMIC_DISPATCH(Multiply)(shape, left, right, sums);
}
void accumulate_products_plain(Product shape, const std::uint32_t* left, const std::uint32_t* right,
                               std::uint32_t* sums) {
  for (std::size_t row = 0; row < shape.m; ++row) {
    for (std::size_t column = 0; column < shape.n; ++column) {
      for (std::size_t inner = 0; inner < shape.k; ++inner)
        sums[row * shape.n + column] += left[row * shape.k + inner] * right[inner * shape.n + column];
    }
  }
}

}  // namespace pto::kernels
#endif
