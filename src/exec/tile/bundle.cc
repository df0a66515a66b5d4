#include "exec/tile/bundle.h"

#include <algorithm>

namespace pto::exec {

using state::TileLayout;

namespace {

constexpr unsigned first_queue_selector = 24;
constexpr unsigned first_u_selector = 28;

unsigned code_of(const state::Operation& operation) {
  if (operation.mode_valid) return unsigned{operation.mode} << 5 | (operation.selector & 31u);
  if (operation.operation_class == state::OperationClass::TileMemory) {
    const unsigned function = operation.selector & 31u;
    const unsigned folded = isa::operation_function(function);
    return folded == function ? operation.selector : folded;
  }
  return operation.selector;
}

const isa::TileOperation* operation_of(const state::Operation& operation, Release release) {
  switch (operation.operation_class) {
    case state::OperationClass::TileElement:
      return isa::find_tile_operation(isa::TileFamily::TEPL, code_of(operation), release);
    case state::OperationClass::TileMemory:
      return isa::find_tile_operation(isa::TileFamily::TLSU, code_of(operation), release);
    case state::OperationClass::TileMatrix:
      return isa::find_tile_operation(isa::TileFamily::CUBE, code_of(operation), release);
    default: return nullptr;
  }
}

}  // namespace

TileLayout source_layout_of(unsigned data_layout) {
  switch (data_layout) {
    case 6:
    case 8:
    case 9: return TileLayout::ColumnMajor;
    case 17:
    case 18:
    case 20: return TileLayout::ZN;
    case 27:
    case 28:
    case 30: return TileLayout::NZ;
    case 24:
    case 25:
    case 26: return cube_layout_of(data_layout);
    default: return TileLayout::RowMajor;
  }
}

TileLayout result_layout_of(unsigned data_layout) {
  switch (data_layout) {
    case 1:
    case 18:
    case 28: return TileLayout::ColumnMajor;
    case 3:
    case 8:
    case 30: return TileLayout::ZN;
    case 4:
    case 9:
    case 20: return TileLayout::NZ;
    case 21:
    case 22:
    case 23: return cube_layout_of(data_layout);
    default: return TileLayout::RowMajor;
  }
}

Bundle::Bundle(Context& context)
    : machine_(&context.machine), release_(context.config.release), errata_(context.config.errata) {
  operation_ = operation_of(block().operation, release_);
  for (unsigned number = 0; number < state::tile_binding_count; ++number) {
    const state::TileBinding& bound = binding(number);
    if (!bound.valid) continue;
    ++tile_bindings_;
    if (bound.destination_valid) destinations_[destination_count_++] = static_cast<std::uint8_t>(number);
    if (bound.source0_valid) sources_[source_count_++] = bound.source0;
    if (bound.source1_valid) sources_[source_count_++] = bound.source1;
  }
  bound_sources_ = source_count_;
  for (const state::SharedBinding& bound : block().shared_bindings) shared_bindings_ += bound.valid ? 1 : 0;
}

Bundle::Bundle(Context& context, const isa::TileOperation* operation, const CallOperands& operands,
               CallKind kind, unsigned destinations, unsigned sources)
    : machine_(&context.machine),
      release_(context.config.release),
      errata_(context.config.errata),
      operation_(operation),
      call_(&operands),
      kind_(kind),
      source_count_(sources),
      destination_count_(destinations) {
  std::copy_n(operands.sources.begin(), sources, sources_.begin());
  std::copy_n(operands.destinations.begin(), destinations, destinations_.begin());
  bound_sources_ = sources;
}

void Bundle::bind_block_operands(unsigned destinations) {
  std::array<std::uint8_t, state::tile_binding_count> named{};
  unsigned named_count = 0;
  for (const state::TileBinding& bound : block().tile_bindings) {
    if (!bound.valid) continue;
    if (bound.destination_valid) named[named_count++] = bound.destination;
    if (bound.source0_valid) sources_[bound_sources_++] = bound.source0;
    if (bound.source1_valid) sources_[bound_sources_++] = bound.source1;
  }
  // A destination that no B.IOT names is register 0.
  for (unsigned number = 1; number <= destinations; ++number)
    destinations_[destination_count_++] = named[number];
}

unsigned Bundle::code() const { return code_of(block().operation); }

const state::Tile& Bundle::source(unsigned number) const {
  static const state::Tile nothing;
  return number < bound_sources_ ? machine().tiles[source_index(number)] : nothing;
}

bool Bundle::participation_is_zero() const {
  for (const state::TileBinding& bound : block().tile_bindings) {
    if (bound.valid && bound.pe_mask != 0) return false;
  }
  return tile_bindings_ != 0 || (block().zero_participation_seen && shared_bindings_ == 0);
}

bool Bundle::shared_unconsumed() const {
  for (const state::SharedBinding& bound : block().shared_bindings) {
    if (bound.valid && !bound.consumed) return true;
  }
  return false;
}

unsigned Bundle::scalar_inputs() const { return operation_->operands.scalars(); }

unsigned Bundle::scalar_slot(isa::TileOperand operand) const {
  using isa::TileOperand;
  unsigned slot = 0;
  for (const TileOperand candidate : {TileOperand::address, TileOperand::scalar0, TileOperand::scalar1,
                                      TileOperand::diagonal, TileOperand::flag0}) {
    if (!operation_->operands.has(candidate)) continue;
    if (candidate == operand) return slot;
    ++slot;
  }
  return 3;
}

Word Bundle::operand(isa::TileOperand which, Word absent) const {
  if (call_ != nullptr) return call_->scalar(which);
  return scalars().valid ? scalar(scalar_slot(which)) : absent;
}

Word Bundle::pe_operand(unsigned pe, isa::TileOperand which, Word absent) const {
  if (call_ != nullptr) return call_->scalar(which);
  return scalars().valid ? pe_scalar(pe, scalar_slot(which)) : absent;
}

Word Bundle::scalar_selector(unsigned slot) const {
  if (!scalars().valid) return 0;
  return slot == 0 ? scalars().source0 : slot == 1 ? scalars().source1 : scalars().source2;
}

Word Bundle::scalar(unsigned slot) const {
  const unsigned selector = static_cast<unsigned>(scalar_selector(slot));
  if (selector < first_queue_selector) return machine().read_gpr(selector);
  if (selector < first_u_selector) return machine().t_queue.values[selector - first_queue_selector];
  return machine().u_queue.values[(selector - first_u_selector) % state::queue_depth];
}

Word Bundle::pe_scalar(unsigned pe, unsigned slot) const {
  const unsigned selector = static_cast<unsigned>(scalar_selector(slot));
  return selector < state::gpr_count ? machine().read_gpr(pe, selector) : 0;
}

std::optional<ElementType> Bundle::operation_type() const {
  return element_type_of_code(block().operation.data_type);
}

std::optional<ElementType> Bundle::effective_type() const {
  if (attributes().data_type_present) {
    if (const std::optional<ElementType> type = element_type_of_code(attributes().data_type)) return type;
  }
  if (block().operation.data_type_valid) return operation_type();
  return std::nullopt;
}

numeric::Comparison Bundle::comparison() const {
  using numeric::Comparison;
  constexpr Comparison encoded[] = {Comparison::EQ, Comparison::NE, Comparison::LT,
                                    Comparison::GT, Comparison::LE, Comparison::GE};
  if (call_ != nullptr) return call_->comparison;
  const unsigned mode = attributes().comparison_mode;
  return encoded[mode < 6 ? mode : 0];
}

std::optional<numeric::Rounding> Bundle::rounding() const {
  using numeric::Rounding;
  constexpr Rounding encoded[] = {Rounding::RNE, Rounding::RNE, Rounding::RTZ, Rounding::RTM,
                                  Rounding::RTP, Rounding::RNA, Rounding::RTO, Rounding::RHB};
  if (call_ != nullptr) return call_->rounding;
  const unsigned code = attributes().rounding_mode & 7u;
  if (code == 0) return std::nullopt;
  return encoded[code];
}

state::MemoryOrder Bundle::memory_order() const {
  const state::ControlAttributes& control = block().control_attributes;
  if (control.acquire && control.release) return state::MemoryOrder::AcquireRelease;
  if (control.acquire) return state::MemoryOrder::Acquire;
  return control.release ? state::MemoryOrder::Release : state::MemoryOrder::Relaxed;
}

}  // namespace pto::exec
