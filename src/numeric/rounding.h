// Rounding to integers in the seven directions the architecture names, exactly.
#pragma once

#include <cmath>
#include <cstdint>

namespace pto::numeric {

// To nearest with ties to even; down; up; towards zero; to nearest with ties away; to odd; half up.
enum class Rounding : std::uint8_t { RNE, RTM, RTP, RTZ, RNA, RTO, RHB };

// What lies between an integer and the next: whether anything does, and where it is relative to the middle.
struct Remainder {
  bool exact = true;
  int against_half = -1;  // below, at or above one half
};

// Whether a value of `floor` and this remainder rounds to floor + 1.
constexpr bool rounds_up(Rounding mode, Remainder rest, bool floor_is_odd, bool negative) {
  if (rest.exact) return false;
  switch (mode) {
    case Rounding::RTM: return false;
    case Rounding::RTP: return true;
    case Rounding::RTZ: return negative;
    case Rounding::RTO: return !floor_is_odd;
    case Rounding::RNE: return rest.against_half > 0 || (rest.against_half == 0 && floor_is_odd);
    case Rounding::RNA: return rest.against_half > 0 || (rest.against_half == 0 && !negative);
    case Rounding::RHB: return rest.against_half >= 0;
  }
  return false;
}

// The remainder of a double above its floor.
inline Remainder remainder_of(double value, double floor) {
  if (value == floor) return {};
  const double half = floor + 0.5;
  return {false, value < half ? -1 : value > half ? 1 : 0};
}

// Whether a whole number is odd. The library's remainder is slow, and most numbers are small.
inline bool is_odd(double whole) {
  if (std::fabs(whole) < 9007199254740992.0) return (static_cast<std::int64_t>(whole) & 1) != 0;
  return std::fmod(whole, 2.0) != 0.0;
}

}  // namespace pto::numeric
