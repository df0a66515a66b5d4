// Sums of products: the heart of matrix blocks.
//
// Under pto-v0 a product multiplies carriers and a sum is 32 bits wide and wraps, so the order of the terms
// does not show in the result; a profile whose sums round needs a kernel that keeps K in increasing order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::kernels {

// sums[i][j] += the sum over l of left[i][l] * right[l][j], modulo 2^32, for row-major matrices without gaps.
struct Product {
  std::size_t m, n, k;
};
void accumulate_products(Product shape, const std::uint32_t* left, const std::uint32_t* right,
                         std::uint32_t* sums);

// The reference the vector versions are held against.
void accumulate_products_plain(Product shape, const std::uint32_t* left, const std::uint32_t* right,
                               std::uint32_t* sums);

}  // namespace pto::kernels
