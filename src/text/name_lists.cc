#include "text/name_lists.h"

#include "numeric/element_type.h"

namespace pto::text {

namespace {

constexpr std::array layouts = std::to_array<Name>({
    {"NORM", 0, "rows as they are; what is meant when B.DATR is left out"},
    {"ND2DN", 1, "from row-major to column-major"},
    {"ND2ZN", 3, "from row-major to ZN fractals"},
    {"ND2NZ", 4, "from row-major to NZ fractals"},
    {"DN2ND", 6, "from column-major to row-major"},
    {"DN2ZN", 8, "from column-major to ZN fractals"},
    {"DN2NZ", 9, "from column-major to NZ fractals"},
    {"ZN2ND", 17, "from ZN fractals to row-major"},
    {"ZN2DN", 18, "from ZN fractals to column-major"},
    {"ZN2NZ", 20, "from ZN fractals to NZ fractals"},
    {"ND2M32", 21,
     "TLOAD: rows of memory become a CUBE_M32 tile, CELLs of 32 rows of 4 bytes; left side of a matrix "
     "product"},
    {"ND2M16", 22,
     "TLOAD: rows of memory become a CUBE_M16 tile, CELLs of 16 rows of 8 bytes; left side of a matrix "
     "product"},
    {"ND2N8", 23,
     "TLOAD: rows of memory become a CUBE_N8 tile, CELLs of 8 columns of 16 bytes; right side of a matrix "
     "product"},
    {"M322ND", 24, "TSTORE: a CUBE_M32 tile becomes rows of memory"},
    {"M162ND", 25, "TSTORE: a CUBE_M16 tile becomes rows of memory"},
    {"N82ND", 26, "TSTORE: a CUBE_N8 tile becomes rows of memory"},
    {"NZ2ND", 27, "from NZ fractals to row-major"},
    {"NZ2DN", 28, "from NZ fractals to column-major"},
    {"NZ2ZN", 30, "from NZ fractals to ZN fractals"},
});
constexpr std::array pads = std::to_array<Name>({
    {"Zero", 0, "padding of zeros"},
    {"Max", 1, "padding of the largest value of the type"},
    {"Min", 2, "padding of the smallest value of the type"},
    {"Null", 3, "no padding; what is meant when B.DATR is left out"},
    {"ByteId0", 0, "the lowest byte of each element (THISTOGRAM)"},
    {"ByteId1", 1, "the second byte of each element (THISTOGRAM)"},
    {"ByteId2", 2, "the third byte of each element (THISTOGRAM)"},
    {"ByteId3", 3, "the highest byte of each element (THISTOGRAM)"},
});
constexpr std::array comparisons =
    std::to_array<Name>({{"EQ", 0, "equal"},
                         {"NE", 1, "not equal"},
                         {"LT", 2, "less than"},
                         {"GT", 3, "greater than"},
                         {"LE", 4, "less than or equal"},
                         {"GE", 5, "greater than or equal"},
                         {"None", 0, "the zero of the field: no comparison is meant"}});
constexpr std::array roundings = std::to_array<Name>({{"Default", 0, "as the operation rounds by itself"},
                                                      {"RNE", 1, "to nearest, ties to even"},
                                                      {"RTZ", 2, "towards zero"},
                                                      {"RTM", 3, "towards minus infinity"},
                                                      {"RTP", 4, "towards plus infinity"},
                                                      {"RNA", 5, "to nearest, ties away from zero"},
                                                      {"RTO", 6, "to odd"},
                                                      {"RHB", 7, "to nearest, ties upwards"}});
constexpr std::array dimensions =
    std::to_array<Name>({{"LB0", 0, "columns, as a rule; M of a matrix product"},
                         {"LB1", 1, "rows, as a rule; N of a matrix product"},
                         {"LB2", 2, "columns the tile has, as a rule; K of a matrix product"}});
constexpr std::array transfers = std::to_array<Name>({{"FALL", 1, "control goes on behind the block"},
                                                      {"IND", 5, "control goes to an address in a register"},
                                                      {"RET", 7, "control returns to the caller"}});
constexpr std::array temperatures = std::to_array<Name>({{"TEMP.none", 0, "no hint"},
                                                         {"TEMP.cool", 1, "seldom executed"},
                                                         {"TEMP.warm", 2, "sometimes executed"},
                                                         {"TEMP.hot", 3, "often executed"}});
constexpr std::array traces =
    std::to_array<Name>({{"TRACE.begin", 0, "a trace begins here"}, {"TRACE.end", 1, "a trace ends here"}});

constexpr std::string_view kind_text(ElementKind kind) {
  return kind == ElementKind::Float    ? "floating point"
         : kind == ElementKind::Signed ? "signed integer"
                                       : "unsigned integer";
}

// One entry more than there are element types: DTYPE_NONE.
constexpr auto types = [] {
  std::array<Name, element_type_rows.size() + 1> names{};
  for (std::size_t index = 0; index < element_type_rows.size(); ++index) {
    const ElementTypeRow& row = element_type_rows[index];
    names[index] = {row.name, row.code, kind_text(row.kind)};
  }
  names.back() = {"DTYPE_NONE", no_element_type_code, "no type of its own: the block's, or the source's"};
  return names;
}();

constexpr std::string_view masks[] = {"0000", "1000", "0100", "0010", "0001", "1100", "1110", "1111"};

constexpr std::array flags = std::to_array<Name>({
    {"last", 1, "B.IOT: the last tile binding of the block; B.ASSEMBLE: the last part"},
    {"init", 1, "B.ASSEMBLE: the first part, which makes the parent tile"},
    {"source1", 1, "B.SUBVIEW: the view is of the second source of the binding before it"},
    {"trap", 1, "B.CATR: a trap when the block has committed"},
    {"atomic", 1, "B.CATR: the whole block is one transaction"},
    {"far", 1, "B.CATR: the block executes remotely"},
    {"dr", 1, "B.CATR: the group executes a dimension reduction"},
    {"aq", 1, "acquire: later accesses come after this one"},
    {"rl", 2, "release: earlier accesses come before this one"},
    {"aqrl", 3, "acquire and release"},
    {"sat", 1, "B.DATR: results that do not fit become the nearest that does"},
    {"canonicalize", 1, "B.DATR, of TCVT: private formats are made canonical"},
    {"BR.likely", 1, "B.HINT: the branch is likely taken"},
    {"BR.unlikely", 0, "B.HINT: the branch is likely not taken"},
    {"sw", 0, "a1.sw: the low 32 bits of a register, with their sign"},
    {"uw", 1, "a1.uw: the low 32 bits of a register, without sign"},
    {"neg", 2, "a1.neg: minus the register"},
    {"not", 3, "a1.not: the register's bits turned over"},
});

}  // namespace

constinit const NameList layout_list{layouts, "a layout", {"Layout", ""}};
constinit const NameList pad_list{pads, "a pad value", {"PadValue", "ByteId"}};
constinit const NameList comparison_list{comparisons, "a comparison", {"CMode", ""}};
constinit const NameList rounding_list{roundings, "a rounding mode", {"RMode", ""}};
constinit const NameList type_list{types, "a data type", {"DataType", "DstDataType"}};
constinit const NameList dimension_list{dimensions, "LB0, LB1 or LB2", {"", ""}};
constinit const NameList transfer_list{transfers, "FALL, IND or RET", {"", ""}};
constinit const NameList temperature_list{temperatures, "a temperature", {"", ""}};
constinit const NameList trace_list{traces, "TRACE.begin or TRACE.end", {"", ""}};

std::span<const NameList* const> name_lists() {
  static constexpr const NameList* lists[] = {&layout_list,   &pad_list,         &comparison_list,
                                              &rounding_list, &type_list,        &dimension_list,
                                              &transfer_list, &temperature_list, &trace_list};
  return lists;
}

std::string choices(const NameList& list) {
  std::string out;
  for (const Name& name : list.names) out += (out.empty() ? "one of " : ", ") + std::string(name.text);
  return out;
}

std::span<const std::string_view> pe_masks() { return masks; }

std::span<const Name> flag_names() { return flags; }

}  // namespace pto::text
