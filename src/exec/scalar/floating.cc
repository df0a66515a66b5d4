// Scalar floating point (FSU) under the profile pto-v0.
//
// That profile fixes carriers, classes, NaN and zero rules and leaves arithmetic a placeholder on the raw
// encodings: addition adds the carriers, and so on. Comparison, minimum, maximum and absolute value are
// numeric. Flags accumulate in CORE_STATE[36:32]: invalid is bit 0, division by zero bit 1.

#include <utility>

#include "exec/outcome.h"
#include "exec/rules.h"
#include "exec/scalar/families.h"
#include "exec/scalar_operands.h"

namespace pto::exec::scalar {

using isa::Behaviour;
using isa::Field;
using isa::Operation;
using state::Machine;

namespace {

constexpr unsigned flag_lsb = 32;
constexpr Word invalid_flag = 1;
constexpr Word divide_by_zero_flag = 2;

void record_flags(Machine& machine, Word flags) { machine.system_registers.core_state |= flags << flag_lsb; }

// The two source formats: SrcType 0 is FP64, 1 is FP32.
struct Format {
  unsigned width;
  unsigned fraction;  // fraction bits

  [[nodiscard]] Word sign() const { return Word{1} << (width - 1); }
  [[nodiscard]] Word infinity() const { return (mask_of(width) >> 1) & ~mask_of(fraction); }
  [[nodiscard]] Word quiet() const { return Word{1} << (fraction - 1); }
  [[nodiscard]] bool is_nan(Word value) const { return (value & ~sign() & mask_of(width)) > infinity(); }
  [[nodiscard]] bool is_signaling(Word value) const { return is_nan(value) && (value & quiet()) == 0; }
  [[nodiscard]] bool is_zero(Word value) const { return (value & ~sign() & mask_of(width)) == 0; }
  [[nodiscard]] bool is_negative(Word value) const { return (value & sign()) != 0; }
  [[nodiscard]] Word canonical_nan() const { return infinity() | quiet(); }
  // Orders all values but NaNs as unsigned integers.
  [[nodiscard]] Word order_key(Word value) const {
    return (is_negative(value) ? ~value : value ^ sign()) & mask_of(width);
  }
};
constexpr Format fp64{64, 52};
constexpr Format fp32{32, 23};

const Format& source_format(const Instruction& instruction) {
  return instruction.raw(Field::SrcType) == 1 ? fp32 : fp64;
}

Word read_float(const Machine& machine, unsigned selector, const Format& format) {
  return read_source(machine, selector) & mask_of(format.width);
}

Next write(Context& context, const Instruction& instruction, Word value) {
  write_destination(context.machine, instruction.destination, value);
  return Next::Sequential;
}

bool less(const Format& format, Word left, Word right) {
  if (format.is_zero(left) && format.is_zero(right)) return false;
  return format.order_key(left) < format.order_key(right);
}

bool equal(const Format& format, Word left, Word right) {
  return left == right || (format.is_zero(left) && format.is_zero(right));
}

// One NaN gives the other operand, two the canonical NaN; of two zeros the minimum prefers -0, the maximum
// +0.
Word minimum_maximum(const Format& format, bool maximum, Word left, Word right) {
  const bool left_nan = format.is_nan(left);
  const bool right_nan = format.is_nan(right);
  if (left_nan && right_nan) return format.canonical_nan();
  if (left_nan) return right;
  if (right_nan) return left;
  if (format.is_zero(left) && format.is_zero(right)) {
    const bool negative = maximum ? format.is_negative(left) && format.is_negative(right)
                                  : format.is_negative(left) || format.is_negative(right);
    return negative ? format.sign() : 0;
  }
  const bool left_less = less(format, left, right);
  return left_less != maximum ? left : right;
}

Next unary(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Format& format = source_format(instruction);
  const Word value = read_float(machine, instruction.left, format);
  Word result = value;  // the profile's square root
  Word flags = 0;
  switch (instruction.form->operation) {
    case Operation::Abs: result = value & ~format.sign(); break;
    case Operation::Exp: result = value + 1; break;
    case Operation::Recip:
      result = ~Word{0};
      if (format.is_zero(value)) {
        flags = divide_by_zero_flag;
      } else {
        result /= value;
      }
      break;
    default: break;
  }
  record_flags(machine, flags);
  return write(context, instruction, result & mask_of(format.width));
}

Next binary_float(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Format& format = source_format(instruction);
  const Word left = read_float(machine, instruction.left, format);
  const Word right = read_float(machine, instruction.right, format);
  Word result = 0;
  Word flags = 0;
  switch (instruction.form->operation) {
    case Operation::Add: result = left + right; break;
    case Operation::Sub: result = left - right; break;
    case Operation::Mul: result = left * right; break;
    case Operation::Div:
      if (format.is_zero(right)) {
        result = ~Word{0};
        flags = divide_by_zero_flag;
      } else {
        result = left / right;
      }
      break;
    default:
      result = minimum_maximum(format, instruction.form->operation == Operation::Max, left, right);
      if (format.is_signaling(left) || format.is_signaling(right)) flags = invalid_flag;
      break;
  }
  record_flags(machine, flags);
  return write(context, instruction, result & mask_of(format.width));
}

Next fused(Context& context, const Instruction& instruction) {
  const Machine& machine = context.machine;
  const Format& format = source_format(instruction);
  const Word product =
      read_float(machine, instruction.left, format) * read_float(machine, instruction.right, format);
  const Word addend = read_float(machine, instruction.third, format);
  Word result = product + addend;
  switch (instruction.form->operation) {
    case Operation::MulSub: result = product - addend; break;
    case Operation::NegMulAdd: result = Word{0} - (product + addend); break;
    case Operation::NegMulSub: result = Word{0} - (product - addend); break;
    default: break;
  }
  return write(context, instruction, result & mask_of(format.width));
}

Next compare_float(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const Format& format = source_format(instruction);
  const Word left = read_float(machine, instruction.left, format);
  const Word right = read_float(machine, instruction.right, format);
  const bool nan = format.is_nan(left) || format.is_nan(right);
  const bool signaling = format.is_signaling(left) || format.is_signaling(right);
  if (signaling || (nan && instruction.form->access.signaling)) record_flags(machine, invalid_flag);
  bool result = false;
  if (!nan) {
    switch (instruction.form->operation) {
      case Operation::Eq: result = equal(format, left, right); break;
      case Operation::Ne: result = !equal(format, left, right); break;
      case Operation::Lt: result = less(format, left, right); break;
      default: result = !less(format, left, right); break;
    }
  }
  return write(context, instruction, result ? 1 : 0);
}

// Bits a floating result of data type 0..14 keeps.
constexpr unsigned float_result_bits[] = {64, 32, 19, 32, 16, 16, 8, 8, 8, 6, 6, 4, 4, 8, 9};
// Bits an integer result of conversion type 0..14 keeps; types from 8 on are signed.
constexpr unsigned integer_result_bits[] = {64, 32, 16, 8, 4, 2, 1, 1, 64, 32, 16, 8, 4, 2, 1};

// The profile leaves the value as it is: conversion only normalises source and result.
Next convert(Context& context, const Instruction& instruction) {
  const Machine& machine = context.machine;
  const unsigned type = static_cast<unsigned>(instruction.raw(Field::DstType));
  if (type >= std::size(float_result_bits)) {
    return rejected(context, reject(rules::operand_constraint, machine.pc, "DstType is {}", type));
  }
  const bool word = instruction.raw(Field::SrcType) == 1;
  Word value = read_source(machine, instruction.left);
  const Operation operation = instruction.form->operation;
  if (word) value = operation == Operation::FromSigned ? sign_extend(value, 32) : value & mask_of(32);
  const bool to_float = operation == Operation::Convert || operation == Operation::FromSigned ||
                        operation == Operation::FromUnsigned;
  if (to_float) return write(context, instruction, value & mask_of(float_result_bits[type]));
  const unsigned width = integer_result_bits[type];
  return write(context, instruction, type >= 8 ? sign_extend(value, width) : value & mask_of(width));
}

// SrcType 2 and 3 name no format.
template <Behave then>
Next checked(Context& context, const Instruction& instruction) {
  const Word type = instruction.raw(Field::SrcType);
  if (type > 1)
    return rejected(context, reject(rules::operand_constraint, context.machine.pc, "SrcType is {}", type));
  return then(context, instruction);
}

}  // namespace

Function floating(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::FloatUnary: return checked<unary>;
    case Behaviour::FloatBinary: return checked<binary_float>;
    case Behaviour::FloatFused: return checked<fused>;
    case Behaviour::FloatCompare: return checked<compare_float>;
    default: return checked<convert>;
  }
}

}  // namespace pto::exec::scalar
