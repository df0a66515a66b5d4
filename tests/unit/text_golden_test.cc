// Wrong sources and what the assembler says about them: tests/golden/asm-errors/bad-NAME.s beside
// bad-NAME.txt. With PTOSIM_UPDATE_GOLDEN=1 in the environment the texts are written anew, to be reviewed in
// the diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "text/assembler.h"

namespace pto::text {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A source may choose its release in its first line: "# --isa 0.58.3".
Release release_of(const std::string& source) {
  const std::string mark = "# --isa ";
  if (!source.starts_with(mark)) return default_release;
  return release_of_name(source.substr(mark.size(), source.find('\n') - mark.size()))
      .value_or(default_release);
}

std::vector<std::filesystem::path> wrong_sources() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(PTOSIM_SOURCE_DIR "/tests/golden/asm-errors")) {
    if (entry.path().extension() == ".s") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(TextGolden, WrongSourcesAreExplained) {
  const bool update = std::getenv("PTOSIM_UPDATE_GOLDEN") != nullptr;
  const std::vector<std::filesystem::path> paths = wrong_sources();
  ASSERT_GE(paths.size(), 60u);
  for (const std::filesystem::path& path : paths) {
    const std::string source = contents(path);
    AssembleOptions options;
    options.release = release_of(source);
    options.limits.output_bytes = 1 << 20;
    options.limits.lines = 10'000;
    options.read_file = [&source](const std::string& name) -> Result<std::string> {
      if (name == "itself.s") return source;
      return Error{.message = "cannot open '" + name + "'", .place = {}, .hint = {}, .excerpt = {}};
    };
    const Assembled assembled = assemble(source, path.filename().string(), options);
    EXPECT_FALSE(assembled.ok()) << path.filename() << " assembles";
    std::string text;
    for (const Error& error : assembled.errors) {
      text += error.render() + "\n";
      if (error.place.file.empty()) continue;  // too many errors
      EXPECT_FALSE(error.hint.empty()) << error.render();
      EXPECT_TRUE(error.place.column != 0 && !error.excerpt.empty()) << error.render();
    }
    std::filesystem::path golden = path;
    golden.replace_extension(".txt");
    if (update) {
      std::ofstream(golden, std::ios::binary) << text;
    } else {
      EXPECT_EQ(text, contents(golden)) << path.filename();
    }
  }
}

}  // namespace
}  // namespace pto::text
