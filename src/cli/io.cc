#include "cli/io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/cursor.h"
#include "cli/outputs.h"
#include "text/expression.h"

namespace pto::cli {

namespace {

Error file_error(const std::string& path, std::string message, std::string hint = {}) {
  return {.message = std::move(message),
          .place = {.file = display_name(path)},
          .hint = std::move(hint),
          .excerpt = {}};
}

// A file descriptor that closes itself.
struct Descriptor {
  int number = -1;
  bool owned = true;
  ~Descriptor() {
    if (owned && number >= 0) ::close(number);
  }
};

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

Result<std::string> read_input(const std::string& path, std::size_t limit) {
  const bool standard = path == "-";
  const Descriptor file{standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), !standard};
  if (file.number < 0) return file_error(path, fmt::format("cannot open: {}", std::strerror(errno)));
  struct stat status {};
  if (::fstat(file.number, &status) == 0 && S_ISDIR(status.st_mode))
    return file_error(path, "this is a directory");
  std::string text;
  constexpr std::size_t step = std::size_t{1} << 16;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + step);
    const ssize_t count = ::read(file.number, text.data() + before, step);
    text.resize(before + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error(path, fmt::format("cannot read: {}", std::strerror(errno)));
    if (count == 0) return text;
    if (text.size() > limit) return file_error(path, fmt::format("the file has more than {} bytes", limit));
  }
}

Result<void> write_output(const std::string& path, std::string_view bytes) {
  Result<std::unique_ptr<OutputFile>> file = OutputFile::open(path);
  if (!file.ok()) return file.error();
  if (Result<void> written = (*file)->write(bytes); !written.ok()) return written;
  if (Result<void> finished = (*file)->finish(); !finished.ok()) return finished;
  return (*file)->commit();
}

Result<void> write_output(const std::string& path, std::span<const std::uint8_t> bytes) {
  return write_output(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Error option_error(std::string_view option, std::string_view value, std::string_view why,
                   std::string_view hint) {
  return {.message = fmt::format("{} {}: {}", option, value, why),
          .place = {},
          .hint = std::string(hint),
          .excerpt = {}};
}

Result<Release> parse_release(const std::string& name) {
  if (const std::optional<Release> release = release_of_name(name)) return *release;
  std::string known;
  for (const Release release : all_releases)
    known += (known.empty() ? "" : " and ") + std::string(name_of(release));
  return Error{.message = "unknown release '" + name + "'",
               .place = {},
               .hint = "known releases are " + known,
               .excerpt = {}};
}

Result<std::uint64_t> parse_address(const std::string& text) {
  Cursor cursor(text);
  const std::optional<Word> number = text::parse_number(cursor);
  if (number && cursor.at_end()) return *number;
  return Error{.message = "'" + text + "' is not a number",
               .place = {},
               .hint = "write 4096 or 0x1000",
               .excerpt = {}};
}

Result<std::uint64_t> parse_address(std::string_view option, const std::string& text) {
  if (const Result<std::uint64_t> number = parse_address(text)) return number;
  const bool negative = text.size() > 1 && text[0] == '-' && is_digit(text[1]);
  return option_error(option, text, negative ? "an address is not negative" : "this is not a number",
                      "write 4096 or 0x1000");
}

namespace {

std::string_view without_prefix(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text;
}

constexpr std::size_t most_digits = 16, digits_of_a_parcel = 4;

}  // namespace

std::optional<HexWord> parse_hex_word(std::string_view text) {
  text = without_prefix(text);
  if (text.empty() || text.size() > most_digits || text.size() % digits_of_a_parcel != 0) return std::nullopt;
  HexWord result;
  for (const char c : text) {
    const char lower = to_lower(c);
    if (!is_digit(lower) && (lower < 'a' || lower > 'f')) return std::nullopt;
    result.word =
        result.word << 4 | static_cast<std::uint64_t>(is_digit(lower) ? lower - '0' : lower - 'a' + 10);
  }
  result.bits = static_cast<unsigned>(text.size()) * 4;
  return result;
}

std::string miscounted_digits(std::string_view text) {
  const std::string_view digits = without_prefix(text);
  if (digits.empty() || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos) return {};
  if (digits.size() <= most_digits && digits.size() % digits_of_a_parcel == 0) return {};
  return fmt::format("'{}' has {} digit{}, and a word has 4, 8, 12 or 16", text, digits.size(),
                     digits.size() == 1 ? "" : "s");
}

}  // namespace pto::cli
