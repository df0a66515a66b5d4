// A file written as a run goes on: plain, or compressed with zstd when its name ends in .zst. The first
// failure is kept and told at the end.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/outputs.h"

struct ZSTD_CCtx_s;

namespace pto::cli {

class ByteStream {
 public:
  // Writes to `file`, which must outlive it; compressed when its name ends in .zst.
  explicit ByteStream(OutputFile& file);
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream();

  // Collects here; call `flush_if_full` after each record.
  std::string buffer;
  void flush_if_full() {
    constexpr std::size_t enough = std::size_t{1} << 17;
    if (buffer.size() >= enough) flush();
  }
  // Ends the data; the file is its owner's to finish.
  Result<void> close();

 private:
  struct FreeCompressor {
    void operator()(ZSTD_CCtx_s* compressor) const;
  };
  void flush();
  void compress(bool last);
  void write(std::string_view bytes);

  OutputFile& file_;
  std::unique_ptr<ZSTD_CCtx_s, FreeCompressor> compressor_;
  std::string compressed_;
  Result<void> result_;  // the first failure
};

}  // namespace pto::cli
