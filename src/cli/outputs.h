// Output files that appear whole or not at all, one by one or several together.
//
// A regular file is written under another name beside its own and renamed when it is complete; through a link
// the file it names. A device, a pipe or the like keeps its place: it is written to, never replaced.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pto::cli {

class OutputFile {
 public:
  // Ready to be written; nothing of that name has changed yet. "-" is standard output.
  static Result<std::unique_ptr<OutputFile>> open(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // Not committed: as if it had never been.
  ~OutputFile();

  // After an interrupt an output that nobody takes is given up: what would still come is dropped.
  Result<void> write(std::string_view bytes);
  [[nodiscard]] bool given_up() const { return given_up_; }
  // Nothing more will be written; what was has arrived.
  Result<void> finish();
  // Takes its place. Call `finish` first.
  Result<void> commit();

  [[nodiscard]] const std::string& path() const { return path_; }
  // Two outputs with one target would overwrite each other. Empty: a device, which takes what comes.
  [[nodiscard]] const std::string& target() const { return target_; }

 private:
  explicit OutputFile(std::string path) : path_(std::move(path)) {}
  Result<void> open_in_place();
  Result<void> open_beside();

  std::string path_;
  std::string target_;
  std::string temporary_;  // empty: written in place
  int descriptor_ = -1;
  bool given_up_ = false;
};

// The outputs of one command: all of them take their places at its end, or none does.
class Outputs {
 public:
  // A file that was read must not be overwritten; `why` is what an output of that name is told.
  void protect(const std::string& path, std::string_view why);
  // Opens `path` for the option that names it.
  Result<OutputFile*> add(std::string_view option, const std::string& path);
  // Gives an output up.
  void drop(OutputFile* file);
  Result<void> commit();
  // The options and names of outputs that were given up.
  [[nodiscard]] std::vector<std::string> given_up() const;

 private:
  struct Entry {
    std::string option;
    std::unique_ptr<OutputFile> file;
  };
  struct Input {
    std::string target;
    std::string why;
  };
  std::vector<Input> inputs_;
  std::vector<Entry> entries_;
};

}  // namespace pto::cli
