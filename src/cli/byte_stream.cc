#include "cli/byte_stream.h"

#include <fmt/format.h>
#include <zstd.h>

namespace pto::cli {

void ByteStream::FreeCompressor::operator()(ZSTD_CCtx_s* compressor) const {
  (void)ZSTD_freeCCtx(compressor);
}

ByteStream::ByteStream(OutputFile& file) : file_(file) {
  if (!file.path().ends_with(".zst")) return;
  compressor_.reset(ZSTD_createCCtx());
  (void)ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, 1);
  // A thread of its own where the library has threads.
  (void)ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_nbWorkers, 1);
  compressed_.resize(ZSTD_CStreamOutSize());
}

ByteStream::~ByteStream() = default;

void ByteStream::write(std::string_view bytes) {
  if (result_.ok()) result_ = file_.write(bytes);
}

void ByteStream::compress(bool last) {
  ZSTD_inBuffer in{buffer.data(), buffer.size(), 0};
  std::size_t left = 0;
  do {
    ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
    left = ZSTD_compressStream2(compressor_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) {
      result_ = Error{.message = fmt::format("cannot compress: {}", ZSTD_getErrorName(left)),
                      .place = {.file = file_.path()},
                      .hint = {},
                      .excerpt = {}};
      return;
    }
    write({compressed_.data(), out.pos});
  } while (last ? left != 0 : in.pos != in.size);
}

void ByteStream::flush() {
  if (compressor_) {
    compress(false);
  } else {
    write(buffer);
  }
  buffer.clear();
}

Result<void> ByteStream::close() {
  if (compressor_) {
    compress(true);
  } else {
    write(buffer);
  }
  buffer.clear();
  return result_;
}

}  // namespace pto::cli
