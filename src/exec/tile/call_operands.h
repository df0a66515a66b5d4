// The operands of a tile operation that is called by itself: tiles by register, values instead of registers
// and dimensions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/bits.h"
#include "isa/tile/operations.h"
#include "numeric/compare.h"
#include "numeric/pad_value.h"
#include "numeric/rounding.h"

namespace pto::exec {

struct CallOperands {
  static constexpr unsigned destination_count = 3;
  static constexpr unsigned source_count = 8;

  std::array<std::uint8_t, destination_count> destinations{};
  std::array<std::uint8_t, source_count> sources{};
  Word address = 0;
  Word scalar0 = 0;
  Word scalar1 = 0;
  std::int64_t diagonal = 0;
  bool flag0 = false;
  std::uint32_t natural0 = 0;
  std::uint32_t natural1 = 0;
  std::uint32_t positive0 = 1;
  std::uint32_t positive1 = 1;
  std::uint32_t positive2 = 1;
  std::uint32_t sort_width = 32;
  std::uint32_t selected_byte = 0;
  numeric::Comparison comparison = numeric::Comparison::EQ;
  std::optional<numeric::Rounding> rounding;  // none: what the operation does by default
  bool saturating = false;
  std::optional<numeric::PadValue> pad;  // none: what B.DATR of the open block says

  // The operands a block brings in through B.IOR.
  [[nodiscard]] Word scalar(isa::TileOperand operand) const {
    switch (operand) {
      case isa::TileOperand::address: return address;
      case isa::TileOperand::scalar0: return scalar0;
      case isa::TileOperand::scalar1: return scalar1;
      case isa::TileOperand::diagonal: return static_cast<Word>(diagonal);
      case isa::TileOperand::flag0: return flag0 ? 1 : 0;
      default: return 0;
    }
  }
};

}  // namespace pto::exec
