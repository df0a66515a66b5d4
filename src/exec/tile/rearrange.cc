// TPERMUTE, TSHUF, TPACK and TUNPACK: raw bytes and words moved inside the CELLs of CUBE tiles
// (PTO-TPERMUTE-CONTRACT-001 and its siblings; since 0.58.5).
//
// All four work on bytes and words of logical rows (cells.h) and interpret nothing. What they read must be
// valid and defined; what they do not read may be anything. Results are built whole before anything is
// published.
#include "exec/tile/behaviours.h"
#include "exec/tile/cells.h"
#include "exec/tile/destinations.h"
#include "exec/tile/regions.h"
#include "kernels/permute.h"
#include "kernels/words.h"

namespace pto::exec {

using state::Tile;

namespace {

// --- What the four have in common ---

// A header of the wrong shape is a control fault here, whichever rule it breaks.
Check cell_header(const Bundle& bundle) {
  Check broken = checks::header(bundle);
  if (broken) broken->fault = state::Fault::BundleControl;
  return broken;
}

constexpr BundleCheck cell_checks[] = {checks::fpatr_matrix_only,
                                       checks::bindings_complete,
                                       checks::scalar_values,
                                       checks::datr_fields,
                                       cell_header,
                                       checks::masks_equal};

Check need_cell_tile(const Work& work, const Tile& tile, const OperandName& name) {
  if (Check broken = need_cube(work.bundle, tile, name)) return broken;
  if (tile.layout == state::TileLayout::CUBE_N8)
    return reject(rules::cell_layout, work.bundle.pc(), "{} is CUBE_N8", name);
  return passed;
}

Check need_cell_tiles(const Work& work) {
  if (Check broken = need_cell_tile(work, work.result(), destination_name)) return broken;
  for (unsigned number = 0; number < work.bundle.sources(); ++number) {
    if (Check broken = need_cell_tile(work, work.source(number), operand_name(work.bundle, number)))
      return broken;
  }
  return passed;
}

// A data source: layout, type and valid region are the result's.
Check need_like_result(const Work& work, unsigned number) {
  const Tile& tile = work.source(number);
  const Tile& result = work.result();
  const OperandName name = operand_name(work.bundle, number);
  if (tile.layout != result.layout)
    return reject(rules::tile_layout, work.bundle.pc(), "{} is {}, the result {}", name, name_of(tile.layout),
                  name_of(result.layout));
  if (tile.data_type != result.data_type)
    return reject(rules::tile_type, work.bundle.pc(), "{} holds {}, the result {}", name,
                  name_of(tile.data_type), name_of(result.data_type));
  if (tile.valid_rows != result.valid_rows || tile.valid_columns != result.valid_columns)
    return reject(rules::tile_shape, work.bundle.pc(), "{} has {}x{} valid elements, the result {}x{}", name,
                  tile.valid_rows, tile.valid_columns, result.valid_rows, result.valid_columns);
  return passed;
}

// A tile of indices or controls: `type`, the result's layout and rows, and `columns` of them.
Check need_control_tile(const Work& work, unsigned number, ElementType type, std::uint32_t columns,
                        const Rule& shape_rule) {
  const Tile& tile = work.source(number);
  const Tile& result = work.result();
  const OperandName name = operand_name(work.bundle, number);
  if (tile.data_type != type)
    return reject(shape_rule, work.bundle.pc(), "{} holds {}: must hold {}", name, name_of(tile.data_type),
                  name_of(type));
  if (tile.layout != result.layout)
    return reject(rules::tile_layout, work.bundle.pc(), "{} is {}, the result {}", name, name_of(tile.layout),
                  name_of(result.layout));
  if (tile.valid_rows != result.valid_rows || tile.valid_columns != columns ||
      tile.cube_cell_count != result.cube_cell_count)
    return reject(shape_rule, work.bundle.pc(), "{} has {}x{} valid elements: must have {}x{}", name,
                  tile.valid_rows, tile.valid_columns, result.valid_rows, columns);
  return passed;
}

Check need_valid_defined(const Work& work, unsigned number) {
  if (valid_region_defined(work.source(number))) return passed;
  return reject(rules::tile_defined, work.bundle.pc(), "{} has undefined valid elements",
                operand_name(work.bundle, number));
}

Check need_word_types(const Work& work) {
  if (work.result().data_type == ElementType::U32) return passed;
  return reject(rules::tile_type, work.bundle.pc(), "the tiles hold {}: must hold U32",
                name_of(work.result().data_type));
}

Word control_word(const Work& work) { return work.bundle.scalar(0); }

Check need_short_control(const Work& work) {
  const Word control = control_word(work);
  if (control >> 32 == 0) return passed;
  return reject(rules::cell_control, work.bundle.pc(), "the control is {:#x}: bits 63 to 32 must be zero",
                control);
}

// --- TPERMUTE ---

Check permute_header(const Bundle& bundle) {
  const unsigned indices = bundle.source_index(2);
  for (unsigned number = 0; number < 2; ++number) {
    if (indices == bundle.source_index(number)) {
      return reject(rules::tile_alias, bundle.pc(), "the indices {} are also source {}", tile_name(indices),
                    number);
    }
  }
  return passed;
}

Check permute_operands(const Work& work) {
  if (Check broken = need_cell_tiles(work)) return broken;
  if (Check broken = need_like_result(work, 0)) return broken;
  if (Check broken = need_like_result(work, 1)) return broken;
  return need_control_tile(work, 2, ElementType::U8, CellBytes::valid_bytes(work.result()),
                           rules::permute_index_shape);
}

// Byte by byte: the definition, and the way to the byte that breaks a rule.
Check permute_plainly(Work& work) {
  const CellBytes first(work.source(0));
  const CellBytes second(work.source(1));
  const CellBytes indices(work.source(2));
  const unsigned width = first.width();
  const std::uint32_t valid_bytes = CellBytes::valid_bytes(work.result());
  const Word pc = work.bundle.pc();
  CellWriter out(work.result());
  for (std::uint32_t row = 0; row < work.result().valid_rows; ++row) {
    for (std::uint32_t k = 0; k < valid_bytes; ++k) {
      if (!indices.defined(row, k))
        return reject(rules::permute_index_defined, pc, "index at row {}, byte {}", row, k);
      const unsigned index = indices.read(row, k);
      if (index >= 2 * width) {
        return reject(rules::permute_index_range, pc,
                      "index byte {} at row {}, byte {}: must be below {} in {}", index, row, k, 2 * width,
                      name_of(work.result().layout));
      }
      const unsigned number = index / width;
      const std::uint32_t selected = k / width * width + index % width;
      const CellBytes& source = number == 0 ? first : second;
      if (!source.defined(row, selected)) {
        return reject(rules::permute_source_defined, pc, "index {} at row {}, byte {} selects byte {} of {}",
                      index, row, k, selected, operand_name(work.bundle, number));
      }
      out.write(row, k, source.read(row, selected));
    }
  }
  return passed;
}

// Whether every storage byte of the CELLs is valid and defined, so that whole CELLs can be worked on.
bool whole(const Tile& tile) {
  return fully_valid(tile) && tile.storage.payload_bytes() >= tile.cube_storage_bytes &&
         valid_region_defined(tile);
}

// Whether the storage is one valid word after another.
bool whole_words(const Tile& tile) {
  return !CellBytes(tile).exchanged() && fully_valid(tile) &&
         tile.storage.payload_bytes() >= tile.cube_storage_bytes;
}

Check run_permute(Work& work) {
  Tile& result = work.result();
  const CellBytes bytes(result);
  const bool whole_cells = !bytes.exchanged() && fully_valid(result) && whole(work.source(0)) &&
                           whole(work.source(1)) && whole(work.source(2));
  if (whole_cells) {
    const std::uint8_t seen = kernels::permute_bytes(
        work.source(0).storage.payload().data(), work.source(1).storage.payload().data(),
        work.source(2).storage.payload().data(), result.storage.mutable_payload().data(),
        result.cube_storage_bytes, bytes.width());
    if (seen >= 2 * bytes.width()) return permute_plainly(work);
  } else if (Check broken = permute_plainly(work)) {
    return broken;
  }
  define_valid_region(result);
  return passed;
}

// --- TSHUF ---

enum class ShuffleMode : std::uint8_t { Up, Down, Butterfly, Index };

struct ShuffleControl {
  ShuffleMode mode;
  unsigned segment;  // lanes
  bool zero_outside;
};

ShuffleControl decode_shuffle(Word control) {
  return {static_cast<ShuffleMode>(bits_of(control, 0, 8)), 2u << bits_of(control, 8, 8),
          bits_of(control, 16, 8) == 1};
}

Check shuffle_operands(const Work& work) {
  if (Check broken = need_cell_tiles(work)) return broken;
  if (Check broken = need_like_result(work, 0)) return broken;
  const std::uint32_t words = divide_up<std::uint32_t>(CellBytes::valid_bytes(work.source(0)), 4);
  if (Check broken = need_control_tile(work, 1, ElementType::U32, words, rules::tile_shape)) return broken;
  const Word control = control_word(work);
  const Word pc = work.bundle.pc();
  const Word mode = bits_of(control, 0, 8);
  const Word segment = bits_of(control, 8, 8);
  const Word boundary = bits_of(control, 16, 8);
  const Word largest = work.result().layout == state::TileLayout::CUBE_M32 ? 4 : 3;
  if (mode > 3) return reject(rules::cell_control, pc, "mode {}: must be 0 to 3", mode);
  if (segment > largest)
    return reject(rules::cell_control, pc, "segment code {}: must be 0 to {} in {}", segment, largest,
                  name_of(work.result().layout));
  if (boundary > 1) return reject(rules::cell_control, pc, "boundary {}: must be 0 or 1", boundary);
  if (Check broken = need_short_control(work)) return broken;
  if (Check broken = need_valid_defined(work, 0)) return broken;
  return need_valid_defined(work, 1);
}

constexpr unsigned no_lane = kernels::no_lane;

// The lane a word comes from; nothing when the mode leaves the segment. A butterfly partner outside the
// segment is such a case, also where the published text would leave the range of lanes.
std::optional<unsigned> shuffled_lane(const ShuffleControl& control, unsigned lane, unsigned amount) {
  const unsigned base = lane / control.segment * control.segment;
  const unsigned local = lane - base;
  switch (control.mode) {
    case ShuffleMode::Up: return amount > local ? std::nullopt : std::optional(lane - amount);
    case ShuffleMode::Down:
      return local + amount >= control.segment ? std::nullopt : std::optional(lane + amount);
    case ShuffleMode::Butterfly: {
      const unsigned partner = local ^ amount;
      return partner >= control.segment ? std::nullopt : std::optional(base + partner);
    }
    case ShuffleMode::Index: break;
  }
  return base + amount % control.segment;
}

// One word of the definition.
std::uint32_t shuffled_word(const ShuffleControl& control, const CellBytes& words, std::uint32_t valid_rows,
                            std::uint32_t row, unsigned lane, std::uint32_t word, unsigned amount) {
  const std::optional<unsigned> from = shuffled_lane(control, lane, amount);
  if (from && row - lane + *from < valid_rows) return words.read_word(row - lane + *from, word);
  return control.zero_outside ? 0 : words.read_word(row, word);
}

Check run_shuffle(Work& work) {
  const Tile& source = work.source(0);
  const CellBytes words(source);
  const CellBytes controls(work.source(1));
  const ShuffleControl control = decode_shuffle(control_word(work));
  const unsigned lanes = source.layout == state::TileLayout::CUBE_M32 ? 32 : 16;
  const std::uint32_t word_count = divide_up<std::uint32_t>(CellBytes::valid_bytes(source), 4);
  if (whole_words(source) && whole_words(work.source(1))) {
    // Every word is there: the amount alone decides which is taken.
    std::array<std::array<std::uint8_t, 32>, 32> lane_of;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      for (unsigned amount = 0; amount < 32; ++amount)
        lane_of[lane][amount] =
            static_cast<std::uint8_t>(shuffled_lane(control, lane, amount).value_or(no_lane));
    }
    kernels::shuffle_words({.words = source.storage.payload().data(),
                            .amounts = work.source(1).storage.payload().data(),
                            .out = work.result().storage.mutable_payload().data(),
                            .cells = source.cube_cell_count,
                            .lanes = lanes,
                            .lane_of = lane_of,
                            .zero_outside = control.zero_outside});
  } else {
    CellWriter out(work.result());
    for (std::uint32_t row = 0; row < source.valid_rows; ++row) {
      for (std::uint32_t word = 0; word < word_count; ++word)
        out.write_word(row, word,
                       shuffled_word(control, words, source.valid_rows, row, row % lanes, word,
                                     controls.read_word(row, word) & 31));
    }
  }
  define_valid_region(work.result());
  return passed;
}

// --- TPACK and TUNPACK ---

Check pack_operands(const Work& work) {
  if (Check broken = need_cell_tiles(work)) return broken;
  if (Check broken = need_word_types(work)) return broken;
  if (Check broken = need_like_result(work, 0)) return broken;
  if (Check broken = need_like_result(work, 1)) return broken;
  const Word low = bits_of(control_word(work), 0, 8);
  const Word high = bits_of(control_word(work), 8, 8);
  if (low < 1 || low > 3 || high < 1 || high > 3 || low + high > 4)
    return reject(rules::cell_control, work.bundle.pc(),
                  "{} low and {} high bytes: each must be 1 to 3, together at most 4", low, high);
  if (Check broken = need_short_control(work)) return broken;
  if (Check broken = need_valid_defined(work, 0)) return broken;
  return need_valid_defined(work, 1);
}

Check unpack_operands(const Work& work) {
  if (Check broken = need_cell_tiles(work)) return broken;
  if (Check broken = need_word_types(work)) return broken;
  if (Check broken = need_like_result(work, 0)) return broken;
  const Word offset = bits_of(control_word(work), 0, 8);
  const Word count = bits_of(control_word(work), 8, 8);
  if (offset > 3 || count < 1 || count > 4 || offset + count > 4)
    return reject(rules::cell_control, work.bundle.pc(), "{} bytes from byte {}: must lie in a word", count,
                  offset);
  if (Check broken = need_short_control(work)) return broken;
  return need_valid_defined(work, 0);
}

// Makes the words of the valid region: those of whole CELLs at once, else the definition, word by word.
template <class Make>
void make_words(Work& work, unsigned sources, const kernels::WordFields& fields, Make make) {
  Tile& result = work.result();
  const Tile& first = work.source(0);
  const Tile& second = work.source(sources - 1);
  if (whole_words(first) && whole_words(second)) {
    kernels::join_words(first.storage.payload().data(), second.storage.payload().data(), fields,
                        result.storage.mutable_payload().data(), result.cube_storage_bytes / 4);
  } else {
    const CellBytes a(first);
    const CellBytes b(second);
    CellWriter out(result);
    for (std::uint32_t row = 0; row < result.valid_rows; ++row) {
      for (std::uint32_t word = 0; word < result.valid_columns; ++word)
        out.write_word(row, word,
                       static_cast<std::uint32_t>(make(a.read_word(row, word), b.read_word(row, word))));
    }
  }
  define_valid_region(result);
}

Check run_pack(Work& work) {
  const unsigned low_bits = 8 * static_cast<unsigned>(bits_of(control_word(work), 0, 8));
  const unsigned high_bits = 8 * static_cast<unsigned>(bits_of(control_word(work), 8, 8));
  const kernels::WordFields fields{.shift = 0, .low_bits = low_bits, .high_bits = high_bits};
  make_words(work, 2, fields, [=](Word low, Word high) {
    return bits_of(low, 0, low_bits) | bits_of(high, 0, high_bits) << low_bits;
  });
  return passed;
}

Check run_unpack(Work& work) {
  const unsigned offset = 8 * static_cast<unsigned>(bits_of(control_word(work), 0, 8));
  const unsigned width = 8 * static_cast<unsigned>(bits_of(control_word(work), 8, 8));
  const kernels::WordFields fields{.shift = offset, .low_bits = width, .high_bits = 0};
  make_words(work, 1, fields, [=](Word word, Word) { return bits_of(word, offset, width); });
  return passed;
}

}  // namespace

constexpr Path cell_path_row{.checks = cell_checks, .fault = {}};
const Path cell_path = cell_path_row;

constinit const Behaviour permute_behaviour{
    .path = &cell_path,
    .header = {.bindings = {BindingShape{2, false, false}, BindingShape{1, true, true}},
               .binding_count = 2,
               .shared_absent = true,
               .scalars = ScalarRule::Absent,
               .extra = permute_header},
    .sources_defined = false,
    .plan = planners::like_cube_source,
    .operands = permute_operands,
    .run = run_permute};

constinit const Behaviour shuffle_behaviour{.path = &cell_path,
                                            .header = {.bindings = {BindingShape{2, true, true}},
                                                       .binding_count = 1,
                                                       .shared_absent = true,
                                                       .scalars = ScalarRule::Required},
                                            .sources_defined = false,
                                            .plan = planners::like_cube_source,
                                            .operands = shuffle_operands,
                                            .run = run_shuffle};

constinit const Behaviour pack_behaviour{.path = &cell_path,
                                         .header = {.bindings = {BindingShape{2, true, true}},
                                                    .binding_count = 1,
                                                    .shared_absent = true,
                                                    .scalars = ScalarRule::Required},
                                         .sources_defined = false,
                                         .plan = planners::like_cube_source,
                                         .operands = pack_operands,
                                         .run = run_pack};

constinit const Behaviour unpack_behaviour{.path = &cell_path,
                                           .header = {.bindings = {BindingShape{1, true, true}},
                                                      .binding_count = 1,
                                                      .shared_absent = true,
                                                      .scalars = ScalarRule::Required},
                                           .sources_defined = false,
                                           .plan = planners::like_cube_source,
                                           .operands = unpack_operands,
                                           .run = run_unpack};

}  // namespace pto::exec
