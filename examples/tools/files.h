// Files, and the pictures the examples work on.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] inline void fail(const std::string& why) { throw std::runtime_error(why); }

Bytes read_file(const std::string& path);
void write_file(const std::string& path, const void* data, std::size_t size);

template <class Element>
void write_all(const std::string& path, const std::vector<Element>& elements) {
  write_file(path, elements.data(), elements.size() * sizeof(Element));
}

// The numbers in a file, which must be `count`.
template <class Element>
std::vector<Element> read_all(const std::string& path, std::size_t count);

struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  Bytes rgba;
};

Picture read_ppm(const std::string& path);
void write_ppm(const std::string& path, const Picture& picture);
// Shades of grey, one byte a pixel.
void write_pgm(const std::string& path, std::size_t width, std::size_t height, const Bytes& shades);

// The brightness of every pixel, 0 to 65280; the high byte is the brightness from 0 to 255.
std::vector<std::uint16_t> brightness(const Picture& picture);
Bytes brightness_bytes(const Picture& picture);

}  // namespace example
