// The numeric status flags, as CORE_STATE[36:32] holds them.
#pragma once

#include <cstdint>

namespace pto::numeric {

using StatusFlags = std::uint8_t;
namespace status {
inline constexpr StatusFlags none = 0;
inline constexpr StatusFlags invalid = 1;
inline constexpr StatusFlags divide_by_zero = 2;
inline constexpr StatusFlags overflow = 4;
inline constexpr StatusFlags underflow = 8;
inline constexpr StatusFlags inexact = 16;
}  // namespace status
inline constexpr unsigned status_flags_lsb = 32;

}  // namespace pto::numeric
