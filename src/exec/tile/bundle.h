// What an operation is asked to do, collected once: its tiles, its dimensions, its attributes.
//
// A Bundle interprets the open block and judges nothing. Values that may be illegal (dimensions, types) stay
// as the header gave them until a check has seen them. An operation can also be called by itself; then the
// operands come with the call, and the open block only supplies what operands do not say.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "exec/context.h"
#include "exec/tile/call_operands.h"
#include "isa/tile/operations.h"
#include "numeric/pad_value.h"

namespace pto::exec {

// The B.DATR layout conversions that move between memory order and CUBE layouts.
constexpr bool is_cube_conversion(unsigned data_layout) { return data_layout >= 21 && data_layout <= 26; }
constexpr bool is_cube_load(unsigned data_layout) { return data_layout >= 21 && data_layout <= 23; }
constexpr bool is_cube_store(unsigned data_layout) { return data_layout >= 24 && data_layout <= 26; }
constexpr state::TileLayout cube_layout_of(unsigned data_layout) {
  if (data_layout == 21 || data_layout == 24) return state::TileLayout::CUBE_M32;
  if (data_layout == 22 || data_layout == 25) return state::TileLayout::CUBE_M16;
  return state::TileLayout::CUBE_N8;
}
// The layouts a B.DATR layout code names for the operation's source and its result.
state::TileLayout source_layout_of(unsigned data_layout);
state::TileLayout result_layout_of(unsigned data_layout);

// The largest value a dimension may have.
inline constexpr Word dimension_limit = state::max_dimension;
constexpr bool dimension_legal(Word value) { return value >= 1 && value <= dimension_limit; }

// How an operation that is called by itself takes its operands: decoded ones are judged in full; those of a
// plain call need not be defined, and their descriptors need only give every element a place.
enum class CallKind : std::uint8_t { Decoded, Plain };

class Bundle {
 public:
  explicit Bundle(Context& context);
  // A direct call; `operands` must outlive the bundle. A null operation takes `sources` and `destinations`.
  Bundle(Context& context, const isa::TileOperation* operation, const CallOperands& operands, CallKind kind,
         unsigned destinations, unsigned sources);

  // A direct call that also uses tiles the open block binds: its sources follow those of the call, its second
  // and later destinations the first one.
  void bind_block_operands(unsigned destinations);

  // The operands of a direct call; null: a block.
  [[nodiscard]] const CallOperands* call() const { return call_; }
  [[nodiscard]] bool plain_call() const { return call_ != nullptr && kind_ == CallKind::Plain; }

  // The machine, for reading. Only publication writes it.
  [[nodiscard]] const state::Machine& machine() const { return *machine_; }
  [[nodiscard]] const state::BlockState& block() const { return machine_->block; }
  [[nodiscard]] Release release() const { return release_; }
  [[nodiscard]] const Errata& errata() const { return errata_; }
  [[nodiscard]] Word pc() const { return machine_->pc; }

  // The operation the block selects; null: nothing the release knows.
  [[nodiscard]] const isa::TileOperation* operation() const { return operation_; }
  // The selector as operations are coded: Mode and Function, or the function alone.
  [[nodiscard]] unsigned code() const;
  // The function number a memory block carries, before variants are folded into their operation.
  [[nodiscard]] unsigned function() const { return block().operation.selector & 31u; }
  [[nodiscard]] bool memory_block() const {
    return block().operation.operation_class == state::OperationClass::TileMemory;
  }
  [[nodiscard]] bool tile_operation_open() const {
    const state::Operation& open = block().operation;
    return open.valid &&
           (open.operation_class == state::OperationClass::TileElement || memory_block() || matrix_block());
  }
  [[nodiscard]] bool matrix_block() const {
    return block().operation.operation_class == state::OperationClass::TileMatrix;
  }

  // Tiles in binding order.
  [[nodiscard]] unsigned tile_bindings() const { return tile_bindings_; }
  [[nodiscard]] unsigned shared_bindings() const { return shared_bindings_; }
  [[nodiscard]] unsigned sources() const { return source_count_; }
  [[nodiscard]] unsigned destinations() const { return destination_count_; }
  [[nodiscard]] unsigned source_index(unsigned number) const { return sources_[number]; }
  // The register a direct call names for a result; a block's results have none before publication.
  [[nodiscard]] std::optional<unsigned> destination_index(unsigned number) const {
    if (call_ == nullptr || number >= destination_count_) return std::nullopt;
    return destinations_[number];
  }
  // Total: asking for a source that is not bound gives a tile that holds nothing.
  [[nodiscard]] const state::Tile& source(unsigned number) const;
  [[nodiscard]] unsigned destination_binding(unsigned number) const { return destinations_[number]; }
  [[nodiscard]] const state::TileBinding& binding(unsigned number) const {
    return block().tile_bindings[number];
  }
  // Every installed tile binding names no PE: the block does nothing.
  [[nodiscard]] bool participation_is_zero() const;
  [[nodiscard]] bool shared_unconsumed() const;

  // B.IOR.
  [[nodiscard]] const state::ScalarBinding& scalars() const { return block().scalar_bindings[0]; }
  [[nodiscard]] unsigned scalar_inputs() const;
  // Where an operand lies in B.IOR: 0, 1 or 2; 3 when the operation does not have it.
  [[nodiscard]] unsigned scalar_slot(isa::TileOperand operand) const;
  // The value of a scalar operand; `absent` where the block has no B.IOR.
  [[nodiscard]] Word operand(isa::TileOperand which, Word absent = 0) const;
  [[nodiscard]] Word pe_operand(unsigned pe, isa::TileOperand which, Word absent = 0) const;
  // The value of B.IOR slot 0, 1 or 2 for the executing PE; queues are readable here.
  [[nodiscard]] Word scalar(unsigned slot) const;
  // The same slot as every PE's own general register.
  [[nodiscard]] Word pe_scalar(unsigned pe, unsigned slot) const;

  // B.DIM: ValidCol, ValidRow and Col, with the defaults the header's omissions stand for.
  [[nodiscard]] bool dimension_present(unsigned number) const { return block().dimension_present[number]; }
  [[nodiscard]] Word dimension(unsigned number) const { return block().dimensions[number]; }
  [[nodiscard]] Word valid_columns() const { return dimension(0); }
  [[nodiscard]] Word valid_rows() const { return dimension_present(1) ? dimension(1) : 1; }
  [[nodiscard]] Word columns() const { return dimension_present(2) ? dimension(2) : dimension(0); }

  // The type BSTART encodes; and the one B.DATR may put in its place.
  [[nodiscard]] std::optional<ElementType> operation_type() const;
  [[nodiscard]] std::optional<ElementType> effective_type() const;

  // B.DATR.
  [[nodiscard]] bool attributes_present() const { return block().data_attributes_present; }
  [[nodiscard]] const state::DataAttributes& attributes() const { return block().data_attributes; }
  [[nodiscard]] state::TileLayout layout() const { return result_layout_of(attributes().data_layout); }
  [[nodiscard]] numeric::PadValue pad_value() const {
    if (call_ != nullptr && call_->pad) return *call_->pad;
    return attributes_present() ? static_cast<numeric::PadValue>(attributes().pad_value & 3)
                                : numeric::PadValue::Null;
  }
  [[nodiscard]] numeric::Comparison comparison() const;
  // None: what the operation does by default.
  [[nodiscard]] std::optional<numeric::Rounding> rounding() const;
  [[nodiscard]] bool saturating() const { return call_ ? call_->saturating : attributes().saturating; }
  [[nodiscard]] unsigned selected_byte() const {
    return call_ ? call_->selected_byte : attributes().pad_value & 3u;
  }
  [[nodiscard]] state::MemoryOrder memory_order() const;

 private:
  [[nodiscard]] Word scalar_selector(unsigned slot) const;

  state::Machine* machine_;
  Release release_;
  Errata errata_;
  const isa::TileOperation* operation_ = nullptr;
  const CallOperands* call_ = nullptr;
  CallKind kind_ = CallKind::Decoded;
  std::array<std::uint8_t, CallOperands::source_count + 2 * state::tile_binding_count> sources_{};
  std::array<std::uint8_t, state::tile_binding_count> destinations_{};
  unsigned tile_bindings_ = 0;
  unsigned shared_bindings_ = 0;
  unsigned source_count_ = 0;
  unsigned bound_sources_ = 0;  // those, and the block's that a direct call uses
  unsigned destination_count_ = 0;
};

}  // namespace pto::exec
