// From what the assembler makes to what the loader takes.
#pragma once

#include <string>

#include "load/image.h"
#include "text/program.h"

namespace pto::door {

// The program's sections as segments, its symbols beside them; refuses overlaps and what does not fit.
Result<load::Image> image_of(const text::Program& program, const std::string& file);

}  // namespace pto::door
