// Multiplication, division and remainder; the pair forms write two destinations, low or quotient first.
//
// Division by zero gives zero, a remainder by zero the dividend; the signed overflow -2^63 / -1 wraps.

#include "exec/outcome.h"
#include "exec/scalar/families.h"
#include "exec/scalar_operands.h"

namespace pto::exec::scalar {

using isa::Behaviour;
using isa::Field;
using isa::Operation;

namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using WideSigned = __int128;

struct Operands {
  Word left;
  Word right;
  Word third;
};

Operands read(Context& context, const Instruction& instruction) {
  const state::Machine& machine = context.machine;
  return {read_source(machine, instruction.left), read_source(machine, instruction.right),
          read_source(machine, instruction.third)};
}

Next write(Context& context, const Instruction& instruction, Word value) {
  write_destination(context.machine, instruction.destination, value);
  return Next::Sequential;
}

Next write_pair(Context& context, const Instruction& instruction, Word first, Word second) {
  write_destination(context.machine, instruction.destination, first);
  write_destination(context.machine, instruction.destination1, second);
  return Next::Sequential;
}

Next multiply_plain(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  return write(context, instruction, left * right);
}

Next multiply_word(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  return write(context, instruction, sign_extend(left * right, 32));
}

Next multiply_add(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  return write(context, instruction, third + left * right);
}

Next multiply_add_word(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  return write(context, instruction, sign_extend(left * right + third, 32));
}

Next multiply_immediate(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  const Word product = right * instruction.immediate;
  return write(context, instruction,
               instruction.form->operation == Operation::Sub ? left - product : left + product);
}

template <bool is_signed>
Next multiply_pair(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  const Wide product =
      is_signed
          ? static_cast<Wide>(WideSigned{static_cast<std::int64_t>(left)} * static_cast<std::int64_t>(right))
          : Wide{left} * right;
  return write_pair(context, instruction, static_cast<Word>(product), static_cast<Word>(product >> 64));
}

template <bool word>
Next multiply_add_pair(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  const auto widen = [](Word value) {
    return WideSigned{static_cast<std::int64_t>(word ? sign_extend(value, 32) : value)};
  };
  const Wide sum = static_cast<Wide>(widen(left) * widen(right)) + static_cast<Wide>(widen(third));
  if (word) {
    return write_pair(context, instruction, sign_extend(static_cast<Word>(sum), 32),
                      sign_extend(static_cast<Word>(sum >> 32), 32));
  }
  return write_pair(context, instruction, static_cast<Word>(sum), static_cast<Word>(sum >> 64));
}

struct Division {
  Word quotient;
  Word remainder;
};

template <bool is_signed, bool word>
Division divide_words(Word left, Word right) {
  if constexpr (word) {
    left = is_signed ? sign_extend(left, 32) : left & mask_of(32);
    right = is_signed ? sign_extend(right, 32) : right & mask_of(32);
  }
  Division result{0, left};
  if (right != 0) {
    if constexpr (is_signed) {
      // Magnitudes are divided without a sign, so that the one quotient that does not fit wraps.
      const Word left_magnitude = left >> 63 ? Word{0} - left : left;
      const Word right_magnitude = right >> 63 ? Word{0} - right : right;
      const Word magnitude = left_magnitude / right_magnitude;
      result.quotient = (left ^ right) >> 63 ? Word{0} - magnitude : magnitude;
    } else {
      result.quotient = left / right;
    }
    result.remainder = left - result.quotient * right;
  }
  if constexpr (word) return {sign_extend(result.quotient, 32), sign_extend(result.remainder, 32)};
  return result;
}

enum class Part : std::uint8_t { Quotient, Remainder, QuotientFirst, RemainderFirst };

template <bool is_signed, bool word, Part part>
Next execute_divide(Context& context, const Instruction& instruction) {
  const auto [left, right, third] = read(context, instruction);
  const Division division = divide_words<is_signed, word>(left, right);
  if constexpr (part == Part::Quotient) return write(context, instruction, division.quotient);
  if constexpr (part == Part::Remainder) return write(context, instruction, division.remainder);
  if constexpr (part == Part::QuotientFirst) {
    return write_pair(context, instruction, division.quotient, division.remainder);
  }
  return write_pair(context, instruction, division.remainder, division.quotient);
}

template <Behave behave>
inline constexpr const Function& function = linked<behave, chain::Kind{.reads_queues = true}>;

template <bool word, Part part>
Function by_sign(const Instruction& instruction) {
  const Operation operation = instruction.form->operation;
  const bool is_signed = operation == Operation::Div || operation == Operation::Rem;
  return is_signed ? function<execute_divide<true, word, part>> : function<execute_divide<false, word, part>>;
}

}  // namespace

Function multiply(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::MultiplyW: return function<multiply_word>;
    case Behaviour::MultiplyAdd: return function<multiply_add>;
    case Behaviour::MultiplyAddW: return function<multiply_add_word>;
    case Behaviour::MultiplyImmediateAdd: return function<multiply_immediate>;
    case Behaviour::MultiplyPair:
      return instruction.form->operation == Operation::Mul ? function<multiply_pair<true>>
                                                           : function<multiply_pair<false>>;
    case Behaviour::MultiplyAddPair:
      return instruction.form->access.bytes == 4 ? function<multiply_add_pair<true>>
                                                 : function<multiply_add_pair<false>>;
    default: return function<multiply_plain>;
  }
}

Function divide(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::DivideW: return by_sign<true, Part::Quotient>(instruction);
    case Behaviour::Remainder: return by_sign<false, Part::Remainder>(instruction);
    case Behaviour::RemainderW: return by_sign<true, Part::Remainder>(instruction);
    case Behaviour::DividePair: return by_sign<false, Part::QuotientFirst>(instruction);
    case Behaviour::DividePairW: return by_sign<true, Part::QuotientFirst>(instruction);
    case Behaviour::RemainderPair: return by_sign<false, Part::RemainderFirst>(instruction);
    case Behaviour::RemainderPairW: return by_sign<true, Part::RemainderFirst>(instruction);
    default: return by_sign<false, Part::Quotient>(instruction);
  }
}

}  // namespace pto::exec::scalar
