// Prepares the inputs of the examples and checks their results against plain C++ that knows nothing of tiles.
//
//   example_tool picture-unpack IN.ppm OUT.rgba               prints "WIDTH HEIGHT"
//   example_tool picture-check IN.ppm OUT.rgba OUT.ppm
//   example_tool embedding-make TEXT TABLE TOKENS             prints how many tokens
//   example_tool embedding-check TEXT VECTORS OUT.txt
//   example_tool matrix-make IN.ppm PIXELS WEIGHTS
//   example_tool matrix-check IN.ppm SUMS OUT.pgm
//   example_tool convolution-make IN.ppm PIXELS TAPS
//   example_tool convolution-check IN.ppm BLURRED EDGES OUT.pgm
//   example_tool topk-make TEXT SCORES                        prints how many scores
//   example_tool topk-check TEXT BEST OUT.txt
//   example_tool equalise-make IN.ppm PIXELS
//   example_tool equalise-check IN.ppm RESULT OUT.pgm
//   example_tool quantise-make IN.ppm NUMBERS PARAMETERS
//   example_tool quantise-check IN.ppm QUANTISED RESTORED OUT.txt
//   example_tool transpose-check IN.ppm OUT.rgba OUT.ppm
//
// A check that fails says what is wrong, and the exit status is 1.
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"

namespace example {
namespace {

using Arguments = std::vector<std::string>;

template <class... Parameters, std::size_t... I>
void call(void (*function)(Parameters...), const Arguments& arguments, std::index_sequence<I...>) {
  function(arguments[I + 1]...);
}

struct Command {
  const char* name;
  std::size_t arguments;
  std::function<void(const Arguments&)> run;
};

template <class... Parameters>
Command command(const char* name, void (*function)(Parameters...)) {
  return {name, sizeof...(Parameters), [function](const Arguments& arguments) {
            call(function, arguments, std::index_sequence_for<Parameters...>{});
          }};
}

int run(const Arguments& arguments) {
  const Command commands[] = {
      command("picture-unpack", picture_unpack),
      command("picture-check", picture_check),
      command("embedding-make", embedding_make),
      command("embedding-check", embedding_check),
      command("matrix-make", matrix_make),
      command("matrix-check", matrix_check),
      command("convolution-make", convolution_make),
      command("convolution-check", convolution_check),
      command("topk-make", topk_make),
      command("topk-check", topk_check),
      command("equalise-make", equalise_make),
      command("equalise-check", equalise_check),
      command("quantise-make", quantise_make),
      command("quantise-check", quantise_check),
      command("transpose-check", transpose_check),
  };
  for (const Command& known : commands) {
    if (arguments.size() != known.arguments + 1 || arguments[0] != known.name) continue;
    known.run(arguments);
    return 0;
  }
  std::fputs("usage: see the head of examples/tools/example_tool.cc\n", stderr);
  return 2;
}

}  // namespace
}  // namespace example

int main(int argc, char** argv) {
  try {
    return example::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_tool: %s\n", error.what());
    return 1;
  }
}
