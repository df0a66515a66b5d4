// The names of codes that a suffix of the mnemonic spells, for `explain`: fd and fs of SrcType, l1 of model.
#pragma once

#include <string_view>
#include <vector>

#include "isa/form.h"

namespace pto::text {

struct SuffixName {
  unsigned code;
  std::string_view text;
};

// The named codes of a field of the form; empty: the field has none.
std::vector<SuffixName> suffix_names(const isa::Form& form, isa::Field field);

}  // namespace pto::text
