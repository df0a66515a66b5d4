// Words of releases before 0.58.3, where B.IOT and B.IOS had their PE mask and size elsewhere.
#pragma once

#include <string>

#include "base/bits.h"
#include "isa/release.h"

namespace pto::cli {

// One clause about a word that is illegal today, or that no PE takes part in, and that the old layout makes
// sense of. Empty: there is nothing to say.
std::string old_layout_text(Word word, unsigned bits, Release release);

}  // namespace pto::cli
