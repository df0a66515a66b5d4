// Expressions of the assembly language: numbers, symbols, '.', and the usual operators on 64-bit words.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/bits.h"
#include "base/cursor.h"

namespace pto::text {

struct Expression {
  Word value = 0;
  bool is_address = false;  // a label or '.' took part: the value is a place, not a number
};

// What names mean at a point of the program.
class Symbols {
 public:
  virtual ~Symbols() = default;
  // nothing: no such symbol.
  [[nodiscard]] virtual std::optional<Expression> find(std::string_view name) const = 0;
  // The local label `number`, the nearest one forwards or backwards.
  [[nodiscard]] virtual std::optional<Word> find_local(std::string_view number, bool forwards) const = 0;
  // Offers every known name, for "did you mean".
  virtual void each_name(const std::function<void(std::string_view)>& offer) const = 0;
};

// No symbols at all: for single instructions outside a program.
const Symbols& no_symbols();

struct ExpressionError {
  std::size_t position = 0;
  std::string message;
  std::string hint;
  bool undefined = false;  // a symbol that is not defined (yet)
};

// Reads one expression at the cursor; the cursor ends after it. `dot` is the value of '.'.
std::variant<Expression, ExpressionError> parse_expression(Cursor& cursor, const Symbols& symbols, Word dot);

// Reads one number ("12", "0x1f", "0b101", "0o17", "'a'"); nothing and an unmoved cursor: there is none.
std::optional<Word> parse_number(Cursor& cursor);

}  // namespace pto::text
