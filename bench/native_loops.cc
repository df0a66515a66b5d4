#include "native_loops.h"

namespace pto::bench::native {

namespace {

template <class T>
void add_all(const T* __restrict left, const T* __restrict right, T* __restrict out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<T>(left[i] + right[i]);
}
template <class T>
void multiply_all(const T* __restrict left, const T* __restrict right, T* __restrict out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<T>(left[i] * right[i]);
}

}  // namespace

void add(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out, std::size_t count) {
  add_all(left, right, out, count);
}
void add(const std::uint8_t* left, const std::uint8_t* right, std::uint8_t* out, std::size_t count) {
  add_all(left, right, out, count);
}
void multiply(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out, std::size_t count) {
  multiply_all(left, right, out, count);
}
void multiply(const std::uint8_t* left, const std::uint8_t* right, std::uint8_t* out, std::size_t count) {
  multiply_all(left, right, out, count);
}

}  // namespace pto::bench::native
