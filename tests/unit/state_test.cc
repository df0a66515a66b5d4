// The machine's state: reset values, reading, writing and comparing.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "state/describe.h"

namespace pto::state {
namespace {

Machine read(const std::string& text) {
  Machine machine = Machine::conformance();
  const Result<void> result = read_state_text(text, "test", machine);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().render());
  return machine;
}

std::string why_not(const std::string& text) {
  Machine machine = Machine::conformance();
  const Result<void> result = read_state_text(text, "test.json", machine);
  return result.ok() ? "accepted" : result.error().render();
}

TEST(State, ResetHasTheDefaultsOfTheSchema) {
  const Machine machine;
  EXPECT_EQ(machine.system_registers.version, 1u);
  EXPECT_EQ(machine.system_registers.tile_capacity, 0x40000u);
  for (unsigned ring = 0; ring < ring_count; ++ring) {
    EXPECT_EQ(machine.extended_system_registers[ring * 4096 + 0xf07], 3u);
    EXPECT_EQ(machine.extended_system_registers[ring * 4096 + 0xf08], 0u);
  }
  EXPECT_EQ(machine.reservation.size, 1);
  EXPECT_EQ(machine.block.data_attributes.data_type, 0x1f);
  EXPECT_EQ(machine.block.data_attributes.pad_value, 3);
  EXPECT_EQ(machine.block.frame_template.begin_reg, 2);
  EXPECT_EQ(machine.block.frame_template.end_reg, 2);
  EXPECT_EQ(machine.block.tile_data_layout_capabilities, 1u);
  EXPECT_EQ(machine.trap_contexts[7].data_attributes.data_type, 0x1f);
  EXPECT_EQ(machine.tiles[5].data_type, ElementType::U64);
  EXPECT_EQ(machine.tiles[5].location, TileLocation::Any);
  EXPECT_EQ(machine.shared_tiles[255].tile.data_type, ElementType::FP64);
  EXPECT_EQ(machine.shared_tiles[255].tile.location, TileLocation::Vector);
  EXPECT_EQ(machine.tile_feature_maps[0].batches, 1u);
}

TEST(State, TheResetStateWritesAsAnEmptyObject) { EXPECT_EQ(write_state(Machine()).dump(), "{}"); }

TEST(State, EveryKindOfMemberComesBackAsItWasWritten) {
  const std::string text =
      R"({"block":{"barg":{"block_type":"TileMemory","bpcn":"0x40","taken":true},"dimension_present":{"1":true},)"
      R"("dimensions":{"1":"0x10"},"tile_bindings":{"3":{"pe_mask":"0xf","source0":17,"valid":true}}},)"
      R"("extended_system_registers":{"3904":"0x10"},"gpr":{"2":{"23":"0xffffffffffffffff"}},)"
      R"("last_fault":"TileLegality","memory":[{"addr":"0x10","bytes":"0102"},{"addr":"0xfff","bytes":"ff"}],)"
      R"("memory_events":[{"address":"0x8","agent":1,"coherence_rank":0,"fence_predecessor":"0x0","fence_successor":"0x0",)"
      R"("kind":"Load","order":"Acquire","read_from":0,"read_value":"0x7","size_bytes":4,"write_performed":false,"write_value":"0x0"}],)"
      R"("shared_tiles":{"200":{"allocation_mask":"0xf","tile":{"allocated":true,"capacity_bytes":128}}},)"
      R"("t_queue":[[true,"0x5"],[false,"0x0"],[false,"0x0"],[false,"0x0"]],)"
      R"("tiles":{"33":{"allocated":true,"allocation_mask":"0x8","capacity_bytes":128,"columns":4,"data_type":"S16","defined":"05",)"
      R"("payload":"34120000cdab","rows":16,"valid_columns":3,"valid_rows":1}},)"
      R"("trap_contexts":{"1":{"t_queue_valid":{"2":true},"valid":true}}})";
  EXPECT_EQ(write_state(read(text)), nlohmann::json::parse(text));
}

TEST(State, UndefinedElementsAreNeverWrittenNorCompared) {
  Machine one = read(
      R"({"tiles":{"0":{"allocated":true,"capacity_bytes":128,"columns":4,"data_type":"U8","rows":32}}})");
  Machine two = one;
  one.tiles[0].storage.mutable_payload()[2] = 0xaa;
  two.tiles[0].storage.mutable_payload()[2] = 0x55;
  EXPECT_TRUE(compare_states(one, two, 10).empty());
  EXPECT_EQ(write_state(one), write_state(two));
}

TEST(State, ACopyOfATileSharesItsStorageUntilItIsWritten) {
  Machine one = read(
      R"({"tiles":{"0":{"allocated":true,"capacity_bytes":128,"columns":4,"data_type":"U8","rows":32}}})");
  Tile copy = one.tiles[0];
  EXPECT_TRUE(copy.storage.shares_with(one.tiles[0].storage));
  copy.set_element(3, 7);
  EXPECT_FALSE(copy.storage.shares_with(one.tiles[0].storage));
  EXPECT_FALSE(one.tiles[0].defined(3));
  EXPECT_EQ(copy.element(3), 7u);
}

TEST(State, DifferencesNameTheElementByRowAndColumn) {
  const std::string head =
      R"({"tiles":{"3":{"allocated":true,"capacity_bytes":128,"columns":8,"data_type":"U8","rows":16,)";
  const Machine expected =
      read(head + R"("defined":"000020","payload":"000000000000000000000000000000000000000000110000"}}})");
  Machine actual = expected;
  actual.tiles[3].set_element(21, 0x13);
  const std::vector<Difference> differences = compare_states(expected, actual, 5);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].path, "tiles[3].elements[2,5]");
  EXPECT_EQ(differences[0].expected, "0x11");
  EXPECT_EQ(differences[0].actual, "0x13");
}

TEST(State, DifferencesNameAnyMemberByItsPath) {
  const Machine expected = read(R"({"gpr":{"1":{"4":"0x5"}},"block":{"tile_bindings":{"2":{"last":true}}}})");
  const std::vector<Difference> differences = compare_states(expected, Machine::conformance(), 5);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].path, "gpr[1][4]");
  EXPECT_EQ(differences[1].path, "block.tile_bindings[2].last");
}

TEST(State, BadMembersAreRefusedByPathAndReason) {
  EXPECT_EQ(why_not(R"({"tiles":{"3":{"layuot":"ZN"}}})"),
            "test.json:1:16: tiles[3]: unknown member 'layuot'");
  EXPECT_EQ(why_not(R"({"tiles":{"64":{}}})"),
            "test.json:1:11: tiles: index '64' is not a decimal number below 64");
  EXPECT_EQ(why_not(R"({"pc":5})"), "test.json:1:2: pc: expected a word such as \"0x1f\"");
  EXPECT_EQ(why_not(R"({"block":{"operation":{"mode":"0x4"}}})"),
            "test.json:1:24: block.operation.mode: 0x4 does not fit 2 bits");
  EXPECT_EQ(why_not(R"({"tiles":{"0":{"rows":65536}}})"),
            "test.json:1:16: tiles[0].rows: expected an integer from 0 to 65535");
  EXPECT_EQ(why_not(R"({"last_fault":"Tile"})"), "test.json:1:2: last_fault: no such name: 'Tile'");
  EXPECT_EQ(why_not(R"({"memory":[{"addr":"0xfff","bytes":"0102"}]})"),
            "test.json:1:12: memory[0]: the run ends beyond the 4096 bytes of this memory");
  EXPECT_EQ(why_not(R"({"t_queue":[[true,"0x0"]]})"), "test.json:1:2: t_queue: expected a list of 4 entries");
  EXPECT_EQ(why_not(R"({"tiles":{"0":{"payload":"0g"}}})"),
            "test.json:1:16: tiles[0].payload: '0g' is not a hexadecimal pair");
}

TEST(State, ATextThatIsNotJsonIsRefusedWithItsPlace) {
  EXPECT_TRUE(why_not("{\"pc\":\n \"0x1\",,}").starts_with("test.json:2:8: not a JSON document"));
  EXPECT_TRUE(why_not("[1]").starts_with("test.json:1:1: a state file holds one JSON object"));
  EXPECT_TRUE(why_not("").starts_with("test.json:1:1: not a JSON document"));
}

TEST(Memory, BoundedMemoryKeepsRingsToTheirPart) {
  const Memory memory(Memory::Bounds{.size = 4096, .application_size = 3072});
  EXPECT_TRUE(memory.permitted(4088, 8, Access::Write, 0));
  EXPECT_TRUE(memory.permitted(4088, 8, Access::Write, 1));
  EXPECT_FALSE(memory.permitted(4089, 8, Access::Read, 0));
  EXPECT_TRUE(memory.permitted(3064, 8, Access::Read, 2));
  EXPECT_FALSE(memory.permitted(3065, 8, Access::Read, 2));
  EXPECT_FALSE(memory.permitted(~Word{0}, 8, Access::Read, 0)) << "a range that wraps";
}

TEST(Memory, OpenMemoryGrantsWhatWasMapped) {
  Memory memory;
  ASSERT_TRUE(memory.map(0x1000, 0x1000, {.read = true, .write = false, .execute = true}));
  EXPECT_TRUE(memory.permitted(0x1ffe, 2, Access::Execute, 2));
  EXPECT_FALSE(memory.permitted(0x1ffe, 4, Access::Execute, 2));
  EXPECT_FALSE(memory.permitted(0x1000, 1, Access::Write, 2));
  EXPECT_FALSE(memory.map(~Word{0}, 2, {.read = true, .write = true, .execute = false}))
      << "a range that wraps";
}

TEST(Memory, AccessesMayCrossChunks) {
  Memory memory;
  ASSERT_TRUE(memory.map(0xfff0, 0x20, {.read = true, .write = true, .execute = false}));
  memory.store(0xfffc, 8, 0x1122334455667788);
  EXPECT_EQ(memory.load(0xfffc, 8), 0x1122334455667788u);
  EXPECT_EQ(memory.load(0x10000, 4), 0x11223344u);
}

TEST(Memory, AWatchedPageReportsItsFirstWriteAndIsWritableAsBefore) {
  Memory memory;
  ASSERT_TRUE(memory.map(0x1000, 0x2000, {.read = true, .write = true, .execute = true}));
  memory.watch_page(1);
  EXPECT_TRUE(memory.permitted(0x2000, 8, Access::Write, 2));
  EXPECT_FALSE(memory.has_watched_writes());
  EXPECT_TRUE(memory.permitted(0x1800, 8, Access::Write, 2));
  ASSERT_TRUE(memory.has_watched_writes());
  EXPECT_EQ(memory.take_watched_writes(), std::vector<Word>{1});
  EXPECT_TRUE(memory.permitted(0x1800, 8, Access::Write, 2));
  EXPECT_FALSE(memory.has_watched_writes());
}

}  // namespace
}  // namespace pto::state
