#include "files.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace example {

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot open " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const void* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!file) fail("cannot write " + path);
}

template <class Element>
std::vector<Element> read_all(const std::string& path, std::size_t count) {
  const Bytes bytes = read_file(path);
  if (bytes.size() != count * sizeof(Element))
    fail(path + " has " + std::to_string(bytes.size()) +
         " bytes: " + std::to_string(count * sizeof(Element)) + " were expected");
  std::vector<Element> elements(count);
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}
template std::vector<std::uint8_t> read_all(const std::string&, std::size_t);
template std::vector<std::int8_t> read_all(const std::string&, std::size_t);
template std::vector<std::uint32_t> read_all(const std::string&, std::size_t);
template std::vector<float> read_all(const std::string&, std::size_t);

// Binary PPM with 8-bit samples; '#' begins a comment in the header.
Picture read_ppm(const std::string& path) {
  const Bytes bytes = read_file(path);
  std::size_t at = 0;
  const auto token = [&] {
    std::string text;
    while (at < bytes.size()) {
      const char c = static_cast<char>(bytes[at]);
      if (c == '#' && text.empty()) {
        while (at < bytes.size() && bytes[at] != '\n') ++at;
      } else if (std::strchr(" \t\r\n", c) != nullptr) {
        ++at;
        if (!text.empty()) break;
      } else {
        text += c;
        ++at;
      }
    }
    return text;
  };
  if (token() != "P6") fail(path + " is not a binary PPM");
  Picture picture;
  picture.width = std::stoul(token());
  picture.height = std::stoul(token());
  if (token() != "255") fail(path + " has samples of another size than 8 bits");
  const std::size_t pixels = picture.width * picture.height;
  if (bytes.size() - at < pixels * 3) fail(path + " is truncated");
  if (picture.width % 32 != 0 || picture.height % 32 != 0) fail("both sides must be multiples of 32");
  for (std::size_t i = 0; i < pixels; ++i) {
    picture.rgba.insert(picture.rgba.end(),
                        {bytes[at + 3 * i], bytes[at + 3 * i + 1], bytes[at + 3 * i + 2], 255});
  }
  return picture;
}

void write_ppm(const std::string& path, const Picture& picture) {
  const std::string header =
      "P6\n" + std::to_string(picture.width) + ' ' + std::to_string(picture.height) + "\n255\n";
  Bytes bytes(header.begin(), header.end());
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
    bytes.insert(bytes.end(), {picture.rgba[i], picture.rgba[i + 1], picture.rgba[i + 2]});
  write_all(path, bytes);
}

void write_pgm(const std::string& path, std::size_t width, std::size_t height, const Bytes& shades) {
  const std::string header = "P5\n" + std::to_string(width) + ' ' + std::to_string(height) + "\n255\n";
  Bytes bytes(header.begin(), header.end());
  bytes.insert(bytes.end(), shades.begin(), shades.end());
  write_all(path, bytes);
}

std::vector<std::uint16_t> brightness(const Picture& picture) {
  std::vector<std::uint16_t> values;
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
    values.push_back(static_cast<std::uint16_t>(77 * picture.rgba[i] + 150 * picture.rgba[i + 1] +
                                                29 * picture.rgba[i + 2]));
  return values;
}

Bytes brightness_bytes(const Picture& picture) {
  Bytes bytes;
  for (const std::uint16_t value : brightness(picture))
    bytes.push_back(static_cast<std::uint8_t>(value >> 8));
  return bytes;
}

}  // namespace example
