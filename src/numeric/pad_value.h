// What B.DATR PadValue puts into the elements outside a tile's valid region.
#pragma once

#include "base/bits.h"
#include "numeric/element_type.h"
#include "numeric/type_set.h"

namespace pto::numeric {

enum class PadValue : std::uint8_t { Zero, Max, Min, Null };  // as encoded; Null leaves them undefined

// The padding of a type. Types the architecture gives no largest value take all ones for Max, and their sign
// bit alone, which a type below 64 bits does not have, for Min.
constexpr Word pad_bits(PadValue pad, ElementType type) {
  using enum ElementType;
  if (pad == PadValue::Zero || pad == PadValue::Null) return 0;
  const bool max = pad == PadValue::Max;
  const Word sign = max ? 0 : Word{1} << (element_bits(type) - 1);
  switch (type) {
    case FP64: return 0x7fefffffffffffff | sign;
    case FP32: return 0x7f7fffff | sign;
    case TF32: return 0x7f7fe000 | sign;
    case HF32: return 0x7f7ff000 | sign;
    case FP16: return 0x7bff | sign;
    case BF16: return 0x7f7f | sign;
    case E4M3: return 0x7e | sign;
    case E5M2: return 0x7b | sign;
    case U8:
    case U16:
    case U32:
    case U64: return max ? mask_of(element_bits(type)) : 0;
    case S8:
    case S16:
    case S32:
    case S64: return max ? mask_of(element_bits(type) - 1) : sign;
    default: return max ? mask_of(element_bits(type)) : 0;
  }
}

}  // namespace pto::numeric
