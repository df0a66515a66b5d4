// The releases of the PTO ISA that ptosim follows. Every run, vector and message names one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pto {

enum class Release : std::uint8_t { v0_58_3, v0_58_5 };

inline constexpr std::array<Release, 2> all_releases{Release::v0_58_3, Release::v0_58_5};
inline constexpr Release default_release = Release::v0_58_5;

constexpr std::string_view name_of(Release release) {
  return release == Release::v0_58_3 ? "0.58.3" : "0.58.5";
}

constexpr std::optional<Release> release_of_name(std::string_view name) {
  for (const Release release : all_releases) {
    if (name_of(release) == name) return release;
  }
  return std::nullopt;
}

}  // namespace pto
