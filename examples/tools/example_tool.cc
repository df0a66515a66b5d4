// Prepares the inputs of the examples and checks their results against plain C++ that knows nothing of tiles.
//
//   example_tool picture-unpack IN.ppm OUT.rgba         prints "WIDTH HEIGHT"
//   example_tool picture-check IN.ppm OUT.rgba OUT.ppm  compares, then writes a picture to look at
//   example_tool embedding-make TEXT TABLE TOKENS       prints how many tokens
//   example_tool embedding-check TEXT VECTORS OUT.txt   compares, then writes the vectors as text

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const void* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!file) throw std::runtime_error("cannot write " + path);
}

// --- The picture ---

struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  Bytes rgba;
};

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
  if (token() != "P6") throw std::runtime_error(path + " is not a binary PPM");
  Picture picture;
  picture.width = std::stoul(token());
  picture.height = std::stoul(token());
  if (token() != "255") throw std::runtime_error(path + " has samples of another size than 8 bits");
  const std::size_t pixels = picture.width * picture.height;
  if (bytes.size() - at < pixels * 3) throw std::runtime_error(path + " is truncated");
  if (picture.width % 32 != 0 || picture.height % 32 != 0)
    throw std::runtime_error("both sides must be multiples of 32");
  for (std::size_t i = 0; i < pixels; ++i) {
    picture.rgba.insert(picture.rgba.end(),
                        {bytes[at + 3 * i], bytes[at + 3 * i + 1], bytes[at + 3 * i + 2], 255});
  }
  return picture;
}

void picture_unpack(const std::string& in, const std::string& out) {
  const Picture picture = read_ppm(in);
  write_file(out, picture.rgba.data(), picture.rgba.size());
  std::printf("%zu %zu\n", picture.width, picture.height);
}

void picture_check(const std::string& in, const std::string& result, const std::string& out) {
  const Picture picture = read_ppm(in);
  const Bytes got = read_file(result);
  if (got.size() != picture.rgba.size())
    throw std::runtime_error("the result has another size than the picture");
  // Pixel i of the result is pixel i^1 of the picture with red and blue exchanged.
  for (std::size_t i = 0; i < got.size() / 4; ++i) {
    const std::uint8_t* pixel = picture.rgba.data() + (i ^ 1) * 4;
    const std::uint8_t wanted[4] = {pixel[2], pixel[1], pixel[0], pixel[3]};
    if (std::memcmp(got.data() + i * 4, wanted, 4) != 0) {
      throw std::runtime_error("pixel " + std::to_string(i) + " is wrong");
    }
  }
  std::ostringstream ppm;
  ppm << "P6\n" << picture.width << ' ' << picture.height << "\n255\n";
  for (std::size_t i = 0; i < got.size(); i += 4) ppm.write(reinterpret_cast<const char*>(got.data() + i), 3);
  write_file(out, ppm.str().data(), ppm.str().size());
}

// --- The embedding ---

constexpr std::size_t columns = 16;
constexpr std::size_t sequence = 16;  // tokens a line is padded to
constexpr std::size_t batch = 32;     // tokens the program serves in one turn

struct Text {
  std::vector<std::string> vocabulary{"<pad>"};
  std::vector<std::uint32_t> tokens;
};

// One sequence a line, cut or padded to the same length; words are numbered as they appear.
Text tokenize(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  Text text;
  std::map<std::string, std::uint32_t> numbers;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::size_t count = 0;
    for (std::string word; count < sequence && words >> word; ++count) {
      const auto [at, fresh] = numbers.try_emplace(word, static_cast<std::uint32_t>(text.vocabulary.size()));
      if (fresh) text.vocabulary.push_back(word);
      text.tokens.push_back(at->second);
    }
    text.tokens.resize(text.tokens.size() + sequence - count, 0);
  }
  text.tokens.resize((text.tokens.size() + batch - 1) / batch * batch, 0);
  return text;
}

// A word's vector: how often its letters fall into each of sixteen groups, by length.
std::vector<float> embed(const std::string& word) {
  std::vector<float> vector(columns);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto letter = static_cast<unsigned char>(word[i]);
    vector[(letter * 7u + i) % columns] += 1.0f / static_cast<float>(word.size());
  }
  return vector;
}

void embedding_make(const std::string& path, const std::string& table_path, const std::string& token_path) {
  const Text text = tokenize(path);
  std::vector<float> table;
  for (const std::string& word : text.vocabulary) {
    const std::vector<float> row = embed(word);
    table.insert(table.end(), row.begin(), row.end());
  }
  write_file(table_path, table.data(), table.size() * sizeof(float));
  write_file(token_path, text.tokens.data(), text.tokens.size() * sizeof(std::uint32_t));
  std::printf("%zu\n", text.tokens.size());
}

void embedding_check(const std::string& path, const std::string& result, const std::string& out) {
  const Text text = tokenize(path);
  const Bytes bytes = read_file(result);
  if (bytes.size() != text.tokens.size() * columns * sizeof(float))
    throw std::runtime_error("the result has the wrong size");
  std::vector<float> got(bytes.size() / sizeof(float));
  std::memcpy(got.data(), bytes.data(), bytes.size());
  std::ostringstream report;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const std::uint32_t token = text.tokens[i];
    const std::vector<float> wanted =
        token == 0 ? std::vector<float>(columns) : embed(text.vocabulary[token]);
    if (!std::equal(wanted.begin(), wanted.end(), got.begin() + static_cast<std::ptrdiff_t>(i * columns))) {
      throw std::runtime_error("the vector of token " + std::to_string(i) + " is wrong");
    }
    if (i % sequence == 0) report << "line " << i / sequence + 1 << '\n';
    char line[160];
    int used = std::snprintf(line, sizeof line, "  %-10s", text.vocabulary[token].c_str());
    for (std::size_t c = 0; c < columns; ++c) {
      used += std::snprintf(line + used, sizeof line - static_cast<std::size_t>(used), " %.2f",
                            static_cast<double>(got[i * columns + c]));
    }
    report << line << '\n';
  }
  write_file(out, report.str().data(), report.str().size());
}

int run(const std::vector<std::string>& arguments) {
  const auto is = [&](const char* name, std::size_t count) {
    return arguments.size() == count + 1 && arguments[0] == name;
  };
  if (is("picture-unpack", 2)) return picture_unpack(arguments[1], arguments[2]), 0;
  if (is("picture-check", 3)) return picture_check(arguments[1], arguments[2], arguments[3]), 0;
  if (is("embedding-make", 3)) return embedding_make(arguments[1], arguments[2], arguments[3]), 0;
  if (is("embedding-check", 3)) return embedding_check(arguments[1], arguments[2], arguments[3]), 0;
  std::fputs("usage: see the head of examples/tools/example_tool.cc\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_tool: %s\n", error.what());
    return 1;
  }
}
