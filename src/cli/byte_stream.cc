#include "cli/byte_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

namespace pto::cli {

namespace {
Error stream_error(const std::string& path, const std::string& message) {
  return {.message = message, .place = {.file = path}, .hint = {}, .excerpt = {}};
}
}  // namespace

void ByteStream::FreeCompressor::operator()(ZSTD_CCtx_s* compressor) const {
  (void)ZSTD_freeCCtx(compressor);
}

Result<std::unique_ptr<ByteStream>> ByteStream::open(const std::string& path) {
  const bool standard = path == "-";
  const int descriptor =
      standard ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return stream_error(path, fmt::format("cannot create: {}", std::strerror(errno)));
  return std::unique_ptr<ByteStream>(new ByteStream(path, descriptor, path.ends_with(".zst")));
}

ByteStream::ByteStream(std::string path, int descriptor, bool compressed)
    : path_(std::move(path)), descriptor_(descriptor) {
  if (!compressed) return;
  compressor_.reset(ZSTD_createCCtx());
  (void)ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, 1);
  // A thread of its own where the library has threads.
  (void)ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_nbWorkers, 1);
  compressed_.resize(ZSTD_CStreamOutSize());
}

ByteStream::~ByteStream() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void ByteStream::write(std::string_view bytes) {
  while (!bytes.empty() && failure_.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      failure_ = fmt::format("cannot write: {}", std::strerror(errno));
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void ByteStream::compress(bool last) {
  ZSTD_inBuffer in{buffer.data(), buffer.size(), 0};
  std::size_t left = 0;
  do {
    ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
    left = ZSTD_compressStream2(compressor_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) {
      failure_ = fmt::format("cannot compress: {}", ZSTD_getErrorName(left));
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
  if (descriptor_ > STDERR_FILENO && ::close(descriptor_) != 0 && failure_.empty())
    failure_ = fmt::format("cannot write: {}", std::strerror(errno));
  descriptor_ = -1;
  if (!failure_.empty()) return stream_error(path_, failure_);
  return {};
}

}  // namespace pto::cli
