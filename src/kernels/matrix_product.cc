#include "kernels/matrix_product.h"

#include <algorithm>

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
HWY_INLINE void WideBlock(Product shape, const std::uint32_t* HWY_RESTRICT left,
                          const std::uint32_t* HWY_RESTRICT right, std::uint32_t* HWY_RESTRICT sums) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  using V = hn::Vec<decltype(d)>;
  for (std::size_t column = 0; column < shape.n; column += lanes) {
    const std::size_t here = std::min(lanes, shape.n - column);
    const auto load = [&](const std::uint32_t* from) {
      return here == lanes ? hn::LoadU(d, from) : hn::MaskedLoad(hn::FirstN(d, here), d, from);
    };
    V sum0 = load(sums + column);
    V sum1 = rows > 1 ? load(sums + (rows > 1 ? 1 : 0) * shape.n + column) : sum0;
    V sum2 = rows > 2 ? load(sums + (rows > 2 ? 2 : 0) * shape.n + column) : sum0;
    V sum3 = rows > 3 ? load(sums + (rows > 3 ? 3 : 0) * shape.n + column) : sum0;
    for (std::size_t inner = 0; inner < shape.k; ++inner) {
      const V factors = load(right + inner * shape.n + column);
      const auto add = [&](V sum, std::size_t row) {
        return hn::Add(sum, hn::Mul(hn::Set(d, left[row * shape.k + inner]), factors));
      };
      sum0 = add(sum0, 0);
      if constexpr (rows > 1) sum1 = add(sum1, 1);
      if constexpr (rows > 2) sum2 = add(sum2, 2);
      if constexpr (rows > 3) sum3 = add(sum3, 3);
    }
    const auto store = [&](V sum, std::size_t row) {
      std::uint32_t* to = sums + row * shape.n + column;
      if (here == lanes) {
        hn::StoreU(sum, d, to);
      } else {
        hn::BlendedStore(sum, hn::FirstN(d, here), d, to);
      }
    };
    store(sum0, 0);
    if constexpr (rows > 1) store(sum1, 1);
    if constexpr (rows > 2) store(sum2, 2);
    if constexpr (rows > 3) store(sum3, 3);
  }
}

void Wide(Product shape, const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* sums) {
  for (std::size_t row = 0; row < shape.m;) {
    const std::size_t rows = std::min(max_rows, shape.m - row);
    const std::uint32_t* l = left + row * shape.k;
    std::uint32_t* s = sums + row * shape.n;
    switch (rows) {
      case 1: WideBlock<1>(shape, l, right, s); break;
      case 2: WideBlock<2>(shape, l, right, s); break;
      case 3: WideBlock<3>(shape, l, right, s); break;
      default: WideBlock<4>(shape, l, right, s); break;
    }
    row += rows;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Wide);

void accumulate_products(Product shape, const std::uint32_t* left, const std::uint32_t* right,
                         std::uint32_t* sums) {
  HWY_DYNAMIC_DISPATCH(Wide)(shape, left, right, sums);
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
