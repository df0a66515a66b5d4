// Which rules an instruction can break: what its behaviour checks, by behaviour and never by instruction.
#include <fmt/format.h>

#include <algorithm>

#include "cli/descriptions.h"
#include "exec/instruction.h"
#include "exec/rule.h"
#include "exec/rules.h"

namespace pto::cli {

namespace {

using exec::Rule;
using isa::Behaviour;
using isa::Field;
using isa::Form;
using isa::Operation;
namespace rules = exec::rules;

struct Row {
  Behaviour does;
  std::vector<const Rule*> rules;
};

const std::vector<Row>& rows() {
  using enum Behaviour;
  static const std::vector<Row> all{
      {BlockStop,
       {&rules::no_open_block, &rules::odd_target, &rules::dimension_reduction, &rules::post_commit}},
      {BlockStart, {&rules::odd_target}},
      {SetControlAttributes, {&rules::no_open_block, &rules::header_only, &rules::given_twice}},
      {SetDataAttributes, {&rules::no_open_block, &rules::header_only, &rules::given_twice}},
      {SetFixedPointAttributes,
       {&rules::no_open_block, &rules::header_only, &rules::fixed_point_placement,
        &rules::fixed_point_fields}},
      {SetDimension, {&rules::no_open_block, &rules::header_only, &rules::given_twice}},
      {Hint, {&rules::no_open_block, &rules::header_only, &rules::given_twice}},
      {HintTrace, {&rules::odd_target}},
      {BindScalarIO, {&rules::no_open_block, &rules::header_only, &rules::given_twice}},
      {BindTileIO,
       {&rules::no_open_block, &rules::header_only, &rules::tile_size, &rules::tile_stream_closed,
        &rules::tile_mask, &rules::tile_destination, &rules::tile_bindings_full}},
      {BindSharedIO,
       {&rules::no_open_block, &rules::header_only, &rules::shared_size, &rules::shared_mask,
        &rules::shared_twice}},
      {Subview, {&rules::range_group, &rules::range_role}},
      {Assemble, {&rules::range_group, &rules::range_role, &rules::assemble_size}},
      {FrameEntry, {&rules::frame_operands, &rules::frame_resume, &rules::data_alignment, &rules::data_page}},
      {FrameExit, {&rules::frame_operands, &rules::frame_resume, &rules::data_alignment, &rules::data_page}},
      {FrameReturnAddress,
       {&rules::frame_operands, &rules::frame_resume, &rules::data_alignment, &rules::data_page,
        &rules::odd_target}},
      {FrameReturnStack,
       {&rules::frame_operands, &rules::frame_resume, &rules::data_alignment, &rules::data_page,
        &rules::odd_target}},
      {MemoryCopy, {&rules::copy_range, &rules::copy_resume, &rules::data_page}},
      {MemorySet, {&rules::set_length, &rules::data_page}},
      {QueueMove, {&rules::queue_flags, &rules::source_unavailable}},
      {QueuePop, {&rules::source_unavailable}},
      {QueuePush, {&rules::source_unavailable}},
      {SaveContext, {&rules::not_in_profile}},
      {RecoverContext, {&rules::not_in_profile}},
      {CrossBlock, {&rules::not_in_profile}},
      {JumpRelative, {&rules::odd_pc}},
      {JumpRegister, {&rules::odd_pc}},
      {SystemRegisterGet, {&rules::system_register}},
      {SystemRegisterSet, {&rules::system_register}},
      {SystemRegisterSwap, {&rules::system_register}},
      {LocalStateRegisterGet, {&rules::local_register}},
      {Breakpoint, {&rules::breakpoint}},
      {Assert, {&rules::assertion}},
      {CloseRequest, {&rules::service, &rules::service_request}},
      {EnterRequest, {&rules::recoverable}},
      {DmaCopy, {&rules::data_page}},
  };
  return all;
}

// What the operands and the place of the instruction ask.
void add_common(std::vector<const Rule*>& out, const Form& form) {
  if (form.surface() == isa::Surface::Scalar) {
    const exec::Instruction instruction = exec::prepare(form, form.bits.match, form.bits.bits);
    if (instruction.standing != exec::Standing::Anywhere) out.push_back(&rules::standing);
    if (instruction.queue_sources != 0) out.push_back(&rules::source_unavailable);
  }
  if (form.has(Field::SrcType) || form.has(Field::DstType)) out.push_back(&rules::operand_constraint);
}

void add_maintenance(std::vector<const Rule*>& out, Operation operation) {
  const bool whole = operation == Operation::TLB_IALL, by_asid = operation == Operation::TLB_IA,
             by_address = operation == Operation::TLB_IV, both = operation == Operation::TLB_IAV;
  if (whole || by_asid || by_address || both) out.push_back(&rules::maintenance_ring);
  if (by_address || both) out.push_back(&rules::maintenance_address);
  if (by_asid) out.push_back(&rules::maintenance_asid);
}

void add_start(std::vector<const Rule*>& out, const Form& form) {
  const bool branches = form.has(Field::BrType);
  if (branches) out.push_back(&rules::operand_constraint);
  if (branches || form.start.transfer == isa::Transfer::Indirect ||
      form.start.transfer == isa::Transfer::IndirectCall)
    out.push_back(&rules::indirect_target);
  if (form.start.selector_source != isa::SelectorSource::None) out.push_back(&rules::bad_selector);
  if (form.start.operation_class == isa::OperationClass::FixedPoint) out.push_back(&rules::fixed_point_block);
}

}  // namespace

std::vector<const Rule*> rules_of(const Form& form) {
  std::vector<const Rule*> found;
  for (const Row& row : rows()) {
    if (row.does == form.does) found = row.rules;
  }
  if (form.does == Behaviour::BlockStart) add_start(found, form);
  if (form.does == Behaviour::Maintenance) add_maintenance(found, form.operation);
  add_common(found, form);
  for (const Rule* rule : exec::all_rules()) {
    if (rule->clause == clause_of(form)) found.push_back(rule);
  }
  std::vector<const Rule*> once;
  for (const Rule* rule : found) {
    if (std::ranges::find(once, rule) == once.end()) once.push_back(rule);
  }
  return once;
}

std::vector<std::string> faults_of(const Form& form) {
  std::vector<std::string> out;
  const bool constrained = std::ranges::any_of(
      form.constraints, [](const isa::Constraint& c) { return c.kind != isa::Constraint::Kind::None; });
  if (constrained) out.emplace_back("IllegalInstruction: a field holds a value its constraints exclude");
  const std::vector<const Rule*> found = rules_of(form);
  const auto has = [&found](const Rule& rule) { return std::ranges::find(found, &rule) != found.end(); };
  if (form.surface() == isa::Surface::Scalar) {
    const bool reads = form.has(Field::SrcL) || form.has(Field::SrcR) || form.has(Field::SrcD) ||
                       form.has(Field::SrcA) || form.has(Field::SrcP);
    if (reads && !has(rules::source_unavailable))
      out.emplace_back("IllegalInstruction: a queue source is empty");
    if (form.access.bytes != 0) {
      if (form.access.bytes > 1)
        out.emplace_back("DataAlignment: the address is not a multiple of the access size");
      out.emplace_back("DataPage: a byte of the access is not mapped or not permitted");
    }
  }
  for (const Rule* rule : found) {
    if (rule == &rules::operand_constraint && constrained) continue;
    out.push_back(fmt::format("{}: {}", name_of(rule->fault), rule->sentence));
  }
  if (form.does == Behaviour::BlockStart || form.does == Behaviour::BlockStop)
    out.push_back(
        fmt::format("what the operation of the block raises that {} completes: TileLegality, "
                    "TileAllocation, DataPage and others; 'ptosim explain OPERATION' lists its rules",
                    form.does == Behaviour::BlockStop ? "it" : "the start"));
  if (out.empty()) out.emplace_back("none of its own; fetching it can raise InstructionPage");
  return out;
}

}  // namespace pto::cli
