#include "base/line_source.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace pto {

namespace {
constexpr std::size_t read_bytes = std::size_t{1} << 17;
constexpr std::array<unsigned char, 4> zstd_magic{0x28, 0xb5, 0x2f, 0xfd};

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) (void)std::fclose(file);
  }
};
struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { (void)ZSTD_freeDStream(stream); }
};
}  // namespace

struct LineSource::State {
  std::string name;
  std::size_t line_limit = 0;
  std::unique_ptr<std::FILE, CloseFile> file;
  std::unique_ptr<ZSTD_DStream, FreeStream> stream;  // null: a plain file
  std::vector<char> input;                           // bytes read, not yet decompressed
  std::size_t input_used = 0;
  bool input_ended = false;
  std::size_t frame_rest = 0;  // what the decompressor still expects of the current frame; 0 between frames
  std::string pending;         // text read, not yet handed out
  std::size_t next_line = 1;
  bool ended = false;

  [[nodiscard]] Error error(std::string message) const {
    return {.message = std::move(message), .place = {name, next_line, 0}, .hint = {}, .excerpt = {}};
  }

  Result<void> fill_input() {
    input.resize(read_bytes);
    const std::size_t got = std::fread(input.data(), 1, input.size(), file.get());
    if (got == 0 && std::ferror(file.get()) != 0)
      return error(fmt::format("cannot read: {}", std::strerror(errno)));
    input.resize(got);
    input_used = 0;
    input_ended = got == 0;
    return {};
  }

  // Appends more text to `pending`, or sets `ended`.
  Result<void> more() {
    if (input_used == input.size() && !input_ended) {
      if (Result<void> filled = fill_input(); !filled.ok()) return filled;
    }
    if (!stream) {
      ended = input_ended;
      pending.append(input.data() + input_used, input.size() - input_used);
      input_used = input.size();
      return {};
    }
    if (input_ended) {
      if (frame_rest != 0) return error("the compressed file is truncated");
      ended = true;
      return {};
    }
    std::array<char, read_bytes> chunk;
    ZSTD_inBuffer in{input.data(), input.size(), input_used};
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    const std::size_t rest = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(rest) != 0)
      return error(fmt::format("broken Zstandard data: {}", ZSTD_getErrorName(rest)));
    frame_rest = rest;
    input_used = in.pos;
    pending.append(chunk.data(), out.pos);
    return {};
  }
};

LineSource::LineSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineSource::LineSource(LineSource&&) noexcept = default;
LineSource& LineSource::operator=(LineSource&&) noexcept = default;
LineSource::~LineSource() = default;

const std::string& LineSource::name() const { return state_->name; }

Result<LineSource> LineSource::open(const std::string& path, std::size_t line_limit) {
  auto state = std::make_unique<State>();
  state->name = path == "-" ? "<stdin>" : path;
  state->line_limit = line_limit;
  const auto fail = [&](std::string message) {
    return Error{.message = std::move(message), .place = {state->name, 0, 0}, .hint = {}, .excerpt = {}};
  };
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) return fail("is a directory");
  state->file.reset(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!state->file) return fail(fmt::format("cannot open: {}", std::strerror(errno)));
  if (Result<void> filled = state->fill_input(); !filled.ok()) return filled.error();
  if (state->input.size() >= zstd_magic.size() &&
      std::memcmp(state->input.data(), zstd_magic.data(), zstd_magic.size()) == 0) {
    state->stream.reset(ZSTD_createDStream());
    if (!state->stream) return fail("cannot start the Zstandard decoder");
  }
  return LineSource(std::move(state));
}

Result<LineBatch> LineSource::next(std::size_t target) {
  State& state = *state_;
  std::size_t searched = 0;
  std::size_t end = std::string::npos;
  while (true) {
    if (state.pending.size() >= target || state.ended) {
      // Only in what is new, so that a long line costs its length once.
      const std::size_t newline = std::string_view(state.pending).substr(searched).rfind('\n');
      if (newline != std::string_view::npos) end = searched + newline;
      searched = state.pending.size();
      if (end != std::string::npos || state.ended) break;
      if (state.pending.size() > state.line_limit) {
        return state.error(fmt::format("a line is longer than {} bytes", state.line_limit));
      }
    }
    if (Result<void> more = state.more(); !more.ok()) return more.error();
  }
  const std::size_t take = state.ended ? state.pending.size() : end + 1;
  LineBatch batch{.text = state.pending.substr(0, take), .first_line = state.next_line};
  state.pending.erase(0, take);
  state.next_line += static_cast<std::size_t>(std::count(batch.text.begin(), batch.text.end(), '\n'));
  return batch;
}

}  // namespace pto
