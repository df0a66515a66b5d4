// "Did you mean": the candidate that is the fewest edits away from a name, if it is near enough to be a
// likely slip.
#pragma once

#include <string>
#include <string_view>

namespace pto::text {

// The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, ignoring
// case.
unsigned edit_distance(std::string_view a, std::string_view b);

class Nearest {
 public:
  explicit Nearest(std::string_view wanted, unsigned least = 0);
  void offer(std::string_view candidate);
  // The best candidate; empty: none is near.
  [[nodiscard]] const std::string& best() const { return best_; }
  // "did you mean 'addi'?", or empty.
  [[nodiscard]] std::string hint() const;

 private:
  std::string_view wanted_;
  unsigned distance_;
  std::size_t alike_ = 0;  // letters at the beginning and the end that the best candidate shares
  std::string best_;
};

}  // namespace pto::text
