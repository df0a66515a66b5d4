// TPERMUTE, sentence by sentence of its page, and the worked numbers of the four CELL operations.
#include "tile_block.h"

namespace pto::test {
namespace {

using enum ElementType;
constexpr TileLayout m16 = TileLayout::CUBE_M16;
constexpr TileLayout m32 = TileLayout::CUBE_M32;
using Words = std::vector<Word>;

struct Permute : TileBlock {
  // Two tables in t#1 and t#2, indices in u#1, result in m#1.
  Permute(TileLayout layout, ElementType type, std::uint32_t rows, std::uint32_t columns, const Words& first,
          const Words& second, const Words& indices) {
    cube(t, layout, type, rows, columns, first);
    cube(t + 1, layout, type, rows, columns, second);
    const std::uint32_t bytes = (columns * element_bits(type) + 7) / 8;
    cube(u, layout, U8, rows, bytes, indices);
    start(state::OperationClass::TileElement, 0x75, U32);
    bind({t, t + 1}, -1, 0, false);
    bind({u}, m, 2, true);
  }
};

TEST(TpermutePage, WorkedExample_M32_U32) {
  Permute block(m32, U32, 1, 1, {0x04030201}, {0x08070605}, {0, 4, 1, 5});
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), Words{0x06020501});
}

TEST(TpermutePage, WorkedExample_M16_U32_SelectsTheSecondTable) {
  Permute block(m16, U32, 1, 2, {0x04030201, 0x08070605}, {0x14131211, 0x18171615},
                {8, 9, 10, 11, 12, 13, 14, 15});
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Words{0x14131211, 0x18171615}));
}

TEST(TpermutePage, WorkedExample_M32_U8_PaddingIndexIsNeverRead) {
  Permute block(m32, U8, 1, 3, {1, 2, 3}, {0x11, 0x12, 0x13}, {0, 5, 6});
  EXPECT_FALSE(block.machine.tiles[u].defined(3));
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Words{1, 0x12, 0x13}));
}

TEST(TpermutePage, WorkedExample_M16_U4X2_OddColumnsAndIllegalByte) {
  Permute block(m16, U4X2, 1, 5, {1, 2, 3, 4, 5}, {9, 10, 11, 12, 13}, {2, 8, 1});
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Words{5, 0, 9, 10, 3}));

  Permute outside(m16, U4X2, 1, 5, {1, 2, 3, 4, 5}, {9, 10, 11, 12, 13}, {2, 8, 3});
  outside.complete();
  EXPECT_EQ(outside.rule(), "tpermute.source-defined");
}

TEST(TpermutePage, TheTableRestartsAtEveryCell) {
  Permute block(m32, U8, 1, 8, {0, 1, 2, 3, 4, 5, 6, 7}, {10, 11, 12, 13, 14, 15, 16, 17},
                {3, 2, 1, 0, 3, 4, 7, 0});
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Words{3, 2, 1, 0, 7, 14, 17, 4}));
}

TEST(TpermutePage, EveryValidDestinationByteSelectsIndependentlyInEveryRow) {
  Permute block(m32, U8, 2, 2, {1, 2, 3, 4}, {5, 6, 7, 8}, {1, 4, 5, 0});
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Words{2, 5, 8, 3}));
}

TEST(TpermutePage, TheIndexLimitIs8InM32And16InM16) {
  Permute narrow(m32, U32, 1, 1, {1}, {2}, {0, 1, 8, 3});
  narrow.complete();
  EXPECT_EQ(narrow.fault(), Fault::TileLegality);
  EXPECT_EQ(narrow.rule(), "tpermute.index-range");
  EXPECT_EQ(narrow.completion.rejection.values, "index byte 8 at row 0, byte 2: must be below 8 in CUBE_M32");

  Permute wide(m16, U32, 1, 2, {1, 2}, {3, 4}, {0, 1, 8, 3, 15, 16, 0, 0});
  wide.complete();
  EXPECT_EQ(wide.completion.rejection.values, "index byte 16 at row 0, byte 5: must be below 16 in CUBE_M16");
}

TEST(TpermutePage, AllDataTypesButTheSixtyFourBitOnes) {
  for (const ElementTypeRow& row : element_type_rows) {
    if (row.bits == 64) continue;
    const std::uint32_t columns = 32 / row.bits;
    Permute block(m32, row.type, 1, columns, Words(columns, 1), Words(columns, 2), {0, 1, 2, 3});
    block.complete();
    EXPECT_TRUE(block.executed()) << row.name << ": " << block.rule();
  }
  TileBlock block;
  block.row_major(t, U64, 128, 1, 1, 1, {1});
  block.cube(u, m32, U8, 1, 8, Words(8, 0));
  block.start(state::OperationClass::TileElement, 0x75, U32);
  block.bind({t, t}, -1, 0, false);
  block.bind({u}, m, 2, true);
  block.complete();
  EXPECT_EQ(block.rule(), "tile.cube");
}

TEST(TpermutePage, SourcesAndIndicesStayUnchangedAndPaddingIsNull) {
  Permute block(m32, U8, 1, 3, {1, 2, 3}, {4, 5, 6}, {2, 1, 0});
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_EQ(block.valid(t), (Words{1, 2, 3}));
  EXPECT_EQ(block.valid(t + 1), (Words{4, 5, 6}));
  EXPECT_EQ(block.valid(u), (Words{2, 1, 0}));
  EXPECT_FALSE(block.machine.tiles[m].defined(3));
  EXPECT_EQ(block.machine.tiles[m].defined_valid_elements, 3u);
}

TEST(TpermutePage, AnUndefinedIndexByteIsRefused) {
  Permute block(m32, U32, 1, 1, {1}, {2}, {0, 1, 2});
  block.complete();
  EXPECT_EQ(block.rule(), "tpermute.index-defined");
}

TEST(TpermutePage, OnlySelectedSourceBytesMustBeDefined) {
  Permute unselected(m32, U8, 1, 3, {1, 2}, {4, 5, 6}, {0, 1, 4});
  unselected.complete();
  EXPECT_TRUE(unselected.executed()) << unselected.rule();
  Permute selected(m32, U8, 1, 3, {1, 2}, {4, 5, 6}, {0, 1, 2});
  selected.complete();
  EXPECT_EQ(selected.rule(), "tpermute.source-defined");
}

TEST(TpermutePage, SourcesMayBeOneTileButIndicesMayNot) {
  Permute same(m32, U8, 1, 2, {1, 2}, {}, {5, 0});
  same.machine.block.tile_bindings[0].source1 = t;
  same.complete();
  ASSERT_TRUE(same.executed()) << same.rule();
  EXPECT_EQ(same.valid(m), (Words{2, 1}));

  Permute alias(m32, U8, 1, 2, {1, 2}, {1, 0}, {});
  alias.machine.block.tile_bindings[1].source0 = t + 1;
  alias.complete();
  EXPECT_EQ(alias.fault(), Fault::BundleControl);
  EXPECT_EQ(alias.rule(), "tile.alias");
}

TEST(TpermutePage, LayoutTypeAndGeometryMustMatch) {
  Permute layout(m32, U8, 1, 2, {1, 2}, {3, 4}, {0, 1});
  layout.cube(t + 1, m16, U8, 1, 2, {3, 4});
  layout.complete();
  EXPECT_EQ(layout.rule(), "tile.layout");
  Permute type(m32, U8, 1, 2, {1, 2}, {3, 4}, {0, 1});
  type.cube(t + 1, m32, S8, 1, 2, {3, 4});
  type.complete();
  EXPECT_EQ(type.rule(), "tile.type");
  Permute shape(m32, U8, 1, 2, {1, 2}, {3, 4}, {0, 1});
  shape.cube(t + 1, m32, U8, 1, 3, {3, 4, 5});
  shape.complete();
  EXPECT_EQ(shape.rule(), "tile.shape");
  Permute indices(m32, U8, 1, 2, {1, 2}, {3, 4}, {0, 1});
  indices.cube(u, m32, U8, 1, 3, {0, 1, 0});
  indices.complete();
  EXPECT_EQ(indices.rule(), "tpermute.index-shape");
}

TEST(TpermutePage, CubeN8IsRefused) {
  TileBlock block;
  for (const unsigned index : {t, t + 1, u}) block.cube(index, TileLayout::CUBE_N8, U8, 1, 4, {0, 1, 2, 3});
  block.start(state::OperationClass::TileElement, 0x75, U32);
  block.bind({t, t + 1}, -1, 0, false);
  block.bind({u}, m, 2, true);
  block.complete();
  EXPECT_EQ(block.rule(), "cell.layout");
}

TEST(TpermutePage, ARefusalLeavesNoDestination) {
  Permute block(m32, U32, 1, 1, {1}, {2}, {0, 1, 8, 3});
  block.complete();
  ASSERT_FALSE(block.executed());
  EXPECT_FALSE(block.machine.tiles[m].allocated);
  EXPECT_EQ(block.machine.tiles[m].data_type, U8);
  EXPECT_EQ(block.machine.block.tile_bindings[1].destination, m / 16);
  EXPECT_FALSE(block.machine.block.tile_bindings[1].destination_allocated_by_bundle);
}

TEST(TpermutePage, AllocationFailsBeforeABadIndex) {
  Permute block(m32, U32, 1, 1, {1}, {2}, {9, 9, 9, 9});
  for (unsigned i = 0; i < 16; ++i) block.machine.tiles[m + i].allocated = true;
  block.complete();
  EXPECT_EQ(block.fault(), Fault::TileAllocation);
  EXPECT_EQ(block.rule(), "tile.register-free");
}

TEST(TpermutePage, AScalarBindingIsRefused) {
  Permute block(m32, U32, 1, 1, {1}, {2}, {0, 1, 2, 3});
  block.scalars(0);
  block.complete();
  EXPECT_EQ(block.fault(), Fault::BundleControl);
}

TEST(TpermutePage, NoParticipantsNoEffect) {
  Permute block(m32, U32, 1, 1, {1}, {2}, {99, 99, 99, 99});
  block.machine.block.tile_bindings[0].pe_mask = block.machine.block.tile_bindings[1].pe_mask = 0;
  block.complete();
  EXPECT_TRUE(block.executed());
  EXPECT_FALSE(block.machine.tiles[m].allocated);
}

TEST(TpermutePage, UnknownTo0583) {
  Permute block(m32, U32, 1, 1, {1}, {2}, {0, 1, 2, 3});
  block.config.release = Release::v0_58_3;
  block.complete();
  EXPECT_EQ(block.fault(), Fault::IllegalInstruction);
}

// --- TSHUF, TPACK, TUNPACK: the worked numbers ---

struct CellOperation : TileBlock {
  CellOperation(unsigned function, std::vector<unsigned> sources, Word control) {
    start(state::OperationClass::TileElement, 0x60 | function, U32);
    bind(std::move(sources), m, 2, true);
    scalars(5);
    machine.gpr[0].x[5] = control;
  }
};

Words shuffle(TileLayout layout, std::uint32_t rows, std::uint32_t columns, const Words& values,
              const Words& controls, Word control) {
  CellOperation block(22, {t, u}, control);
  block.cube(t, layout, U32, rows, columns, values);
  block.cube(u, layout, U32, rows, columns, controls);
  block.complete();
  return block.executed() ? block.valid(m) : Words{};
}

TEST(TshufNumbers, Modes) {
  const Words ones(4, 1);
  EXPECT_EQ(shuffle(m32, 4, 1, {1, 2, 3, 4}, ones, 0x302), (Words{2, 1, 4, 3}));
  EXPECT_EQ(shuffle(m32, 4, 1, {1, 2, 3, 4}, ones, 0x10200), (Words{0, 1, 2, 3}));
  EXPECT_EQ(shuffle(m32, 4, 1, {1, 2, 3, 4}, ones, 0x10001), (Words{2, 0, 4, 0}));
  EXPECT_EQ(shuffle(m32, 4, 1, {1, 2, 3, 4}, {0, 1, 0, 1}, 0x3), (Words{1, 2, 3, 4}));
  EXPECT_EQ(shuffle(m32, 4, 1, {1, 2, 3, 4}, {0, 1, 0, 1}, 0x502), Words{});
  EXPECT_EQ(shuffle(m16, 2, 2, {0x10, 0x20, 0x30, 0x40}, {1, 0, 1, 0}, 0x102),
            (Words{0x30, 0x20, 0x10, 0x40}));
  EXPECT_EQ(shuffle(m32, 3, 1, {1, 2, 3}, Words(3, 1), 0x10200), (Words{0, 1, 2}));
}

TEST(TshufNumbers, RowBlocksAreIndependent) {
  Words rows(40);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const Words result = shuffle(m32, 40, 1, rows, Words(40, 1), 0x402);
  ASSERT_EQ(result.size(), 40u);
  EXPECT_EQ(result[31], 30u);
  EXPECT_EQ(result[32], 33u);
  EXPECT_EQ(result[39], 38u);
}

TEST(TshufNumbers, AButterflyPartnerOutsideTheLanesIsNoCandidate) {
  EXPECT_EQ(shuffle(m32, 32, 1, Words(32, 7), Words(32, 31), 0x10002), Words(32, 0));
}

TEST(TpackNumbers, BytesOfTwoWords) {
  const auto pack = [](Word control) {
    CellOperation block(23, {t, u}, control);
    block.cube(t, m32, U32, 1, 1, {0x00001234});
    block.cube(u, m32, U32, 1, 1, {0x00abcdef});
    block.complete();
    return block.executed() ? block.valid(m) : Words{};
  };
  EXPECT_EQ(pack(0x202), Words{0xcdef1234});
  EXPECT_EQ(pack(0x301), Words{0xabcdef34});
  EXPECT_EQ(pack(0x103), Words{0xef001234});
  EXPECT_EQ(pack(0x101), Words{0x0000ef34});
  EXPECT_EQ(pack(0x100), Words{});
}

TEST(TunpackNumbers, FieldsOfAWord) {
  const auto unpack = [](Word control) {
    CellOperation block(24, {t}, control);
    block.cube(t, m32, U32, 1, 1, {0x44332211});
    block.complete();
    return block.executed() ? block.valid(m) : Words{};
  };
  EXPECT_EQ(unpack(0x201), Words{0x3322});
  EXPECT_EQ(unpack(0x103), Words{0x44});
  EXPECT_EQ(unpack(0x500), Words{});
}

TEST(CellBundles, StructureIsBundleControlValuesAreTileLegality) {
  CellOperation without(22, {t, u}, 0);
  without.cube(t, m32, U32, 1, 1, {1});
  without.cube(u, m32, U32, 1, 1, {1});
  without.machine.block.scalar_bindings[0].valid = false;
  without.complete();
  EXPECT_EQ(without.fault(), Fault::BundleControl);

  CellOperation surplus(22, {t, u}, 0);
  surplus.scalars(5, 6);
  surplus.complete();
  EXPECT_EQ(surplus.fault(), Fault::BundleControl);

  CellOperation wide(22, {t, u}, Word{1} << 32);
  wide.cube(t, m32, U32, 1, 1, {1});
  wide.cube(u, m32, U32, 1, 1, {1});
  wide.complete();
  EXPECT_EQ(wide.fault(), Fault::TileLegality);
  EXPECT_EQ(wide.rule(), "cell.control");
}

}  // namespace
}  // namespace pto::test
