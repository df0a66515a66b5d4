#include "kernels/combine.h"

#include <cstring>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/combine.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

// The loops are plain: compiled once per target, they become that target's vectors, and a product of bytes or
// of eight-byte numbers, for which targets have no instruction, is the compiler's to find.

template <class T>
HWY_INLINE T Load(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Products of small types are taken in unsigned int: promoted to int they could overflow.
template <Combination operation, class T>
HWY_INLINE T Apply(T a, T b) {
  using Wide = std::common_type_t<T, unsigned>;
  using Signed = std::make_signed_t<T>;
  switch (operation) {
    case Combination::Add: return static_cast<T>(Wide{a} + Wide{b});
    case Combination::Sub: return static_cast<T>(Wide{a} - Wide{b});
    case Combination::Mul: return static_cast<T>(Wide{a} * Wide{b});
    case Combination::And: return static_cast<T>(a & b);
    case Combination::Or: return static_cast<T>(a | b);
    case Combination::Xor: return static_cast<T>(a ^ b);
    case Combination::MaxUnsigned: return a < b ? b : a;
    case Combination::MinUnsigned: return b < a ? b : a;
    case Combination::MaxSigned: return static_cast<Signed>(a) < static_cast<Signed>(b) ? b : a;
    case Combination::MinSigned: return static_cast<Signed>(b) < static_cast<Signed>(a) ? b : a;
  }
  return 0;
}

template <Combination operation, class T, bool scalar>
HWY_NOINLINE void Loop(const std::uint8_t* HWY_RESTRICT left, const std::uint8_t* HWY_RESTRICT right,
                       std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  const T one = scalar ? Load<T>(right) : T{0};
  for (std::size_t i = 0; i < count; ++i) {
    const T value =
        Apply<operation, T>(Load<T>(left + i * sizeof(T)), scalar ? one : Load<T>(right + i * sizeof(T)));
    std::memcpy(out + i * sizeof(T), &value, sizeof value);
  }
}

using LoopFunction = void (*)(const std::uint8_t*, const std::uint8_t*, std::uint8_t*, std::size_t);

template <class T, bool scalar>
HWY_INLINE LoopFunction LoopOf(Combination operation) {
  switch (operation) {
    case Combination::Add: return Loop<Combination::Add, T, scalar>;
    case Combination::Sub: return Loop<Combination::Sub, T, scalar>;
    case Combination::Mul: return Loop<Combination::Mul, T, scalar>;
    case Combination::And: return Loop<Combination::And, T, scalar>;
    case Combination::Or: return Loop<Combination::Or, T, scalar>;
    case Combination::Xor: return Loop<Combination::Xor, T, scalar>;
    case Combination::MaxUnsigned: return Loop<Combination::MaxUnsigned, T, scalar>;
    case Combination::MinUnsigned: return Loop<Combination::MinUnsigned, T, scalar>;
    case Combination::MaxSigned: return Loop<Combination::MaxSigned, T, scalar>;
    case Combination::MinSigned: return Loop<Combination::MinSigned, T, scalar>;
  }
  return nullptr;
}

// `right` is a row, or one number when `scalar`.
void Combine(Combination operation, unsigned bytes, bool scalar, const std::uint8_t* HWY_RESTRICT left,
             const std::uint8_t* HWY_RESTRICT right, std::uint8_t* HWY_RESTRICT out, std::size_t count) {
  LoopFunction loop = nullptr;
  switch (bytes) {
    case 1:
      loop = scalar ? LoopOf<std::uint8_t, true>(operation) : LoopOf<std::uint8_t, false>(operation);
      break;
    case 2:
      loop = scalar ? LoopOf<std::uint16_t, true>(operation) : LoopOf<std::uint16_t, false>(operation);
      break;
    case 4:
      loop = scalar ? LoopOf<std::uint32_t, true>(operation) : LoopOf<std::uint32_t, false>(operation);
      break;
    default:
      loop = scalar ? LoopOf<std::uint64_t, true>(operation) : LoopOf<std::uint64_t, false>(operation);
      break;
  }
  loop(left, right, out, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Combine);

void combine(Combination operation, unsigned bytes, const std::uint8_t* left, const std::uint8_t* right,
             std::uint8_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(Combine)(operation, bytes, false, left, right, out, count);
}

void combine_scalar(Combination operation, unsigned bytes, const std::uint8_t* left, std::uint64_t right,
                    std::uint8_t* out, std::size_t count) {
  std::uint8_t number[sizeof right];
  std::memcpy(number, &right, sizeof right);
  HWY_DYNAMIC_DISPATCH(Combine)(operation, bytes, true, left, number, out, count);
}

std::uint64_t combine_plain(Combination operation, unsigned bytes, std::uint64_t left, std::uint64_t right) {
  const unsigned unused = 64 - 8 * bytes;
  const std::uint64_t mask = ~std::uint64_t{0} >> unused;
  const std::uint64_t a = left & mask, b = right & mask;
  const auto as_signed = [unused](std::uint64_t value) { return static_cast<std::int64_t>(value << unused); };
  switch (operation) {
    case Combination::Add: return (a + b) & mask;
    case Combination::Sub: return (a - b) & mask;
    case Combination::Mul: return (a * b) & mask;
    case Combination::And: return a & b;
    case Combination::Or: return a | b;
    case Combination::Xor: return a ^ b;
    case Combination::MaxUnsigned: return a < b ? b : a;
    case Combination::MinUnsigned: return a < b ? a : b;
    case Combination::MaxSigned: return as_signed(a) < as_signed(b) ? b : a;
    case Combination::MinSigned: return as_signed(a) < as_signed(b) ? a : b;
  }
  return 0;
}
}  // namespace pto::kernels
#endif
