// Errors are values. A function that can fail returns Result<T>; the library never throws across its door,
// never exits and never prints. An Error says what is wrong, where (file, line, column when they are known)
// and, if there is something to suggest, how to mend it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace pto {

struct Place {
  std::string file;        // as the user named it; "<stdin>" for standard input; empty: no file is involved
  std::size_t line = 0;    // 1-based; 0: unknown (a binary file, say)
  std::size_t column = 0;  // 1-based; 0: unknown
};

struct Error {
  std::string message;  // one sentence, no trailing full stop
  Place place;
  std::string hint;                // what to do about it; may be empty
  std::string excerpt;             // the offending source line, for the caret; may be empty
  std::size_t excerpt_column = 1;  // of its first byte: of a long line it is a part

  // "sum.s:14:3: unknown mnemonic 'ad'" followed by the excerpt with a caret and the hint, each on its line.
  [[nodiscard]] std::string render() const;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

// A function that returns nothing but can fail.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit by design

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace pto
