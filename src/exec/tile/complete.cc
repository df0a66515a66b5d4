#include "exec/tile/complete.h"

#include "exec/tile/behaviours.h"
#include "exec/tile/destinations.h"
#include "exec/tile/range_views.h"
#include "exec/tile/shared.h"

// A block completes in stages, each taking what the stage before it made:
//
//   collect -> select -> check -> plan -> allocate -> run -> publish
//
// Only `publish` writes what a program can see; everything before it may still reject, and takes back what it
// prepared when it does. The order of the checks is architecture: it decides which fault wins.

namespace pto::exec {

namespace {

Completion executed() { return {.status = CompletionStatus::Executed, .rejection = {}, .unsupported = {}}; }
Completion rejected(Rejection rejection) {
  return {.status = CompletionStatus::Rejected, .rejection = std::move(rejection), .unsupported = {}};
}
Completion unsupported(const isa::TileOperation& operation) {
  return {.status = CompletionStatus::Unsupported, .rejection = {}, .unsupported = operation.name};
}

Completion unspecified(std::string_view open_point) {
  return {.status = CompletionStatus::Unspecified, .rejection = {}, .unsupported = open_point};
}

// A stage's product, or the completion that ended the block early.
template <class T>
class Stage {
 public:
  Stage(T product) : product_(std::move(product)) {}        // NOLINT: implicit by design
  Stage(Completion ending) : ending_(std::move(ending)) {}  // NOLINT
  explicit operator bool() const { return product_.has_value(); }
  const T& operator*() const { return *product_; }
  Completion ending() && { return std::move(ending_); }

 private:
  std::optional<T> product_;
  Completion ending_;
};

// The operation the block performs and the way it is judged.
struct Selected {
  const Bundle* bundle;
  const Path* path;
  const Behaviour* behaviour;  // null: none yet
};
struct Checked {
  const Bundle* bundle;
  const Behaviour* behaviour;
};
struct Planned {
  Checked checked;
  Plan plan;
};

bool nobody_takes_part(const Bundle& bundle) {
  return bundle.block().zero_participation_seen && bundle.tile_bindings() == 0 &&
         bundle.shared_bindings() == 0;
}

bool converts_cube_layout(const Bundle& bundle) {
  return bundle.attributes_present() && is_cube_conversion(bundle.attributes().data_layout);
}

// Blocks that move Shared tiles: those that bind one, and the movement functions that need one.
bool moves_shared(const Bundle& bundle) {
  return bundle.memory_block() &&
         (bundle.shared_bindings() > 0 || (bundle.function() >= 9 && bundle.function() <= 12) ||
          bundle.function() == 14);
}

// Operations whose participation is not a B.IOT mask: they act for every PE.
bool ignores_zero_mask(const isa::TileOperation& operation) {
  return operation.does == isa::TileBehaviour::Prefetch || operation.does == isa::TileBehaviour::PeerMove;
}

bool shared_masks_zero(const Bundle& bundle) {
  for (const state::SharedBinding& bound : bundle.block().shared_bindings) {
    if (bound.valid && bound.pe_mask != 0) return false;
  }
  return true;
}

Completion not_assigned(const Bundle& bundle) {
  return rejected(reject(rules::operation_assigned, bundle.pc(), "selector {:#x} in PTO ISA {}",
                         bundle.block().operation.selector, name_of(bundle.release())));
}

// A CUBE layout conversion is judged as a transfer, whatever the block start selected.
Stage<Selected> select_conversion(const Bundle& bundle) {
  if (bundle.participation_is_zero()) return executed();
  if (isa::find_tile_operation(isa::TileFamily::TLSU, bundle.code(), bundle.release()) == nullptr)
    return not_assigned(bundle);
  const Behaviour* behaviour = bundle.function() == 0 ? &cube_load_behaviour : &cube_store_behaviour;
  return Selected{&bundle, behaviour->path, behaviour};
}

Stage<Selected> select_shared(const Bundle& bundle) {
  const state::SharedBinding& bound = bundle.block().shared_bindings[0];
  if (bundle.shared_bindings() != 1 || !bound.valid || bound.consumed)
    return rejected(reject(rules::shared_count, bundle.pc(), "{} B.IOS", bundle.shared_bindings()));
  if (bound.pe_mask == 0) return executed();
  const Behaviour* behaviour = shared_behaviour(bundle);
  if (behaviour == nullptr) {
    if (Check broken = checks::scalar_surplus(bundle)) return rejected(std::move(*broken));
    if (Check broken = checks::datr_fields(bundle)) return rejected(std::move(*broken));
    return rejected(reject(rules::shared_function, bundle.pc(), "function {}", bundle.function()));
  }
  return Selected{&bundle, behaviour->path, behaviour};
}

Stage<Selected> select(const Bundle& bundle) {
  if (bundle.release() != Release::v0_58_3 && bundle.operation() == nullptr) return not_assigned(bundle);
  if (bundle.release() == Release::v0_58_3 ? converts_cube_layout(bundle)
                                           : converts_cube_layout(bundle) && !bundle.matrix_block())
    return select_conversion(bundle);
  if (bundle.operation() == nullptr) return not_assigned(bundle);
  const isa::TileOperation& operation = *bundle.operation();
  const Behaviour* behaviour = behaviour_of(operation);
  const bool nobody = bundle.participation_is_zero() && (!bundle.matrix_block() || shared_masks_zero(bundle));
  if (!ignores_zero_mask(operation) && !moves_shared(bundle) && nobody) return executed();
  const bool own_path =
      behaviour != nullptr && behaviour->path != &common_path && behaviour->path != &cell_path;
  if (!own_path && moves_shared(bundle)) return select_shared(bundle);
  if (!own_path && bundle.shared_unconsumed()) {
    return rejected(reject(rules::shared_unused, bundle.pc(), "{} B.IOS with {}", bundle.shared_bindings(),
                           operation.name));
  }
  if (behaviour == nullptr && bundle.memory_block() && operation.does != isa::TileBehaviour::Move)
    return unsupported(operation);
  return Selected{&bundle, behaviour == nullptr ? &common_path : behaviour->path, behaviour};
}

Stage<Checked> check(const Selected& selected) {
  for (const BundleCheck judge : selected.path->checks) {
    Check broken = judge(*selected.bundle);
    if (!broken) continue;
    if (selected.path->fault) broken->fault = *selected.path->fault;
    return rejected(std::move(*broken));
  }
  if (selected.behaviour == nullptr) return unsupported(*selected.bundle->operation());
  return Checked{selected.bundle, selected.behaviour};
}

Stage<Planned> plan_destinations(const Checked& checked) {
  Planned planned{checked, {}};
  if (checked.behaviour->plan == nullptr) return planned;
  if (Check broken = checked.behaviour->plan(*checked.bundle, planned.plan))
    return rejected(std::move(*broken));
  return planned;
}

Check check_operands(const Behaviour& behaviour, const Work& work) {
  const Bundle& bundle = work.bundle;
  if (behaviour.sources_defined) {
    for (unsigned number = 0; number < bundle.sources(); ++number) {
      if (Check broken = need_defined(bundle, bundle.source(number), operand_name(bundle, number)))
        return broken;
    }
  }
  return behaviour.operands == nullptr ? Check{} : behaviour.operands(work);
}

}  // namespace

Completion complete_tile_operation(Context& context) {
  RangeViews views(context);
  if (has_ranges(context.machine.block)) {
    if (std::optional<Completion> ending = views.prepare()) return std::move(*ending);
  }
  const Bundle bundle(context);
  if (nobody_takes_part(bundle)) return executed();

  Stage<Selected> selected = select(bundle);
  if (!selected) return std::move(selected).ending();
  Stage<Checked> checked = check(*selected);
  if (!checked) return std::move(checked).ending();
  Stage<Planned> planned = plan_destinations(*checked);
  if (!planned) return std::move(planned).ending();

  const Behaviour& behaviour = *(*planned).checked.behaviour;
  Allocation allocation(bundle, context.machine, (*planned).plan);
  if (Check broken = check_operands(behaviour, allocation.work())) return rejected(std::move(*broken));
  if (Check broken = behaviour.run(allocation.work())) return rejected(std::move(*broken));

  if (const std::optional<std::string_view> open = unplaced_result(bundle)) return unspecified(*open);

  // Beyond this point nothing can fail.
  if (behaviour.commit != nullptr) behaviour.commit(allocation.work(), context.machine);
  allocation.publish();
  return executed();
}

}  // namespace pto::exec
