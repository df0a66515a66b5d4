// Relocations agree with the assembler: an instruction that names one place, relocated to another, is the
// instruction the assembler makes for the other.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "load/elf_relocation.h"
#include "text/assembler.h"

namespace pto::load {
namespace {

constexpr Word text_address = 0x10000;

// The bytes of `instruction`, whose "place" lies `distance` bytes from it.
std::vector<std::uint8_t> assembled(std::string instruction, std::int64_t distance) {
  const std::string place = (distance < 0 ? ".-" : ".+") + std::to_string(std::abs(distance));
  instruction.replace(instruction.find("place"), 5, place);
  const std::string source = instruction + "\n";
  text::AssembleOptions options;
  options.text_address = text_address;
  const text::Assembled result = text::assemble(source, "test.s", options);
  if (!result.ok()) {
    ADD_FAILURE() << result.errors.front().render();
    return {};
  }
  return result.program.sections.front().bytes;
}

struct Case {
  std::uint32_t type;
  std::string instruction;
  std::int64_t near, far;
};

TEST(ElfRelocation, AgreesWithTheAssembler) {
  for (const Case& c :
       {Case{2, "j place", 8, -4194304}, Case{2, "j place", 8, 4194302},
        Case{3, "C.BSTART DIRECT, place", 8, -4096}, Case{4, "BSTART.STD COND, place", 8, -131072},
        Case{16, "BSTART.STD DIRECT, place", 8, 131070}, Case{6, "c.setret place, ->ra", 2, 62},
        Case{7, "setret place, ->ra", 2, 2097150}, Case{8, "hl.setret place, ->ra", 2, 0x7ffffffe},
        Case{18, "ld.pcr [place], ->a0", 8, -262144}, Case{18, "lb.pcr [place], ->a0", 8, 262140},
        Case{19, "sd.pcr a0, [place]", 8, 262140}, Case{20, "hl.lw.pcr [place], ->a0", 8, -1073741824},
        Case{21, "hl.sw.pcr a0, [place]", 8, 1073741820}, Case{22, "BSTART DIRECT, place", 8, -33554432}}) {
    SCOPED_TRACE(c.instruction);
    std::vector<std::uint8_t> bytes = assembled(c.instruction, c.near);
    const Result<unsigned> size = relocation_size(c.type);
    ASSERT_TRUE(size.ok());
    ASSERT_EQ(bytes.size(), *size);
    const Result<void> done = relocate(c.type, bytes, text_address, text_address + static_cast<Word>(c.far));
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(bytes, assembled(c.instruction, c.far));
  }
}

TEST(ElfRelocation, RefusesWhatDoesNotFit) {
  struct Bad {
    std::uint32_t type;
    std::size_t bytes;
    Word target;
    std::string_view message;
  };
  for (const Bad& bad :
       {Bad{4, 4, text_address + 131072, "too far for 18 bits"},
        Bad{4, 4, text_address - 131074, "too far for 18 bits"},
        Bad{4, 4, text_address + 3, "not a multiple of 2"}, Bad{6, 2, text_address - 2, "too far for 6 bits"},
        Bad{6, 2, text_address + 64, "too far for 6 bits"}, Bad{11, 4, Word{1} << 32, "does not fit 32 bits"},
        Bad{18, 4, text_address, "no PC-relative load or store"}}) {
    std::array<std::uint8_t, 8> bytes{};
    const Result<void> done = relocate(bad.type, std::span(bytes).first(bad.bytes), text_address, bad.target);
    ASSERT_FALSE(done.ok());
    EXPECT_NE(done.error().message.find(bad.message), std::string::npos) << done.error().message;
  }
}

TEST(ElfRelocation, WritesWords) {
  std::array<std::uint8_t, 8> bytes{9, 9, 9, 9, 9, 9, 9, 9};
  ASSERT_TRUE(relocate(10, bytes, 0, 0x8877665544332211).ok());
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 8>{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}));
  ASSERT_TRUE(relocate(11, std::span(bytes).first(4), 0, ~Word{0}).ok()) << "minus one";
  ASSERT_TRUE(relocate(11, std::span(bytes).first(4), 0, 0xffffffff).ok());
  ASSERT_TRUE(relocate(25, std::span(bytes).first(4), 0x1000, 0xffe).ok());
  EXPECT_EQ(bytes[0], 0xfe);
  EXPECT_EQ(bytes[3], 0xff);
}

TEST(ElfRelocation, NamesWhatItRefuses) {
  EXPECT_EQ(relocation_name(15), "R_LINX_PCREL_HI20");
  EXPECT_EQ(relocation_name(99), "type 99");
  for (const std::uint32_t type :
       {1u, 5u, 9u, 12u, 13u, 14u, 15u, 17u, 23u, 24u, 26u, 27u, 28u, 29u, 30u, 31u, 32u, 33u, ~0u})
    EXPECT_FALSE(relocation_size(type).ok()) << type;
}

}  // namespace
}  // namespace pto::load
