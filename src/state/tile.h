// A tile register: a descriptor, a payload of packed native bytes in storage order and one definedness bit
// per stored element.
//
// Copying a Tile copies the descriptor and shares the storage; the first write through one of the copies
// gives it storage of its own. Bits of elements that are not defined are unspecified in memory and never
// observable: whoever prints or compares a tile masks them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "state/enums.h"
#include "state/tile_shape.h"

namespace pto::state {

// The bytes behind a tile. `payload` has slack bytes behind its end so that kernels may load whole vectors.
class TileStorage {
 public:
  static constexpr std::size_t slack = 64;

  TileStorage() = default;
  // Fresh storage: payload bytes unspecified, nothing defined.
  TileStorage(std::size_t payload_bytes, std::size_t elements);

  [[nodiscard]] std::size_t payload_bytes() const { return data_ ? data_->payload_bytes : 0; }
  [[nodiscard]] std::size_t elements() const { return data_ ? data_->elements : 0; }

  [[nodiscard]] std::span<const std::uint8_t> payload() const;
  // One bit per element, least significant bit first; bits behind `elements` are zero.
  [[nodiscard]] std::span<const std::uint64_t> defined() const;

  // Writable views; they make the storage this object's own first.
  std::span<std::uint8_t> mutable_payload();
  std::span<std::uint64_t> mutable_defined();

  // Makes room for at least this much, keeping what is there; new payload bytes are zero, new elements
  // undefined.
  void grow(std::size_t payload_bytes, std::size_t elements);

  [[nodiscard]] bool shares_with(const TileStorage& other) const { return data_ == other.data_; }

 private:
  struct Data {
    std::size_t payload_bytes = 0;
    std::size_t elements = 0;
    std::unique_ptr<std::uint8_t[]> payload;
    std::unique_ptr<std::uint64_t[]> defined;
  };
  static std::shared_ptr<Data> make(std::size_t payload_bytes, std::size_t elements);
  void own();
  std::shared_ptr<Data> data_;
};

struct Tile : TileShape {
  bool allocated = false;
  bool contents_defined = false;
  std::uint8_t allocation_mask = 0;  // Local tiles: the PEs that hold it
  TileLocation location = TileLocation::Any;
  std::uint32_t capacity_bytes = 0;
  std::uint32_t cube_n_repeat = 0;
  std::uint32_t cube_cell_count = 0;
  std::uint32_t cube_storage_bytes = 0;
  std::uint32_t defined_valid_elements = 0;  // how many elements of the valid region are defined
  TileStorage storage;

  // Reads are total: an element outside the storage is 0 and undefined.
  [[nodiscard]] std::uint64_t element(std::uint64_t index) const;
  [[nodiscard]] bool defined(std::uint64_t index) const;
  // Writes keep the value's low bits and mark the element defined, growing the storage when needed. They do
  // not keep defined_valid_elements or contents_defined: bulk writers set those once.
  void set_element(std::uint64_t index, std::uint64_t value);

  // Storage for a tile of this descriptor; everything undefined.
  void fresh_storage();

  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("allocated", s.allocated...);
    v.bits("allocation_mask", 4, s.allocation_mask...);
    shared_fields(v, s...);
  }
  // The members a Shared tile has as well.
  template <class V, class... S>
  static void shared_fields(V& v, S&... s) {
    v.flag("contents_defined", s.contents_defined...);
    v.symbol("storage_kind", s.storage_kind...);
    v.symbol("data_type", s.data_type...);
    v.symbol("layout", s.layout...);
    v.symbol("location", s.location...);
    v.integer("capacity_bytes", 0, max_tile_bytes, s.capacity_bytes...);
    v.integer("rows", 0, max_dimension, s.rows...);
    v.integer("columns", 0, max_dimension, s.columns...);
    v.integer("valid_rows", 0, max_dimension, s.valid_rows...);
    v.integer("valid_columns", 0, max_dimension, s.valid_columns...);
    v.integer("cube_k_repeat", 0, max_dimension, s.cube_k_repeat...);
    v.integer("cube_n_repeat", 0, 8192, s.cube_n_repeat...);
    v.integer("cube_cell_count", 0, max_cells, s.cube_cell_count...);
    v.integer("cube_storage_bytes", 0, max_tile_bytes, s.cube_storage_bytes...);
    v.integer("defined_valid_elements", 0, 524288, s.defined_valid_elements...);
    v.tile_storage("defined", "payload", s...);
  }
};

// A tile held by the core for all four PEs. Its storage is divided into four equal quarters in byte order.
struct SharedTileContents : Tile {
  SharedTileContents() {
    data_type = ElementType::FP64;
    location = TileLocation::Vector;
  }
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("allocated", s.allocated...);
    Tile::shared_fields(v, s...);
  }
};

struct SharedTile {
  bool descriptor_valid = false;
  std::uint8_t allocation_mask = 0;
  std::uint8_t initialized_mask = 0;
  bool published = false;
  SharedTileContents tile;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("descriptor_valid", s.descriptor_valid...);
    v.bits("allocation_mask", 4, s.allocation_mask...);
    v.bits("initialized_mask", 4, s.initialized_mask...);
    v.flag("published", s.published...);
    v.record("tile", s.tile...);
  }
};

// How a tile's payload is organised as a feature map (TIMG2COL).
struct FeatureMap {
  bool valid = false;
  FeatureMapLayout layout{};
  std::uint32_t batches = 1, depth = 1, channel_groups = 1, height = 1, width = 1, channels_per_group = 1;
  std::uint32_t filter_height = 1, filter_width = 1, stride_height = 1, stride_width = 1;
  std::uint32_t dilation_height = 1, dilation_width = 1, logical_channels = 1;
  std::uint32_t pad_left = 0, pad_right = 0, pad_top = 0, pad_bottom = 0;
  std::uint64_t padding = 0;
  bool transposed = false;
  template <class V, class... S>
  static void fields(V& v, S&... s) {
    v.flag("valid", s.valid...);
    v.symbol("layout", s.layout...);
    v.integer("batches", 1, max_dimension, s.batches...);
    v.integer("depth", 1, max_dimension, s.depth...);
    v.integer("channel_groups", 1, max_dimension, s.channel_groups...);
    v.integer("height", 1, max_dimension, s.height...);
    v.integer("width", 1, max_dimension, s.width...);
    v.integer("channels_per_group", 1, max_dimension, s.channels_per_group...);
    v.integer("filter_height", 1, max_dimension, s.filter_height...);
    v.integer("filter_width", 1, max_dimension, s.filter_width...);
    v.integer("stride_height", 1, max_dimension, s.stride_height...);
    v.integer("stride_width", 1, max_dimension, s.stride_width...);
    v.integer("dilation_height", 1, max_dimension, s.dilation_height...);
    v.integer("dilation_width", 1, max_dimension, s.dilation_width...);
    v.integer("logical_channels", 1, max_dimension, s.logical_channels...);
    v.integer("pad_left", 0, max_dimension, s.pad_left...);
    v.integer("pad_right", 0, max_dimension, s.pad_right...);
    v.integer("pad_top", 0, max_dimension, s.pad_top...);
    v.integer("pad_bottom", 0, max_dimension, s.pad_bottom...);
    v.bits("padding", 64, s.padding...);
    v.flag("transposed", s.transposed...);
  }
};

}  // namespace pto::state
