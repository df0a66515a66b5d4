// Bit fields: extract, count, clear, set, insert, reverse, and the concatenation of two words.
//
// A field of `width` bits at `offset` may run over the top of the word and continue at bit 0, so every
// operation is a rotation, a mask, and a rotation back.

#include <bit>

#include "exec/outcome.h"
#include "exec/scalar/families.h"
#include "exec/scalar_operands.h"

namespace pto::exec::scalar {

using isa::Behaviour;
using isa::Field;
using isa::Operation;

namespace {

struct Place {
  unsigned width;   // 1..64
  unsigned offset;  // 0..63
};

Place place(const Instruction& instruction, Field offset) {
  return {static_cast<unsigned>(instruction.raw(Field::imml) & 63) + 1,
          static_cast<unsigned>(instruction.raw(offset) & 63)};
}

Word extract(Word value, Place at) {
  return std::rotr(value, static_cast<int>(at.offset)) & mask_of(at.width);
}

Next write(Context& context, const Instruction& instruction, Word value) {
  write_destination(context.machine, instruction.destination, value);
  return Next::Sequential;
}

Next extract_bits(Context& context, const Instruction& instruction) {
  const Place at = place(instruction, Field::imms);
  const Word field = extract(read_source(context.machine, instruction.left), at);
  const bool is_signed = instruction.form->operation == Operation::Signed;
  return write(context, instruction, is_signed ? sign_extend(field, at.width) : field);
}

Next count_bits(Context& context, const Instruction& instruction) {
  const Place at = place(instruction, Field::imms);
  const Word field = extract(read_source(context.machine, instruction.left), at);
  unsigned count = 0;
  switch (instruction.form->operation) {
    case Operation::CountOnes: count = static_cast<unsigned>(std::popcount(field)); break;
    case Operation::CountLeadingZeros:
      count = static_cast<unsigned>(std::countl_zero(field)) - (64 - at.width);
      break;
    default: count = field == 0 ? at.width : static_cast<unsigned>(std::countr_zero(field)); break;
  }
  return write(context, instruction, count);
}

Next modify_bits(Context& context, const Instruction& instruction) {
  const Place at = place(instruction, Field::imms);
  const Word mask = std::rotl(mask_of(at.width), static_cast<int>(at.offset));
  const Word value = read_source(context.machine, instruction.left);
  return write(context, instruction,
               instruction.form->operation == Operation::Set ? value | mask : value & ~mask);
}

Next reverse_bytes(Context& context, const Instruction& instruction) {
  const Place at = place(instruction, Field::immr);
  if (at.width % 8 != 0) return write(context, instruction, 0);
  const Word field = extract(read_source(context.machine, instruction.left), at);
  return write(context, instruction, __builtin_bswap64(field) >> (64 - at.width));
}

Next insert_bits(Context& context, const Instruction& instruction) {
  const state::Machine& machine = context.machine;
  const unsigned first = static_cast<unsigned>(instruction.raw(Field::immr) & 63);
  const unsigned last = static_cast<unsigned>(instruction.raw(Field::imms) & 63);
  const unsigned width = ((last - first) & 63) + 1;
  const Word base = read_source(machine, instruction.left);
  const Word source = read_source(machine, instruction.right);
  const Word mask = std::rotl(mask_of(width), static_cast<int>(first));
  return write(context, instruction, (base & ~mask) | (std::rotl(source, static_cast<int>(first)) & mask));
}

// The 128 bits left:right shifted right by 0..127.
Next concatenate(Context& context, const Instruction& instruction) {
  state::Machine& machine = context.machine;
  const Word left = read_source(machine, instruction.left);
  const Word right = read_source(machine, instruction.right);
  const unsigned amount = instruction.shift & 127u;
  Word low = right;
  Word high = left;
  if (amount >= 64) {
    low = left >> (amount - 64);
    high = 0;
  } else if (amount != 0) {
    low = right >> amount | left << (64 - amount);
    high = left >> amount;
  }
  write_destination(machine, instruction.destination, low);
  write_destination(machine, instruction.destination1, high);
  return Next::Sequential;
}

// The 64 bits left[31:0]:right[31:0] shifted right by 0..127, in two sign-extended halves.
Next concatenate_words(Context& context, const Instruction& instruction) {
  state::Machine& machine = context.machine;
  const Word packed =
      read_source(machine, instruction.left) << 32 | (read_source(machine, instruction.right) & mask_of(32));
  const unsigned amount = instruction.shift & 127u;
  const Word shifted = amount < 64 ? packed >> amount : 0;
  write_destination(machine, instruction.destination, sign_extend(shifted, 32));
  write_destination(machine, instruction.destination1, sign_extend(shifted >> 32, 32));
  return Next::Sequential;
}

}  // namespace

Function bit_field(Instruction& instruction) {
  switch (instruction.form->does) {
    case Behaviour::CountBits: return count_bits;
    case Behaviour::InsertBits: return insert_bits;
    case Behaviour::ModifyBits: return modify_bits;
    case Behaviour::ReverseBytes: return reverse_bytes;
    case Behaviour::ConcatenatePair: return concatenate;
    case Behaviour::ConcatenatePairW: return concatenate_words;
    default: return extract_bits;
  }
}

}  // namespace pto::exec::scalar
