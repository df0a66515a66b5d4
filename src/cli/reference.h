// The reference: one HTML page per instruction and operation, made from the rows; opens from disk.
#pragma once

#include <string>

#include "base/result.h"
#include "isa/release.h"

namespace pto::cli {

// Writes index.html and a page per mnemonic and tile operation into `folder`, which is made when it does not
// exist. Answers the number of pages.
Result<unsigned> write_reference(const std::string& folder, Release release);

}  // namespace pto::cli
