// From an instruction word to its row.
//
// Decoding asks two questions the architecture keeps apart: which form a word has (mask and match, the most
// specific form wins) and whether its operands are legal (the constraints of the row). Both failures are
// IllegalInstruction, but checks stand between them, so the answer carries both.
#pragma once

#include "base/bits.h"
#include "isa/form.h"
#include "isa/release.h"

namespace pto::isa {

struct Decoded {
  const Form* form = nullptr;            // null: no form of this length has this word
  const Constraint* violated = nullptr;  // the first constraint the operands break; null: legal
};

// Block and command forms of `bits` (16, 32, 48 or 64) in `release`.
Decoded decode_command(Word word, unsigned bits, Release release);
// Scalar forms of `bits` (16, 32 or 48) in `release`.
Decoded decode_scalar(Word word, unsigned bits, Release release);
// Command forms first, then scalar forms, as the dispatcher tries them.
Decoded decode(Word word, unsigned bits, Release release);

// The length in bits (16, 32, 48 or 64) of an instruction, from its first halfword.
unsigned length_bits(std::uint16_t first_halfword);

}  // namespace pto::isa
