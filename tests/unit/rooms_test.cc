// The arrows between rooms: every #include below src/ must be stated in src/rooms.txt.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
const fs::path source_root = fs::path(PTOSIM_SOURCE_DIR) / "src";

std::map<std::string, std::set<std::string>> stated_arrows() {
  std::map<std::string, std::set<std::string>> arrows;
  std::ifstream file(source_root / "rooms.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(':');
    std::set<std::string>& uses = arrows[line.substr(0, colon)];
    std::istringstream rest(line.substr(colon + 1));
    for (std::string room; rest >> room;) uses.insert(room);
  }
  return arrows;
}

// The room of an include: `#include "state/tile.h"` names state; includes of other things name nothing.
std::string room_of_include(const std::string& line) {
  const std::string start = "#include \"";
  if (line.rfind(start, 0) != 0) return {};
  const std::size_t slash = line.find('/', start.size());
  return slash == std::string::npos ? std::string() : line.substr(start.size(), slash - start.size());
}

TEST(Rooms, EveryFolderIsARoom) {
  const auto arrows = stated_arrows();
  for (const fs::directory_entry& entry : fs::directory_iterator(source_root)) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(arrows.contains(entry.path().filename())) << entry.path();
  }
}

TEST(Rooms, EveryIncludeIsAStatedArrow) {
  const auto arrows = stated_arrows();
  std::size_t includes = 0;
  for (const auto& [room, uses] : arrows) {
    if (!fs::exists(source_root / room)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_root / room)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        const std::string used = room_of_include(line);
        if (used.empty() || used == "pto" || used == room) continue;
        ++includes;
        EXPECT_TRUE(uses.contains(used)) << entry.path() << " may not use room '" << used << "': " << line;
      }
    }
  }
  EXPECT_GT(includes, 50u) << "the check must see the sources";
}

}  // namespace
