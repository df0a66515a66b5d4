#include "exec/tile/direct.h"

#include "exec/attempt.h"
#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"

// A direct call shares the operand checks and the kernel with the block form of its operation; what it leaves
// out is the header before them and the allocation around them.

namespace pto::exec {

using state::Machine;
using state::Tile;

namespace {

// Works on copies of the destinations; they become the live tiles when nothing can fail any more.
class Destinations {
 public:
  Destinations(const Bundle& bundle, Machine& machine, const Behaviour& behaviour)
      : machine_(machine), work_{.bundle = bundle} {
    work_.result_count = bundle.destinations();
    for (unsigned number = 0; number < work_.result_count; ++number) {
      Tile& result = work_.results[number];
      result = machine.tiles[*bundle.destination_index(number)];
      prepare(result, behaviour.keeps_destination && !state::is_cube(result.layout));
    }
  }

  [[nodiscard]] Work& work() { return work_; }

  void publish() noexcept {
    for (unsigned number = 0; number < work_.result_count; ++number)
      machine_.tiles[*work_.bundle.destination_index(number)] = std::move(work_.results[number]);
    machine_.system_registers.core_state |= Word{work_.flags} << numeric::status_flags_lsb;
  }

 private:
  // Gives the result storage for its whole descriptor, with its contents or without.
  static void prepare(Tile& result, bool keep) {
    const state::TileStorage before = result.storage;
    result.fresh_storage();
    // A predicate's number of elements takes more room as numbers, which some operations would write.
    const std::uint64_t shaped =
        std::min<std::uint64_t>(std::uint64_t{result.rows} * result.columns, state::max_tile_elements);
    result.storage.grow(divide_up<std::uint64_t>(shaped * element_bits(result.data_type), 8), 0);
    if (keep) {
      const std::size_t bytes = result.storage.payload_bytes();
      const std::size_t elements = result.storage.elements();
      result.storage = before;
      result.storage.grow(bytes, elements);
    }
  }

  Machine& machine_;
  Work work_;
};

StepResult rejected(Rejection why) {
  return {.status = StepStatus::Rejected, .rejection = std::move(why), .unsupported = {}};
}

StepResult deliver(Machine& machine, Rejection why) {
  raise(machine, why);
  return rejected(std::move(why));
}

Bundle bundle_of(Context& context, const isa::TileOperation& operation, const CallOperands& operands,
                 CallKind kind) {
  const isa::TileOperands& row = operation.operands;
  Bundle bundle(context, &operation, operands, kind, row.destinations(), row.sources());
  if (operation.does == isa::TileBehaviour::Matrix) {
    const state::FixedPointAttributes& post = bundle.block().fixed_point_attributes;
    bundle.bind_block_operands((post.row_max_en ? 1u : 0u) + (post.group_max_en ? 1u : 0u));
  }
  return bundle;
}

bool lacks(Applicability rules, const isa::TileOperation& operation) {
  // The excluded products are the microscaled ones of two matrices or a vector and a matrix.
  return rules == Applicability::A2A3MxRejection && operation.does == isa::TileBehaviour::Matrix &&
         (operation.function & 4) != 0;
}

Check need_sources_defined(const Bundle& bundle) {
  for (unsigned number = 0; number < bundle.sources(); ++number) {
    if (Check broken = need_defined(bundle, bundle.source(number), operand_name(bundle, number)))
      return broken;
  }
  return passed;
}

// Runs the operation on operands that have been judged.
Check complete(const Behaviour& behaviour, Destinations& destinations, Machine& machine) {
  if (Check broken = behaviour.run(destinations.work())) return broken;
  if (behaviour.commit != nullptr) behaviour.commit(destinations.work(), machine);
  destinations.publish();
  return passed;
}

StepResult unsupported(std::string_view what) {
  return {.status = StepStatus::Unsupported, .rejection = {}, .unsupported = what};
}

}  // namespace

StepResult execute_decoded_call(Context& context, const DecodedCall& call) {
  Machine& machine = context.machine;
  if (call.attempt) begin_attempt(machine);
  const isa::TileOperation* operation =
      isa::find_tile_operation(call.family, call.code, context.config.release);
  if (operation == nullptr)
    return deliver(machine,
                   reject(rules::operation_assigned, machine.pc, "code {:#x} of family {} in PTO ISA {}",
                          call.code, name_of(call.family), name_of(context.config.release)));
  if (lacks(call.rules, *operation))
    return deliver(machine, reject(rules::operation_applicable, machine.pc, "{}", operation->name));
  if (behaviour_of(*operation) == nullptr) return unsupported(operation->name);

  const Behaviour& behaviour = *behaviour_of(*operation);
  const Bundle bundle = bundle_of(context, *operation, call.operands, CallKind::Decoded);
  if (behaviour.sources_defined) {
    if (Check broken = need_sources_defined(bundle)) return deliver(machine, std::move(*broken));
  }
  Destinations destinations(bundle, machine, behaviour);
  if (behaviour.operands != nullptr) {
    if (Check broken = behaviour.operands(destinations.work())) return deliver(machine, std::move(*broken));
  }
  if (Check broken = complete(behaviour, destinations, machine)) return deliver(machine, std::move(*broken));
  if (machine.last_fault == state::Fault::None) return {};
  return rejected(
      reject(rules::earlier_fault, machine.pc, "the last fault is {}", name_of(machine.last_fault)));
}

PlainOutcome execute_plain_call(Context& context, const PlainCall& call) {
  Machine& machine = context.machine;
  if (call.operation != nullptr && behaviour_of(*call.operation) == nullptr)
    return {.accepted = true, .step = unsupported(call.operation->name)};
  const Behaviour& behaviour =
      call.operation == nullptr ? partial_index_behaviour : *behaviour_of(*call.operation);
  const Bundle bundle = call.operation == nullptr
                            ? Bundle(context, nullptr, call.operands, CallKind::Plain, 2, 4)
                            : bundle_of(context, *call.operation, call.operands, CallKind::Plain);
  Destinations destinations(bundle, machine, behaviour);
  if (behaviour.operands != nullptr) {
    if (Check broken = behaviour.operands(destinations.work()))
      return {.accepted = false, .step = rejected(std::move(*broken))};
  }
  if (Check broken = complete(behaviour, destinations, machine))
    return {.accepted = true, .step = deliver(machine, std::move(*broken))};
  return {.accepted = true, .step = {}};
}

}  // namespace pto::exec
