// Real numbers as bytes and back (examples/quantise): how much brighter than its average each pixel is, for
// red, green and blue.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "commands.h"
#include "files.h"

namespace example {
namespace {

constexpr std::size_t channels = 3;

std::vector<float> channel_of(const Picture& picture, std::size_t channel) {
  std::vector<float> numbers;
  double sum = 0;
  for (std::size_t i = channel; i < picture.rgba.size(); i += 4) {
    const float share = static_cast<float>(picture.rgba[i]) / 255.0f;
    numbers.push_back(share * share);  // about the light that a sample stands for
    sum += static_cast<double>(numbers.back());
  }
  const auto average = static_cast<float>(sum / static_cast<double>(numbers.size()));
  for (float& number : numbers) number -= average;
  return numbers;
}

// As the program reads them.
struct Parameters {
  float reciprocal;
  float scale;
  std::int64_t zero;
};
static_assert(sizeof(Parameters) == 16);

// The numbers lie on both sides of zero, so zero has a byte of its own.
Parameters parameters_of(const std::vector<float>& numbers) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  const float scale = (*high - *low) / 255.0f;
  const long zero = std::clamp(std::lround(-128.0f - *low / scale), -128L, 127L);
  return {1.0f / scale, scale, zero};
}

// The product is exact in a double; nearbyint rounds halves to even.
int quantised(float number, const Parameters& parameters) {
  const double product = static_cast<double>(number) * static_cast<double>(parameters.reciprocal);
  return std::clamp(static_cast<int>(std::nearbyint(product)) + static_cast<int>(parameters.zero), -128, 127);
}

float restored(int byte, const Parameters& parameters) {
  return static_cast<float>(byte - static_cast<int>(parameters.zero)) * parameters.scale;
}

}  // namespace

void quantise_make(const std::string& path, const std::string& numbers_path,
                   const std::string& parameters_path) {
  const Picture picture = read_ppm(path);
  std::vector<float> numbers;
  std::vector<Parameters> parameters;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const std::vector<float> own = channel_of(picture, channel);
    numbers.insert(numbers.end(), own.begin(), own.end());
    parameters.push_back(parameters_of(own));
  }
  write_all(numbers_path, numbers);
  write_all(parameters_path, parameters);
}

// Every byte and every number exactly, and the promise of quantisation: nothing moves by more than half a
// step. (The end of the range may lose another half, because zero is rounded too.)
void quantise_check(const std::string& path, const std::string& quantised_path,
                    const std::string& restored_path, const std::string& out) {
  const Picture picture = read_ppm(path);
  const std::size_t count = picture.width * picture.height;
  const auto bytes = read_all<std::int8_t>(quantised_path, channels * count);
  const auto numbers = read_all<float>(restored_path, channels * count);
  std::string report;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const std::vector<float> before = channel_of(picture, channel);
    const Parameters parameters = parameters_of(before);
    float worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = channel * count + i;
      const std::string place = " of number " + std::to_string(i) + ", channel " + std::to_string(channel);
      const int wanted = quantised(before[i], parameters);
      if (bytes[at] != wanted) fail("the byte" + place + " is wrong");
      if (numbers[at] != restored(wanted, parameters)) fail("the restored value" + place + " is wrong");
      const float error = std::fabs(numbers[at] - before[i]) / parameters.scale;
      const bool at_the_end = wanted == -128 || wanted == 127;
      if (error > (at_the_end ? 1.001f : 0.501f)) fail("the error" + place + " is too large");
      worst = std::max(worst, error);
    }
    char line[120];
    std::snprintf(line, sizeof line, "channel %zu: step %.6f, zero is %lld, largest error %.3f steps\n",
                  channel, static_cast<double>(parameters.scale), static_cast<long long>(parameters.zero),
                  static_cast<double>(worst));
    report += line;
  }
  write_file(out, report.data(), report.size());
}

}  // namespace example
