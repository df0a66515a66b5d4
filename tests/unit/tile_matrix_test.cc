// Whole matrix blocks: the product, the order of refusals, what stays when a block is refused.
#include "tile_block.h"

namespace pto::test {

namespace {

constexpr unsigned tmatmul = 0, tmatmul_acc = 2, tgemv = 16;

// 2x3 by 3x2, U8: row-major numbers 1..6 by 7..12.
struct Product : TileBlock {
  explicit Product(unsigned function = tmatmul) : TileBlock(Release::v0_58_3) {
    start(state::OperationClass::TileMatrix, function, ElementType::U8);
    machine.block.fixed_point_attributes.valid = true;
    dimension(0, 2);
    dimension(1, 2);
    dimension(2, 3);
    matrix(t + 1, TileLayout::CUBE_M16, ElementType::U8, 2, 3, 1);
    matrix(t + 2, TileLayout::CUBE_N8, ElementType::U8, 3, 2, 7);
  }
  void dimension(unsigned number, Word value) {
    machine.block.dimension_present[number] = true;
    machine.block.dimensions[number] = value;
  }
  void matrix(unsigned index, TileLayout layout, ElementType type, std::uint32_t rows, std::uint32_t columns,
              Word first) {
    Tile& tile = machine.tiles[index];
    const state::CubeGeometry geometry = state::cube_geometry(layout, rows, columns, type, Release::v0_58_3);
    tile = Tile{};
    tile.allocated = true;
    tile.allocation_mask = 0xf;
    tile.capacity_bytes = 128;
    tile.data_type = type;
    tile.layout = layout;
    tile.location = state::TileLocation::Matrix;
    tile.rows = geometry.rows;
    tile.columns = geometry.columns;
    tile.valid_rows = rows;
    tile.valid_columns = columns;
    tile.cube_k_repeat = geometry.k_repeat;
    tile.cube_n_repeat = geometry.n_repeat;
    tile.cube_cell_count = geometry.cells;
    tile.cube_storage_bytes = geometry.bytes;
    tile.fresh_storage();
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column)
        tile.set_element(state::storage_index(tile, row, column), first++);
    }
    tile.contents_defined = true;
    tile.defined_valid_elements = rows * columns;
  }
  Word at(std::uint32_t row, std::uint32_t column) {
    const Tile& result = machine.tiles[m];
    return result.element(state::storage_index(result, row, column));
  }
};

}  // namespace

TEST(MatrixBlock, MultipliesRowsByColumns) {
  Product block;
  block.bind({t + 1, t + 2}, m, 1, true);
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_EQ(block.machine.tiles[m].data_type, ElementType::U32);
  EXPECT_EQ(block.machine.tiles[m].layout, TileLayout::CUBE_M16);
  EXPECT_EQ(block.at(0, 0), 58u);
  EXPECT_EQ(block.at(0, 1), 64u);
  EXPECT_EQ(block.at(1, 0), 139u);
  EXPECT_EQ(block.at(1, 1), 154u);
}

TEST(MatrixBlock, AddsTheAccumulatorAndLeavesItAlone) {
  Product block(tmatmul_acc);
  block.matrix(t + 3, TileLayout::CUBE_M16, ElementType::U32, 2, 2, 100);
  block.bind({t + 3, t + 1}, -1, 0, false);
  block.bind({t + 2}, m, 1, true);
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_EQ(block.at(0, 0), 158u);
  EXPECT_EQ(block.at(1, 1), 257u);
  EXPECT_EQ(block.machine.tiles[t + 3].element(0), 100u);
}

TEST(MatrixBlock, NeedsItsFixedPointAttributesFirst) {
  Product block;
  block.machine.block.fixed_point_attributes.valid = false;
  block.complete();
  EXPECT_EQ(block.fault(), Fault::BundleControl);
}

TEST(MatrixBlock, RefusesAMatrixOfAnotherShape) {
  Product block;
  block.dimension(2, 4);
  block.bind({t + 1, t + 2}, m, 1, true);
  block.complete();
  EXPECT_EQ(block.fault(), Fault::TileLegality);
  EXPECT_FALSE(block.machine.tiles[m].allocated);
}

TEST(MatrixBlock, AVectorHasOneRow) {
  Product block(tgemv);
  block.bind({t + 1, t + 2}, m, 1, true);
  block.complete();
  EXPECT_EQ(block.fault(), Fault::TileLegality);
}

TEST(MatrixBlock, AResultThatDoesNotFitIsAnAllocationFault) {
  Product block;
  block.matrix(t + 1, TileLayout::CUBE_M16, ElementType::U8, 2, 3, 1);
  block.machine.system_registers.tile_capacity = 256 * 4;
  block.bind({t + 1, t + 2}, m, 1, true);
  block.complete();
  EXPECT_EQ(block.fault(), Fault::TileAllocation);
}

TEST(MatrixBlock, RowAndGroupMaximaSeeTheSums) {
  Product block;
  state::FixedPointAttributes& attributes = block.machine.block.fixed_point_attributes;
  attributes.row_max_en = attributes.group_max_en = true;
  attributes.group_n_code = 1;
  block.bind({t + 1, t + 2}, m, 1, false);
  block.bind({}, u, 1, false);
  block.bind({}, n, 1, true);
  block.complete();
  ASSERT_TRUE(block.executed());
  EXPECT_EQ(block.machine.tiles[u].element(0), 64u);
  EXPECT_EQ(block.machine.tiles[u].element(1), 154u);
  EXPECT_EQ(block.machine.tiles[n].element(1), 154u);
}

}  // namespace pto::test
