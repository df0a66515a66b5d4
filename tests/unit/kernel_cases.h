// Kernels held against their references: one call of one kernel, made from a stream of bytes, and what is
// wrong with what it did. The unit tests feed it random bytes on every vector target, the fuzzer feeds it
// what it finds.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pto::test {

// Empty: the kernel did what its reference does.
std::string check_kernel_case(std::span<const std::uint8_t> bytes);

}  // namespace pto::test
