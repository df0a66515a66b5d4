// AGU: prefetches, with the cache level in the mnemonic; the .A forms also write the address.
#include "isa/rows.h"

namespace pto::isa::rows {

namespace {

constexpr Form rows[] = {
    {.name = "HL.PRF",
     .id = "hl_prf_48_39641863bb21",
     .family = Family::AGU,
     .bits = w48("shamt:5 SrcRType:2 SrcR:5 SrcL:5 111 00000 0001001 model:5 00000001110"),
     .text = "~cache [SrcL, SrcR{.SrcRType:address}{<<shamt}]",
     .does = Behaviour::Prefetch,
     .access = {.bytes = 1, .addressing = Addressing::Register},
     .constraints = {{one_of(Field::model, range(0, 2))}}},
    {.name = "HL.PRF.A",
     .id = "hl_prf_a_48_267dc57d14f4",
     .family = Family::AGU,
     .bits = w48("shamt:5 SrcRType:2 SrcR:5 SrcL:5 111 RegDst:5 0001001 model:5 00000011110"),
     .text = "~cache [SrcL, SrcR{.SrcRType:address}{<<shamt}], ->RegDst",
     .does = Behaviour::Prefetch,
     .access = {.bytes = 1, .addressing = Addressing::Register, .returns_address = true},
     .constraints = {{one_of(Field::model, range(0, 2))}}},
    {.name = "HL.PRFI.U",
     .id = "hl_prfi_u_48_be73891e376e",
     .family = Family::AGU,
     .bits = w48("simm17[11:0] SrcL:5 111 00000 0101001 model:5 simm17[16:12] 001110"),
     .text = "~cache [SrcL, simm17:bytes]",
     .does = Behaviour::Prefetch,
     .access = {.bytes = 1, .addressing = Addressing::Immediate},
     .constraints = {{one_of(Field::model, range(0, 2))}}},
    {.name = "HL.PRFI.UA",
     .id = "hl_prfi_ua_48_c37fb30ecb0f",
     .family = Family::AGU,
     .bits = w48("simm17[11:0] SrcL:5 111 RegDst:5 0101001 model:5 simm17[16:12] 011110"),
     .text = "~cache [SrcL, simm17:bytes], ->RegDst",
     .does = Behaviour::Prefetch,
     .access = {.bytes = 1, .addressing = Addressing::Immediate, .returns_address = true},
     .constraints = {{one_of(Field::model, range(0, 2))}}},
    {.name = "PRF",
     .id = "prf_32_30e6dfe4e3ce",
     .family = Family::AGU,
     .bits = w32("shamt:5 SrcRType:2 SrcR:5 SrcL:5 111 RegDst:5 0001001"),
     .text = "[SrcL, SrcR{.SrcRType:address}{<<shamt}]",
     .does = Behaviour::Prefetch,
     .access = {.bytes = 1, .addressing = Addressing::Register}},
    {.name = "PRFI.U",
     .id = "prfi_u_32_167b42882547",
     .family = Family::AGU,
     .bits = w32("simm12:12 SrcL:5 111 RegDst:5 0101001"),
     .text = "[SrcL, simm12:bytes]",
     .does = Behaviour::Prefetch,
     .access = {.bytes = 1, .addressing = Addressing::Immediate}},
};

}  // namespace

std::span<const Form> agu_prefetch_rows() { return rows; }

}  // namespace pto::isa::rows
