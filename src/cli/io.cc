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

Result<void> write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return file_error(path, fmt::format("cannot write: {}", std::strerror(errno)));
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

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

namespace {

// A device, a pipe or the like keeps its place: it is written to, never replaced.
Result<void> write_in_place(const std::string& path, std::string_view bytes) {
  const Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (file.number < 0) return file_error(path, fmt::format("cannot open: {}", std::strerror(errno)));
  return write_all(file.number, bytes, path);
}

Result<void> write_and_rename(const std::string& path, std::string_view bytes) {
  std::string temporary = path + ".XXXXXX";
  const Descriptor file{::mkstemp(temporary.data())};
  if (file.number < 0) return file_error(path, fmt::format("cannot create: {}", std::strerror(errno)));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file.number, 0666 & ~mask);
  Result<void> written = write_all(file.number, bytes, path);
  if (written.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = file_error(path, fmt::format("cannot create: {}", std::strerror(errno)));
  }
  if (!written.ok()) ::unlink(temporary.c_str());
  return written;
}

}  // namespace

Result<void> write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") return write_all(STDOUT_FILENO, bytes, "<stdout>");
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  if (std::filesystem::is_directory(status)) return file_error(path, "is a directory");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return write_in_place(path, bytes);
  // Through a link to the file it names.
  const bool link = std::filesystem::is_symlink(std::filesystem::symlink_status(path, problem));
  if (!link) return write_and_rename(path, bytes);
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, problem);
  return problem ? file_error(path, "cannot follow the link: " + problem.message())
                 : write_and_rename(target.string(), bytes);
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
