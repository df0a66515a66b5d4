// The picture resized by a matrix product (examples/matrix).
#include <cstdlib>

#include "commands.h"
#include "files.h"

namespace example {
namespace {

constexpr std::size_t factor = 3;  // columns of the picture for one of the result

// What a pixel `distance` columns from the middle counts for; all five together make 256.
unsigned weight(int distance) {
  constexpr unsigned weights[] = {86, 57, 28};
  return weights[std::abs(distance)];
}

}  // namespace

void matrix_make(const std::string& path, const std::string& pixels, const std::string& weights) {
  const Picture picture = read_ppm(path);
  write_all(pixels, brightness_bytes(picture));
  const std::size_t columns = picture.width / factor;
  Bytes matrix(picture.width * columns);
  for (std::size_t column = 0; column < columns; ++column) {
    for (int distance = -2; distance <= 2; ++distance) {
      const auto at = static_cast<long>(column * factor + 1) + distance;
      if (at < 0 || at >= static_cast<long>(picture.width)) continue;
      matrix[static_cast<std::size_t>(at) * columns + column] = static_cast<std::uint8_t>(weight(distance));
    }
  }
  write_all(weights, matrix);
}

// The sum for every pixel of the result, by its definition: a few neighbours, weighted.
void matrix_check(const std::string& path, const std::string& result, const std::string& out) {
  const Picture picture = read_ppm(path);
  const Bytes pixels = brightness_bytes(picture);
  const std::size_t columns = picture.width / factor;
  const auto got = read_all<std::uint32_t>(result, picture.height * columns);
  Bytes shades;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t row = i / columns;
    std::uint32_t wanted = 0;
    for (int distance = -2; distance <= 2; ++distance) {
      const auto at = static_cast<long>(i % columns * factor + 1) + distance;
      if (at < 0 || at >= static_cast<long>(picture.width)) continue;
      wanted += pixels[row * picture.width + static_cast<std::size_t>(at)] * weight(distance);
    }
    if (got[i] != wanted)
      fail("the sum at row " + std::to_string(row) + ", column " + std::to_string(i % columns) + " is " +
           std::to_string(got[i]) + ": must be " + std::to_string(wanted));
    shades.push_back(static_cast<std::uint8_t>(got[i] >> 8));
  }
  write_pgm(out, columns, picture.height, shades);
}

}  // namespace example
