// Sets of element types: which types an operation accepts.
#pragma once

#include <initializer_list>
#include <string_view>

#include "numeric/element_type.h"

namespace pto::numeric {

constexpr bool is_float(ElementType type) { return row_of(type).kind == ElementKind::Float; }
constexpr bool is_signed(ElementType type) { return row_of(type).kind == ElementKind::Signed; }
constexpr bool is_integer(ElementType type) { return !is_float(type); }
constexpr bool is_four_bit(ElementType type) { return element_bits(type) == 4; }

// Bytes one element occupies in memory; a four-bit element is reached through the byte that holds it.
constexpr unsigned memory_bytes(ElementType type) { return is_four_bit(type) ? 1 : element_bits(type) / 8; }

struct TypeSet {
  std::string_view description;  // completes "the type must be …"
  std::uint32_t members = 0;

  static constexpr TypeSet of(std::string_view description, std::initializer_list<ElementType> list) {
    TypeSet set{description, 0};
    for (const ElementType type : list) set.members |= std::uint32_t{1} << static_cast<unsigned>(type);
    return set;
  }
  template <class Predicate>
  static constexpr TypeSet where(std::string_view description, Predicate predicate) {
    TypeSet set{description, 0};
    for (const ElementTypeRow& row : element_type_rows) {
      if (predicate(row.type)) set.members |= std::uint32_t{1} << static_cast<unsigned>(row.type);
    }
    return set;
  }
  [[nodiscard]] constexpr bool has(ElementType type) const {
    return (members >> static_cast<unsigned>(type) & 1) != 0;
  }
};

namespace type_sets {
using enum ElementType;

inline constexpr TypeSet all = TypeSet::where("any type", [](ElementType) { return true; });
// The floating types that arithmetic knows.
inline constexpr TypeSet arithmetic_floats = TypeSet::of("FP64, FP32, TF32, HF32, FP16, BF16, E4M3 or E5M2",
                                                         {FP64, FP32, TF32, HF32, FP16, BF16, E4M3, E5M2});
inline constexpr TypeSet whole_integers = TypeSet::where(
    "an integer of 8 to 64 bits", [](ElementType type) { return is_integer(type) && !is_four_bit(type); });
inline constexpr TypeSet arithmetic =
    TypeSet{"an integer of 8 to 64 bits or FP64, FP32, TF32, HF32, FP16, BF16, E4M3 or E5M2",
            arithmetic_floats.members | whole_integers.members};
inline constexpr TypeSet integers =
    TypeSet::where("an integer", [](ElementType type) { return is_integer(type); });
// Types a byte address can name: a four-bit element would need a nibble selector too.
inline constexpr TypeSet byte_addressed =
    TypeSet::where("a type of at least 8 bits", [](ElementType type) { return !is_four_bit(type); });
inline constexpr TypeSet carriers = TypeSet::where("a type of 8, 16 or 32 bits", [](ElementType type) {
  return !is_four_bit(type) && element_bits(type) <= 32;
});
inline constexpr TypeSet carriers_and_four_bit =
    TypeSet::where("a type of at most 32 bits", [](ElementType type) { return element_bits(type) <= 32; });
inline constexpr TypeSet movable =
    TypeSet::where("any type but HiF4X2", [](ElementType type) { return type != HiF4X2; });
inline constexpr TypeSet sequence = TypeSet::of("S32, S16, U32 or U16", {S32, S16, U32, U16});
inline constexpr TypeSet triangle =
    TypeSet::of("FP32, FP16, S32, S16, U32 or U16", {FP32, FP16, S32, S16, U32, U16});
inline constexpr TypeSet partial = TypeSet::of("FP32, FP16, BF16 or an integer of 8 to 32 bits",
                                               {FP32, FP16, BF16, S32, S16, S8, U32, U16, U8});
inline constexpr TypeSet word = TypeSet::of("U32", {U32});
}  // namespace type_sets

}  // namespace pto::numeric
