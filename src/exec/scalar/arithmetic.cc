// Arithmetic, logic, shifts, minimum and maximum; moves, extensions, constants and selection.
//
// A right operand is a plain register, a register modified and shifted, or an immediate. Each combination is
// a function of its own, so that an executing instruction tests nothing it knew when it was decoded.

#include <array>
#include <utility>

#include "exec/outcome.h"
#include "exec/scalar/families.h"
#include "exec/scalar/modifiers.h"
#include "exec/scalar_operands.h"

namespace pto::exec::scalar {

using isa::Behaviour;
using isa::Field;
using isa::Operation;

namespace {

enum class Right : std::uint8_t { Register, Modified, Immediate };

constexpr bool is_logical(Operation operation) {
  return operation == Operation::And || operation == Operation::Or || operation == Operation::Xor;
}

template <Operation operation, bool word>
constexpr Word compute(Word left, Word right) {
  using Signed = std::int64_t;
  constexpr unsigned amount_bits = word ? 5 : 6;
  const unsigned amount = static_cast<unsigned>(right & mask_of(amount_bits));
  Word result = 0;
  if constexpr (operation == Operation::Add) result = left + right;
  if constexpr (operation == Operation::Sub) result = left - right;
  if constexpr (operation == Operation::And) result = left & right;
  if constexpr (operation == Operation::Or) result = left | right;
  if constexpr (operation == Operation::Xor) result = left ^ right;
  if constexpr (operation == Operation::Sll) result = left << amount;
  if constexpr (operation == Operation::Srl) result = (word ? left & mask_of(32) : left) >> amount;
  if constexpr (operation == Operation::Sra) {
    result = static_cast<Word>(static_cast<Signed>(word ? sign_extend(left, 32) : left) >> amount);
  }
  if constexpr (operation == Operation::Min) {
    result = static_cast<Signed>(left) < static_cast<Signed>(right) ? left : right;
  }
  if constexpr (operation == Operation::Max) {
    result = static_cast<Signed>(left) > static_cast<Signed>(right) ? left : right;
  }
  if constexpr (operation == Operation::MinU) result = left < right ? left : right;
  if constexpr (operation == Operation::MaxU) result = left > right ? left : right;
  return word ? sign_extend(result, 32) : result;
}

template <Operation operation, bool word, Right kind, bool direct>
Next execute_binary(Context& context, const Instruction& instruction) {
  state::Machine& machine = context.machine;
  const Word left = source<direct>(machine, instruction.left);
  Word right = instruction.immediate;
  if constexpr (kind != Right::Immediate) right = source<direct>(machine, instruction.right);
  if constexpr (kind == Right::Modified) right = modified(right, instruction.modifier) << instruction.shift;
  destination<direct>(machine, instruction.destination, compute<operation, word>(left, right));
  return Next::Sequential;
}

constexpr Operation binary_operations[] = {
    Operation::Add, Operation::Sub, Operation::And, Operation::Or,   Operation::Xor, Operation::Sll,
    Operation::Srl, Operation::Sra, Operation::Min, Operation::MinU, Operation::Max, Operation::MaxU,
};

// With operands known to be general registers no queue is read.
constexpr chain::Kind kind_of(bool direct) { return {.reads_queues = !direct}; }

template <Operation operation, bool word, Right right, bool direct>
inline constexpr const Function& binary_function =
    linked<execute_binary<operation, word, right, direct>, kind_of(direct)>;

template <bool word, std::size_t... I>
Function pick(Operation operation, Right kind, bool direct, std::index_sequence<I...>) {
  const Function* found = nullptr;
  const auto consider = [&]<Operation candidate>() {
    if (operation != candidate) return;
    constexpr std::array<std::array<const Function*, 2>, 3> by_kind{{
        {&binary_function<candidate, word, Right::Register, false>,
         &binary_function<candidate, word, Right::Register, true>},
        {&binary_function<candidate, word, Right::Modified, false>,
         &binary_function<candidate, word, Right::Modified, true>},
        {&binary_function<candidate, word, Right::Immediate, false>,
         &binary_function<candidate, word, Right::Immediate, true>},
    }};
    found = by_kind[static_cast<std::size_t>(kind)][direct];
  };
  (consider.template operator()<binary_operations[I]>(), ...);
  return *found;
}

template <bool word>
Function resolve_binary(Instruction& instruction) {
  const Operation operation = instruction.form->operation;
  Right kind = Right::Register;
  if (!instruction.has(Field::SrcR)) {
    kind = Right::Immediate;
    if (instruction.has(Field::shamt)) instruction.immediate = instruction.shift;
    // C.SLLI and C.SRLI shift T#1, which must exist.
    if (!instruction.has(Field::SrcL)) instruction.queue_sources |= 1;
  } else if (instruction.has(Field::SrcRType)) {
    instruction.modifier = arithmetic_modifier(instruction.raw(Field::SrcRType), is_logical(operation));
    if (instruction.modifier != Modifier::None || instruction.shift != 0) kind = Right::Modified;
  }
  const bool direct = direct_operands(instruction.destination, instruction.left,
                                      kind == Right::Immediate ? 0 : instruction.right);
  return pick<word>(operation, kind, direct, std::make_index_sequence<std::size(binary_operations)>{});
}

// Moves of a constant the decoder has finished.
template <bool direct>
Next move_immediate(Context& context, const Instruction& instruction) {
  destination<direct>(context.machine, instruction.destination, instruction.immediate);
  return Next::Sequential;
}

template <bool direct>
Next move_register(Context& context, const Instruction& instruction) {
  destination<direct>(context.machine, instruction.destination,
                      source<direct>(context.machine, instruction.left));
  return Next::Sequential;
}

Function immediate_move(const Instruction& instruction) {
  return direct_operands(instruction.destination) ? linked<move_immediate<true>, kind_of(true)>
                                                  : linked<move_immediate<false>, kind_of(true)>;
}

template <bool is_signed>
Next extend(Context& context, const Instruction& instruction) {
  const Word value = read_source(context.machine, instruction.left);
  const unsigned width = instruction.form->access.bytes * 8u;
  write_destination(context.machine, instruction.destination,
                    is_signed ? sign_extend(value, width) : value & mask_of(width));
  return Next::Sequential;
}

Next select(Context& context, const Instruction& instruction) {
  state::Machine& machine = context.machine;
  const Word predicate = read_source(machine, instruction.third);
  const Word left = read_source(machine, instruction.left);
  const Word right = modified(read_source(machine, instruction.right), instruction.modifier);
  write_destination(machine, instruction.destination, predicate != 0 ? left : right);
  return Next::Sequential;
}

}  // namespace

Function binary(Instruction& instruction) { return resolve_binary<false>(instruction); }
Function binary_word(Instruction& instruction) { return resolve_binary<true>(instruction); }

Function move(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::Extend:
      return instruction.form->operation == Operation::Sign ? linked<extend<true>, kind_of(false)>
                                                            : linked<extend<false>, kind_of(false)>;
    case Behaviour::Select:
      instruction.modifier = select_modifier(instruction.raw(Field::SrcRType));
      return linked<select, kind_of(false)>;
    case Behaviour::MaterializeUpper:
      instruction.immediate = sign_extend(instruction.immediate, 20) << 12;
      return immediate_move(instruction);
    case Behaviour::MaterializeLongUpper: instruction.immediate <<= 32; return immediate_move(instruction);
    case Behaviour::MaterializeLong: return immediate_move(instruction);
    default: break;
  }
  if (instruction.form->operation == Operation::Immediate) return immediate_move(instruction);
  return direct_operands(instruction.destination, instruction.left)
             ? linked<move_register<true>, kind_of(true)>
             : linked<move_register<false>, kind_of(false)>;
}

}  // namespace pto::exec::scalar
