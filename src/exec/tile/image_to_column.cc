// TIMG2COL: a feature map unrolled into a matrix, one row per output pixel, one column per channel and place
// of the filter (PTO-TIMG2COL-CONTRACT-001).
//
// The source's payload is the feature map, in the order batch, depth, channel group, height, width, channel.
// A place of the filter outside the image or beyond the logical channels gives the descriptor's padding. The
// destination is a window of the matrix and must be at Matrix location, which no block allocates: only a
// direct call can complete.
#include "exec/tile/behaviours.h"
#include "exec/tile/carriers.h"
#include "exec/tile/destinations.h"

namespace pto::exec {

using state::FeatureMap;
using state::Tile;
using state::TileLocation;

namespace {

// Places the filter takes along one axis; zero: it does not fit.
std::int64_t output_extent(std::uint32_t size, std::uint32_t pad_before, std::uint32_t pad_after,
                           std::uint32_t filter, std::uint32_t stride, std::uint32_t dilation) {
  const std::int64_t receptive = std::int64_t{dilation} * (std::int64_t{filter} - 1) + 1;
  const std::int64_t padded = std::int64_t{size} + pad_before + pad_after;
  return padded < receptive ? 0 : (padded - receptive) / stride + 1;
}

std::int64_t divide_upwards(std::int64_t number, std::int64_t divisor) {
  return number / divisor + (number % divisor > 0 ? 1 : 0);
}

// The matrix a feature map unrolls into.
struct Unrolled {
  const FeatureMap& map;
  std::int64_t height;
  std::int64_t width;

  explicit Unrolled(const FeatureMap& from)
      : map(from),
        height(output_extent(map.height, map.pad_top, map.pad_bottom, map.filter_height, map.stride_height,
                             map.dilation_height)),
        width(output_extent(map.width, map.pad_left, map.pad_right, map.filter_width, map.stride_width,
                            map.dilation_width)) {}

  [[nodiscard]] bool fits(std::int64_t row, std::int64_t column, const Tile& window) const;

  // A row of the matrix: where its image begins in the source, and which pixel its filter starts at.
  struct Output {
    std::int64_t image, row, column;  // which output pixel it is
    std::int64_t first, input_row, input_column;
  };
  [[nodiscard]] Output output_of(std::int64_t row) const {
    const std::int64_t plane = height * width;
    return output_at(row / plane, row % plane / width, row % width);
  }
  // `image` counts through all depths of all batches.
  [[nodiscard]] Output output_at(std::int64_t image, std::int64_t row, std::int64_t column) const {
    return {.image = image,
            .row = row,
            .column = column,
            .first = image * map.channel_groups * map.height * map.width * map.channels_per_group,
            .input_row = row * map.stride_height - map.pad_top,
            .input_column = column * map.stride_width - map.pad_left};
  }
  // A column of the matrix: a channel at a place of the filter, as an offset from the pixel the filter starts
  // at.
  struct Place {
    std::int64_t offset, row, column;
    bool exists;  // else a channel beyond the logical ones
  };
  [[nodiscard]] Place place_of(std::int64_t column) const;
  // Which columns of an image's output find a place inside the image's width: [begin, end).
  struct Columns {
    std::int64_t begin, end;
  };
  [[nodiscard]] Columns columns_of(const Place& place) const {
    const std::int64_t before = std::int64_t{map.pad_left} - place.column;
    return {divide_upwards(before, map.stride_width), divide_upwards(before + map.width, map.stride_width)};
  }
  // The source element of the pixel a row's filter starts at.
  [[nodiscard]] std::int64_t pixel(const Output& output) const {
    return output.first + (output.input_row * map.width + output.input_column) * map.channels_per_group;
  }
  // The source element where both meet; nothing: padding.
  [[nodiscard]] std::optional<std::uint64_t> source_index(const Output& output, const Place& place) const {
    const std::int64_t row = output.input_row + place.row;
    const std::int64_t column = output.input_column + place.column;
    if (!place.exists || row < 0 || row >= map.height || column < 0 || column >= map.width)
      return std::nullopt;
    return static_cast<std::uint64_t>(pixel(output) + place.offset);
  }
};

// Whether rows * columns * ... stays at or above `wanted`. The factors of a descriptor can exceed 64 bits.
bool product_reaches(std::initializer_list<std::int64_t> factors, std::int64_t wanted) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) {
    if (factor == 0) return wanted <= 0;
  }
  for (const std::int64_t factor : factors) {
    product *= factor;
    if (product >= wanted) return true;
  }
  return product >= wanted;
}

bool Unrolled::fits(std::int64_t row, std::int64_t column, const Tile& window) const {
  return height > 0 && width > 0 &&
         product_reaches({map.batches, map.depth, height, width}, row + window.valid_rows) &&
         product_reaches({map.channel_groups, map.filter_height, map.filter_width, map.channels_per_group},
                         column + window.valid_columns);
}

Unrolled::Place Unrolled::place_of(std::int64_t column) const {
  const std::int64_t filter_row_columns = std::int64_t{map.filter_width} * map.channels_per_group;
  const std::int64_t group_columns = map.filter_height * filter_row_columns;
  const std::int64_t group = column / group_columns;
  const std::int64_t channel = column % map.channels_per_group;
  const std::int64_t row = column % group_columns / filter_row_columns * map.dilation_height;
  const std::int64_t inner = column % filter_row_columns / map.channels_per_group * map.dilation_width;
  return {.offset = ((group * map.height + row) * map.width + inner) * map.channels_per_group + channel,
          .row = row,
          .column = inner,
          .exists = group * map.channels_per_group + channel < map.logical_channels};
}

std::int64_t first_row(const Bundle& bundle) { return bundle.call() ? bundle.call()->natural0 : 0; }
std::int64_t first_column(const Bundle& bundle) { return bundle.call() ? bundle.call()->natural1 : 0; }

const FeatureMap& map_of(const Bundle& bundle) {
  static const FeatureMap none;
  const unsigned index = bundle.source_index(0);
  const auto& maps = bundle.machine().tile_feature_maps;
  return bundle.sources() != 0 && maps.exists(index) ? maps[index] : none;
}

// The source carries a feature map that its elements can hold.
Check need_feature_map(const Bundle& bundle) {
  const Tile& source = bundle.source(0);
  const FeatureMap& map = map_of(bundle);
  const OperandName name = operand_name(bundle, 0);
  if (!map.valid || map.transposed)
    return reject(rules::feature_map, bundle.pc(), "{} has {} feature map", name,
                  map.valid ? "a transposed" : "no");
  if (map.layout == state::FeatureMapLayout::NC1HWC0 && map.depth != 1)
    return reject(rules::feature_map, bundle.pc(), "{} has depth {} in NC1HWC0", name, map.depth);
  if (std::uint64_t{map.channel_groups} * map.channels_per_group < map.logical_channels)
    return reject(rules::feature_map, bundle.pc(), "{} has {} logical channels in {} groups of {}", name,
                  map.logical_channels, map.channel_groups, map.channels_per_group);
  const std::uint64_t room = std::min(state::element_capacity(source.capacity_bytes, source.data_type),
                                      std::uint64_t{source.rows} * source.columns);
  if (product_reaches(
          {map.batches, map.depth, map.channel_groups, map.height, map.width, map.channels_per_group},
          static_cast<std::int64_t>(room) + 1))
    return reject(rules::feature_map, bundle.pc(), "{} holds {} elements, fewer than its feature map", name,
                  room);
  return passed;
}

Check need_matrix_location(const Bundle& bundle, const Tile& tile, const OperandName& name) {
  if (Check broken = need_row_major(bundle, tile, name)) return broken;
  if (tile.location == TileLocation::Matrix) return passed;
  return reject(rules::image_location, bundle.pc(), "{} is at {}", name, name_of(tile.location));
}

// What each column of the window stands for.
std::vector<Unrolled::Place> places_of(const Bundle& bundle, const Unrolled& matrix, const Tile& window) {
  std::vector<Unrolled::Place> places;
  places.reserve(window.valid_columns);
  for (std::uint32_t column = 0; column < window.valid_columns; ++column)
    places.push_back(matrix.place_of(first_column(bundle) + column));
  return places;
}

// Calls visit(row, column, source index or nothing) for the valid elements of the window.
template <class Visit>
void for_each_place(const Bundle& bundle, const Tile& window, Visit visit) {
  const Unrolled matrix(map_of(bundle));
  const std::vector<Unrolled::Place> places = places_of(bundle, matrix, window);
  for (std::uint32_t row = 0; row < window.valid_rows; ++row) {
    const Unrolled::Output output = matrix.output_of(first_row(bundle) + row);
    for (std::uint32_t column = 0; column < window.valid_columns; ++column)
      visit(row, column, matrix.source_index(output, places[column]));
  }
}

Check image_to_column_operands(const Work& work) {
  const Bundle& bundle = work.bundle;
  const Tile& source = work.source(0);
  const Tile& result = work.result();
  const OperandName name = operand_name(bundle, 0);
  if (Check broken = need_descriptor(bundle, result, destination_name)) return broken;
  if (Check broken = need_descriptor(bundle, source, name)) return broken;
  if (Check broken = need_feature_map(bundle)) return broken;
  if (Check broken = need_type(bundle, numeric::type_sets::carriers, source.data_type)) return broken;
  if (result.data_type != source.data_type)
    return reject(rules::tile_type, bundle.pc(), "{} holds {}, the result {}", name,
                  name_of(source.data_type), name_of(result.data_type));
  if (Check broken = need_matrix_location(bundle, result, destination_name)) return broken;
  if (Check broken = need_matrix_location(bundle, source, name)) return broken;
  if (!Unrolled(map_of(bundle)).fits(first_row(bundle), first_column(bundle), result))
    return reject(rules::tile_shape, bundle.pc(), "{}x{} elements at row {}, column {} exceed the matrix",
                  result.valid_rows, result.valid_columns, first_row(bundle), first_column(bundle));
  // A source that is defined all over needs no look at each element.
  if (fully_valid(source) && valid_region_defined(source)) return passed;
  Check broken;
  for_each_place(bundle, result,
                 [&](std::uint32_t row, std::uint32_t column, std::optional<std::uint64_t> from) {
                   if (from && !broken && !source.defined(*from))
                     broken = reject(rules::tile_defined, bundle.pc(),
                                     "row {}, column {} needs element {} of {}", row, column, *from, name);
                 });
  return broken;
}

// Columns of the window that lie side by side in the source as well: channels of one pixel.
struct Channels {
  Unrolled::Place first;
  Unrolled::Columns inside;
  std::uint32_t column;  // of the window
  std::uint32_t count;
};
std::vector<Channels> channels_of(const Unrolled& matrix, const std::vector<Unrolled::Place>& places) {
  std::vector<Channels> all;
  for (std::uint32_t column = 0; column < places.size(); ++column) {
    const Unrolled::Place& place = places[column];
    if (!all.empty()) {
      Channels& last = all.back();
      if (place.row == last.first.row && place.column == last.first.column &&
          place.exists == last.first.exists && place.offset == last.first.offset + last.count) {
        ++last.count;
        continue;
      }
    }
    all.push_back({place, matrix.columns_of(place), column, 1});
  }
  return all;
}

// The window, filled piece by piece: channels of a pixel for output pixels beside each other.
class Window {
 public:
  Window(const Unrolled& matrix, const std::uint8_t* pixels, Tile& result)
      : matrix_(matrix),
        pixels_(pixels),
        columns_(result.columns),
        bytes_(element_bits(result.data_type) / 8) {
    out_ = result.storage.mutable_payload().data();
  }

  // Rows [row, row + count), whose output pixels lie side by side from `output` on.
  void fill(std::uint32_t row, const Unrolled::Output& output, std::int64_t count, const Channels& channels) {
    const std::int64_t input_row = output.input_row + channels.first.row;
    const bool exists = channels.first.exists && input_row >= 0 && input_row < matrix_.map.height;
    const std::int64_t begin =
        exists ? std::clamp<std::int64_t>(channels.inside.begin - output.column, 0, count) : count;
    const std::int64_t end = std::clamp<std::int64_t>(channels.inside.end - output.column, begin, count);
    pad(row, 0, begin, channels);
    if (begin != end) copy(row, output, begin, end, channels);
    pad(row, end, count, channels);
  }

 private:
  [[nodiscard]] std::uint8_t* at(std::uint32_t row, std::int64_t pixel, const Channels& channels) const {
    return out_ +
           ((std::uint64_t{row} + static_cast<std::uint64_t>(pixel)) * columns_ + channels.column) * bytes_;
  }
  void copy(std::uint32_t row, const Unrolled::Output& output, std::int64_t begin, std::int64_t end,
            const Channels& channels) {
    const FeatureMap& map = matrix_.map;
    const std::int64_t first =
        matrix_.pixel(matrix_.output_at(output.image, output.row, output.column + begin)) +
        channels.first.offset;
    const std::size_t step = std::size_t{map.stride_width} * map.channels_per_group;
    kernels::copy_pieces(channels.count * bytes_, pixels_ + static_cast<std::size_t>(first) * bytes_,
                         step * bytes_, at(row, begin, channels), columns_ * bytes_,
                         static_cast<std::size_t>(end - begin));
  }
  void pad(std::uint32_t row, std::int64_t begin, std::int64_t end, const Channels& channels) {
    for (std::int64_t pixel = begin; pixel < end; ++pixel) {
      std::uint8_t* to = at(row, pixel, channels);
      for (std::uint32_t i = 0; i < channels.count; ++i)
        std::memcpy(to + i * bytes_, &matrix_.map.padding, bytes_);
    }
  }

  const Unrolled& matrix_;
  const std::uint8_t* pixels_;
  std::uint8_t* out_;
  std::size_t columns_;
  std::size_t bytes_;
};

Check run_image_to_column(Work& work) {
  const Tile& source = work.source(0);
  Tile& result = work.result();
  // Both are row-major, so elements are reached by number.
  CarrierReader in(source);
  const Unrolled matrix(map_of(work.bundle));
  const std::vector<Channels> channels = channels_of(matrix, places_of(work.bundle, matrix, result));
  Window window(matrix, in.run(0, std::size_t{source.rows} * source.columns), result);
  for (std::uint32_t row = 0; row < result.valid_rows;) {
    const Unrolled::Output output = matrix.output_of(first_row(work.bundle) + row);
    const std::int64_t count = std::min<std::int64_t>(matrix.width - output.column, result.valid_rows - row);
    for (const Channels& some : channels) window.fill(row, output, count, some);
    row += static_cast<std::uint32_t>(count);
  }
  define_valid_region(result);
  return passed;
}

}  // namespace

constinit const Behaviour image_to_column_behaviour{.path = &common_path,
                                                    .sources_defined = false,
                                                    .plan = planners::from_sources,
                                                    .operands = image_to_column_operands,
                                                    .run = run_image_to_column};

}  // namespace pto::exec
