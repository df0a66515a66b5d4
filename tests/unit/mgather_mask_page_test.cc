// BSTART.MGATHER.MASK, sentence by sentence of its page.
#include "tile_block.h"

namespace pto::test {
namespace {

using enum ElementType;
using Words = std::vector<Word>;

constexpr Word base = 0x400;

// Four lanes in one row: displacements in t#1, mask in u#1, base in x4, result in m#1.
struct Gather : TileBlock {
  explicit Gather(ElementType type = U32, ElementType index = U32, const Words& displacements = {0, 4, 8, 12},
                  const Words& mask = {1, 1, 1, 1}) {
    machine = state::Machine::conformance();
    for (Word at = 0; at < 256; ++at) machine.memory.store(base + at, 1, at + 1);
    row_major(t, index, 128, 1, 4, 4, displacements);
    predicate(u, 1, 4, 4, mask);
    start(state::OperationClass::TileMemory, 6, type);
    bind({t, u}, m, 1, true);
    dimensions({4});
    scalars(4);
    machine.gpr[0].x[4] = base;
  }
};

TEST(MgatherMaskPage, LoadsEnabledLanesAndPadsTheOthers) {
  Gather block(U32, U32, {0, 4, 8, 12}, {1, 0, 1, 0});
  block.pad_value(1);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Words{0x04030201, 0xffffffff, 0x0c0b0a09, 0xffffffff}));
}

TEST(MgatherMaskPage, OmittedAttributesPadWithZeroAndEverythingIsDefined) {
  Gather block(U32, U32, {0, 4, 8, 12}, {0, 0, 0, 1});
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_EQ(block.valid(m), (Words{0, 0, 0, 0x100f0e0d}));
  const Tile& tile = block.machine.tiles[m];
  for (std::uint64_t e = 0; e < std::uint64_t{tile.rows} * tile.columns; ++e)
    EXPECT_TRUE(tile.defined(e)) << e;
}

TEST(MgatherMaskPage, EveryTransferTypeOfAtLeastEightBits) {
  for (const ElementTypeRow& row : element_type_rows) {
    const Word size = row.bits / 8;
    Gather block(row.type, U32, {0, size, 2 * size, 3 * size});
    block.complete();
    if (row.bits == 4) {
      EXPECT_EQ(block.rule(), "tile.operation-type") << row.name;
      continue;
    }
    ASSERT_TRUE(block.executed()) << row.name << ": " << block.rule();
    EXPECT_EQ(block.machine.tiles[m].data_type, row.type);
    EXPECT_EQ(block.machine.tiles[m].element(0), Word{0x0807060504030201} & mask_of(row.bits)) << row.name;
  }
}

TEST(MgatherMaskPage, DisplacementsAreBytesSignedOrUnsignedOfThirtyTwoAndSixtyFourBits) {
  for (const ElementType index : {S32, U32, S64, U64}) {
    Gather block(U8, index, {1, 3, 5, 7});
    block.complete();
    ASSERT_TRUE(block.executed()) << name_of(index);
    EXPECT_EQ(block.valid(m), (Words{2, 4, 6, 8})) << name_of(index);
  }
  for (const ElementType index : {S32, S64}) {
    Gather below(U8, index, {~Word{0}, 0, 0, 0});
    below.machine.gpr[0].x[4] = base + 9;
    below.complete();
    ASSERT_TRUE(below.executed());
    EXPECT_EQ(below.valid(m)[0], 9u);
  }
  Gather unsigned32(U8, U32, {0xffffffff, 0, 0, 0});
  unsigned32.complete();
  EXPECT_EQ(unsigned32.fault(), Fault::DataPage);
  EXPECT_EQ(unsigned32.completion.rejection.address, base + 0xffffffff);
}

TEST(MgatherMaskPage, ADisabledLaneTouchesNoMemory) {
  Gather block(U32, U32, {0, 0xdeadbeef, 3, 4}, {1, 0, 0, 1});
  block.machine.memory_event_capture = true;
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  ASSERT_EQ(block.machine.memory_events.size(), 2u);
  EXPECT_EQ(block.machine.memory_events[0].address, base);
  EXPECT_EQ(block.machine.memory_events[1].address, base + 4);
}

TEST(MgatherMaskPage, AnEnabledFaultIsFoundBeforeAnyEffect) {
  Gather block(U32, U32, {0, 4, 0x10000, 12});
  block.machine.memory_event_capture = true;
  block.complete();
  EXPECT_EQ(block.fault(), Fault::DataPage);
  EXPECT_EQ(block.completion.rejection.address, base + 0x10000);
  EXPECT_TRUE(block.machine.memory_events.empty());
  EXPECT_FALSE(block.machine.tiles[m].allocated);
}

TEST(MgatherMaskPage, AnEnabledLaneMustBeAligned) {
  Gather block(U32, U32, {0, 2, 8, 12});
  block.complete();
  EXPECT_EQ(block.fault(), Fault::DataAlignment);
  EXPECT_EQ(block.completion.rejection.address, base + 2);
}

TEST(MgatherMaskPage, EventsCarryTheBlocksOrderAndTheExecutingPe) {
  Gather block;
  block.machine.memory_event_capture = true;
  block.machine.current_memory_agent = 2;
  block.machine.gpr[2].x[4] = base;
  block.machine.block.control_attributes.acquire = true;
  block.complete();
  ASSERT_TRUE(block.executed());
  ASSERT_EQ(block.machine.memory_events.size(), 4u);
  EXPECT_EQ(block.machine.memory_events[3].agent, 2);
  EXPECT_EQ(block.machine.memory_events[3].order, state::MemoryOrder::Acquire);
  EXPECT_EQ(block.machine.memory_events[3].read_value, 0x100f0e0du);
}

TEST(MgatherMaskPage, TheBaseIsTheExecutingPesOwnRegister) {
  Gather block(U8, U32, {0, 0, 0, 0});
  block.machine.current_memory_agent = 3;
  block.machine.gpr[3].x[4] = base + 6;
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_EQ(block.valid(m), Words(4, 7));
}

TEST(MgatherMaskPage, TheMaskIsAPackedPredicate) {
  Gather block;
  block.row_major(u, U8, 128, 1, 4, 4, {1, 0, 1, 0});
  block.complete();
  EXPECT_EQ(block.fault(), Fault::TileLegality);
  EXPECT_EQ(block.rule(), "tile.predicate");
}

TEST(MgatherMaskPage, IndicesAreIntegers) {
  Gather block(U32, FP32);
  block.complete();
  EXPECT_EQ(block.rule(), "tlsu.displacement-type");
}

TEST(MgatherMaskPage, ScalarsAndFirstDimensionAreRequired) {
  Gather scalars;
  scalars.machine.block.scalar_bindings[0].valid = false;
  scalars.complete();
  EXPECT_EQ(scalars.rule(), "tile.scalar-required");
  EXPECT_EQ(scalars.fault(), Fault::TileLegality);
  Gather dimension;
  dimension.machine.block.dimension_present[0] = false;
  dimension.complete();
  EXPECT_EQ(dimension.rule(), "tile.dimension-required");
}

TEST(MgatherMaskPage, RowsDefaultToOneAndColumnsToTheValidOnes) {
  Gather block;
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_EQ(block.machine.tiles[m].valid_rows, 1u);
  EXPECT_EQ(block.machine.tiles[m].columns, 4u);
  Gather three(U8, U32, {0, 1, 2}, {1, 1, 1});
  three.row_major(t, U32, 128, 1, 3, 4, {0, 1, 2});
  three.predicate(u, 1, 3, 4, {1, 1, 1});
  three.machine.block.dimensions[0] = 3;
  three.complete();
  EXPECT_EQ(three.rule(), "tile.dimension-value") << "three columns are not a power of two";
}

TEST(MgatherMaskPage, ShapesOfIndicesAndMaskAreTheBlocks) {
  Gather indices;
  indices.row_major(t, U32, 128, 2, 4, 4, Words(8, 0));
  indices.complete();
  EXPECT_EQ(indices.rule(), "tile.shape");
  Gather mask;
  mask.predicate(u, 2, 4, 4, Words(8, 1));
  mask.complete();
  EXPECT_EQ(mask.rule(), "tile.shape");
}

TEST(MgatherMaskPage, ExactlyOneBindingWithBothSourcesAndNoSharedTile) {
  Gather last;
  last.machine.block.tile_bindings[0].last = false;
  last.complete();
  EXPECT_EQ(last.fault(), Fault::TileLegality);
  Gather shared;
  shared.machine.block.shared_bindings[0] = {
      .valid = true, .shared_id = 1, .size_code = 0, .pe_mask = 0xf, .consumed = false};
  shared.complete();
  EXPECT_EQ(shared.rule(), "tile.shared-unused");
}

TEST(MgatherMaskPage, NoParticipantsNoEffectBeforeEveryCheck) {
  Gather block(E2M1X2, FP32);
  block.machine.block.scalar_bindings[0].valid = false;
  block.machine.block.tile_bindings[0].pe_mask = 0;
  block.complete();
  EXPECT_TRUE(block.executed());
  EXPECT_FALSE(block.machine.tiles[m].allocated);
}

TEST(MgatherMaskPage, BothReleasesAgree) {
  for (const Release release : all_releases) {
    Gather block(U16, S32, {0, 2, 4, 6}, {1, 1, 0, 1});
    block.config.release = release;
    block.complete();
    ASSERT_TRUE(block.executed());
    EXPECT_EQ(block.valid(m), (Words{0x0201, 0x0403, 0, 0x0807}));
  }
}

TEST(MgatherMaskPage, ManyLanesFromOpenMemoryEqualOneByOne) {
  Gather block;
  block.machine.memory = state::Memory();
  ASSERT_TRUE(block.machine.memory.map(0x100000, 0x40000, {.read = true, .write = true, .execute = false}));
  Words displacements, mask, expected;
  for (Word i = 0; i < 200; ++i) {
    const Word displacement = i * 0x4c4 % 0x40000 & ~Word{3};
    block.machine.memory.store(0x100000 + displacement, 4, i * 0x01234567);
    displacements.push_back(displacement);
    mask.push_back(i % 3 != 0);
  }
  for (std::size_t i = 0; i < displacements.size(); ++i)
    expected.push_back(mask[i] != 0 ? block.machine.memory.load(0x100000 + displacements[i], 4) : 0);
  block.row_major(t, U32, 1024, 1, 200, 256, displacements);
  block.predicate(u, 1, 200, 256, mask).capacity_bytes = 1024;
  block.dimensions({200, 1, 256});
  block.machine.block.tile_bindings[0].destination_size = 4;
  block.machine.gpr[0].x[4] = 0x100000;
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), expected);
}

}  // namespace
}  // namespace pto::test
