#include "text/nearest.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/cursor.h"

namespace pto::text {

namespace {
constexpr std::size_t longest = 48;  // longer names are never slips of short ones
}

unsigned edit_distance(std::string_view a, std::string_view b) {
  if (a.size() > longest || b.size() > longest) return longest;
  std::array<std::array<unsigned, longest + 1>, 3> rows{};
  for (std::size_t column = 0; column <= b.size(); ++column) rows[0][column] = static_cast<unsigned>(column);
  for (std::size_t row = 1; row <= a.size(); ++row) {
    auto& current = rows[row % 3];
    const auto& above = rows[(row + 2) % 3];
    const auto& two_above = rows[(row + 1) % 3];
    current[0] = static_cast<unsigned>(row);
    for (std::size_t column = 1; column <= b.size(); ++column) {
      const bool same = to_lower(a[row - 1]) == to_lower(b[column - 1]);
      current[column] =
          std::min({above[column] + 1, current[column - 1] + 1, above[column - 1] + (same ? 0u : 1u)});
      const bool swapped = row > 1 && column > 1 && to_lower(a[row - 1]) == to_lower(b[column - 2]) &&
                           to_lower(a[row - 2]) == to_lower(b[column - 1]);
      if (swapped) current[column] = std::min(current[column], two_above[column - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

namespace {

std::size_t shared_ends(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t front = 0;
  while (front < shorter && to_lower(a[front]) == to_lower(b[front])) ++front;
  std::size_t back = 0;
  while (back < shorter - front && to_lower(a[a.size() - 1 - back]) == to_lower(b[b.size() - 1 - back]))
    ++back;
  return front + back;
}

}  // namespace

// A third of the letters may be wrong, and at least `least` of them.
Nearest::Nearest(std::string_view wanted, unsigned least)
    : wanted_(wanted),
      distance_(1 + std::max(static_cast<unsigned>(std::min(wanted.size(), longest)) / 3, least)) {}

void Nearest::offer(std::string_view candidate) {
  const std::size_t difference = candidate.size() > wanted_.size() ? candidate.size() - wanted_.size()
                                                                   : wanted_.size() - candidate.size();
  if (difference > distance_) return;
  const unsigned distance = edit_distance(wanted_, candidate);
  if (distance > distance_ || (distance == distance_ && best_.empty())) return;
  // Among equally near candidates the one that is more alike at its ends, then the first in the alphabet: the
  // answer does not depend on the order of the offers.
  const std::size_t alike = shared_ends(wanted_, candidate);
  if (distance == distance_ && (alike < alike_ || (alike == alike_ && candidate >= best_))) return;
  distance_ = distance;
  alike_ = alike;
  best_ = candidate;
}

std::string Nearest::hint() const { return best_.empty() ? std::string() : "did you mean '" + best_ + "'?"; }

}  // namespace pto::text
