// The vector targets that kernels of plain loops are compiled for. Included before Highway.
//
// The loops are plain C++, compiled once per target; what they gain is the width of a target's vectors. The
// small steps between SSE2 and AVX2 would only cost compile time.
#pragma once

#include <hwy/detect_targets.h>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
