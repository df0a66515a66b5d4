// What a block must hold for an operation, and an example of one. What the schema checker knows is read from
// its rows; what an operation's own path checks is said here, for each behaviour, and shown by the example.
#include <fmt/format.h>

#include <algorithm>

#include "cli/descriptions.h"
#include "exec/tile/behaviour.h"

namespace pto::cli {

namespace {

using isa::TileBehaviour;

constexpr std::string_view dimension_text(exec::DimensionRule rule) {
  using exec::DimensionRule;
  switch (rule) {
    case DimensionRule::Any: return "as the operation's operands ask";
    case DimensionRule::Shape: return "LB0 columns, LB1 rows, each 1 to 65535; LB0 required";
    case DimensionRule::Sequence: return "LB0 columns, required; LB1 is 1; LB2 at least LB0";
    case DimensionRule::Triangle: return "LB0 columns, required; LB1 rows; LB2 at least LB0";
    case DimensionRule::Indexed: return "LB0 columns, required; LB1 rows; LB2 a power of two, at least LB0";
    case DimensionRule::Absent: return "none";
  }
  return {};
}

std::string binding_text(const exec::BindingShape& binding) {
  return fmt::format("B.IOT with {} source{}{}{}", binding.sources, binding.sources == 1 ? "" : "s",
                     binding.destination ? " and the destination" : "", binding.last ? ", last" : "");
}

std::string source_needs(const exec::SourceNeeds& needs) {
  std::string out;
  const auto add = [&out](bool applies, std::string_view text) {
    if (applies) out += (out.empty() ? "" : ", ") + std::string(text);
  };
  add(needs.defined, "fully defined");
  add(needs.encodings, "every element an encoding of its type");
  add(needs.numeric, "numeric");
  add(needs.predicate, "a packed predicate");
  add(needs.operation_type, "of the block's type");
  add(needs.row_major, "row-major");
  add(needs.block_shape, "of the block's shape");
  add(needs.not_empty, "not empty");
  if (needs.matches >= 0) add(true, fmt::format("of source {}'s shape and type", needs.matches));
  if (needs.matches_shape >= 0) add(true, fmt::format("of source {}'s shape", needs.matches_shape));
  return out;
}

struct Note {
  TileBehaviour does;
  std::string_view text;
};

// Behaviours whose block is checked by a path of their own.
constexpr Note notes[] = {
    {TileBehaviour::Load, "one destination: B.IOT, last; or B.IOS with a destination and a size"},
    {TileBehaviour::Load,
     "dimensions: LB0 valid columns, LB1 valid rows; LB2 columns of the tile, a power of two, LB0 without "
     "it"},
    {TileBehaviour::Load,
     "B.IOR: base address, then the stride, bytes from row to row; without B.IOR the base is 0 and rows lie "
     "close; zero in the place of the stride is a stride of zero: every row is the first"},
    {TileBehaviour::Load,
     "B.DATR: leave it out for plain rows (layout NORM); ND2M32, ND2M16 or ND2N8 with DTYPE_NONE make a "
     "CUBE tile, and LB2 is then left out"},
    {TileBehaviour::Store, "one source: B.IOT, last; or B.IOS"},
    {TileBehaviour::Store,
     "dimensions: leave them out for a row-major tile, whose valid elements are stored, all of them; without "
     "B.IOR, LB2 is the columns that a row in memory has"},
    {TileBehaviour::Store,
     "B.IOR: base address, then the stride, bytes from row to row; without B.IOR the base is 0 and rows lie "
     "close; zero in the place of the stride is a stride of zero: every row goes to the first"},
    {TileBehaviour::Store,
     "B.DATR: leave it out for row-major tiles (layout NORM); M322ND, M162ND or N82ND with DTYPE_NONE store "
     "a CUBE tile, with LB0 and LB1 and without LB2"},
    {TileBehaviour::Move, "B.IOT with 1 source and the destination, last"},
    {TileBehaviour::Move, "dimensions: the source's where they are left out"},
    {TileBehaviour::Move, "B.DATR: leave it out for tiles of layout NORM"},
    {TileBehaviour::Prefetch, "no tile"},
    {TileBehaviour::Prefetch,
     "dimensions: LB0 columns, LB1 rows, LB2 a power of two; 1 where they are left out"},
    {TileBehaviour::Prefetch, "B.IOR: base address, then the stride, elements from row to row"},
    {TileBehaviour::Matrix, "dimensions: LB0 M, LB1 N, LB2 K; each is 1 where it is left out"},
    {TileBehaviour::Matrix,
     "with Shared operands (B.IOS), since 0.58.4: LB0 counts the rows of all four PEs, at most 128; each PE "
     "computes 16 of them, or 32 of more than 64; all masks are 1111"},
    {TileBehaviour::Matrix,
     "pto-v0 multiplies the encodings as unsigned numbers and sums modulo 2^32: exact for unsigned integers, "
     "not for signed ones, nor for floats"},
    {TileBehaviour::Matrix, "B.FPATR: exactly one; all zero for a plain product"},
    {TileBehaviour::Matrix,
     "B.DATR: leave it out when both sides have the block's type; its type is the right side's"},
    {TileBehaviour::Matrix,
     "left sides are CUBE_M16 or CUBE_M32 (TLOAD with ND2M16, ND2M32), right sides CUBE_N8 (ND2N8); the "
     "result has the layout of the left side"},
    {TileBehaviour::Extract,
     "dimensions: LB0 is both the columns taken and their first row, LB1 both the rows and the first column"},
    {TileBehaviour::Insert, "dimensions: LB0 and LB1 are both the shape and the place"},
    {TileBehaviour::ImageToColumn,
     "no block completes: the result must be at Matrix location, which none allocates, and no instruction "
     "gives a tile a feature map; only a direct call of the operation can (tests/vectors/SCHEMA.md). "
     "Programs "
     "load overlapping windows with TLOAD (examples/convolution)"},
    {TileBehaviour::Convert,
     "between integers the number is kept, wrapped or saturated; between floats, and from a float to an "
     "integer, pto-v0 keeps the bits of the encoding; only E8M0 gets a rounded exponent"},
    {TileBehaviour::Concat, "dimensions: LB0 and LB2 the columns of both sources together, LB1 rows"},
    {TileBehaviour::MergeSort, "each source has one row"},
    {TileBehaviour::Expand, "the broadcast source has one column (TROWEXPAND...) or one row (TCOLEXPAND...)"},
    {TileBehaviour::Histogram,
     "counts are cumulative: bin n of a row counts the values whose byte is at most n"},
    {TileBehaviour::Histogram, "B.DATR: U32, the type of the counts, and the number of the byte (ByteId=2)"},
    {TileBehaviour::Histogram,
     "the second source is a tile of U8 in any case; its bytes are what the bytes above the counted one must "
     "be, for U16 one in every row, for U32 the first in row 0; the highest byte asks for none"},
    {TileBehaviour::Quantize,
     "B.IOR: the multiplier, a positive finite FP32, then the zero point, a number of the byte type; without "
     "B.IOR they are 1 and 0"},
    {TileBehaviour::Dequantize,
     "B.IOR: the multiplier, a positive finite FP32, then the zero point, a number of the byte type; without "
     "B.IOR they are 1 and 0"},
    {TileBehaviour::Transpose,
     "dimensions: the result's, which are the source's the other way round: LB0 its valid rows, LB1 its "
     "valid columns"},
};

// B.IOT lines that bind the sources two by two; the destinations come with the last of them and behind it.
void bind(std::vector<std::string>& lines, const isa::TileOperation& row) {
  constexpr std::string_view hands[] = {"t", "u"};
  std::vector<std::string> sources, roles;
  unsigned destinations = 0;
  for (const isa::TileOperandUse& use : row.operands.all()) {
    destinations += isa::is_destination(use.operand) ? 1 : 0;
    if (!isa::is_source(use.operand)) continue;
    sources.push_back(fmt::format("t#{}", sources.size() + 1));
    roles.emplace_back(use.role);
  }
  const std::size_t pairs = (sources.size() + 1) / 2;
  const std::size_t bindings =
      std::max<std::size_t>(pairs + (destinations > 1 ? 1 : 0), destinations > 0 ? 1 : 0);
  unsigned placed = 0;
  for (std::size_t index = 0; index < std::max(bindings, pairs); ++index) {
    std::string line = "B.IOT ", comment;
    for (std::size_t source = 2 * index; source < std::min(sources.size(), 2 * index + 2); ++source) {
      line += sources[source] + ", ";
      comment += (comment.empty() ? "" : ", ") + roles[source];
    }
    const bool last = index + 1 == std::max(bindings, pairs);
    line += last ? "mask=1111, last" : "mask=1111";
    if (placed < destinations && index + 1 >= pairs)
      line += fmt::format(", ->{}<1KB>", hands[1 - placed++ % 2]);
    if (!comment.empty()) line += "   # " + comment;
    lines.push_back(std::move(line));
  }
}

std::string start_line(const isa::TileOperation& row, std::string_view type) {
  return row.family == isa::TileFamily::TEPL
             ? fmt::format("BSTART.{} {}, {}", isa::name_of(row.engine), row.name, type)
             : fmt::format("{} {}", row.start, type);
}

// The types an example has: the block's, and the one B.DATR adds; empty: no B.DATR.
struct Types {
  std::string_view block, attribute = {};
};

Types types_of(const isa::TileOperation& row, const exec::Header& header) {
  using isa::TileVariant;
  switch (row.does) {
    case TileBehaviour::Matrix: return {row.start.find("MX") == row.start.npos ? "S8" : "E4M3"};
    case TileBehaviour::Convert: return {"FP32", "FP16"};
    case TileBehaviour::Quantize: return {"FP32", "S8"};
    case TileBehaviour::Dequantize: return {"S8", "FP32"};
    case TileBehaviour::Histogram: return {"U32", "U32"};
    case TileBehaviour::Sort:
    case TileBehaviour::MergeSort: return {"FP32"};
    case TileBehaviour::Unary: return {row.variant == TileVariant::Not ? "U32" : "FP32"};
    case TileBehaviour::Expand: return {row.variant == TileVariant::ExpDif ? "FP32" : "U32"};
    default: return {header.types != nullptr && !header.types->has(ElementType::U32) ? "FP32" : "U32"};
  }
}

// The dimensions an example gives: columns, rows, and the columns of the tile; zero: none.
struct Dimensions {
  unsigned columns = 32, rows = 8, stride = 0;
};

Dimensions dimensions_of(const isa::TileOperation& row, const exec::Header& header) {
  using exec::DimensionRule;
  switch (row.does) {
    case TileBehaviour::Matrix: return {row.name.starts_with("TGEMV") ? 1u : 16u, 16, 16};
    case TileBehaviour::Move: return {0, 0, 0};
    case TileBehaviour::Sort: return {32, 0, 0};
    case TileBehaviour::Extract: return {8, 4, 0};
    case TileBehaviour::Concat: return {32, 8, 32};
    default: break;
  }
  switch (header.dimensions) {
    case DimensionRule::Absent: return {0, 0, 0};
    case DimensionRule::Any: return header.binding_count == 0 ? Dimensions{} : Dimensions{0, 0, 0};
    case DimensionRule::Shape: return {};
    case DimensionRule::Sequence: return {32, 0, 32};
    default: return {32, 8, 32};
  }
}

// Whether a result has the type of the block start whatever B.DATR says.
bool takes_block_type(TileBehaviour does) {
  switch (does) {
    case TileBehaviour::MemoryGather:
    case TileBehaviour::MemoryGatherMask:
    case TileBehaviour::MemoryCompareSwap:
    case TileBehaviour::MemoryScatter:
    case TileBehaviour::MemoryScatterMask:
    case TileBehaviour::Compare:
    case TileBehaviour::CompareScalar:
    case TileBehaviour::Permute:
    case TileBehaviour::Shuffle:
    case TileBehaviour::Pack:
    case TileBehaviour::Unpack:
    case TileBehaviour::Reduce:
    case TileBehaviour::Sort:
    case TileBehaviour::MergeSort: return true;
    default: return false;
  }
}

}  // namespace

std::vector<std::string> example_of(const isa::TileOperation& row) {
  const exec::Behaviour* behaviour = exec::behaviour_of(row);
  const exec::Header header = behaviour == nullptr ? exec::Header{} : behaviour->header;
  const Types types = types_of(row, header);
  std::vector<std::string> lines{start_line(row, types.block)};
  if (!types.attribute.empty()) lines.push_back(fmt::format("B.DATR {}", types.attribute));
  if (row.does == TileBehaviour::Matrix) lines.emplace_back("B.FPATR 0, 0, 0, 0, 0, 0, 0, 0, 0");
  const Dimensions dimensions = dimensions_of(row, header);
  if (dimensions.columns != 0) lines.push_back(fmt::format("B.DIM zero, {}, ->lb0", dimensions.columns));
  if (dimensions.rows != 0) lines.push_back(fmt::format("B.DIM zero, {}, ->lb1", dimensions.rows));
  if (dimensions.stride != 0) lines.push_back(fmt::format("B.DIM zero, {}, ->lb2", dimensions.stride));
  std::string registers, roles;
  unsigned scalars = 0;
  for (const isa::TileOperandUse& use : row.operands.all()) {
    if (!isa::is_scalar(use.operand)) continue;
    registers += fmt::format("{}a{}", scalars == 0 ? "" : ", ", scalars);
    roles += (scalars++ == 0 ? "" : ", ") + std::string(use.role);
  }
  if (scalars > 0)
    lines.push_back(fmt::format("B.IOR {}{}   # {}", registers, scalars == 1 ? ", zero" : "", roles));
  bind(lines, row);
  lines.emplace_back("BSTOP");
  return lines;
}

std::vector<std::string> block_schema_of(const isa::TileOperation& row) {
  std::vector<std::string> lines;
  for (const Note& note : notes) {
    if (note.does == row.does) lines.emplace_back(note.text);
  }
  const exec::Behaviour* behaviour = exec::behaviour_of(row);
  if (behaviour == nullptr) return lines;
  const exec::Header& header = behaviour->header;
  for (unsigned index = 0; index < header.binding_count; ++index)
    lines.push_back(binding_text(header.bindings[index]));
  const bool gives_place = row.variant == isa::TileVariant::ArgMax || row.variant == isa::TileVariant::ArgMin;
  const numeric::TypeSet* types = gives_place ? &numeric::type_sets::partial : header.types;
  if (types != nullptr) lines.push_back(fmt::format("type: {}", types->description));
  if (gives_place)
    lines.emplace_back("a negative integer takes the lead without becoming the place, in the published text");
  if (header.dimensions != exec::DimensionRule::Any)
    lines.push_back(fmt::format("dimensions: {}", dimension_text(header.dimensions)));
  if (header.scalars == exec::ScalarRule::Required) lines.emplace_back("B.IOR: required");
  if (header.scalars == exec::ScalarRule::Absent) lines.emplace_back("B.IOR: none");
  if (header.datr_absent) lines.emplace_back("B.DATR: none");
  const bool speaks_of_attributes =
      std::ranges::any_of(lines, [](const std::string& line) { return line.starts_with("B.DATR"); });
  if (!speaks_of_attributes && !row.datr.data_type) {
    lines.emplace_back(
        takes_block_type(row.does)
            ? "B.DATR: leave it out, or name in it only the fields the operation reads"
            : "B.DATR: leave it out; a B.DATR without a type says FP64, so that only blocks of FP64 "
              "can give pad values or layouts in it");
  }
  if (header.row_major) lines.emplace_back("layout: row-major");
  if (header.shared_absent) lines.emplace_back("Shared tiles: none");
  for (std::size_t number = 0; number < header.sources.size(); ++number) {
    if (const std::string needs = source_needs(header.sources[number]); !needs.empty())
      lines.push_back(fmt::format("source {}: {}", number, needs));
  }
  return lines;
}

}  // namespace pto::cli
