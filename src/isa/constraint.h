// What an operand of a row may hold beyond what its width says. A broken constraint is an illegal instruction
// of a known form, which is a different answer from "no such form".
#pragma once

#include <cstdint>
#include <initializer_list>

#include "base/bits.h"
#include "isa/field.h"
#include "isa/release.h"

namespace pto::isa {

struct Constraint {
  enum class Kind : std::uint8_t { None, OneOf, NotEqual };

  Field field{};
  Kind kind = Kind::None;
  Word set = 0;    // OneOf: bit v is set when v is allowed; larger values never are
  Word value = 0;  // NotEqual
  Release since = Release::v0_58_3;
  Release until = all_releases.back();

  [[nodiscard]] constexpr bool applies(Release release) const {
    return kind != Kind::None && since <= release && release <= until;
  }
  [[nodiscard]] constexpr bool allows(Word raw) const {
    return kind == Kind::OneOf ? raw < 64 && ((set >> raw) & 1) != 0 : kind != Kind::NotEqual || raw != value;
  }
  // The same constraint for some releases only.
  [[nodiscard]] constexpr Constraint from(Release release) const {
    Constraint copy = *this;
    copy.since = release;
    return copy;
  }
  [[nodiscard]] constexpr Constraint up_to(Release release) const {
    Constraint copy = *this;
    copy.until = release;
    return copy;
  }
};

// The set {low, ..., high}; sets are joined with |.
constexpr Word range(unsigned low, unsigned high) { return mask_of(high + 1) & ~mask_of(low); }
constexpr Word values(std::initializer_list<unsigned> list) {
  Word set = 0;
  for (const unsigned value : list) set |= Word{1} << value;
  return set;
}

constexpr Constraint one_of(Field field, Word set) {
  return {.field = field, .kind = Constraint::Kind::OneOf, .set = set};
}
constexpr Constraint not_equal(Field field, Word value) {
  return {.field = field, .kind = Constraint::Kind::NotEqual, .value = value};
}

// Sets that several rows share.
inline constexpr Word concrete_data_types = range(0, 14) | range(16, 20) | range(24, 28);
inline constexpr Word general_registers = range(0, 23);
inline constexpr Word frame_registers = range(2, 23);

}  // namespace pto::isa
