#include "kernels/fold.h"

#include <algorithm>

#include "kernels/numbers.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fold.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {

using numeric::BinaryOperation;
using numeric::StatusFlags;
using numeric::Valued;

#include "kernels/apply.h"  // NOLINT

template <class T>
HWY_NOINLINE T Sum(const std::uint8_t* HWY_RESTRICT row, std::size_t count) {
  T sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum = static_cast<T>(sum + load_carrier<T>(row + i * sizeof(T)));
  return sum;
}
template <class T>
HWY_NOINLINE T Product(T one, const std::uint8_t* HWY_RESTRICT row, std::size_t count) {
  using Wide = std::common_type_t<T, unsigned>;
  T product = one;
  for (std::size_t i = 0; i < count; ++i)
    product = static_cast<T>(Wide{product} * Wide{load_carrier<T>(row + i * sizeof(T))});
  return product;
}

// The order pattern of the largest or smallest number.
template <bool maximum, NumberKind kind, class T>
HWY_NOINLINE std::make_signed_t<T> ExtremeOrder(const std::uint8_t* HWY_RESTRICT row, std::size_t count) {
  using Signed = std::make_signed_t<T>;
  Signed best = OrderOf<kind>(load_carrier<T>(row));
  for (std::size_t i = 1; i < count; ++i) {
    const Signed order = OrderOf<kind>(load_carrier<T>(row + i * sizeof(T)));
    best = maximum ? (best < order ? order : best) : (order < best ? order : best);
  }
  return best;
}

// The number an order pattern stands for.
template <NumberKind kind, class T>
HWY_INLINE T NumberOf(std::make_signed_t<T> order) {
  constexpr T sign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  const T value = static_cast<T>(order);
  if constexpr (kind == NumberKind::Unsigned) return static_cast<T>(value ^ sign);
  if constexpr (kind == NumberKind::Signed) return value;
  return (value & sign) != 0 ? static_cast<T>(~value ^ sign) : value;
}

template <class T>
HWY_NOINLINE Survey Look(ElementType type, const std::uint8_t* HWY_RESTRICT row, std::size_t count) {
  const FloatBits<T> bits = float_bits<T>(type);
  // An integer is no NaN; neither is a float that arithmetic does not know.
  const T largest = numeric::type_sets::arithmetic_floats.has(type) ? bits.largest : static_cast<T>(~T{0});
  const T positive = static_cast<T>(~bits.sign);
  const T unused = type == ElementType::TF32                                ? static_cast<T>(0x1fff)
                   : type == ElementType::HF32                              ? static_cast<T>(0xfff)
                   : type == ElementType::E3M2 || type == ElementType::E2M3 ? static_cast<T>(0xc0)
                                                                            : T{0};
  T zero = 0, nan = 0, signaling = 0, carriers = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = load_carrier<T>(row + i * sizeof(T));
    const T is_nan = Mask<T>(static_cast<T>(value & positive) > largest);
    zero = static_cast<T>(zero | Mask<T>(value == 0));
    nan = static_cast<T>(nan | is_nan);
    signaling = static_cast<T>(signaling | (is_nan & Mask<T>((value & bits.quiet) == 0)));
    carriers = static_cast<T>(carriers | value);
  }
  return {.any_zero = zero != 0,
          .any_nan = nan != 0,
          .any_signaling = signaling != 0,
          .all_encodings = (carriers & unused) == 0};
}

// The reference, for rows that hold NaNs.
template <class T>
Valued FoldPlainly(BinaryOperation operation, ElementType type, const std::uint8_t* row, std::size_t count) {
  Valued folded{load_carrier<T>(row), numeric::status::none};
  for (std::size_t i = 1; i < count; ++i) {
    const Valued next =
        numeric::reference::binary(operation, type, folded.value, load_carrier<T>(row + i * sizeof(T)));
    folded.value = next.value;
    folded.flags |= next.flags;
  }
  return folded;
}

template <bool maximum, class T>
HWY_INLINE Word Extreme(ElementType type, const std::uint8_t* row, std::size_t count) {
  switch (kind_of(type)) {
    case NumberKind::Signed:
      return NumberOf<NumberKind::Signed, T>(ExtremeOrder<maximum, NumberKind::Signed, T>(row, count));
    case NumberKind::Unsigned:
      return NumberOf<NumberKind::Unsigned, T>(ExtremeOrder<maximum, NumberKind::Unsigned, T>(row, count));
    default: return NumberOf<NumberKind::Float, T>(ExtremeOrder<maximum, NumberKind::Float, T>(row, count));
  }
}

Valued Fold(BinaryOperation operation, ElementType type, const std::uint8_t* row, std::size_t count) {
  return with_carrier(carrier_bytes(type), [&](auto carrier) -> Valued {
    using T = decltype(carrier);
    if (operation == BinaryOperation::Add) return {Sum<T>(row, count), numeric::status::none};
    if (operation == BinaryOperation::Mul) {
      const T one = static_cast<T>(numeric::reference::one(type));
      return {Product<T>(one, row, count), numeric::status::none};
    }
    if (numeric::is_float(type) && Look<T>(type, row, count).any_nan)
      return FoldPlainly<T>(operation, type, row, count);
    return {operation == BinaryOperation::Max ? Extreme<true, T>(type, row, count)
                                              : Extreme<false, T>(type, row, count),
            numeric::status::none};
  });
}

// Where a number of these stands first; it is there.
template <class T>
HWY_INLINE std::size_t FirstPlace(T number, const std::uint8_t* row) {
  std::size_t place = 0;
  while (load_carrier<T>(row + place * sizeof(T)) != number) ++place;
  return place;
}

std::size_t PlaceOfExtreme(BinaryOperation operation, ElementType type, const std::uint8_t* row,
                           std::size_t count, Negatives negatives) {
  return with_carrier(carrier_bytes(type), [&](auto carrier) -> std::size_t {
    using T = decltype(carrier);
    constexpr T sign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
    const bool with_sign =
        kind_of(type) == NumberKind::Signed && sizeof(T) < sizeof(Word) && negatives == Negatives::StayBehind;
    if (operation == BinaryOperation::Max) {
      const T best = static_cast<T>(Extreme<true, T>(type, row, count));
      return with_sign && (best & sign) != 0 ? 0 : FirstPlace(best, row);
    }
    std::size_t counted = count;
    if (with_sign) {
      counted = 0;
      while (counted < count && (load_carrier<T>(row + counted * sizeof(T)) & sign) == 0) ++counted;
      if (counted == 0) return 0;
    }
    return FirstPlace(static_cast<T>(Extreme<false, T>(type, row, counted)), row);
  });
}

template <bool maximum, NumberKind kind, class T>
HWY_NOINLINE void PlacesLoop(std::uint8_t* HWY_RESTRICT best, std::uint32_t* HWY_RESTRICT places,
                             const std::uint8_t* HWY_RESTRICT row, std::uint32_t place, std::size_t count,
                             bool negatives_move) {
  for (std::size_t i = 0; i < count; ++i) {
    const T old = load_carrier<T>(best + i * sizeof(T));
    const T value = load_carrier<T>(row + i * sizeof(T));
    const bool wins =
        maximum ? OrderOf<kind>(old) < OrderOf<kind>(value) : OrderOf<kind>(value) < OrderOf<kind>(old);
    store_carrier(best + i * sizeof(T), wins ? value : old);
    constexpr bool widens = kind == NumberKind::Signed && sizeof(T) < sizeof(Word);
    const bool moves = !widens || negatives_move || static_cast<std::make_signed_t<T>>(value) >= 0;
    places[i] = (wins & moves) ? place : places[i];
  }
}

void AccumulatePlaces(BinaryOperation operation, ElementType type, std::uint8_t* best, std::uint32_t* places,
                      const std::uint8_t* row, std::uint32_t place, std::size_t count, Negatives negatives) {
  const bool move = negatives == Negatives::MovePlaces;
  with_carrier(carrier_bytes(type), [&](auto carrier) {
    using T = decltype(carrier);
    const auto loop = [&]<bool maximum>() {
      switch (kind_of(type)) {
        case NumberKind::Signed:
          return PlacesLoop<maximum, NumberKind::Signed, T>(best, places, row, place, count, move);
        case NumberKind::Unsigned:
          return PlacesLoop<maximum, NumberKind::Unsigned, T>(best, places, row, place, count, move);
        default: return PlacesLoop<maximum, NumberKind::Float, T>(best, places, row, place, count, move);
      }
    };
    if (operation == BinaryOperation::Max) {
      loop.template operator()<true>();
    } else {
      loop.template operator()<false>();
    }
  });
}

Survey SurveyRow(ElementType type, const std::uint8_t* row, std::size_t count) {
  return with_carrier(carrier_bytes(type),
                      [&](auto carrier) { return Look<decltype(carrier)>(type, row, count); });
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(Fold);
HWY_EXPORT(PlaceOfExtreme);
HWY_EXPORT(AccumulatePlaces);
HWY_EXPORT(SurveyRow);

numeric::Valued fold(numeric::BinaryOperation operation, ElementType type, const std::uint8_t* row,
                     std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(Fold)(operation, type, row, count);
}
std::size_t place_of_extreme(numeric::BinaryOperation operation, ElementType type, const std::uint8_t* row,
                             std::size_t count, Negatives negatives) {
  return HWY_DYNAMIC_DISPATCH(PlaceOfExtreme)(operation, type, row, count, negatives);
}
void accumulate_places(numeric::BinaryOperation operation, ElementType type, std::uint8_t* best,
                       std::uint32_t* places, const std::uint8_t* row, std::uint32_t place, std::size_t count,
                       Negatives negatives) {
  HWY_DYNAMIC_DISPATCH(AccumulatePlaces)(operation, type, best, places, row, place, count, negatives);
}
Survey survey(ElementType type, const std::uint8_t* row, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(SurveyRow)(type, row, count);
}

}  // namespace pto::kernels
#endif
