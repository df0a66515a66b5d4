#include "base/json_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pto {

namespace {

// Moves a place from the beginning of a text to behind `before`.
void move_to(Place& place, std::string_view before) {
  const std::size_t newline = before.rfind('\n');
  place.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  place.column = 1 + (newline == std::string_view::npos ? before.size() : before.size() - newline - 1);
}

// Walks over a text that is known to be JSON.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t at() const { return at_; }

  // Goes to the member of the container that begins here; false, and to the container's end, if it has none.
  bool enter(std::string_view wanted) {
    skip_blank();
    if (at_ >= text_.size() || (text_[at_] != '{' && text_[at_] != '[')) return false;
    const bool object = text_[at_++] == '{';
    for (std::size_t number = 0;; ++number) {
      skip_blank();
      if (at_ >= text_.size() || text_[at_] == '}' || text_[at_] == ']') return false;
      const std::size_t begin = at_;
      std::string_view name;
      if (object) {
        skip_value();
        name = text_.substr(begin + 1, at_ - begin - 2);
        skip_blank();
        ++at_;  // the colon
      }
      if (object ? name == wanted : std::to_string(number) == wanted) {
        member_ = begin;
        return true;
      }
      skip_value();
      skip_blank();
      if (at_ < text_.size() && text_[at_] == ',') ++at_;
    }
  }
  // Where the member entered last begins: its name, or the element.
  [[nodiscard]] std::size_t member() const { return member_; }

 private:
  void skip_blank() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  void skip_value() {
    skip_blank();
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
        ++at_;
      } else if (depth == 0) {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      } else {
        ++at_;
      }
      if (depth == 0) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t member_ = 0;
};

// What nlohmann-json found wrong, without the place, which messages name themselves; of a long token the
// beginning.
std::string reason_of(const nlohmann::json::parse_error& problem) {
  std::string reason = problem.what();
  const std::size_t place = reason.find("column ");
  const std::size_t colon = place == reason.npos ? reason.npos : reason.find(": ", place);
  if (colon != reason.npos) reason.erase(0, colon + 2);
  constexpr std::size_t longest = 160;
  if (reason.size() > longest) reason = reason.substr(0, longest) + "...";
  for (char& c : reason) {
    if (static_cast<unsigned char>(c) >= 0x7f || static_cast<unsigned char>(c) < ' ') c = '?';
  }
  return reason;
}

}  // namespace

Place json_member_place(std::string_view text, const std::vector<std::string>& path, std::string file) {
  Walker walker(text);
  for (const std::string& name : path) {
    if (!walker.enter(name)) break;
  }
  Place place{std::move(file), 1, 1};
  move_to(place, text.substr(0, walker.member()));
  return place;
}

Error json_syntax_error(std::string_view text, std::string_view reason, std::string file,
                        std::size_t first_line) {
  Error error{.message = fmt::format("not a JSON document: {}", reason),
              .place = {std::move(file), first_line, 1},
              .hint = {},
              .excerpt = {}};
  try {
    const nlohmann::json parsed = nlohmann::json::parse(text);
    error.message += fmt::format(" (a JSON {} all the same)", parsed.type_name());
    if (text.starts_with("\xef\xbb\xbf"))
      error.message = "not a JSON document: it begins with a byte order mark";
  } catch (const nlohmann::json::parse_error& problem) {
    error.message = fmt::format("not a JSON document: {}", reason_of(problem));
    const std::size_t at = std::min(problem.byte == 0 ? 0 : problem.byte - 1, text.size());
    move_to(error.place, text.substr(0, at));
  } catch (const nlohmann::json::exception&) {
    // Not a syntax error after all; the reason stands.
  }
  return error;
}

}  // namespace pto
