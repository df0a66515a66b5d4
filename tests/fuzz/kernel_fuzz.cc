// Holds every kernel against its reference on what libFuzzer finds; a difference is a crash.
#include <hwy/highway.h>

#include <cstdio>
#include <cstdlib>

#include "kernel_cases.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The last byte chooses a vector target.
  std::int64_t supported[64];
  std::size_t count = 0;
  for (std::uint64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1)
    supported[count++] = static_cast<std::int64_t>(targets & (~targets + 1));
  hwy::SetSupportedTargetsForTest(supported[data[size - 1] % count]);
  const std::string wrong = pto::test::check_kernel_case({data, size - 1});
  hwy::SetSupportedTargetsForTest(0);
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
