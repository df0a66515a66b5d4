// Matrix blocks since release 0.58.4: groups of rows over four PEs, scales in CELLs, scaled accumulators
// (PTO-CUBE-GROUP-M-DISTRIBUTION-001, PTO-CUBE-MATRIX-SCALE-001).
#include "tile_block.h"

namespace pto::test {

namespace {

constexpr unsigned tmatmul = 0, tmatmul_acc = 2, tmatmul_mx = 4;
using Numbers = std::vector<Word>;

// first, first + 1, … for as many elements.
Numbers counting(Word first, std::size_t count) {
  Numbers numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = first + i;
  return numbers;
}

// A view of one CELL.
state::RangeModifier view_from(Word cell) {
  state::RangeModifier range;
  range.valid = true;
  range.size_code = 1;
  range.offset = cell;
  return range;
}

struct Product : TileBlock {
  Product(unsigned function, ElementType type, std::uint32_t m_, std::uint32_t n_, std::uint32_t k_)
      : TileBlock(Release::v0_58_5) {
    start(state::OperationClass::TileMatrix, function, type);
    machine.system_registers.tile_capacity = 0x40000;
    machine.block.fixed_point_attributes.valid = true;
    dimensions({m_, n_, k_});
  }
  // A published Shared tile of 4 KiB, and its B.IOS.
  void shared(unsigned id, ElementType type, std::uint32_t rows, std::uint32_t columns,
              const Numbers& numbers) {
    state::SharedTile& shared_tile = machine.shared_tiles.at(id);
    Tile& tile = row_major(n + 8, type, 4096, rows, columns, columns, numbers);
    static_cast<Tile&>(shared_tile.tile) = tile;
    shared_tile.tile.allocation_mask = 0;
    tile = Tile();
    shared_tile.descriptor_valid = shared_tile.published = true;
    shared_tile.allocation_mask = shared_tile.initialized_mask = 0x8;
    machine.block.shared_bindings[shared_count++] = {.valid = true,
                                                     .shared_id = static_cast<std::uint8_t>(id),
                                                     .size_code = 0,
                                                     .pe_mask = 0xf,
                                                     .consumed = false};
  }
  unsigned shared_count = 0;
};

}  // namespace

TEST(GroupMatrix, LocalOperandsMultiplyAsBefore) {
  Product block(tmatmul, ElementType::U8, 2, 2, 3);
  block.cube(t, TileLayout::CUBE_M16, ElementType::U8, 2, 3, {1, 2, 3, 4, 5, 6});
  block.cube(t + 1, TileLayout::CUBE_N8, ElementType::U8, 3, 2, {7, 8, 9, 10, 11, 12});
  block.bind({t, t + 1}, m, 3, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{58, 64, 139, 154}));
}

TEST(GroupMatrix, EveryPeMultipliesItsOwnRowsOfTheGroup) {
  // Twenty rows: sixteen are PE0's, four PE1's.
  Product block(tmatmul, ElementType::U8, 20, 2, 2);
  block.machine.current_memory_agent = 1;
  block.cube(t, TileLayout::CUBE_M16, ElementType::U8, 4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  block.shared(5, ElementType::U8, 2, 2, {1, 10, 100, 50});
  block.bind({t}, m, 3, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{201, 110, 403, 230, 605, 350, 807, 470}));
  EXPECT_EQ(block.machine.tiles[m].allocation_mask, 0b0100) << "the result is PE1's alone";
  EXPECT_TRUE(block.machine.block.shared_bindings[0].consumed);
}

TEST(GroupMatrix, ASharedLeftOperandGivesEachPeItsRows) {
  Product block(tmatmul, ElementType::U8, 32, 2, 2);
  block.machine.current_memory_agent = 1;
  block.shared(5, ElementType::U8, 32, 2, counting(0, 64));
  block.shared(6, ElementType::U8, 2, 2, {1, 0, 0, 1});
  block.bind({}, m, 3, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), counting(32, 32)) << "rows 16 to 31 of the left operand";
  EXPECT_EQ(block.machine.tiles[m].layout, TileLayout::CUBE_M16);
}

TEST(GroupMatrix, APeWithoutRowsLooksAtNothingOfItsOwn) {
  Product block(tmatmul, ElementType::U8, 16, 2, 2);
  block.machine.current_memory_agent = 3;
  block.shared(5, ElementType::U8, 2, 2, {1, 2, 3, 4});
  block.bind({t}, m, 3, true);  // t#1 is not even allocated
  block.complete();
  EXPECT_TRUE(block.executed()) << block.rule();
  EXPECT_FALSE(block.machine.tiles[m].allocated);
  EXPECT_TRUE(block.machine.block.shared_bindings[0].consumed);
}

TEST(GroupMatrix, ButItStillJudgesWhatTheGroupShares) {
  Product block(tmatmul, ElementType::U8, 16, 2, 2);
  block.machine.current_memory_agent = 3;
  block.shared(5, ElementType::U8, 2, 2, {1, 2, 3, 4});
  block.machine.shared_tiles.at(5).published = false;
  block.bind({t}, m, 3, true);
  block.complete();
  EXPECT_EQ(block.rule(), "tile.matrix-shared");
  EXPECT_EQ(block.fault(), Fault::TileLegality);
}

TEST(GroupMatrix, AllFourPesTakePart) {
  Product block(tmatmul, ElementType::U8, 16, 2, 2);
  block.cube(t, TileLayout::CUBE_M16, ElementType::U8, 16, 2, counting(0, 32));
  block.shared(5, ElementType::U8, 2, 2, {1, 2, 3, 4});
  block.machine.block.shared_bindings[0].pe_mask = 0xc;
  block.bind({t}, m, 3, true, 0xc);
  block.complete();
  EXPECT_EQ(block.rule(), "tile.masks-equal");
}

TEST(GroupMatrix, AGroupHasAtMost128Rows) {
  Product block(tmatmul, ElementType::U8, 129, 2, 2);
  block.shared(5, ElementType::U8, 2, 2, {1, 2, 3, 4});
  block.bind({t}, m, 3, true);
  block.complete();
  EXPECT_EQ(block.rule(), "tile.dimension-value");
}

TEST(GroupMatrix, LocalScalesAreCells) {
  // Two groups of 32 along K; the right factor's scales are stored one row for each column of the result.
  constexpr std::uint32_t k = 33;
  Product block(tmatmul_mx, ElementType::E4M3, 1, 2, k);
  block.cube(t, TileLayout::CUBE_M16, ElementType::E4M3, 1, k, Numbers(k, 1));
  block.cube(t + 1, TileLayout::CUBE_M32, ElementType::E8M0, 1, 2, {2, 3});
  block.cube(t + 2, TileLayout::CUBE_N8, ElementType::E4M3, k, 2, Numbers(2 * k, 1));
  block.cube(t + 3, TileLayout::CUBE_M32, ElementType::E8M0, 2, 2, {5, 7, 11, 13});
  block.bind({t, t + 1}, -1, 0, false);
  block.bind({t + 2, t + 3}, m, 3, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{32 * 2 * 5 + 3 * 7, 32 * 2 * 11 + 3 * 13}));
}

TEST(GroupMatrix, HiF4FactorsHaveScalesForSixtyFourElements) {
  constexpr std::uint32_t k = 65;
  Product block(tmatmul_mx, ElementType::HiF4X2, 1, 1, k);
  block.cube(t, TileLayout::CUBE_M16, ElementType::HiF4X2, 1, k, Numbers(k, 1));
  block.cube(t + 1, TileLayout::CUBE_M32, ElementType::U32, 1, 2, {2, 3});
  block.cube(t + 2, TileLayout::CUBE_N8, ElementType::HiF4X2, k, 1, Numbers(k, 1));
  block.cube(t + 3, TileLayout::CUBE_M32, ElementType::U32, 1, 2, {5, 7});
  block.bind({t, t + 1}, -1, 0, false);
  block.bind({t + 2, t + 3}, m, 3, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{64 * 2 * 5 + 3 * 7}));
}

TEST(GroupMatrix, RowMajorScalesAreOfTheEarlierRelease) {
  Product block(tmatmul_mx, ElementType::E4M3, 1, 1, 32);
  block.cube(t, TileLayout::CUBE_M16, ElementType::E4M3, 1, 32, Numbers(32, 1));
  block.row_major(t + 1, ElementType::E8M0, 128, 1, 1, 1, {2});
  block.cube(t + 2, TileLayout::CUBE_N8, ElementType::E4M3, 32, 1, Numbers(32, 1));
  block.row_major(t + 3, ElementType::E8M0, 128, 1, 1, 1, {2});
  block.bind({t, t + 1}, -1, 0, false);
  block.bind({t + 2, t + 3}, m, 3, true);
  block.complete();
  EXPECT_EQ(block.rule(), "tile.cube");
}

namespace {

// C of one row, 12.0 and -0.0, plus a product of zeros.
struct ScaledAccumulator : Product {
  explicit ScaledAccumulator(Word exponent, unsigned function = tmatmul_acc)
      : Product(function, ElementType::FP16, 1, 2, 1) {
    machine.block.fixed_point_attributes.c_scale_en = true;
    cube(u, TileLayout::CUBE_M16, ElementType::FP32, 1, 2, {0x41400000, 0x80000000}).capacity_bytes = 512;
    cube(t, TileLayout::CUBE_M16, ElementType::FP16, 1, 1, {0});
    cube(t + 1, TileLayout::CUBE_N8, ElementType::FP16, 1, 2, {0, 0});
    cube(t + 5, TileLayout::CUBE_M32, ElementType::U8, 1, 1, {exponent});
  }
};

}  // namespace

TEST(GroupMatrix, TheAccumulatorIsScaledDownRowByRow) {
  ScaledAccumulator block(2);
  block.bind({u, t}, -1, 0, false);
  block.bind({t + 1, t + 5}, m, 3, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{0x40400000, 0x80000000})) << "12 / 4, and zeros stay zeros";
}

TEST(GroupMatrix, ScalingDownRoundsAndSaysSo) {
  ScaledAccumulator block(153);  // 12 / 2^153 = 1.5 * 2^-150 lies between 0 and the smallest number, 2^-149
  block.bind({u, t}, -1, 0, false);
  block.bind({t + 1, t + 5}, m, 3, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{1, 0x80000000}));
  EXPECT_EQ(block.machine.system_registers.core_state >> 32 & 0x1f, 0x18u) << "underflow and inexact";
}

TEST(GroupMatrix, OnlyAccumulatingProductsScaleTheirAccumulator) {
  Product block(tmatmul, ElementType::FP16, 1, 1, 1);
  block.machine.block.fixed_point_attributes.c_scale_en = true;
  block.cube(t, TileLayout::CUBE_M16, ElementType::FP16, 1, 1, {0});
  block.cube(t + 1, TileLayout::CUBE_N8, ElementType::FP16, 1, 1, {0});
  block.cube(t + 2, TileLayout::CUBE_M32, ElementType::U8, 1, 1, {1});
  block.bind({t, t + 1}, -1, 0, false);
  block.bind({t + 2}, m, 3, true);
  block.complete();
  EXPECT_EQ(block.rule(), "tile.matrix-parameter");
}

TEST(GroupMatrix, AViewOfAFactorIsMultipliedInPlaceOfTheWhole) {
  // A is 2x16 in two CELLs of eight columns; the view is the second.
  Product block(tmatmul, ElementType::U8, 2, 1, 8);
  block.cube(t, TileLayout::CUBE_M16, ElementType::U8, 2, 16, counting(0, 32));
  block.cube(t + 1, TileLayout::CUBE_N8, ElementType::U8, 8, 1, Numbers(8, 1));
  block.bind({t, t + 1}, m, 3, true);
  block.machine.block.tile_bindings[0].source0_subview = view_from(1);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{92, 220})) << "the sums of 8..15 and of 24..31";
  EXPECT_FALSE(block.machine.tiles[t + 2].allocated) << "the view is gone";
}

TEST(GroupMatrix, TheGroupIsJudgedBeforeItsViews) {
  Product block(tmatmul, ElementType::U8, 2, 1, 8);
  block.machine.block.fixed_point_attributes.valid = false;
  block.bind({t, t + 1}, m, 3, true);
  block.machine.block.tile_bindings[0].source0_subview = view_from(9);
  block.complete();
  EXPECT_EQ(block.rule(), "tile.fpatr-required");
  EXPECT_EQ(block.fault(), Fault::BundleControl);
}

}  // namespace pto::test
