// A position in a piece of text, and the small steps every parser takes. A step that does not apply changes
// nothing and says so, which makes backtracking a copy of the cursor.
#pragma once

#include <cstddef>
#include <string_view>

namespace pto {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_name_start(char c) { return is_alpha(c) || c == '_' || c == '.' || c == '$'; }
constexpr bool is_name_char(char c) { return is_name_start(c) || is_digit(c); }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t index = 0; index < a.size(); ++index) {
    if (to_lower(a[index]) != to_lower(b[index])) return false;
  }
  return true;
}

class Cursor {
 public:
  explicit constexpr Cursor(std::string_view text, std::size_t position = 0)
      : text_(text), position_(position) {}

  [[nodiscard]] constexpr std::size_t position() const { return position_; }
  constexpr void move_to(std::size_t position) { position_ = position; }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  [[nodiscard]] constexpr std::string_view rest() const { return text_.substr(position_); }
  [[nodiscard]] constexpr bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] constexpr char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  constexpr void skip_spaces() {
    while (!at_end() && (text_[position_] == ' ' || text_[position_] == '\t' || text_[position_] == '\r'))
      ++position_;
  }
  constexpr char next() { return at_end() ? '\0' : text_[position_++]; }

  // Takes `literal` (exactly as spelled) if the text goes on with it.
  constexpr bool take(std::string_view literal) {
    if (!rest().starts_with(literal)) return false;
    position_ += literal.size();
    return true;
  }
  // Takes `word` in any case if the text goes on with it and the word ends there.
  constexpr bool take_word(std::string_view word) {
    const std::string_view ahead = rest();
    if (ahead.size() < word.size() || !equal_ignoring_case(ahead.substr(0, word.size()), word)) return false;
    const char last = word.empty() ? '\0' : word.back();
    if (is_name_char(last) && ahead.size() > word.size() && is_name_char(ahead[word.size()])) return false;
    position_ += word.size();
    return true;
  }
  // The longest run of characters that `accepts` likes; may be empty.
  template <class Predicate>
  constexpr std::string_view take_while(Predicate accepts) {
    const std::size_t begin = position_;
    while (!at_end() && accepts(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }
  // A name: a letter, '_', '.' or '$', then those and digits; empty: there is none here.
  constexpr std::string_view take_name() {
    if (!is_name_start(peek())) return {};
    return take_while(is_name_char);
  }

 private:
  std::string_view text_;
  std::size_t position_;
};

}  // namespace pto
