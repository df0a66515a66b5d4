#include "vectors/tile_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>

// Every function is a row: its name, the operation it performs, and its members in the order its operands
// have. A member's name says what it is, so that reading one needs no further table per function.

namespace pto::vectors {

namespace {

namespace dom = simdjson::dom;
using exec::CallOperands;
using numeric::Comparison;
using numeric::PadValue;
using numeric::Rounding;

// --- Members ---

enum class Kind : std::uint8_t {
  Destination,
  Source,
  Address,
  Scalar0,
  Scalar1,
  Natural0,
  Natural1,
  Flag,
  Diagonal,
  SelectedByte,
  SortWidth,
  Comparison,
  Control,
  Pad,
  Axis,
  Binary,
  Unary,
  Reduction,
  Partial,
  Expand,
};

struct Member {
  std::string_view name;
  Kind kind;
};

constexpr Member members[] = {
    {"destination", Kind::Destination},
    {"destination_indices", Kind::Destination},
    {"base_address", Kind::Address},
    {"row_stride_bytes", Kind::Scalar0},
    {"scalar", Kind::Scalar0},
    {"scalar_false", Kind::Scalar0},
    {"start", Kind::Scalar0},
    {"scale", Kind::Scalar0},
    {"padding", Kind::Scalar0},
    {"peer_tid", Kind::Scalar0},
    {"zero_point", Kind::Scalar1},
    {"row_offset", Kind::Natural0},
    {"position_m", Kind::Natural0},
    {"column_offset", Kind::Natural1},
    {"position_k", Kind::Natural1},
    {"descending", Kind::Flag},
    {"upper", Kind::Flag},
    {"maximum", Kind::Flag},
    {"diagonal", Kind::Diagonal},
    {"selected_byte", Kind::SelectedByte},
    {"sort_width", Kind::SortWidth},
    {"comparison", Kind::Comparison},
    {"control", Kind::Control},
    {"pad_value", Kind::Pad},
    {"axis", Kind::Axis},
    {"binary", Kind::Binary},
    {"unary", Kind::Unary},
    {"reduction", Kind::Reduction},
    {"partial", Kind::Partial},
    {"expand", Kind::Expand},
};

// Every other member is a source tile.
Kind kind_of(std::string_view name) {
  const auto* found = std::ranges::find(members, name, &Member::name);
  return found == std::end(members) ? Kind::Source : found->kind;
}

// --- Functions ---

struct Function {
  std::string_view name;
  std::string_view operation;  // empty: named by the selecting member
  // "binary=op" reads the member "op" and selects a binary operation by it.
  std::string_view members;
  std::string_view suffix{};  // behind the selected operation's name
};

constexpr Function functions[] = {
    {"ExecuteTileBinary", "", "binary=op destination source_left source_right"},
    {"ExecuteTileCompare", "TCMP", "destination source_left source_right comparison"},
    {"ExecuteTileCompareScalar", "TCMPS", "destination source scalar comparison"},
    {"ExecuteTileExpand", "", "expand=op axis destination source broadcast_source"},
    {"ExecuteTileFillScalar", "TEXPANDS", "destination scalar"},
    {"ExecuteTilePartial", "", "partial=op destination source_left source_right"},
    {"ExecuteTilePartialArg", "",
     "maximum destination destination_indices source_left source_right left_indices right_indices"},
    {"ExecuteTileReduction", "", "reduction=operation axis destination source"},
    {"ExecuteTileScalar", "", "binary=op destination source scalar", "S"},
    {"ExecuteTileSelect", "TSEL", "destination mask source_true source_false"},
    {"ExecuteTileSelectScalar", "TSELS", "destination mask source_true scalar_false"},
    {"ExecuteTileUnary", "", "unary=operation destination source"},
    {"GMOV", "GMOV", "destination source peer_tid"},
    {"InstructionContractExecute_TABS", "TABS", "destination source"},
    {"InstructionContractExecute_TADD", "TADD", "destination source_left source_right"},
    {"InstructionContractExecute_TAND", "TAND", "destination source_left source_right"},
    {"InstructionContractExecute_TANDS", "TANDS", "destination source scalar"},
    {"InstructionContractExecute_TCVT", "TCVT", "destination source control"},
    {"InstructionContractExecute_TDIV", "TDIV", "destination numerator denominator"},
    {"InstructionContractExecute_TDIVS", "TDIVS", "destination source scalar"},
    {"InstructionContractExecute_TEXP", "TEXP", "destination source"},
    {"InstructionContractExecute_TFMA", "TFMA", "destination source_left source_right addend"},
    {"InstructionContractExecute_TLOG", "TLOG", "destination source"},
    {"InstructionContractExecute_TMAX", "TMAX", "destination source_left source_right"},
    {"InstructionContractExecute_TMAXS", "TMAXS", "destination source scalar"},
    {"InstructionContractExecute_TMIN", "TMIN", "destination source_left source_right"},
    {"InstructionContractExecute_TMINS", "TMINS", "destination source scalar"},
    {"InstructionContractExecute_TMUL", "TMUL", "destination source_left source_right"},
    {"InstructionContractExecute_TMULS", "TMULS", "destination source scalar"},
    {"InstructionContractExecute_TNEG", "TNEG", "destination source"},
    {"InstructionContractExecute_TNOT", "TNOT", "destination source"},
    {"InstructionContractExecute_TOR", "TOR", "destination source_left source_right"},
    {"InstructionContractExecute_TORS", "TORS", "destination source scalar"},
    {"InstructionContractExecute_TRECIP", "TRECIP", "destination source"},
    {"InstructionContractExecute_TRELU", "TRELU", "destination source"},
    {"InstructionContractExecute_TREM", "TREM", "destination dividend divisor"},
    {"InstructionContractExecute_TREMS", "TREMS", "destination source scalar"},
    {"InstructionContractExecute_TRSQRT", "TRSQRT", "destination source"},
    {"InstructionContractExecute_TSHL", "TSHL", "destination value_source count_source"},
    {"InstructionContractExecute_TSHLS", "TSHLS", "destination source scalar"},
    {"InstructionContractExecute_TSHR", "TSHR", "destination value_source count_source"},
    {"InstructionContractExecute_TSHRS", "TSHRS", "destination source scalar"},
    {"InstructionContractExecute_TSQRT", "TSQRT", "destination source"},
    {"InstructionContractExecute_TSUB", "TSUB", "destination source_left source_right"},
    {"InstructionContractExecute_TSUBS", "TSUBS", "destination source scalar"},
    {"InstructionContractExecute_TXOR", "TXOR", "destination source_left source_right"},
    {"InstructionContractExecute_TXORS", "TXORS", "destination source scalar"},
    {"MGATHER", "MGATHER", "destination base_address indices pad_value"},
    {"MGATHER-1", "MGATHER", "destination base_address indices"},
    {"MGATHER_CAS", "MGATHER_CAS", "destination base_address indices expected replacement pad_value"},
    {"MGATHER_CAS-1", "MGATHER_CAS", "destination base_address indices expected replacement"},
    {"MGATHER_MASK", "MGATHER_MASK", "destination base_address indices mask pad_value"},
    {"MSCATTER", "MSCATTER", "base_address source indices"},
    {"MSCATTER_MASK", "MSCATTER_MASK", "base_address source indices mask"},
    {"TCI", "TCI", "destination start descending"},
    {"TCONCAT", "TCONCAT", "destination source_left source_right"},
    {"TCVT", "TCVT", "destination source control"},
    {"TDEQUANT", "TDEQUANT", "destination source scale zero_point control"},
    {"TEXTRACT", "TEXTRACT", "destination source row_offset column_offset"},
    {"TFILLPAD", "TFILLPAD", "destination source padding"},
    {"TFMA", "TFMA", "destination source_left source_right addend"},
    {"TGATHER", "TGATHER", "destination source indices"},
    {"TGEMV", "TGEMV", "destination left_vector right_matrix"},
    {"TGEMV_ACC", "TGEMV_ACC", "destination accumulator left_vector right_matrix"},
    {"TGEMV_BIAS", "TGEMV_BIAS", "destination left_vector right_matrix bias"},
    {"TGEMV_MX", "TGEMV_MX", "destination left_vector left_scale right_matrix right_scale"},
    {"TGEMV_MX_ACC", "TGEMV_MX_ACC",
     "destination accumulator left_vector left_scale right_matrix right_scale"},
    {"TGEMV_MX_BIAS", "TGEMV_MX_BIAS", "destination left_vector left_scale right_matrix right_scale bias"},
    {"THISTOGRAM", "THISTOGRAM", "destination source filter selected_byte"},
    {"TIMG2COL", "TIMG2COL", "destination source position_m position_k"},
    {"TINSERT", "TINSERT", "destination old_destination source row_offset column_offset"},
    {"TLOAD", "TLOAD", "destination base_address row_stride_bytes"},
    {"TMATMUL", "TMATMUL", "destination left right"},
    {"TMATMUL_ACC", "TMATMUL_ACC", "destination accumulator left right"},
    {"TMATMUL_BIAS", "TMATMUL_BIAS", "destination left right bias"},
    {"TMATMUL_MX", "TMATMUL_MX", "destination left left_scale right right_scale"},
    {"TMATMUL_MX_ACC", "TMATMUL_MX_ACC", "destination accumulator left left_scale right right_scale"},
    {"TMATMUL_MX_BIAS", "TMATMUL_MX_BIAS", "destination left left_scale right right_scale bias"},
    {"TMOV", "TMOV", "destination source"},
    {"TMRGSORT", "TMRGSORT", "destination source_left source_right descending"},
    {"TQUANT", "TQUANT", "destination source scale zero_point control"},
    {"TSCATTER", "TSCATTER", "destination source indices"},
    {"TSORT", "TSORT", "destination destination_indices source sort_width descending"},
    {"TSTORE", "TSTORE", "base_address row_stride_bytes source"},
    {"TTRANS", "TTRANS", "destination source"},
    {"TTRI", "TTRI", "destination upper diagonal"},
};

constexpr std::string_view decoded_function = "ExecuteTileInstruction";
constexpr std::string_view ruled_function = "ExecuteTileInstructionWithoutTimeWithAcceptedApplicabilityRules";

// --- Enumerations ---

constexpr std::string_view axes[] = {"Row", "Column"};
constexpr std::string_view families[] = {"TEPL", "TLSU", "CUBE"};
constexpr std::string_view rule_sets[] = {"None", "A2A3MxRejection"};
constexpr std::string_view comparisons[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
constexpr std::string_view roundings[] = {"RNE", "RTM", "RTP", "RTZ", "RNA", "RTO", "RHB"};
constexpr std::string_view pad_values[] = {"Zero", "Max", "Min", "Null"};
constexpr std::string_view binaries[] = {"ADD", "SUB", "MUL", "MAX", "MIN", "AND",
                                         "OR",  "XOR", "SHL", "SHR", "DIV", "REM"};
constexpr std::string_view unaries[] = {"ABS", "NOT", "NEG", "RELU", "SQRT", "LOG", "RECIP", "EXP", "RSQRT"};
// Operations name these two otherwise.
constexpr std::string_view reductions[] = {"SUM", "PRODUCT", "MIN", "MAX", "ARGMIN", "ARGMAX"};
constexpr std::string_view expansions[] = {"COPY", "ADD", "SUB", "MUL", "DIV", "MAX", "MIN", "EXPDIF"};
constexpr std::string_view partials[] = {"ADD", "MUL", "MAX", "MIN", "ARGMAX", "ARGMIN"};

// --- Reading ---

// Reads the members of one object; the first that is wrong is the error.
class Reader {
 public:
  Reader(const dom::object& object, std::string path) : object_(object), path_(std::move(path)) {}

  [[nodiscard]] bool ok() const { return problem_.empty(); }
  [[nodiscard]] Error error() const {
    return {
        .message = problem_, .place = {}, .hint = "SCHEMA.md, Appendix A lists the functions", .excerpt = {}};
  }
  void fail(std::string_view name, std::string_view problem) {
    if (ok()) problem_ = fmt::format("{}{}{}: {}", path_, name.empty() ? "" : ".", name, problem);
  }

  std::int64_t integer(std::string_view name, std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    if (object_[name].get(value) || value < least || value > most) {
      fail(name, fmt::format("expected an integer from {} to {}", least, most));
      return least;
    }
    return value;
  }
  bool flag(std::string_view name) {
    bool value = false;
    if (object_[name].get(value)) fail(name, "expected true or false");
    return value;
  }
  Word word(std::string_view name, Word most = ~Word{0}) {
    std::string_view text;
    Word value = 0;
    if (object_[name].get(text) || !text.starts_with("0x")) {
      fail(name, "expected \"0x..\"");
      return 0;
    }
    const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || value > most)
      fail(name, fmt::format("'{}' is not a word of at most {:#x}", text, most));
    return value;
  }
  // The place of the member's name among `names`.
  std::size_t symbol(std::string_view name, std::span<const std::string_view> names) {
    std::string_view text;
    if (object_[name].get(text)) {
      fail(name, "expected a name");
      return 0;
    }
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) {
      fail(name, fmt::format("'{}' is none of {}", text, fmt::join(names, ", ")));
      return 0;
    }
    return static_cast<std::size_t>(found - names.begin());
  }
  std::uint8_t tile(std::string_view name) {
    return static_cast<std::uint8_t>(integer(name, 0, state::tile_count - 1));
  }
  Reader inner(std::string_view name) {
    dom::object object;
    if (object_[name].get(object)) fail(name, "expected an object");
    return {object, fmt::format("{}.{}", path_, name)};
  }
  // Takes over what went wrong in an inner object.
  void adopt(const Reader& inner) {
    if (ok()) problem_ = inner.problem_;
  }
  // Every member must be one of `names`.
  void allow_only(std::span<const std::string_view> names) {
    for (const dom::key_value_pair field : object_) {
      if (std::ranges::find(names, field.key) == names.end())
        fail(field.key, "the function has no such operand");
    }
  }

 private:
  dom::object object_;
  std::string path_;
  std::string problem_;
};

void read_control(Reader& reader, std::string_view name, bool may_default, CallOperands& operands) {
  Reader control = reader.inner(name);
  if (reader.ok()) {
    const auto rounding = static_cast<Rounding>(control.symbol("rounding_mode", roundings));
    operands.saturating = control.flag("saturating");
    if (!may_default || !control.flag("use_operation_default")) operands.rounding = rounding;
  }
  reader.adopt(control);
}

// --- Plain functions ---

// What the members of a plain function have said so far.
struct Reading {
  CallOperands operands;
  unsigned destinations = 0;
  unsigned sources = 0;
  std::string axis;       // "TROW" or "TCOL"
  std::string operation;  // what the selecting member names
};

void read_member(Reader& reader, Kind kind, std::string_view name, Reading& reading) {
  CallOperands& operands = reading.operands;
  const auto natural = [&] { return static_cast<std::uint32_t>(reader.integer(name, 0, 65535)); };
  switch (kind) {
    case Kind::Destination: operands.destinations[reading.destinations++] = reader.tile(name); return;
    case Kind::Source: operands.sources[reading.sources++] = reader.tile(name); return;
    case Kind::Address: operands.address = reader.word(name); return;
    case Kind::Scalar0: operands.scalar0 = reader.word(name); return;
    case Kind::Scalar1: operands.scalar1 = reader.word(name); return;
    case Kind::Natural0: operands.natural0 = natural(); return;
    case Kind::Natural1: operands.natural1 = natural(); return;
    case Kind::Flag: operands.flag0 = reader.flag(name); return;
    case Kind::Diagonal: operands.diagonal = reader.integer(name, -65535, 65535); return;
    case Kind::SelectedByte:
      operands.selected_byte = static_cast<std::uint32_t>(reader.integer(name, 0, 3));
      return;
    case Kind::SortWidth:
      operands.sort_width = static_cast<std::uint32_t>(reader.integer(name, 1, 64));
      return;
    case Kind::Comparison:
      operands.comparison = static_cast<Comparison>(reader.symbol(name, comparisons));
      return;
    case Kind::Control: read_control(reader, name, false, operands); return;
    case Kind::Pad: operands.pad = static_cast<PadValue>(reader.symbol(name, pad_values)); return;
    case Kind::Axis: reading.axis = reader.symbol(name, axes) == 0 ? "TROW" : "TCOL"; return;
    case Kind::Binary:
      reading.operation = fmt::format("T{}", binaries[reader.symbol(name, binaries)]);
      return;
    case Kind::Unary: reading.operation = fmt::format("T{}", unaries[reader.symbol(name, unaries)]); return;
    case Kind::Partial:
      reading.operation = fmt::format("TPART{}", partials[reader.symbol(name, partials)]);
      return;
    case Kind::Reduction: {
      const std::string_view operation = reductions[reader.symbol(name, reductions)];
      reading.operation = operation == "PRODUCT" ? "PROD" : operation;
      return;
    }
    case Kind::Expand: {
      const std::string_view operation = expansions[reader.symbol(name, expansions)];
      reading.operation = fmt::format("EXPAND{}", operation == "COPY" ? "" : operation);
      return;
    }
  }
}

Result<TileCall> read_plain(Reader& reader, const Function& function, Release release) {
  Reading reading;
  std::vector<std::string_view> names;
  for (std::string_view rest = function.members; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    names.push_back(equals == item.npos ? item : item.substr(equals + 1));
    read_member(reader, kind_of(item.substr(0, equals)), names.back(), reading);
  }
  reader.allow_only(names);
  if (!reader.ok()) return reader.error();
  exec::PlainCall call{.operation = nullptr, .operands = reading.operands};
  // Overloads that name no padding leave none.
  if (function.name.ends_with("-1")) call.operands.pad = PadValue::Null;
  if (function.name == "ExecuteTilePartialArg") return TileCall{call};
  // A copy has one source, which the function names twice.
  if (reading.operation == "EXPAND") call.operands.sources[0] = call.operands.sources[1];
  const std::string name = function.operation.empty()
                               ? reading.axis + reading.operation + std::string(function.suffix)
                               : std::string(function.operation);
  call.operation = isa::find_tile_operation(name, release);
  if (call.operation != nullptr) return TileCall{call};
  reader.fail("", fmt::format("{} names the operation {}, which PTO ISA {} does not have", function.name,
                              name, name_of(release)));
  return reader.error();
}

// --- Decoded functions ---

constexpr std::string_view record_members[] = {
    "destination0", "destination1", "destination2",     "source0",          "source1",
    "source2",      "source3",      "source4",          "source5",          "source6",
    "source7",      "address",      "scalar0",          "scalar1",          "natural0",
    "natural1",     "positive0",    "positive1",        "positive2",        "positive3",
    "diagonal",     "byte_count",   "selected_byte",    "sort_width",       "axis",
    "comparison",   "flag0",        "post_quant_param", "post_lrelu_param", "numeric_control"};

CallOperands read_record(Reader& reader) {
  CallOperands operands;
  for (unsigned number = 0; number < CallOperands::destination_count; ++number)
    operands.destinations[number] = reader.tile(fmt::format("destination{}", number));
  for (unsigned number = 0; number < CallOperands::source_count; ++number)
    operands.sources[number] = reader.tile(fmt::format("source{}", number));
  operands.address = reader.word("address");
  operands.scalar0 = reader.word("scalar0");
  operands.scalar1 = reader.word("scalar1");
  operands.natural0 = static_cast<std::uint32_t>(reader.integer("natural0", 0, 65535));
  operands.natural1 = static_cast<std::uint32_t>(reader.integer("natural1", 0, 65535));
  operands.positive0 = static_cast<std::uint32_t>(reader.integer("positive0", 1, 65535));
  operands.positive1 = static_cast<std::uint32_t>(reader.integer("positive1", 1, 65535));
  operands.positive2 = static_cast<std::uint32_t>(reader.integer("positive2", 1, 65535));
  operands.diagonal = reader.integer("diagonal", -65535, 65535);
  operands.selected_byte = static_cast<std::uint32_t>(reader.integer("selected_byte", 0, 3));
  operands.sort_width = static_cast<std::uint32_t>(reader.integer("sort_width", 1, 64));
  operands.comparison = static_cast<Comparison>(reader.symbol("comparison", comparisons));
  operands.flag0 = reader.flag("flag0");
  read_control(reader, "numeric_control", true, operands);
  // Members no operation reads must still be what they are said to be.
  reader.integer("positive3", 1, 65535);
  reader.integer("byte_count", 0, 262144);
  reader.symbol("axis", axes);
  reader.word("post_quant_param");
  reader.word("post_lrelu_param");
  reader.allow_only(record_members);
  return operands;
}

Result<TileCall> read_decoded(Reader& reader, bool attempt) {
  exec::DecodedCall call;
  call.attempt = attempt;
  call.family = static_cast<isa::TileFamily>(reader.symbol("family", families));
  call.code = static_cast<unsigned>(reader.word("code", 0xfff));
  if (!attempt) call.rules = static_cast<exec::Applicability>(reader.symbol("rules", rule_sets));
  Reader record = reader.inner("operands");
  if (reader.ok()) call.operands = read_record(record);
  reader.adopt(record);
  if (!reader.ok()) return reader.error();
  return TileCall{call};
}

}  // namespace

Result<TileCall> read_tile_call(const dom::object& input, Release release) {
  Reader reader(input, "input");
  std::string_view name;
  if (input["function"].get(name)) reader.fail("function", "expected a name");
  const auto* function = std::ranges::find(functions, name, &Function::name);
  const bool decoded = name == decoded_function || name == ruled_function;
  if (!decoded && function == std::end(functions))
    reader.fail("function", fmt::format("'{}' is not a function of a direct tile call", name));
  Reader operands = reader.inner("operands");
  if (!reader.ok()) return reader.error();
  return decoded ? read_decoded(operands, name == decoded_function)
                 : read_plain(operands, *function, release);
}

}  // namespace pto::vectors
