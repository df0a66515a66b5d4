// The embedding look-up (examples/embedding).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "commands.h"
#include "files.h"

namespace example {
namespace {

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
  if (!file) fail("cannot open " + path);
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

}  // namespace

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
  if (bytes.size() != text.tokens.size() * columns * sizeof(float)) fail("the result has the wrong size");
  std::vector<float> got(bytes.size() / sizeof(float));
  std::memcpy(got.data(), bytes.data(), bytes.size());
  std::ostringstream report;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const std::uint32_t token = text.tokens[i];
    const std::vector<float> wanted =
        token == 0 ? std::vector<float>(columns) : embed(text.vocabulary[token]);
    if (!std::equal(wanted.begin(), wanted.end(), got.begin() + static_cast<std::ptrdiff_t>(i * columns))) {
      fail("the vector of token " + std::to_string(i) + " is wrong");
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

}  // namespace example
