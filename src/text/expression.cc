#include "text/expression.h"

#include <array>

#include "text/nearest.h"
#include "text/operand_kinds.h"

namespace pto::text {

namespace {

class NoSymbols final : public Symbols {
 public:
  [[nodiscard]] std::optional<Expression> find(std::string_view) const override { return std::nullopt; }
  [[nodiscard]] std::optional<Word> find_local(std::string_view, bool) const override { return std::nullopt; }
  void each_name(const std::function<void(std::string_view)>&) const override {}
};

// Binary operators from the loosest to the tightest binding. Longer spellings come before their beginnings.
struct Operator {
  std::string_view spelling;
  unsigned level;
};
constexpr std::array operators = std::to_array<Operator>({
    {"||", 1},
    {"&&", 2},
    {"==", 3},
    {"!=", 3},
    {"<=", 4},
    {">=", 4},
    {"<<", 8},
    {">>", 8},
    {"<", 4},
    {">", 4},
    {"|", 5},
    {"^", 6},
    {"&", 7},
    {"+", 9},
    {"-", 9},
    {"*", 10},
    {"/", 10},
    {"%", 10},
});

constexpr int deepest = 64;

// Whether it begins with a number that octal digits would make another number: 010, but not 07.
bool has_octal_look(std::string_view text) {
  Cursor cursor(text);
  if (!cursor.take("0")) return false;
  cursor.take_while([](char c) { return c == '0' || c == '_'; });
  const std::string_view digits = cursor.take_while([](char c) { return is_digit(c) || c == '_'; });
  return digits.size() > 1 || digits == "8" || digits == "9";
}

class Parser {
 public:
  Parser(Cursor& cursor, const Symbols& symbols, Word dot) : cursor_(cursor), symbols_(symbols), dot_(dot) {}

  std::optional<Expression> binary(unsigned level, int depth) {
    std::optional<Expression> left = unary(depth);
    while (left) {
      cursor_.skip_spaces();
      const Operator* found = ahead();
      if (found == nullptr || found->level < level) return left;
      const std::size_t place = cursor_.position();
      cursor_.take(found->spelling);
      const std::optional<Expression> right = binary(found->level + 1, depth + 1);
      if (!right) return std::nullopt;
      left = apply(found->spelling, *left, *right, place);
    }
    return left;
  }

  ExpressionError error;

 private:
  std::nullopt_t fail(std::size_t position, std::string message, std::string hint = {}) {
    error = {position, std::move(message), std::move(hint), false};
    return std::nullopt;
  }

  [[nodiscard]] const Operator* ahead() const {
    if (cursor_.rest().starts_with("->")) return nullptr;
    for (const Operator& candidate : operators) {
      if (cursor_.rest().starts_with(candidate.spelling)) return &candidate;
    }
    return nullptr;
  }

  std::optional<Expression> unary(int depth) {
    if (depth > deepest)
      return fail(cursor_.position(), "the expression is nested too deeply",
                  "give a part of it a name with .set");
    cursor_.skip_spaces();
    const char c = cursor_.peek();
    if (c == '-' || c == '~' || c == '!' || c == '+') {
      if (cursor_.peek(1) == '>') return fail(cursor_.position(), "expected a number or a symbol");
      cursor_.next();
      std::optional<Expression> operand = unary(depth + 1);
      if (!operand) return std::nullopt;
      if (c == '-') operand->value = Word{0} - operand->value;
      if (c == '~') operand->value = ~operand->value;
      if (c == '!') operand->value = operand->value == 0 ? 1 : 0;
      return operand;
    }
    if (c == '(') {
      cursor_.next();
      const std::optional<Expression> inner = binary(1, depth + 1);
      if (!inner) return std::nullopt;
      cursor_.skip_spaces();
      if (!cursor_.take(")")) return fail(cursor_.position(), "expected ')'", "every '(' needs its ')'");
      return inner;
    }
    return atom();
  }

  std::optional<Expression> atom() {
    const std::size_t place = cursor_.position();
    if (is_digit(cursor_.peek())) {
      Cursor local = cursor_;
      const std::string_view digits = local.take_while(is_digit);
      const char direction = to_lower(local.peek());
      if ((direction == 'b' || direction == 'f') && !is_name_char(local.peek(1))) {
        local.next();
        cursor_ = local;
        const std::optional<Word> label = symbols_.find_local(digits, direction == 'f');
        if (label) return Expression{*label, true};
        error = {
            place,
            "no local label '" + std::string(digits) + ":' " + (direction == 'f' ? "follows" : "precedes"),
            "define it by '" + std::string(digits) + ":' at the beginning of a line", true};
        return std::nullopt;
      }
    }
    if (const std::optional<Word> number = parse_number(cursor_)) return Expression{*number, false};
    if (cursor_.peek() == '\'')
      return fail(place, "expected one character between quotes", "for example 'a', '\\n' or '\\''");
    if (is_digit(cursor_.peek())) {
      const bool octal = has_octal_look(cursor_.rest());
      const std::string word(cursor_.take_while(is_name_char));
      if (octal)
        return fail(place, "'" + word + "' could be decimal or octal",
                    "write it without the leading zero, or as 0o17");
      return fail(place, "'" + word + "' is not a number, or needs more than 64 bits",
                  "numbers are 12, 0x1f, 0b101, 0o17 and 'a'");
    }
    if (cursor_.peek() == '.' && !is_name_char(cursor_.peek(1))) {
      cursor_.next();
      return Expression{dot_, true};
    }
    const std::string_view name = cursor_.take_name();
    if (name.empty()) return fail(place, "expected a number or a symbol");
    if (const std::optional<Expression> found = symbols_.find(name)) return found;
    if (register_of_name(name))
      return fail(place, "'" + std::string(name) + "' is a register; a number or a symbol is needed here");
    Nearest nearest(name);
    symbols_.each_name([&nearest](std::string_view known) { nearest.offer(known); });
    error = {place, "symbol '" + std::string(name) + "' is not defined",
             nearest.hint().empty() ? "define it as a label, or with .set" : nearest.hint(), true};
    return std::nullopt;
  }

  std::optional<Expression> apply(std::string_view spelling, Expression left, Expression right,
                                  std::size_t place) {
    const Word a = left.value;
    const Word b = right.value;
    const bool one_address = left.is_address != right.is_address;
    const auto number = [](Word value) { return Expression{value, false}; };
    if (spelling == "+") return Expression{a + b, left.is_address || right.is_address};
    if (spelling == "-") return Expression{a - b, one_address};
    if (spelling == "*") return number(a * b);
    const auto x = static_cast<std::int64_t>(a);
    const auto y = static_cast<std::int64_t>(b);
    if (spelling == "/" || spelling == "%") {
      if (y == 0) return fail(place, "division by zero", "what stands on the right of / or % is 0 here");
      if (y == -1) return number(spelling == "/" ? Word{0} - a : 0);  // the lowest number stays as it is
      return number(static_cast<Word>(spelling == "/" ? x / y : x % y));
    }
    if (spelling == "<<" || spelling == ">>") {
      if (b >= 64)
        return fail(place, "a word is shifted by 0 to 63 bits, not by " + std::to_string(y),
                    "beyond 63 nothing is left of the word");
      return number(spelling == "<<" ? a << b : a >> b);
    }
    if (spelling == "&") return number(a & b);
    if (spelling == "|") return number(a | b);
    if (spelling == "^") return number(a ^ b);
    if (spelling == "==") return number(a == b ? 1 : 0);
    if (spelling == "!=") return number(a != b ? 1 : 0);
    if (spelling == "<") return number(x < y ? 1 : 0);
    if (spelling == ">") return number(x > y ? 1 : 0);
    if (spelling == "<=") return number(x <= y ? 1 : 0);
    if (spelling == ">=") return number(x >= y ? 1 : 0);
    if (spelling == "&&") return number(a != 0 && b != 0 ? 1 : 0);
    return number(a != 0 || b != 0 ? 1 : 0);
  }

  Cursor& cursor_;
  const Symbols& symbols_;
  Word dot_;
};

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

std::optional<Word> character(Cursor& cursor) {
  Cursor ahead = cursor;
  ahead.next();
  char c = ahead.next();
  if (c == '\\') {
    switch (ahead.next()) {
      case 'n': c = '\n'; break;
      case 't': c = '\t'; break;
      case '0': c = '\0'; break;
      case '\\': c = '\\'; break;
      case 'r': c = '\r'; break;
      case '\'':
      case '"': c = ahead.text()[ahead.position() - 1]; break;
      default: return std::nullopt;
    }
  }
  if (ahead.next() != '\'') return std::nullopt;
  cursor = ahead;
  return static_cast<unsigned char>(c);
}

}  // namespace

const Symbols& no_symbols() {
  static const NoSymbols none;
  return none;
}

std::optional<Word> parse_number(Cursor& cursor) {
  if (cursor.peek() == '\'') return character(cursor);
  if (!is_digit(cursor.peek())) return std::nullopt;
  Cursor ahead = cursor;
  int base = 10;
  if (ahead.peek() == '0') {
    const char mark = to_lower(ahead.peek(1));
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 10;
    if (base != 10) ahead.next(), ahead.next();
  }
  // Other assemblers read 010 as octal.
  if (base == 10 && has_octal_look(ahead.rest())) return std::nullopt;
  Word value = 0;
  bool any = false;
  while (digit_value(ahead.peek()) < base ||
         (ahead.peek() == '_' && any && digit_value(ahead.peek(1)) < base)) {
    const char c = ahead.next();
    if (c == '_') continue;
    const Word next = value * static_cast<Word>(base) + static_cast<Word>(digit_value(c));
    if (value > (~Word{0} - 15) / static_cast<Word>(base)) return std::nullopt;
    value = next;
    any = true;
  }
  if (!any || is_name_char(ahead.peek())) return std::nullopt;
  cursor = ahead;
  return value;
}

std::variant<Expression, ExpressionError> parse_expression(Cursor& cursor, const Symbols& symbols, Word dot) {
  Parser parser(cursor, symbols, dot);
  const std::optional<Expression> value = parser.binary(1, 0);
  if (value) return *value;
  return parser.error;
}

}  // namespace pto::text
