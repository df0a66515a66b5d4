// General queue management: HL.QMT, HL.QPUSH and HL.QPOP on queues named by an address (PTO ISA, "General
// queue management"). A response packs a count into bits 12:0 and a status into bits 63:62: 0 done, 1 not
// now, 2 no queue.

#include "exec/block/commands.h"
#include "exec/rules.h"
#include "exec/scalar_operands.h"

namespace pto::exec::block {

using isa::Field;
using state::GqmQueue;
using state::Machine;

namespace {

enum class Status : std::uint8_t { Done = 0, NotNow = 1, NoQueue = 2 };

Word response(Word count, Status status) { return (count & mask_of(13)) | static_cast<Word>(status) << 62; }

unsigned selector(const Instruction& instruction, Field field) {
  return static_cast<unsigned>(instruction.raw(field));
}

Check check_source(const Machine& machine, const Instruction& instruction, Field field) {
  const unsigned source = selector(instruction, field);
  if (source_available(machine, source)) return passed;
  return reject(rules::source_unavailable, machine.pc, "{} names an empty queue entry (selector {})",
                name_of(field), source);
}

GqmQueue* find(Machine& machine, Word address) {
  for (std::size_t slot = 0; slot < machine.gqm.queues.used(); ++slot) {
    const GqmQueue& queue = machine.gqm.queues[slot];
    if (queue.valid && queue.address == address) return &machine.gqm.queues.at(slot);
  }
  return nullptr;
}

// The specification has no limit on the number of queues; what a machine holds of them does.
GqmQueue* find_free(Machine& machine) {
  for (unsigned slot = 0; slot < state::gqm_slot_count; ++slot) {
    if (!machine.gqm.queues[slot].valid) return &machine.gqm.queues.at(slot);
  }
  return nullptr;
}

// Index arithmetic in a ring of `capacity` entries; total even for a capacity no queue of its own would have.
unsigned wrap(unsigned index, const GqmQueue& queue) {
  return queue.capacity == 0 ? 0 : index % queue.capacity;
}

unsigned remaining(const GqmQueue& queue) {
  return queue.count <= queue.capacity ? queue.capacity - queue.count : 0;
}

void broadcast(Machine& machine, Word address) {
  ++machine.gqm.event_epoch;
  machine.gqm.last_event_address = address;
}

void remember(Machine& machine, Word left, Word right, unsigned flags) {
  machine.block.last_queue_left = left;
  machine.block.last_queue_right = right;
  machine.block.last_queue_flags = static_cast<std::uint8_t>(flags);
}

Word push(Machine& machine, Word address, Word value, bool at_head, bool relaxed, bool notify) {
  GqmQueue* queue = find(machine, address);
  if (queue == nullptr || queue->corrupt) return response(0, Status::NoQueue);
  if (queue->suspended || remaining(*queue) == 0) return response(remaining(*queue), Status::NotNow);
  unsigned index = wrap(queue->head + queue->count, *queue);
  if (at_head) {
    index = queue->head == 0 ? queue->capacity - 1u : queue->head - 1u;
    queue->head = static_cast<std::uint16_t>(index);
  }
  Word epoch = 0;
  if (!relaxed) epoch = ++machine.gqm.release_epoch;
  queue->entries[index] = {.value = value, .release_epoch = epoch};
  ++queue->count;
  if (notify) broadcast(machine, address);
  return response(remaining(*queue), Status::Done);
}

struct Popped {
  Word data = 0;
  Word result = response(0, Status::NoQueue);
};

Popped pop(Machine& machine, Word address, bool relaxed, bool notify) {
  GqmQueue* queue = find(machine, address);
  if (queue == nullptr || queue->corrupt) return {};
  if (queue->count == 0) return {.data = 0, .result = response(0, Status::NotNow)};
  const state::GqmEntry entry = queue->entries[queue->head];
  --queue->count;
  queue->head = static_cast<std::uint16_t>(queue->count == 0 ? 0 : wrap(queue->head + 1u, *queue));
  if (!relaxed && entry.release_epoch != 0) machine.gqm.last_acquire_epoch = entry.release_epoch;
  if (notify) broadcast(machine, address);
  return {.data = entry.value, .result = response(queue->count, Status::Done)};
}

}  // namespace

Next queue_move(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  const bool initialize = instruction.flag(Field::i);
  const bool notify = instruction.flag(Field::e);
  const bool suspend = instruction.flag(Field::s);
  const bool restore = instruction.flag(Field::r);
  if (suspend && restore)
    return rejected(context, reject(rules::queue_flags, machine.pc, "s and r are both set"));
  if (Check failed = check_source(machine, instruction, Field::SrcL))
    return rejected(context, std::move(*failed));
  if (initialize) {
    if (Check failed = check_source(machine, instruction, Field::SrcR))
      return rejected(context, std::move(*failed));
  }
  const Word address = read_source(machine, selector(instruction, Field::SrcL));
  const Word capacity = initialize ? read_source(machine, selector(instruction, Field::SrcR)) : 0;

  Word result = response(0, Status::NotNow);
  GqmQueue* queue = find(machine, address);
  if (initialize) {
    if (queue == nullptr) queue = find_free(machine);
    if (queue == nullptr) return unspecified(context, "queue-count");
    queue->valid = true;
    queue->address = address;
    queue->capacity = static_cast<std::uint16_t>(capacity & mask_of(10));
    queue->count = 0;
    queue->head = 0;
    queue->suspended = false;
    queue->corrupt = false;
    result = response(Word{queue->capacity} * 8, Status::Done);
  } else if (queue != nullptr && !queue->corrupt) {
    result = response(remaining(*queue), Status::Done);
  } else {
    queue = nullptr;
  }
  if (queue != nullptr) {
    if (notify) broadcast(machine, address);
    if (suspend || restore) queue->suspended = suspend;
  }
  remember(machine, address, capacity, initialize << 3 | notify << 2 | suspend << 1 | unsigned{restore});
  write_destination(machine, selector(instruction, Field::RegDst), result);
  return Next::Sequential;
}

Next queue_pop(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  if (Check failed = check_source(machine, instruction, Field::SrcL))
    return rejected(context, std::move(*failed));
  const Word address = read_source(machine, selector(instruction, Field::SrcL));
  const bool notify = instruction.flag(Field::e);
  const bool relaxed = instruction.flag(Field::r);
  const Popped popped = pop(machine, address, relaxed, notify);
  remember(machine, address, 0, notify << 1 | unsigned{relaxed});
  write_destination(machine, selector(instruction, Field::RegDst0), popped.data);
  write_destination(machine, selector(instruction, Field::RegDst1), popped.result);
  return Next::Sequential;
}

Next queue_push(Context& context, const Instruction& instruction) {
  Machine& machine = context.machine;
  for (const Field field : {Field::SrcL, Field::SrcR}) {
    if (Check failed = check_source(machine, instruction, field))
      return rejected(context, std::move(*failed));
  }
  const Word address = read_source(machine, selector(instruction, Field::SrcL));
  const Word entry = read_source(machine, selector(instruction, Field::SrcR));
  const bool at_head = instruction.flag(Field::h);
  const bool notify = instruction.flag(Field::e);
  const bool relaxed = instruction.flag(Field::r);
  const Word result = push(machine, address, entry, at_head, relaxed, notify);
  remember(machine, address, entry, at_head << 3 | notify << 2 | unsigned{relaxed});
  write_destination(machine, selector(instruction, Field::RegDst), result);
  return Next::Sequential;
}

Next outside_profile(Context& context, const Instruction& instruction) {
  return rejected(context, reject(rules::not_in_profile, context.machine.pc, "{}", instruction.form->name));
}

}  // namespace pto::exec::block
