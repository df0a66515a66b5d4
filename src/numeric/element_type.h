// The element types a tile can hold: their names, encodings and widths (PTO ISA, "DataType").
//
// Four-bit types store two elements per byte, the even element in the low nibble; shapes count single
// elements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pto {

enum class ElementType : std::uint8_t {
  FP64,
  FP32,
  TF32,
  HF32,
  FP16,
  BF16,
  HiF8,
  E4M3,
  E5M2,
  E3M2,
  E2M3,
  E2M1X2,
  E1M2X2,
  E8M0,
  HiF4X2,
  S64,
  S32,
  S16,
  S8,
  S4X2,
  U64,
  U32,
  U16,
  U8,
  U4X2,
};

// What the bits of an element mean.
enum class ElementKind : std::uint8_t { Float, Signed, Unsigned };

struct ElementTypeRow {
  ElementType type;
  std::string_view name;
  std::uint8_t code;  // the five-bit DataType encoding
  std::uint8_t bits;  // element width: 4, 8, 16, 32 or 64
  ElementKind kind;
};

// In the order of ElementType.
inline constexpr std::array<ElementTypeRow, 25> element_type_rows{{
    {ElementType::FP64, "FP64", 0, 64, ElementKind::Float},
    {ElementType::FP32, "FP32", 1, 32, ElementKind::Float},
    {ElementType::TF32, "TF32", 2, 32, ElementKind::Float},
    {ElementType::HF32, "HF32", 3, 32, ElementKind::Float},
    {ElementType::FP16, "FP16", 4, 16, ElementKind::Float},
    {ElementType::BF16, "BF16", 5, 16, ElementKind::Float},
    {ElementType::HiF8, "HiF8", 6, 8, ElementKind::Float},
    {ElementType::E4M3, "E4M3", 7, 8, ElementKind::Float},
    {ElementType::E5M2, "E5M2", 8, 8, ElementKind::Float},
    {ElementType::E3M2, "E3M2", 9, 8, ElementKind::Float},
    {ElementType::E2M3, "E2M3", 10, 8, ElementKind::Float},
    {ElementType::E2M1X2, "E2M1X2", 11, 4, ElementKind::Float},
    {ElementType::E1M2X2, "E1M2X2", 12, 4, ElementKind::Float},
    {ElementType::E8M0, "E8M0", 13, 8, ElementKind::Float},
    {ElementType::HiF4X2, "HiF4X2", 14, 4, ElementKind::Float},
    {ElementType::S64, "S64", 16, 64, ElementKind::Signed},
    {ElementType::S32, "S32", 17, 32, ElementKind::Signed},
    {ElementType::S16, "S16", 18, 16, ElementKind::Signed},
    {ElementType::S8, "S8", 19, 8, ElementKind::Signed},
    {ElementType::S4X2, "S4X2", 20, 4, ElementKind::Signed},
    {ElementType::U64, "U64", 24, 64, ElementKind::Unsigned},
    {ElementType::U32, "U32", 25, 32, ElementKind::Unsigned},
    {ElementType::U16, "U16", 26, 16, ElementKind::Unsigned},
    {ElementType::U8, "U8", 27, 8, ElementKind::Unsigned},
    {ElementType::U4X2, "U4X2", 28, 4, ElementKind::Unsigned},
}};

// The DataType code that stands for "no type"; not an ElementType.
inline constexpr std::uint8_t no_element_type_code = 31;

constexpr const ElementTypeRow& row_of(ElementType type) {
  return element_type_rows[static_cast<std::size_t>(type)];
}
constexpr unsigned element_bits(ElementType type) { return row_of(type).bits; }
constexpr std::string_view name_of(ElementType type) { return row_of(type).name; }

constexpr std::optional<ElementType> element_type_of_code(unsigned code) {
  for (const ElementTypeRow& row : element_type_rows) {
    if (row.code == code) return row.type;
  }
  return std::nullopt;
}

}  // namespace pto
