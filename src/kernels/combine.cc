#include "kernels/combine.h"

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/combine.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

using numeric::BinaryOperation;
using numeric::StatusFlags;

#include "kernels/apply.h"  // NOLINT

// How the right operand of a loop comes: as a row, as one number, or as a row that a result is written over.
enum class Right : std::uint8_t { Row, Scalar };

template <BinaryOperation operation, NumberKind kind, Right from, class T>
HWY_NOINLINE StatusFlags Loop(ElementType type, const std::uint8_t* HWY_RESTRICT left,
                              const std::uint8_t* HWY_RESTRICT right, std::uint8_t* HWY_RESTRICT out,
                              std::size_t count) {
  const FloatBits<T> bits = float_bits<T>(type);
  const T one = from == Right::Scalar ? load_carrier<T>(right) : T{0};
  Seen<T> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const T b = from == Right::Scalar ? one : load_carrier<T>(right + i * sizeof(T));
    const T made = Apply<operation, kind>(load_carrier<T>(left + i * sizeof(T)), b, bits, seen);
    store_carrier(out + i * sizeof(T), made);
  }
  return seen.Flags();
}

template <BinaryOperation operation, NumberKind kind, class T>
HWY_NOINLINE StatusFlags Accumulate(ElementType type, std::uint8_t* HWY_RESTRICT into,
                                    const std::uint8_t* HWY_RESTRICT right, std::size_t count) {
  const FloatBits<T> bits = float_bits<T>(type);
  Seen<T> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const T made = Apply<operation, kind>(load_carrier<T>(into + i * sizeof(T)),
                                          load_carrier<T>(right + i * sizeof(T)), bits, seen);
    store_carrier(into + i * sizeof(T), made);
  }
  return seen.Flags();
}

template <class T>
using LoopFunction = StatusFlags (*)(ElementType, const std::uint8_t*, const std::uint8_t*, std::uint8_t*,
                                     std::size_t);

template <BinaryOperation operation, Right from, class T>
HWY_INLINE LoopFunction<T> OfKind(NumberKind kind) {
  if (kind == NumberKind::Signed) return Loop<operation, NumberKind::Signed, from, T>;
  if (kind == NumberKind::Float) return Loop<operation, NumberKind::Float, from, T>;
  return Loop<operation, NumberKind::Unsigned, from, T>;
}

template <Right from, class T>
HWY_INLINE LoopFunction<T> LoopOf(BinaryOperation operation, NumberKind kind) {
  constexpr NumberKind any = NumberKind::Unsigned;  // operations that do not look at the kind
  switch (operation) {
    case BinaryOperation::Add: return Loop<BinaryOperation::Add, any, from, T>;
    case BinaryOperation::Sub: return Loop<BinaryOperation::Sub, any, from, T>;
    case BinaryOperation::Mul: return Loop<BinaryOperation::Mul, any, from, T>;
    case BinaryOperation::And: return Loop<BinaryOperation::And, any, from, T>;
    case BinaryOperation::Or: return Loop<BinaryOperation::Or, any, from, T>;
    case BinaryOperation::Xor: return Loop<BinaryOperation::Xor, any, from, T>;
    case BinaryOperation::Shl: return Loop<BinaryOperation::Shl, any, from, T>;
    case BinaryOperation::Shr:
      return kind == NumberKind::Signed ? Loop<BinaryOperation::Shr, NumberKind::Signed, from, T>
                                        : Loop<BinaryOperation::Shr, any, from, T>;
    case BinaryOperation::Div: return OfKind<BinaryOperation::Div, from, T>(kind);
    case BinaryOperation::Rem: return OfKind<BinaryOperation::Rem, from, T>(kind);
    case BinaryOperation::Max: return OfKind<BinaryOperation::Max, from, T>(kind);
    case BinaryOperation::Min: return OfKind<BinaryOperation::Min, from, T>(kind);
  }
  return nullptr;
}

StatusFlags Combine(BinaryOperation operation, ElementType type, bool scalar, const std::uint8_t* left,
                    const std::uint8_t* right, std::uint8_t* out, std::size_t count) {
  return with_carrier(carrier_bytes(type), [&](auto carrier) {
    using T = decltype(carrier);
    const NumberKind kind = kind_of(type);
    const LoopFunction<T> loop =
        scalar ? LoopOf<Right::Scalar, T>(operation, kind) : LoopOf<Right::Row, T>(operation, kind);
    return loop(type, left, right, out, count);
  });
}

StatusFlags AccumulateRow(BinaryOperation operation, ElementType type, std::uint8_t* into,
                          const std::uint8_t* right, std::size_t count) {
  return with_carrier(carrier_bytes(type), [&](auto carrier) {
    using T = decltype(carrier);
    constexpr NumberKind any = NumberKind::Unsigned;
    const NumberKind kind = kind_of(type);
    const auto extreme = [&]<BinaryOperation of>() {
      if (kind == NumberKind::Signed) return Accumulate<of, NumberKind::Signed, T>(type, into, right, count);
      if (kind == NumberKind::Float) return Accumulate<of, NumberKind::Float, T>(type, into, right, count);
      return Accumulate<of, any, T>(type, into, right, count);
    };
    switch (operation) {
      case BinaryOperation::Add: return Accumulate<BinaryOperation::Add, any, T>(type, into, right, count);
      case BinaryOperation::Mul: return Accumulate<BinaryOperation::Mul, any, T>(type, into, right, count);
      case BinaryOperation::Max: return extreme.template operator()<BinaryOperation::Max>();
      default: return extreme.template operator()<BinaryOperation::Min>();
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Combine);
HWY_EXPORT(AccumulateRow);

bool combines(numeric::BinaryOperation operation, ElementType type) {
  if (numeric::is_four_bit(type)) return false;
  if (!numeric::is_float(type)) return true;
  switch (operation) {
    case numeric::BinaryOperation::Shl:
    case numeric::BinaryOperation::Shr: return false;
    case numeric::BinaryOperation::Max:
    case numeric::BinaryOperation::Min: return numeric::type_sets::arithmetic_floats.has(type);
    default: return true;
  }
}

numeric::StatusFlags combine(numeric::BinaryOperation operation, ElementType type, const std::uint8_t* left,
                             const std::uint8_t* right, std::uint8_t* out, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(Combine)(operation, type, false, left, right, out, count);
}

numeric::StatusFlags combine_scalar(numeric::BinaryOperation operation, ElementType type,
                                    const std::uint8_t* left, Word right, std::uint8_t* out,
                                    std::size_t count) {
  std::uint8_t number[sizeof right];
  std::memcpy(number, &right, sizeof right);
  return HWY_DYNAMIC_DISPATCH(Combine)(operation, type, true, left, number, out, count);
}

numeric::StatusFlags accumulate(numeric::BinaryOperation operation, ElementType type, std::uint8_t* into,
                                const std::uint8_t* right, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(AccumulateRow)(operation, type, into, right, count);
}

}  // namespace pto::kernels
#endif
