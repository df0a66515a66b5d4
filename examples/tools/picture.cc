// The picture reordered byte by byte (examples/picture).
#include <cstdio>
#include <cstring>

#include "commands.h"
#include "files.h"

namespace example {

void picture_unpack(const std::string& in, const std::string& out) {
  const Picture picture = read_ppm(in);
  write_file(out, picture.rgba.data(), picture.rgba.size());
  std::printf("%zu %zu\n", picture.width, picture.height);
}

void picture_check(const std::string& in, const std::string& result, const std::string& out) {
  const Picture picture = read_ppm(in);
  const Bytes got = read_file(result);
  if (got.size() != picture.rgba.size()) fail("the result has another size than the picture");
  // Pixel i of the result is pixel i^1 of the picture with red and blue exchanged.
  for (std::size_t i = 0; i < got.size() / 4; ++i) {
    const std::uint8_t* pixel = picture.rgba.data() + (i ^ 1) * 4;
    const std::uint8_t wanted[4] = {pixel[2], pixel[1], pixel[0], pixel[3]};
    if (std::memcmp(got.data() + i * 4, wanted, 4) != 0) {
      fail("pixel " + std::to_string(i) + " is wrong");
    }
  }
  write_ppm(out, {picture.width, picture.height, got});
}

}  // namespace example
