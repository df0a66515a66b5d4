// Errata: places where the published text contradicts its evident intent, and real programs rely on the
// intent.
//
// Conformance checks follow the recorded text (all errata off), programs run with the intent (all on) unless
// the user says otherwise. Every erratum is a row: its name, what the text does, what is meant, and who needs
// it.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace pto::exec {

struct Errata {
  bool enter_block_body = false;
  bool commit_target_wins = false;
  bool frame_stack_pointer = false;
  bool trap_suspends_block = false;
  bool signed_elements = false;
  bool packed_elements = false;

  static constexpr Errata none() { return {}; }
  static constexpr Errata all() {
    return {.enter_block_body = true,
            .commit_target_wins = true,
            .frame_stack_pointer = true,
            .trap_suspends_block = true,
            .signed_elements = true,
            .packed_elements = true};
  }
};

struct Erratum {
  std::string_view name;
  bool Errata::*flag;
  std::string_view text;       // what the published text does
  std::string_view intent;     // what ptosim does instead when the erratum is on
  std::string_view relied_on;  // who needs the intent
};

inline constexpr std::array<Erratum, 6> errata_rows{{
    {"enter-block-body", &Errata::enter_block_body,
     "No encoded instruction enters a block's body, so SETC, LSRGET and system instructions are refused in "
     "every "
     "block that instructions alone can build.",
     "The first scalar instruction in a Standard, Floating or System block enters its body.",
     "Every loop: a Conditional block decides with SETC in its body. Every host call: ACRC stands in the "
     "body of a "
     "System block."},
    {"commit-target-wins", &Errata::commit_target_wins,
     "A start that closes a block which selected another address installs its own block all the same, so a "
     "taken "
     "branch closed by a start is lost.",
     "When the closed block selects another address than the start's own, control goes there and the start "
     "opens "
     "nothing. Later revisions of the text say so.",
     "Compiled code, which closes a block with the next start instead of a BSTOP."},
    {"frame-stack-pointer", &Errata::frame_stack_pointer,
     "FENTRY, FEXIT and FRET use general register 2, which is a0, as the stack pointer.",
     "They use sp, general register 1. Later revisions of the text say so.", "Every function with a frame."},
    {"trap-suspends-block", &Errata::trap_suspends_block,
     "A delivered trap saves the interrupted block and leaves it open, so the handler's first start "
     "completes "
     "it once more.",
     "The handler begins with no open block and no copy or frame under way; ACRE brings back what was saved.",
     "Every handler of a fault inside a block. Matters with --traps=deliver only."},
    {"signed-elements", &Errata::signed_elements,
     "Matrix products and index folds work on the 64-bit words elements are kept in. Loads extend the sign "
     "into them, but a recorded state holds the bits of the type alone, so a step that begins with one "
     "multiplies negative integers without their sign and finds no negative winner.",
     "Integers of 8, 16 and 32 bits count with their sign wherever they come from, as they do in the text "
     "when a program has loaded them. Four-bit integers are loaded without sign and stay unsigned.",
     "Every product of negative integers; TROWARGMAX, TCOLARGMIN and their kin."},
    {"packed-elements", &Errata::packed_elements,
     "Indexed memory operations, and matrix products with Shared operands, read a row-major tile of four-bit "
     "elements or of more than 32768 elements by carriers of 64 bits: in place of element e the first "
     "element of carrier e, or all of it.",
     "They read element e, as every other operation does.",
     "Gathers and scatters of large tiles, four-bit displacements and Shared four-bit matrices."},
}};

constexpr const Erratum* find_erratum(std::string_view name) {
  for (const Erratum& row : errata_rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace pto::exec
