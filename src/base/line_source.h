// Text files read line by line: plain or Zstandard-compressed, from a path or standard input ("-").
//
// Lines come in batches so that several threads can work on them; memory stays bounded by the batch size and
// the longest line allowed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pto {

// Some consecutive lines of a file.
struct LineBatch {
  std::string text;            // whole lines, each with its '\n' except perhaps the last
  std::size_t first_line = 1;  // 1-based number of the first
};

class LineSource {
 public:
  static constexpr std::size_t default_line_limit = std::size_t{64} << 20;

  // Compression is recognised by the file's first bytes, not by its name.
  static Result<LineSource> open(const std::string& path, std::size_t line_limit = default_line_limit);

  LineSource(LineSource&&) noexcept;
  LineSource& operator=(LineSource&&) noexcept;
  ~LineSource();

  // The next lines, about `target` bytes of them; an empty text at the end of the file.
  Result<LineBatch> next(std::size_t target);

  // The file's name as messages print it.
  [[nodiscard]] const std::string& name() const;

 private:
  struct State;
  explicit LineSource(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace pto
