// The transposed picture (examples/transpose).
#include <cstring>

#include "commands.h"
#include "files.h"

namespace example {

void transpose_check(const std::string& path, const std::string& result, const std::string& out) {
  const Picture picture = read_ppm(path);
  const Bytes got = read_all<std::uint8_t>(result, picture.rgba.size());
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      const std::uint8_t* wanted = picture.rgba.data() + (y * picture.width + x) * 4;
      if (std::memcmp(got.data() + (x * picture.height + y) * 4, wanted, 4) != 0)
        fail("column " + std::to_string(y) + " of row " + std::to_string(x) + " is wrong");
    }
  }
  write_ppm(out, {picture.height, picture.width, got});
}

}  // namespace example
