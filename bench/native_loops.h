// The loops a person would write by hand for one machine: what tile operations are measured against. Compiled
// with -O3 -march=native, whatever the rest is compiled with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::bench::native {

void add(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out, std::size_t count);
void add(const std::uint8_t* left, const std::uint8_t* right, std::uint8_t* out, std::size_t count);
void multiply(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out, std::size_t count);
void multiply(const std::uint8_t* left, const std::uint8_t* right, std::uint8_t* out, std::size_t count);

}  // namespace pto::bench::native
