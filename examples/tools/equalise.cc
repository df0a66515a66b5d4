// The equalised picture (examples/equalise).
#include <algorithm>

#include "commands.h"
#include "files.h"

namespace example {

void equalise_make(const std::string& path, const std::string& pixels) {
  write_all(pixels, brightness(read_ppm(path)));
}

// A pixel's new brightness is its place among all pixels in order of their brightness.
void equalise_check(const std::string& path, const std::string& result, const std::string& out) {
  const Picture picture = read_ppm(path);
  const Bytes before = brightness_bytes(picture);
  const Bytes got = read_all<std::uint8_t>(result, before.size());
  Bytes ordered = before;
  std::sort(ordered.begin(), ordered.end());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto place = static_cast<std::size_t>(std::upper_bound(ordered.begin(), ordered.end(), before[i]) -
                                                ordered.begin());
    const std::size_t wanted = (255 * place + before.size() / 2) / before.size();
    if (got[i] != wanted)
      fail("pixel " + std::to_string(i) + " is " + std::to_string(got[i]) + ": must be " +
           std::to_string(wanted));
  }
  write_pgm(out, picture.width, picture.height, got);
}

}  // namespace example
