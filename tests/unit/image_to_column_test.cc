// TIMG2COL against its definition, element by element, for feature maps of all shapes.
#include <random>

#include "exec/tile/direct.h"
#include "tile_block.h"

namespace pto::test {
namespace {

using state::FeatureMap;

constexpr std::uint32_t columns = 64;

// A feature map and a window of the matrix it unrolls into.
struct Unrolling : TileBlock {
  FeatureMap map;
  std::uint32_t out_height = 0, out_width = 0;
  exec::DecodedCall call;

  explicit Unrolling(unsigned seed) : TileBlock(Release::v0_58_3), random_(seed) {
    do draw();
    while (!fits());
    const ElementType type = std::array{ElementType::U8, ElementType::S16, ElementType::FP32}[below(3)];
    const unsigned bytes = element_bits(type) / 8;
    std::vector<Word> pixels(columns * columns);
    for (Word& pixel : pixels) pixel = random_() & mask_of(8 * bytes);
    map.padding = random_() & mask_of(8 * bytes);
    machine.system_registers.tile_capacity = 0x100000;
    row_major(t, type, columns * columns * bytes, columns, columns, columns, pixels).location =
        state::TileLocation::Matrix;
    call.family = isa::TileFamily::TEPL;
    call.code = isa::find_tile_operation("TIMG2COL", config.release)->code();
    call.operands.sources[0] = t;
    call.operands.destinations[0] = m;
    const std::uint32_t all_rows = map.batches * out_height * out_width;
    const std::uint32_t all_columns =
        map.channel_groups * map.filter_height * map.filter_width * map.channels_per_group;
    call.operands.natural0 = below(all_rows);
    call.operands.natural1 = below(all_columns);
    row_major(m, type, columns * columns * bytes,
              std::min(columns, below(all_rows - call.operands.natural0) + 1),
              std::min(columns, below(all_columns - call.operands.natural1) + 1), columns, {})
        .location = state::TileLocation::Matrix;
    machine.tile_feature_maps.at(t) = map;
  }

  // The element at a row and column of the whole matrix.
  [[nodiscard]] Word definition(std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t channel = column % map.channels_per_group;
    const std::uint32_t place = column / map.channels_per_group;
    const std::uint32_t group = place / (map.filter_height * map.filter_width);
    const std::int64_t x = std::int64_t{row % out_width} * map.stride_width - map.pad_left +
                           place % map.filter_width * map.dilation_width;
    const std::int64_t y = std::int64_t{row / out_width % out_height} * map.stride_height - map.pad_top +
                           place / map.filter_width % map.filter_height * map.dilation_height;
    if (group * map.channels_per_group + channel >= map.logical_channels || x < 0 || x >= map.width ||
        y < 0 || y >= map.height)
      return map.padding;
    const std::uint64_t image = row / (out_width * out_height);
    return machine.tiles[t].element(
        (((image * map.channel_groups + group) * map.height + static_cast<std::uint64_t>(y)) * map.width +
         static_cast<std::uint64_t>(x)) *
            map.channels_per_group +
        channel);
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  void draw() {
    map = FeatureMap();
    map.valid = true;
    map.batches = below(3) + 1;
    map.channel_groups = below(2) + 1;
    map.channels_per_group = below(4) + 1;
    map.logical_channels = below(map.channel_groups * map.channels_per_group) + 1;
    map.height = below(9) + 1;
    map.width = below(9) + 1;
    map.filter_height = below(3) + 1;
    map.filter_width = below(3) + 1;
    map.stride_height = below(3) + 1;
    map.stride_width = below(3) + 1;
    map.dilation_height = below(3) + 1;
    map.dilation_width = below(3) + 1;
    map.pad_left = below(4);
    map.pad_right = below(4);
    map.pad_top = below(4);
    map.pad_bottom = below(4);
  }
  // Whether the filter does.
  bool fits() {
    const auto extent = [](std::uint32_t padded, std::uint32_t filter, std::uint32_t dilation,
                           std::uint32_t stride) {
      const std::uint32_t receptive = dilation * (filter - 1) + 1;
      return padded < receptive ? 0 : (padded - receptive) / stride + 1;
    };
    out_height = extent(map.height + map.pad_top + map.pad_bottom, map.filter_height, map.dilation_height,
                        map.stride_height);
    out_width = extent(map.width + map.pad_left + map.pad_right, map.filter_width, map.dilation_width,
                       map.stride_width);
    return out_height != 0 && out_width != 0;
  }

  std::mt19937_64 random_;
};

TEST(ImageToColumn, EveryElementIsTheOneTheDefinitionNames) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Unrolling block(seed);
    exec::Context context{block.machine, block.config};
    const exec::StepResult result = exec::execute_decoded_call(context, block.call);
    ASSERT_EQ(result.status, exec::StepStatus::Executed) << seed << ": " << result.rejection.values;
    const std::vector<Word> made = block.valid(m);
    const std::uint32_t width = block.machine.tiles[m].valid_columns;
    for (std::uint32_t i = 0; i < made.size(); ++i) {
      ASSERT_EQ(made[i], block.definition(block.call.operands.natural0 + i / width,
                                          block.call.operands.natural1 + i % width))
          << seed << ", row " << i / width << ", column " << i % width;
    }
  }
}

}  // namespace
}  // namespace pto::test
