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
#include "isa/decode.h"
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

std::optional<HexWord> parse_hex_word(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  if (text.empty() || text.size() > 16) return std::nullopt;
  HexWord result;
  for (const char c : text) {
    const char lower = to_lower(c);
    if (!is_digit(lower) && (lower < 'a' || lower > 'f')) return std::nullopt;
    result.word =
        result.word << 4 | static_cast<std::uint64_t>(is_digit(lower) ? lower - '0' : lower - 'a' + 10);
  }
  if (text.size() % 4 == 0) {
    result.bits = static_cast<unsigned>(text.size()) * 4;
    return result;
  }
  result.bits = isa::length_bits(static_cast<std::uint16_t>(result.word));
  while (result.bits < 64 && (result.word >> result.bits) != 0) result.bits += 16;
  return result;
}

}  // namespace pto::cli
