// The tables of rows, one function per file of rows. Only form.cc needs all of them; everybody else asks
// form.h.
#pragma once

#include <span>

#include "isa/form.h"

namespace pto::isa::rows {

std::span<const Form> control_start_rows();
std::span<const Form> tile_start_rows();
std::span<const Form> header_rows();
std::span<const Form> command_rows();

std::span<const Form> agu_load_rows();
std::span<const Form> agu_load_update_rows();
std::span<const Form> agu_store_rows();
std::span<const Form> agu_store_update_rows();
std::span<const Form> agu_pair_rows();
std::span<const Form> agu_prefetch_rows();
std::span<const Form> alu_binary_rows();
std::span<const Form> alu_rows();
std::span<const Form> amo_rows();
std::span<const Form> bru_rows();
std::span<const Form> fsu_rows();
std::span<const Form> sys_rows();

}  // namespace pto::isa::rows
