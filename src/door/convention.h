// What a program finds when it starts, and how it ends: the convention both the library and `run` keep.
#pragma once

#include "base/bits.h"

namespace pto::door {

// General registers by their role.
inline constexpr unsigned sp = 1, a0 = 2, a1 = 3, a2 = 4, a7 = 9, ra = 10;

inline constexpr Word stack_top = 0x7fff'0000'0000;
// Where an empty call stack returns to: even, unmapped, a stop address.
inline constexpr Word return_sentinel = 0x7fff'ffff'fff0;

// Host requests that end the program.
inline constexpr Word request_exit = 93, request_exit_group = 94;

}  // namespace pto::door
