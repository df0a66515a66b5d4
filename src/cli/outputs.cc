#include "cli/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/interrupt.h"
#include "cli/io.h"

namespace pto::cli {

namespace {

Error file_error(const std::string& path, std::string message) {
  return {.message = std::move(message),
          .place = {.file = path == "-" ? "<stdout>" : path},
          .hint = {},
          .excerpt = {}};
}

Error failed_to(const std::string& path, std::string_view what) {
  return file_error(path, fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

// What a path names in the end, also through links to files that do not exist yet; empty when that cannot be
// said.
std::string target_of(const std::string& path) {
  constexpr int most_links = 40;
  std::error_code problem;
  std::filesystem::path target = std::filesystem::absolute(path, problem);
  for (int i = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(target, problem)); ++i) {
    if (i == most_links) return {};
    const std::filesystem::path next = std::filesystem::read_symlink(target, problem);
    if (problem) return {};
    target = target.parent_path() / next;
  }
  target = std::filesystem::weakly_canonical(target, problem);
  return problem ? std::string() : target.string();
}

// The descriptor that a path is a name of; -1: the path is one of a file. Opening such a path again would
// begin at the beginning of what it leads to.
int descriptor_named(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto [rest, problem] = std::from_chars(path.data() + folder.size(), end, number);
    if (problem == std::errc() && rest == end && number > STDIN_FILENO) return number;
  }
  return -1;
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::open(const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile(path));
  if (const int open_already = descriptor_named(path); open_already >= 0) {
    const bool standard = open_already <= STDERR_FILENO;
    file->descriptor_ = standard ? open_already : ::fcntl(open_already, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (file->descriptor_ < 0) return failed_to(path, "open");
    file->target_ = open_already == STDOUT_FILENO ? "-" : target_of(path);
    return file;
  }
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  if (std::filesystem::is_directory(status)) return file_error(path, "is a directory");
  const bool in_place = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (!in_place || std::filesystem::is_fifo(status)) file->target_ = target_of(path);
  if (Result<void> opened = in_place ? file->open_in_place() : file->open_beside(); !opened.ok())
    return opened.error();
  return file;
}

Result<void> OutputFile::open_in_place() {
  descriptor_ = open_for_writing(path_);
  if (descriptor_ < 0) return failed_to(path_, "open");
  return {};
}

Result<void> OutputFile::open_beside() {
  if (target_.empty()) return file_error(path_, "cannot follow the link");
  // The folder as the user wrote it, unless a link leads elsewhere.
  std::error_code problem;
  const bool link = std::filesystem::is_symlink(std::filesystem::symlink_status(path_, problem));
  temporary_ = (link ? target_ : path_) + ".XXXXXX";
  descriptor_ = ::mkstemp(temporary_.data());
  if (descriptor_ < 0) {
    temporary_.clear();
    return failed_to(path_, "create");
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);
  return {};
}

OutputFile::~OutputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> OutputFile::write(std::string_view bytes) {
  if (given_up_) return {};
  const Written written = write_all(descriptor_, bytes);
  given_up_ = written == Written::GivenUp;
  if (written == Written::Failed) return failed_to(path_, "write");
  return {};
}

Result<void> OutputFile::finish() {
  if (descriptor_ <= STDERR_FILENO) return {};
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return failed_to(path_, "write");
  return {};
}

Result<void> OutputFile::commit() {
  if (temporary_.empty()) return {};
  const std::string name = temporary_.substr(0, temporary_.size() - std::strlen(".XXXXXX"));
  if (::rename(temporary_.c_str(), name.c_str()) != 0) return failed_to(path_, "create");
  temporary_.clear();
  return {};
}

void Outputs::protect(const std::string& path, std::string_view why) {
  if (path != "-") inputs_.push_back({target_of(path), std::string(why)});
}

Result<OutputFile*> Outputs::add(std::string_view option, const std::string& path) {
  Result<std::unique_ptr<OutputFile>> opened = OutputFile::open(path);
  if (!opened.ok()) return opened.error();
  const std::string& target = (*opened)->target();
  const auto input =
      std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& read) { return read.target == target; });
  if (!target.empty() && input != inputs_.end())
    return option_error(option, path, input->why, "name another file");
  const auto twin = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.file->target() == target; });
  if (!target.empty() && twin != entries_.end()) {
    return option_error(option, path, fmt::format("{} writes to it already", twin->option),
                        "give each output a file of its own");
  }
  entries_.push_back({std::string(option), std::move(*opened)});
  return entries_.back().file.get();
}

void Outputs::drop(OutputFile* file) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.file.get() == file; });
}

std::vector<std::string> Outputs::given_up() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.file->given_up()) names.push_back(fmt::format("{} {}", entry.option, entry.file->path()));
  }
  return names;
}

Result<void> Outputs::commit() {
  for (const Entry& entry : entries_) {
    if (Result<void> finished = entry.file->finish(); !finished.ok()) return finished;
  }
  for (const Entry& entry : entries_) {
    if (Result<void> committed = entry.file->commit(); !committed.ok()) return committed;
  }
  return {};
}

}  // namespace pto::cli
