// The rules of fetching, decoding, memory access and block commands. The rules of tile operations are in
// exec/tile/rules.h; `all_rules` lists every one.
#pragma once

#include "exec/rule.h"

namespace pto::exec::rules {

using state::Fault;

inline constexpr Rule undecodable{"decode.no-form", "PTO-REQ-DECODE", Fault::IllegalInstruction,
                                  "Every instruction word must have a form in the selected release."};
inline constexpr Rule operand_constraint{
    "decode.operand", "PTO-REQ-DECODE", Fault::IllegalInstruction,
    "Every field of an instruction must hold a value that its form assigns."};
inline constexpr Rule source_unavailable{
    "scalar.queue-source", "PTO-STATE-ARCH-TEMPORARY-QUEUES", Fault::IllegalInstruction,
    "A source that names a T or U queue entry needs that entry to hold a value."};
inline constexpr Rule not_in_profile{"command.profile", "PTO-REQ-PROFILE-001", Fault::IllegalInstruction,
                                     "The profile pto-v0 does not implement this command."};
inline constexpr Rule odd_pc{"pc.aligned", "PTO-STATE-ARCH-PROGRAM-CONTROL", Fault::InstructionPC,
                             "An instruction address must be even."};
inline constexpr Rule instruction_page{"pc.fetch", "PTO-STATE-ARCH-PROGRAM-CONTROL", Fault::InstructionPage,
                                       "Every byte of an instruction must be mapped and executable."};
inline constexpr Rule data_alignment{"memory.aligned", "PTO-STATE-ARCH-MEMORY", Fault::DataAlignment,
                                     "A data access must be aligned to its size."};
inline constexpr Rule data_page{
    "memory.permitted", "PTO-STATE-ARCH-MEMORY", Fault::DataPage,
    "Every byte of a data access must be mapped and permitted to the current ring."};

inline constexpr Rule no_open_block{"block.open", "PTO-STATE-BLOCK-CONTROL", Fault::BundleControl,
                                    "A header command or a stop needs an open block."};
inline constexpr Rule header_only{"block.header", "PTO-STATE-BLOCK-CONTROL", Fault::BundleControl,
                                  "Header commands come before the body of a block."};
inline constexpr Rule given_twice{
    "block.once", "PTO-STATE-BLOCK-CONTROL", Fault::BundleControl,
    "A block takes each attribute, dimension, hint and scalar binding at most once."};
inline constexpr Rule system_block_terminal{
    "block.system-terminal", "PTO-STATE-BLOCK-CONTROL", Fault::BundleControl,
    "After ACRC only a stop or a new start may follow in a System block."};
inline constexpr Rule bad_selector{
    "block.selector", "PTO-BLOCK-MODEL-SCHEMA-PROFILE-ENCODING", Fault::IllegalInstruction,
    "A tile block start must select an operation of the release with a concrete data type."};
inline constexpr Rule indirect_target{
    "block.indirect-target", "PTO-STATE-BLOCK-CONTROL", Fault::BundleControl,
    "An indirect start takes its target from the Standard or Floating block it closes."};
inline constexpr Rule odd_target{"block.target", "PTO-STATE-BLOCK-CONTROL", Fault::InstructionPC,
                                 "The place where a block continues must be an even address."};
inline constexpr Rule dimension_reduction{"block.dimension-reduction", "PTO-BLOCK-B-CATR",
                                          Fault::BundleControl,
                                          "B.CATR dr applies to tile-element and tile-memory blocks only."};
inline constexpr Rule fixed_point_block{"block.fixed-point", "PTO-BLOCK-MODEL-SCHEMA-PROFILE-ENCODING",
                                        Fault::IllegalInstruction,
                                        "The profile pto-v0 has no fixed-point blocks."};
inline constexpr Rule post_commit{"block.post-commit", "PTO-BLOCK-B-CATR", Fault::BundlePostCommit,
                                  "B.CATR trap asks for a trap after the block has committed."};
inline constexpr Rule fixed_point_placement{
    "fpatr.placement", "PTO-BLOCK-B-FPATR", Fault::BundleControl,
    "B.FPATR stands once in the header of a matrix block, before any binding."};
inline constexpr Rule fixed_point_fields{"fpatr.fields", "PTO-BLOCK-B-FPATR", Fault::TileLegality,
                                         "The fields of B.FPATR must fit each other: RowMaxInit needs "
                                         "RowMaxEn, a group code goes with GroupMaxEn, "
                                         "MaxAbsEn needs RowMaxEn or GroupMaxEn."};

inline constexpr Rule tile_size{
    "iot.size", "PTO-BLOCK-B-IOT", Fault::IllegalInstruction,
    "A B.IOT destination needs an assigned SizeCode; a B.IOT without destination has none."};
inline constexpr Rule tile_stream_closed{"iot.closed", "PTO-BLOCK-B-IOT", Fault::BundleControl,
                                         "No B.IOT may follow the one marked last."};
inline constexpr Rule tile_mask{"iot.mask", "PTO-BLOCK-B-IOT", Fault::TileLegality,
                                "All bindings of a block must name the same PEs."};
inline constexpr Rule tile_destination{"iot.destination", "PTO-BLOCK-B-IOT", Fault::TileLegality,
                                       "A Local-to-Shared move has no Local destination."};
inline constexpr Rule tile_bindings_full{"iot.count", "PTO-BLOCK-B-IOT", Fault::TileLegality,
                                         "A block has at most 16 B.IOT bindings."};
inline constexpr Rule shared_size{"ios.size", "PTO-BLOCK-B-IOS", Fault::IllegalInstruction,
                                  "B.IOS takes SizeCode 0 (a source) or 1 to 12."};
inline constexpr Rule shared_mask{"ios.mask", "PTO-BLOCK-B-IOS", Fault::TileLegality,
                                  "All bindings of a block must name the same PEs."};
inline constexpr Rule shared_twice{"ios.once", "PTO-BLOCK-B-IOS", Fault::BundleControl,
                                   "A block binds a Shared tile at most once and at most four of them."};

inline constexpr Rule range_group{"range.group", "PTO-B-SUBVIEW-RANGE-001", Fault::BundleControl,
                                  "B.SUBVIEW and B.ASSEMBLE directly follow the B.IOT or B.IOS they belong "
                                  "to, or another of its modifiers."};
inline constexpr Rule range_role{
    "range.role", "PTO-B-SUBVIEW-RANGE-001", Fault::BundleControl,
    "Ranges come in the order source 0, source 1, destination, each once and only where the binder has it."};
inline constexpr Rule assemble_size{
    "range.assemble-size", "PTO-B-ASSEMBLE-RANGE-001", Fault::BundleControl,
    "The first writer of an assembly (INIT) states the size of the parent, and no other writer does."};

inline constexpr Rule frame_operands{"frame.operands", "PTO-BLOCK-FENTRY", Fault::IllegalInstruction,
                                     "A frame saves registers x2 to x23, its size is a multiple of 8 and "
                                     "holds them all; FRET.STK begins at ra."};
inline constexpr Rule frame_resume{
    "frame.resume", "PTO-BLOCK-FENTRY", Fault::IllegalInstruction,
    "A frame template in progress can only be resumed by the instruction that started it."};
inline constexpr Rule copy_range{"mcopy.range", "PTO-BLOCK-MCOPY", Fault::IllegalInstruction,
                                 "MCOPY ranges must not wrap around the address space or overlap."};
inline constexpr Rule copy_resume{
    "mcopy.resume", "PTO-BLOCK-MCOPY", Fault::IllegalInstruction,
    "A copy in progress can only be resumed by the instruction that started it."};
inline constexpr Rule set_length{"mset.length", "PTO-BLOCK-MSET", Fault::IllegalInstruction,
                                 "MSET sets at most 63 bytes."};
inline constexpr Rule queue_flags{"qmt.flags", "PTO-BLOCK-HL-QMT", Fault::IllegalInstruction,
                                  "HL.QMT cannot suspend and restore a queue at once."};

inline constexpr Rule standing{"scalar.standing", "PTO-STATE-BLOCK-CONTROL", Fault::BundleControl,
                               "SETC stands once in the body of a Conditional block, SETC.TGT in a Standard "
                               "or Floating block, LSRGET in a "
                               "block's body and system instructions in the body of a System block."};
inline constexpr Rule system_register{
    "system.register", "PTO-REQ-SCALAR-SSR-001", Fault::IllegalInstruction,
    "A system register must exist, be readable or writable as used, and context registers belong to ring 0."};
inline constexpr Rule local_register{
    "system.local-register", "PTO-STATE-BLOCK-CONTROL", Fault::BundleControl,
    "LSRGET reads 0 (BPC), 1 (the candidate PC of a Standard or Floating block) or 2 (the control word)."};
inline constexpr Rule maintenance_ring{"system.maintenance-ring", "PTO-STATE-ARCH-MAINTENANCE",
                                       Fault::IllegalInstruction, "TLB maintenance belongs to ring 0."};
inline constexpr Rule maintenance_address{"system.maintenance-address", "PTO-STATE-ARCH-MAINTENANCE",
                                          Fault::DataPage,
                                          "A TLB address must be canonical: bits 63 to 48 repeat bit 47."};
inline constexpr Rule maintenance_asid{"system.maintenance-asid", "PTO-STATE-ARCH-MAINTENANCE",
                                       Fault::IllegalInstruction, "An address-space identifier has 16 bits."};
inline constexpr Rule breakpoint{"system.breakpoint", "PTO-INST-SCALAR-EBREAK", Fault::SoftwareBreakpoint,
                                 "EBREAK stops the program."};
inline constexpr Rule assertion{"system.assert", "PTO-INST-SCALAR-ASSERT", Fault::Assert,
                                "The operand of ASSERT must not be zero."};
inline constexpr Rule service{
    "system.service", "PTO-INST-SCALAR-ACRC", Fault::IllegalInstruction,
    "Ring 1 may request service 0 or 2, rings 2 to 15 service 0 to 2, ring 0 none."};
inline constexpr Rule service_request{"system.service-request", "PTO-INST-SCALAR-ACRC", Fault::ServiceRequest,
                                      "ACRC hands control to the ring that serves the request."};
inline constexpr Rule recoverable{
    "system.recover", "PTO-INST-SCALAR-ACRE", Fault::ExecutionStateCheck,
    "ACRE returns to a context that was saved in the current ring and is still consistent."};

}  // namespace pto::exec::rules
