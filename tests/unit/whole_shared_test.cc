// Moves of whole Shared tiles since release 0.58.4 (PTO-B-SHARED-WHOLE-PARENT-READY-001).
#include "tile_block.h"

namespace pto::test {

namespace {

constexpr unsigned load = 0, store = 1, move = 2;
constexpr Word base = 0x20000;
using Numbers = std::vector<Word>;

struct Move : TileBlock {
  explicit Move(unsigned function, unsigned shared_size, unsigned mask) : TileBlock(Release::v0_58_5) {
    start(state::OperationClass::TileMemory, function, ElementType::U32);
    machine.system_registers.tile_capacity = 0x40000;
    machine.block.shared_bindings[0] = {.valid = true,
                                        .shared_id = 7,
                                        .size_code = static_cast<std::uint8_t>(shared_size),
                                        .pe_mask = static_cast<std::uint8_t>(mask),
                                        .consumed = false};
    EXPECT_TRUE(machine.memory.map(base, 0x1000, {.read = true, .write = true, .execute = false}));
  }
  state::SharedTile& shared() { return machine.shared_tiles.at(7); }
  // s7 holds 2x2 words of 128 bytes, published.
  void publish(const Numbers& numbers) {
    Tile& tile = row_major(n + 8, ElementType::U32, 128, 2, 2, 2, numbers);
    static_cast<Tile&>(shared().tile) = tile;
    shared().tile.allocation_mask = 0;
    tile = Tile();
    shared().descriptor_valid = shared().published = true;
    shared().allocation_mask = shared().initialized_mask = 0x8;
  }
  Numbers shared_numbers() {
    Numbers numbers;
    for (std::uint64_t element = 0; element < 4; ++element) numbers.push_back(shared().tile.element(element));
    return numbers;
  }
  // Every PE has its own base and stride in a0 and a1.
  void rows(unsigned pe, Word address, Word stride) {
    machine.gpr[pe].x[2] = address;
    machine.gpr[pe].x[3] = stride;
    scalars(2, 3);
  }
};

}  // namespace

TEST(WholeShared, OnePeLoadsAndPublishesAllOfIt) {
  Move block(load, 1, 0x2);  // PE2
  block.rows(2, base, 8);
  block.dimensions({2, 2, 2});
  for (Word i = 0; i < 4; ++i) block.machine.memory.store(base + 4 * i, 4, 100 + i);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.shared_numbers(), (Numbers{100, 101, 102, 103}));
  EXPECT_TRUE(block.shared().published);
  EXPECT_EQ(block.shared().allocation_mask, 0x2);
  EXPECT_TRUE(block.machine.block.shared_bindings[0].consumed);
}

TEST(WholeShared, SeveralWritersNeedAnAssembly) {
  Move block(load, 1, 0xf);
  block.rows(0, base, 8);
  block.dimensions({2, 2, 2});
  block.complete();
  EXPECT_EQ(block.rule(), "shared.participants");
  EXPECT_EQ(block.fault(), Fault::TileLegality);
}

TEST(WholeShared, AFaultOfALoadLeavesTheRegisterAsItWas) {
  Move block(load, 1, 0x8);
  block.publish({1, 2, 3, 4});
  block.rows(0, base + 0xffc, 8);  // the second element lies beyond the page
  block.dimensions({2, 2, 2});
  block.complete();
  EXPECT_EQ(block.fault(), Fault::DataPage);
  EXPECT_EQ(block.completion.rejection.address, base + 0x1000);
  EXPECT_EQ(block.shared_numbers(), (Numbers{1, 2, 3, 4}));
}

TEST(WholeShared, EveryPeOfAStoreStoresAllOfIt) {
  Move block(store, 0, 0xa);  // PE0 and PE2
  block.publish({1, 2, 3, 4});
  block.rows(0, base, 8);
  block.rows(2, base + 0x100, 16);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  const auto word = [&](Word address) { return block.machine.memory.load(address, 4); };
  EXPECT_EQ(word(base), 1u);
  EXPECT_EQ(word(base + 12), 4u);
  EXPECT_EQ(word(base + 0x100), 1u);
  EXPECT_EQ(word(base + 0x114), 4u);
}

TEST(WholeShared, AStoreProbesForAllPesFirst) {
  Move block(store, 0, 0xa);
  block.publish({1, 2, 3, 4});
  block.rows(0, base, 8);
  block.rows(2, base + 0x1000, 8);
  block.complete();
  EXPECT_EQ(block.fault(), Fault::DataPage);
  EXPECT_EQ(block.machine.memory.load(base, 4), 0u) << "PE0 must not have stored either";
}

TEST(WholeShared, ReadersOfAnUnpublishedTileDoNothing) {
  for (const unsigned function : {store, move}) {
    Move block(function, 0, 0x8);
    block.publish({1, 2, 3, 4});
    block.shared().published = false;
    if (function == store) block.rows(0, base, 8);
    if (function == move) block.bind({}, m, 1, true, 0x8);
    block.complete();
    EXPECT_TRUE(block.executed()) << block.rule();
    EXPECT_EQ(block.machine.memory.load(base, 4), 0u);
    EXPECT_FALSE(block.machine.tiles[m].allocated);
    EXPECT_TRUE(block.machine.block.shared_bindings[0].consumed);
  }
}

TEST(WholeShared, ALocalTileBecomesAPublishedOne) {
  Move block(move, 1, 0x4);
  block.row_major(t, ElementType::U32, 128, 2, 2, 2, {9, 8, 7, 6});
  block.bind({t}, -1, 0, true, 0x4);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.shared_numbers(), (Numbers{9, 8, 7, 6}));
  EXPECT_TRUE(block.shared().published);
}

TEST(WholeShared, APublishedTileBecomesALocalOne) {
  Move block(move, 0, 0xf);
  block.publish({9, 8, 7, 6});
  block.bind({}, m, 1, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m), (Numbers{9, 8, 7, 6}));
}

TEST(WholeShared, SharedTilesHaveAPoolOfTheirOwn) {
  Move block(load, 12, 0x8);  // 256 KiB, all there is
  block.rows(0, base, 0);
  block.dimensions({2, 2, 256});
  block.machine.shared_tiles.at(9).descriptor_valid = true;
  block.machine.shared_tiles.at(9).tile.capacity_bytes = 128;
  block.complete();
  EXPECT_EQ(block.rule(), "shared.descriptor");
  block.machine.shared_tiles.at(9).descriptor_valid = false;
  block.complete();
  EXPECT_TRUE(block.executed()) << block.rule();
}

namespace {

// s7 holds 4x32 words, one CELL a row, counting from 0; every PE views one row, by its register x6.
struct View : Move {
  View(unsigned function, unsigned mask) : Move(function, 0, mask) {
    Numbers numbers(128);
    for (Word i = 0; i < 128; ++i) numbers[i] = i;
    Tile& tile = row_major(n + 8, ElementType::U32, 512, 4, 32, 32, numbers);
    static_cast<Tile&>(shared().tile) = tile;
    shared().tile.allocation_mask = 0;
    tile = Tile();
    shared().descriptor_valid = shared().published = true;
    shared().allocation_mask = shared().initialized_mask = 0x8;
    state::RangeModifier& range = machine.block.shared_bindings[0].source0_subview;
    range.valid = true;
    range.reg_src = 6;
    range.uimm11 = 1;
    range.size_code = 1;
  }
  void row_of(unsigned pe, Word row) { machine.gpr[pe].x[6] = row - 1; }  // the immediate adds one
};

}  // namespace

TEST(WholeShared, EveryPeStoresItsOwnView) {
  View block(store, 0xc);
  block.rows(0, base, 0);
  block.rows(1, base + 0x200, 0);
  block.row_of(0, 2);
  block.row_of(1, 3);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.machine.memory.load(base, 4), 64u);
  EXPECT_EQ(block.machine.memory.load(base + 0x200, 4), 96u);
  EXPECT_EQ(block.machine.memory.load(base + 0x27c, 4), 127u);
}

TEST(WholeShared, OneBadViewRefusesTheBlock) {
  View block(store, 0xc);
  block.rows(0, base, 0);
  block.rows(1, base + 0x200, 0);
  block.row_of(0, 2);
  block.row_of(1, 4);  // behind the last row
  block.complete();
  EXPECT_EQ(block.fault(), Fault::TileLegality);
  EXPECT_EQ(block.rule(), "view.range");
  EXPECT_EQ(block.machine.memory.load(base, 4), 0u);
}

TEST(WholeShared, AViewIsPartOfARowOrWholeRows) {
  View block(store, 0x8);
  block.rows(0, base, 0);
  block.row_of(0, 1);
  block.shared().tile.columns = block.shared().tile.valid_columns = 64;  // a CELL is half a row
  block.shared().tile.rows = block.shared().tile.valid_rows = 2;
  block.machine.block.shared_bindings[0].source0_subview.size_code = 2;  // from the middle to the next middle
  block.complete();
  EXPECT_EQ(block.rule(), "view.shape");
}

TEST(WholeShared, AViewBecomesALocalTile) {
  View block(move, 0xf);
  for (unsigned pe = 0; pe < 4; ++pe) block.row_of(pe, 3);
  block.dimensions({32, 1, 32});
  block.bind({}, m, 1, true);
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.valid(m).front(), 96u);
  EXPECT_EQ(block.valid(m).back(), 127u);
}

TEST(WholeShared, ASingleWriterOfAnAssemblyMakesTheTileAnew) {
  Move block(load, 1, 0x2);
  block.publish({1, 2, 3, 4});  // by PE0, as 2x2
  state::RangeModifier& range = block.machine.block.shared_bindings[0].destination_assemble;
  range.valid = range.init = range.last = true;
  range.size_code = 1;
  block.rows(2, base, 0);
  block.dimensions({32, 1, 32});
  block.complete();
  ASSERT_TRUE(block.executed()) << block.rule();
  EXPECT_EQ(block.shared().tile.valid_columns, 32u);
  EXPECT_EQ(block.shared().allocation_mask, 0x2);
}

}  // namespace pto::test
