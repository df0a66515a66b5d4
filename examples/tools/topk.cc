// The most frequent words of a text (examples/topk).
//
// A score is an FP32 number that holds two whole ones: how often the word occurs, and which word it is. So no
// two scores are equal, and a score that moves takes its word along. Numbers below 2^24 are exact.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>

#include "commands.h"
#include "files.h"

namespace example {
namespace {

constexpr std::size_t k = 64;
constexpr unsigned most_words = 4096;

struct Word {
  std::string text;
  unsigned count = 0;
};

// The words of a text in alphabetical order.
std::vector<Word> words_of(const std::string& path) {
  std::map<std::string, unsigned> counts;
  std::string word;
  for (const std::uint8_t byte : read_file(path)) {
    if (std::isalpha(byte) != 0) {
      word += static_cast<char>(std::tolower(byte));
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  if (!word.empty()) ++counts[word];
  std::vector<Word> words;
  for (const auto& [text, count] : counts) words.push_back({text, count});
  if (words.size() > most_words) fail(path + " has too many different words");
  if (words.size() < k) fail(path + " has too few different words");
  for (const Word& found : words) {
    if (found.count >= most_words) fail(path + " has \"" + found.text + "\" too often");
  }
  return words;
}

float score(const std::vector<Word>& words, std::size_t number) {
  return static_cast<float>(words[number].count * most_words + (most_words - 1 - number));
}

}  // namespace

void topk_make(const std::string& path, const std::string& scores) {
  const std::vector<Word> words = words_of(path);
  std::vector<float> numbers;
  for (std::size_t i = 0; i < words.size(); ++i) numbers.push_back(score(words, i));
  numbers.resize((numbers.size() + k - 1) / k * k, 0.0f);
  write_all(scores, numbers);
  std::printf("%zu\n", numbers.size());
}

// By frequency; words that occur equally often in alphabetical order.
void topk_check(const std::string& path, const std::string& result, const std::string& out) {
  std::vector<Word> words = words_of(path);
  const auto got = read_all<float>(result, k);
  const std::vector<Word> alphabetical = words;
  std::stable_sort(words.begin(), words.end(),
                   [](const Word& a, const Word& b) { return a.count > b.count; });
  std::string report;
  for (std::size_t i = 0; i < k; ++i) {
    const auto number = static_cast<std::uint32_t>(got[i]);
    const std::size_t word = most_words - 1 - number % most_words;
    if (word >= alphabetical.size() || alphabetical[word].text != words[i].text ||
        got[i] != score(alphabetical, word))
      fail("place " + std::to_string(i + 1) + " does not hold \"" + words[i].text + "\"");
    report += std::to_string(number / most_words) + ' ' + alphabetical[word].text + '\n';
  }
  write_file(out, report.data(), report.size());
}

}  // namespace example
