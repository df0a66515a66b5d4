// Blur and edges of a picture (examples/convolution).
#include <algorithm>
#include <cstdlib>

#include "commands.h"
#include "files.h"

namespace example {
namespace {

constexpr int smooth[] = {1, 2, 1};
constexpr std::size_t filters = 8;

// The brightness of a picture that goes on beyond its border as it ends there.
struct Endless {
  long width;
  long height;
  Bytes pixels;
  explicit Endless(const Picture& picture)
      : width(static_cast<long>(picture.width)),
        height(static_cast<long>(picture.height)),
        pixels(brightness_bytes(picture)) {}
  [[nodiscard]] int at(long x, long y) const {
    return pixels[static_cast<std::size_t>(std::clamp(y, 0L, height - 1) * width +
                                           std::clamp(x, 0L, width - 1))];
  }
};

int blurred_at(const Endless& picture, long x, long y) {
  int sum = 0;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) sum += smooth[i] * smooth[j] * picture.at(x + i - 1, y + j - 1);
  }
  return sum / 16;
}

int edge_at(const Endless& picture, long x, long y) {
  int across = 0;
  int down = 0;
  for (int i = 0; i < 3; ++i) {
    across += smooth[i] * (picture.at(x + 1, y + i - 1) - picture.at(x - 1, y + i - 1));
    down += smooth[i] * (picture.at(x + i - 1, y + 1) - picture.at(x + i - 1, y - 1));
  }
  return std::min(255, (std::abs(across) + std::abs(down)) / 4);
}

void need(const char* what, long x, long y, int got, int wanted) {
  if (got == wanted) return;
  fail(std::string(what) + " at column " + std::to_string(x) + ", row " + std::to_string(y) + " is " +
       std::to_string(got) + ": must be " + std::to_string(wanted));
}

}  // namespace

void convolution_make(const std::string& path, const std::string& pixels, const std::string& taps) {
  const Endless picture(read_ppm(path));
  Bytes bordered;
  for (long y = -1; y <= picture.height; ++y) {
    for (long x = -1; x <= picture.width; ++x)
      bordered.push_back(static_cast<std::uint8_t>(picture.at(x, y)));
  }
  write_all(pixels, bordered);
  Bytes table;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      const int row[filters] = {smooth[i] * smooth[j], i == 2 ? smooth[j] : 0, i == 0 ? smooth[j] : 0,
                                j == 2 ? smooth[i] : 0, j == 0 ? smooth[i] : 0};
      for (const int tap : row) table.push_back(static_cast<std::uint8_t>(tap));
    }
  }
  write_all(taps, table);
}

void convolution_check(const std::string& path, const std::string& blurred, const std::string& edges,
                       const std::string& out) {
  const Endless picture(read_ppm(path));
  const auto soft = read_all<std::uint8_t>(blurred, picture.pixels.size());
  const auto sharp = read_all<std::uint8_t>(edges, picture.pixels.size());
  for (std::size_t i = 0; i < soft.size(); ++i) {
    const long x = static_cast<long>(i) % picture.width;
    const long y = static_cast<long>(i) / picture.width;
    need("the blurred pixel", x, y, soft[i], blurred_at(picture, x, y));
    need("the edge", x, y, sharp[i], edge_at(picture, x, y));
  }
  Bytes both = soft;  // the edges below the blurred picture
  both.insert(both.end(), sharp.begin(), sharp.end());
  write_pgm(out, static_cast<std::size_t>(picture.width), static_cast<std::size_t>(2 * picture.height), both);
}

}  // namespace example
