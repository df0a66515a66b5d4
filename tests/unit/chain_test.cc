// A run that goes from instruction to instruction by itself ends in the state that single steps lead to:
// random programs of scalar instructions and plain blocks, run and stepped side by side.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "exec/runner.h"
#include "isa/decode.h"
#include "state/describe.h"
#include "text/assembler.h"

namespace pto::exec {
namespace {

using state::Machine;

constexpr Word code_start = 0x10000, code_bytes = 0x2000;
constexpr Word data_start = 0x20000, data_bytes = 0x10000;

using Random = std::mt19937_64;

std::unique_ptr<Machine> fresh_machine(Random& random) {
  auto machine = std::make_unique<Machine>();
  // Code may be written: programs that change themselves are among these.
  EXPECT_TRUE(machine->memory.map(code_start, code_bytes, {.read = true, .write = true, .execute = true}));
  EXPECT_TRUE(machine->memory.map(data_start, data_bytes, {.read = true, .write = true, .execute = false}));
  for (unsigned i = 1; i < state::gpr_count; ++i) {
    const Word value = random();
    Word& x = machine->gpr[0].x[i];
    if (i % 4 == 0)
      x = value;
    else if (i % 4 == 1)
      x = value % 64;
    else
      x = data_start + data_bytes / 2 + value % 512 * 8;
  }
  machine->gpr[0].x[23] = code_start + random() % 16 * 8;  // in the program
  machine->pc = code_start;
  return machine;
}

Word random_legal_word(const isa::Form& form, Random& random) {
  Word word = form.bits.match | (random() & mask_of(form.bits.bits) & ~form.bits.mask);
  // Small offsets, so that jumps land in the program and accesses in the data.
  for (const isa::FieldSpec& spec : form.fields()) {
    const std::string_view name = isa::name_of(spec.field);
    const bool offset = name.starts_with("simm") || name.starts_with("uimm") || name.starts_with("imm");
    if (offset && random() % 4 != 0) word = form.with(word, spec.field, random() % 32);
  }
  for (const isa::Constraint& constraint : form.constraints) {
    if (!constraint.applies(default_release)) continue;
    for (Word value = random() & 63; !constraint.allows(form.raw(word, constraint.field));
         value = (value + 1) & 63)
      word = form.with(word, constraint.field, value);
  }
  return word;
}

const std::vector<const isa::Form*>& forms_of_programs() {
  static const std::vector<const isa::Form*> forms = [] {
    std::vector<const isa::Form*> found;
    for (const isa::Form* form : isa::all_forms()) {
      if (!form->in(default_release)) continue;
      const bool scalar = form->surface() == isa::Surface::Scalar;
      // Starts of tile blocks end a program soon, returns nearly so.
      const bool block = form->does == isa::Behaviour::BlockStop ||
                         (form->does == isa::Behaviour::BlockStart &&
                          form->start.operation_class == state::OperationClass::Control &&
                          form->start.transfer != state::Transfer::Return);
      // Half of what real programs are made of: blocks, conditions, accesses and arithmetic.
      const unsigned weight = form->does == isa::Behaviour::SetCommit ? 4 : block ? 6 : scalar ? 1 : 0;
      found.insert(found.end(), weight, form);
    }
    return found;
  }();
  return forms;
}

// Grows a program instruction by instruction: what is refused, or leads back, is taken back; behind a jump
// over nothing the program goes on. At its end control returns to its beginning.
void write_program(Machine& start, const Config& config, unsigned length, Random& random) {
  auto machine = std::make_unique<Machine>(start);
  Word frontier = code_start;
  const auto append = [&](const isa::Form& form, Word word) {
    auto tried = std::make_unique<Machine>(*machine);
    const Word pc = tried->pc;
    tried->memory.store(pc, form.bits.bits / 8, word);
    Context context{*tried, config};
    const isa::Decoded decoded = isa::decode(word, form.bits.bits, config.release);
    if (decoded.form == nullptr || decoded.violated != nullptr) return false;
    if (execute_instruction(context, word, form.bits.bits).status != StepStatus::Executed) return false;
    frontier = std::max(frontier, pc + form.bits.bits / 8);
    if (tried->pc < frontier || tried->pc >= code_start + code_bytes / 2) return false;
    machine = std::move(tried);
    start.memory.store(pc, form.bits.bits / 8, word);
    return true;
  };
  const auto& forms = forms_of_programs();
  for (unsigned i = 0; i < length; ++i) {
    const isa::Form& form = *forms[random() % forms.size()];
    append(form, random_legal_word(form, random));
  }
  const auto back =
      std::ranges::find(isa::all_forms(), std::string_view("bstart_32_7eb93b649748"), &isa::Form::id);
  const Word offset = (code_start - machine->pc) >> 1;
  start.memory.store(machine->pc, 4, (*back)->with((*back)->bits.match, isa::Field::simm25, offset));
  start.memory.store(machine->pc + 4, 2, 0);  // C.BSTOP
}

// Steps until `most` instructions have executed or one does not; says why.
RunResult step_through(Machine& machine, const Config& config, std::uint64_t most) {
  Runner runner(machine, config);
  RunResult result;
  while (result.steps < most) {
    const Word cycle = machine.system_registers.cycle;
    StepResult step = runner.step();
    result.steps += machine.system_registers.cycle - cycle;
    if (step.status == StepStatus::Executed) continue;
    result.stop = step.status == StepStatus::Rejected      ? Stop::Fault
                  : step.status == StepStatus::Unspecified ? Stop::Unspecified
                                                           : Stop::Unsupported;
    result.rejection = std::move(step.rejection);
    break;
  }
  return result;
}

void compare_run_with_steps(std::uint64_t seed) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const Config config{.errata = seed % 4 == 0 ? Errata::none() : Errata::all()};
  const auto start = fresh_machine(random);
  write_program(*start, config, 8 + random() % 40, random);
  const std::uint64_t most = 100 + random() % 400;

  const auto stepped = std::make_unique<Machine>(*start);
  const RunResult expected = step_through(*stepped, config, most);
  const auto ran = std::make_unique<Machine>(*start);
  Runner runner(*ran, config);
  RunOptions options;
  options.max_steps = most;
  const RunResult actual = runner.run(options);

  ASSERT_EQ(actual.stop, expected.stop) << actual.rejection.values << " / " << expected.rejection.values;
  EXPECT_EQ(actual.rejection.rule, expected.rejection.rule);
  EXPECT_EQ(actual.rejection.values, expected.rejection.values);
  EXPECT_EQ(actual.rejection.address, expected.rejection.address);
  for (const state::Difference& difference : state::compare_states(*stepped, *ran, 5)) {
    ADD_FAILURE() << difference.path << ": " << difference.actual << ", by steps " << difference.expected;
  }
}

TEST(Chain, RandomProgramsRunAsTheyStep) {
  for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
    compare_run_with_steps(seed);
    if (HasFailure()) return;
  }
}

// The link of the one instruction `text` becomes, called as a chain would.
std::uint64_t left_by_link(Machine& machine, const std::string& text) {
  const text::Assembled assembled = text::assemble(text + "\n", "link.s", {});
  EXPECT_TRUE(assembled.ok());
  const std::vector<std::uint8_t>& bytes = assembled.program.sections.front().bytes;
  Word word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  const auto bits = static_cast<unsigned>(bytes.size()) * 8;
  std::array<Instruction, 4> page{};
  page[0] = prepare(*isa::decode(word, bits, default_release).form, word, bits);
  const Config config{.errata = Errata::all()};
  Context context{machine, config};
  return page[0].link(context, page.data(), machine.pc, 10);
}

TEST(Chain, EndsBeforeAnInstructionThatReadsAnEmptyQueueEntry) {
  const auto machine = std::make_unique<Machine>();
  machine->t_queue.push(1);
  EXPECT_EQ(left_by_link(*machine, "add t#1, a0, ->a1"), 9u);
  EXPECT_EQ(left_by_link(*machine, "add t#2, a0, ->a1"), 10u);
  EXPECT_EQ(left_by_link(*machine, "add a0, u#1, ->a1"), 10u);
  EXPECT_EQ(left_by_link(*machine, "ldi [t#1, 0], ->a1"), 9u);  // refused, at that instruction
  EXPECT_EQ(left_by_link(*machine, "ldi [u#4, 0], ->a1"), 10u);
}

TEST(Chain, EndsBeforeAConditionThatMayNotStandThere) {
  const auto machine = std::make_unique<Machine>();
  EXPECT_EQ(left_by_link(*machine, "setc.ne a0, zero"), 10u);
  machine->bundle_active = machine->bundle_body_active = true;
  machine->block.barg.transfer_type = state::Transfer::Conditional;
  EXPECT_EQ(left_by_link(*machine, "setc.ne a0, zero"), 9u);
  EXPECT_EQ(left_by_link(*machine, "setc.ne a0, zero"), 10u) << "the block has one already";
}

}  // namespace
}  // namespace pto::exec
