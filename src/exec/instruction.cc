#include "exec/instruction.h"

#include "exec/behaviours.h"
#include "exec/scalar_operands.h"

namespace pto::exec {

using isa::Behaviour;
using isa::Field;
using isa::Form;

namespace {

std::uint8_t selector(const Form& form, Word word, Field field, unsigned otherwise) {
  return static_cast<std::uint8_t>(form.has(field) ? form.raw(word, field) : otherwise);
}

// The first of `fields` the form has; the last one when it has none.
template <std::size_t N>
Field first_of(const Form& form, const Field (&fields)[N]) {
  for (const Field field : fields) {
    if (form.has(field)) return field;
  }
  return fields[N - 1];
}

constexpr Field immediate_fields[] = {
    Field::simm5,  Field::simm12, Field::simm17, Field::simm22, Field::simm24,
    Field::simm32, Field::simm,   Field::uimm5,  Field::uimm12, Field::uimm19,
    Field::uimm24, Field::uimm32, Field::imm20,  Field::imm32,  Field::imm,
};

void note_source(Instruction& instruction, unsigned source) {
  if (source >= first_t_source)
    instruction.queue_sources |= static_cast<std::uint8_t>(1u << (source - first_t_source));
}

Standing standing_of(const Form& form) {
  switch (form.does) {
    case Behaviour::SetCommit:
    case Behaviour::SetCommitLogical: return Standing::ConditionSetter;
    case Behaviour::SetCommitTarget:
      return form.bits.bits == 16 ? Standing::CompressedTarget : Standing::Target;
    case Behaviour::LocalStateRegisterGet: return Standing::BlockBody;
    case Behaviour::SystemRegisterGet:
    case Behaviour::SystemRegisterSet:
    case Behaviour::SystemRegisterSwap:
    case Behaviour::ControlRequest:
    case Behaviour::Maintenance:
    case Behaviour::FenceData:
    case Behaviour::FenceInstruction:
    case Behaviour::Breakpoint:
    case Behaviour::Assert:
    case Behaviour::CloseRequest:
    case Behaviour::EnterRequest: return Standing::SystemBody;
    default: return Standing::Anywhere;
  }
}

}  // namespace

// Fields and roles: SrcL is left, SrcR is right, the third operand is SrcD, SrcA or SrcP, the fourth SrcD1. A
// form without a destination field pushes to T; one without a left field reads T#1, which then must hold a
// value when the form shifts or stores it.
Instruction prepare(const Form& form, Word word, unsigned bits) {
  Instruction instruction;
  instruction.form = &form;
  instruction.word = word;
  instruction.bits = static_cast<std::uint8_t>(bits);
  if (form.surface() == isa::Surface::Scalar) {
    const Field first = form.has(Field::RegDst0) ? Field::RegDst0 : Field::RegDst;
    instruction.destination = selector(form, word, first, push_t);
    instruction.destination1 = selector(form, word, Field::RegDst1, push_t);
    instruction.left = selector(form, word, Field::SrcL, first_t_source);
    instruction.right = selector(form, word, Field::SrcR, 0);
    instruction.third =
        selector(form, word, first_of(form, {Field::SrcD, Field::SrcA, Field::SrcP}), first_t_source);
    instruction.fourth = selector(form, word, Field::SrcD1, 0);
    instruction.immediate = form.value(word, first_of(form, immediate_fields));
    instruction.shift = static_cast<std::uint8_t>(form.raw(word, Field::shamt));
    instruction.standing = standing_of(form);
    for (const Field field :
         {Field::SrcL, Field::SrcR, Field::SrcD, Field::SrcD1, Field::SrcA, Field::SrcP}) {
      if (form.has(field)) note_source(instruction, static_cast<unsigned>(form.raw(word, field)));
    }
  }
  const Function function = resolve(instruction);
  instruction.function = function.behave;
  // A link does not ask where its instruction may stand; those that set a condition ask themselves.
  const bool chains =
      instruction.standing == Standing::Anywhere || instruction.standing == Standing::ConditionSetter;
  if (chains) instruction.link = function.link(bits);
  return instruction;
}

}  // namespace pto::exec
