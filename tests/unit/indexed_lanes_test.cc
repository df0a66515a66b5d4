// Indexed memory operations do the same whether rows of lanes are taken at once or lane by lane.
#include <random>

#include "isa/tile/operations.h"
#include "tile_block.h"

namespace pto::test {
namespace {

using enum ElementType;
using Words = std::vector<Word>;

constexpr Word base = 0x10000;
constexpr Word pages = 2;
constexpr std::uint32_t rows = 4, physical_columns = 32;

// Why lanes are taken one by one.
enum class Reason { None, Captured, Watched, Reserved };

// Lanes over few places, so that many meet; 64-bit displacements reach below the base.
struct Indexed : TileBlock {
  Indexed(const char* name, ElementType type, ElementType index, Reason reason, unsigned seed) {
    const std::uint32_t columns = seed % 2 == 0 ? physical_columns : 24;  // rows follow each other or do not
    const std::uint32_t count = rows * columns;
    EXPECT_TRUE(machine.memory.map(base, pages * 0x1000, {.read = true, .write = true, .execute = false}));
    std::mt19937 random(seed);
    const unsigned bytes = element_bits(type) / 8;
    const auto number = [&] { return Word{random() % 2 * (1 + 256 * (random() % 2))}; };
    for (Word at = 0xe00; at < 0x1200; at += bytes) machine.memory.store(base + at, bytes, number());
    Words places(count), values(count), expected(count), mask(count);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      places[lane] = (Word{random() % 16} - (index == S32 || index == S64 ? 8 : 0)) * bytes;
      values[lane] = number();
      expected[lane] = number();
      mask[lane] = random() % 2;
    }
    const bool swaps = std::string_view(name) == "MGATHER_CAS";
    const bool masked = std::string_view(name) == "MSCATTER_MASK";
    start(state::OperationClass::TileMemory, isa::find_tile_operation(name, config.release)->code(), type);
    row_major(t, index, 32 * 32 * element_bits(index) / 8, rows, columns, physical_columns, places);
    row_major(t + 1, type, 32 * 32 * bytes, rows, columns, physical_columns, values);
    row_major(t + 2, type, 32 * 32 * bytes, rows, columns, physical_columns, expected);
    predicate(u, rows, columns, physical_columns, mask);
    if (swaps) {
      bind({t, t + 2}, -1, 0, false);
      bind({t + 1}, m, 6, true);
    } else {
      bind({t + 1, t}, -1, 0, !masked);
      if (masked) bind({u}, -1, 0, true);
    }
    dimensions({columns, rows, physical_columns});
    scalars(4);
    machine.gpr[0].x[4] = base + 0x1000;
    if (reason == Reason::Captured) machine.memory_event_capture = true;
    if (reason == Reason::Watched) machine.memory.watch_page((base + 0x1000) >> 12);
    if (reason == Reason::Reserved)
      machine.reservation = {.valid = true, .address = base + 0x1000, .size = 8};
  }
};

TEST(IndexedLanes, RowsOfLanesDoWhatLanesDo) {
  for (const char* name : {"MSCATTER", "MSCATTER_MASK", "MGATHER_CAS"}) {
    for (const ElementType type : {U8, S16, FP32, U64}) {
      for (const ElementType index : {U32, S32, U16, S64}) {
        for (unsigned seed = 0; seed < 4; ++seed) {
          Indexed at_once(name, type, index, Reason::None, seed);
          at_once.complete();
          ASSERT_TRUE(at_once.executed()) << name << ": " << at_once.rule();
          for (const Reason reason : {Reason::Captured, Reason::Watched, Reason::Reserved}) {
            Indexed one_by_one(name, type, index, reason, seed);
            one_by_one.complete();
            ASSERT_TRUE(one_by_one.executed());
            Word different = 0;
            EXPECT_FALSE(
                state::Memory::first_difference(at_once.machine.memory, one_by_one.machine.memory, different))
                << name << " " << name_of(type) << ", " << std::hex << different;
            if (std::string_view(name) == "MGATHER_CAS") {
              EXPECT_EQ(at_once.valid(m), one_by_one.valid(m));
            }
            EXPECT_FALSE(one_by_one.machine.reservation.valid);
            EXPECT_EQ(one_by_one.machine.memory.has_watched_writes(), reason == Reason::Watched);
          }
        }
      }
    }
  }
}

TEST(IndexedLanes, AReservationBesideTheLanesStays) {
  Indexed block("MSCATTER", U32, U32, Reason::Reserved, 1);
  block.machine.reservation.address = base + 0x1400;
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_TRUE(block.machine.reservation.valid);
}

TEST(IndexedLanes, ARefusedLaneLeavesMemoryAsItWas) {
  for (const char* name : {"MSCATTER", "MGATHER_CAS"}) {
    Indexed block(name, U32, U32, Reason::None, 1);
    const state::Memory before = block.machine.memory;
    block.machine.tiles[t].set_element(5, pages * 0x1000);
    block.complete();
    EXPECT_EQ(block.fault(), Fault::DataPage) << name;
    EXPECT_EQ(block.completion.rejection.address, base + 0x1000 + pages * 0x1000);
    Word different = 0;
    EXPECT_FALSE(state::Memory::first_difference(before, block.machine.memory, different));
  }
}

TEST(IndexedLanes, APieceOfMemoryIsGrantedThroughout) {
  state::Memory memory;
  ASSERT_TRUE(memory.map(0x10000, 0x20000, {.read = true, .write = true, .execute = false}));
  ASSERT_TRUE(memory.map(0x30000, 0x1000, {.read = true, .write = false, .execute = false}));
  EXPECT_NE(memory.writable_piece(0x10000, 0x20000, 2), nullptr);
  EXPECT_NE(memory.readable_piece(0x1fff0, 0x20, 2), nullptr);
  EXPECT_EQ(memory.writable_piece(0xffff, 2, 2), nullptr) << "below";
  EXPECT_EQ(memory.writable_piece(0x2ffff, 2, 2), nullptr) << "beyond";
  EXPECT_EQ(memory.writable_piece(0x30000, 4, 2), nullptr) << "read-only";
  EXPECT_NE(memory.readable_piece(0x30000, 0x1000, 2), nullptr);
  EXPECT_EQ(memory.readable_piece(0x30ffe, 4, 2), nullptr) << "partly mapped";
  EXPECT_EQ(memory.readable_piece(0x10000, ~Word{0}, 2), nullptr);
  memory.watch_page(0x15);
  EXPECT_EQ(memory.writable_piece(0x10000, 0x20000, 2), nullptr) << "somebody wants to know";
  EXPECT_NE(memory.writable_piece(0x16000, 0x1000, 2), nullptr);
  state::Memory::WriteLog log;
  memory.log_writes(&log);
  EXPECT_EQ(memory.writable_piece(0x16000, 4, 2), nullptr) << "everything is logged";
  memory.log_writes(nullptr);
  EXPECT_NE(memory.writable_piece(0x16000, 4, 2), nullptr);
}

TEST(IndexedLanes, APieceOfABoundedMemoryEndsWhereTheRingDoes) {
  state::Memory memory(state::Memory::Bounds{.size = 4096, .application_size = 3072});
  EXPECT_NE(memory.writable_piece(0, 4096, 0), nullptr);
  EXPECT_EQ(memory.writable_piece(0, 4096, 2), nullptr);
  EXPECT_NE(memory.readable_piece(3068, 4, 2), nullptr);
  EXPECT_EQ(memory.readable_piece(3069, 4, 2), nullptr);
  EXPECT_EQ(memory.readable_piece(8192, 4, 0), nullptr);
}

}  // namespace
}  // namespace pto::test
