// A file written as a run goes on: plain, standard output for "-", or compressed with zstd when its name ends
// in .zst. What is written stays even if the run is cut short; the first failure is kept and told at the end.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct ZSTD_CCtx_s;

namespace pto::cli {

class ByteStream {
 public:
  static Result<std::unique_ptr<ByteStream>> open(const std::string& path);
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream();

  // Collects here; call `flush_if_full` after each record.
  std::string buffer;
  void flush_if_full() {
    constexpr std::size_t enough = std::size_t{1} << 17;
    if (buffer.size() >= enough) flush();
  }
  // Ends the file.
  Result<void> close();

 private:
  struct FreeCompressor {
    void operator()(ZSTD_CCtx_s* compressor) const;
  };
  ByteStream(std::string path, int descriptor, bool compressed);
  void flush();
  void compress(bool last);
  void write(std::string_view bytes);

  std::string path_;
  int descriptor_;
  std::unique_ptr<ZSTD_CCtx_s, FreeCompressor> compressor_;
  std::string compressed_;
  std::string failure_;
};

}  // namespace pto::cli
