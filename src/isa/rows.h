// The tables of rows, one function per file of rows. Only form.cc needs all of them; everybody else asks form.h.
#pragma once

#include <span>

#include "isa/form.h"

namespace pto::isa::rows {

std::span<const Form> control_start_rows();
std::span<const Form> tile_start_rows();
std::span<const Form> header_rows();
std::span<const Form> command_rows();

}  // namespace pto::isa::rows
