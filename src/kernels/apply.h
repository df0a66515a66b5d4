// One number of an operation on carriers: what the loops of kernels are made of.
//
// Included once per vector target, inside its namespace; hence no include guard. Conditions are joined with &
// and | and not with && and ||: a loop of jumps is no vector.

// The pattern that orders numbers as signed integers of the carrier's width.
template <NumberKind kind, class T>
HWY_INLINE std::make_signed_t<T> OrderOf(T value) {
  using Signed = std::make_signed_t<T>;
  constexpr T sign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  if constexpr (kind == NumberKind::Unsigned) return static_cast<Signed>(value ^ sign);
  if constexpr (kind == NumberKind::Signed) return static_cast<Signed>(value);
  return static_cast<Signed>((value & sign) != 0 ? static_cast<T>(~value ^ sign) : value);
}

// Conditions on floats are carriers of ones or zeros: what is joined with & and |, and chosen with Select,
// stays a vector where a jump, or a bool between two comparisons, would not.
template <class T>
HWY_INLINE T Mask(bool condition) {
  return static_cast<T>(T{0} - static_cast<T>(condition));
}
template <class T>
HWY_INLINE T Select(T mask, T where_set, T where_clear) {
  return static_cast<T>((where_set & mask) | (where_clear & static_cast<T>(~mask)));
}
template <class T>
HWY_INLINE T NanMask(T value, const FloatBits<T>& bits) {
  return Mask<T>(static_cast<T>(value & static_cast<T>(~bits.sign)) > bits.largest);
}
template <class T>
HWY_INLINE T SignalingMask(T value, const FloatBits<T>& bits) {
  return static_cast<T>(NanMask(value, bits) & Mask<T>((value & bits.quiet) == 0));
}

// What the numbers of a loop have shown so far; a bit set stays set.
template <class T>
struct Seen {
  T signaling = 0;
  T zero_divisor = 0;
  HWY_INLINE numeric::StatusFlags Flags() const {
    return static_cast<numeric::StatusFlags>((signaling != 0 ? numeric::status::invalid : 0) |
                                             (zero_divisor != 0 ? numeric::status::divide_by_zero : 0));
  }
};

template <class T>
HWY_INLINE T DivideSigned(T a, T b) {
  using Signed = std::make_signed_t<T>;
  if (b == static_cast<T>(~T{0})) return static_cast<T>(0 - a);  // the one overflow wraps
  return static_cast<T>(static_cast<Signed>(a) / static_cast<Signed>(b));
}
// The remainder that takes the sign of the divisor.
template <class T>
HWY_INLINE T ModuloSigned(T a, T b) {
  using Signed = std::make_signed_t<T>;
  if (b == static_cast<T>(~T{0})) return 0;
  const auto rest = static_cast<Signed>(static_cast<Signed>(a) % static_cast<Signed>(b));
  return static_cast<T>(
      rest != 0 && (rest < 0) != (static_cast<Signed>(b) < 0) ? rest + static_cast<Signed>(b) : rest);
}

template <bool maximum, NumberKind kind, class T>
HWY_INLINE T Extreme(T a, T b, const FloatBits<T>& bits, Seen<T>& seen) {
  const auto left = OrderOf<kind>(a);
  const auto right = OrderOf<kind>(b);
  const bool keeps_left = maximum ? left >= right : left <= right;
  if constexpr (kind == NumberKind::Float) {
    // One NaN loses to a number, two give the canonical NaN.
    const T left_nan = NanMask(a, bits);
    const T right_nan = NanMask(b, bits);
    seen.signaling = static_cast<T>(seen.signaling | SignalingMask(a, bits) | SignalingMask(b, bits));
    const T takes_left = static_cast<T>((Mask<T>(keeps_left) & static_cast<T>(~left_nan)) | right_nan);
    return Select(static_cast<T>(left_nan & right_nan), bits.nan, Select(takes_left, a, b));
  }
  return keeps_left ? a : b;
}

// Products of small types are taken in unsigned int: promoted to int they could overflow.
template <BinaryOperation operation, NumberKind kind, class T>
HWY_INLINE T Apply(T a, T b, const FloatBits<T>& bits, Seen<T>& seen) {
  using Wide = std::common_type_t<T, unsigned>;
  using Signed = std::make_signed_t<T>;
  constexpr bool with_sign = kind == NumberKind::Signed;
  if constexpr (operation == BinaryOperation::Add) return static_cast<T>(Wide{a} + Wide{b});
  if constexpr (operation == BinaryOperation::Sub) return static_cast<T>(Wide{a} - Wide{b});
  if constexpr (operation == BinaryOperation::Mul) return static_cast<T>(Wide{a} * Wide{b});
  if constexpr (operation == BinaryOperation::And) return static_cast<T>(a & b);
  if constexpr (operation == BinaryOperation::Or) return static_cast<T>(a | b);
  if constexpr (operation == BinaryOperation::Xor) return static_cast<T>(a ^ b);
  if constexpr (operation == BinaryOperation::Shl)
    return static_cast<T>(Wide{a} << (b & (8 * sizeof(T) - 1)));
  if constexpr (operation == BinaryOperation::Shr) {
    const unsigned amount = static_cast<unsigned>(b & (8 * sizeof(T) - 1));
    return with_sign ? static_cast<T>(static_cast<Signed>(a) >> amount) : static_cast<T>(a >> amount);
  }
  if constexpr (operation == BinaryOperation::Max) return Extreme<true, kind>(a, b, bits, seen);
  if constexpr (operation == BinaryOperation::Min) return Extreme<false, kind>(a, b, bits, seen);
  if constexpr (kind == NumberKind::Float) {
    if ((b & bits.zero_mask) == 0) {
      if constexpr (operation == BinaryOperation::Div) seen.zero_divisor = 1;
      return static_cast<T>(~T{0});
    }
  }
  if constexpr (operation == BinaryOperation::Div)
    return with_sign ? DivideSigned(a, b) : static_cast<T>(a / b);
  if constexpr (operation == BinaryOperation::Rem)
    return with_sign ? ModuloSigned(a, b) : static_cast<T>(a % b);
}
