// Running a program: fetch, decode, execute, until something ends it.
//
// Decoded instructions are kept by page and address, so a loop decodes once. A store to a page whose
// instructions were decoded makes the runner forget that page: what executes is always what memory holds.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "exec/instruction.h"
#include "exec/step.h"

namespace pto::exec {

class Observer;

// Why a run ended.
enum class Stop : std::uint8_t {
  Exit,         // the program asked the host to end it
  Address,      // it reached a stop address
  StepLimit,    // it used up its steps
  Fault,        // it faulted, and traps stop the run
  Unsupported,  // it needs a behaviour ptosim does not have
  Unspecified,  // it asks for what the specification leaves open
  Interrupted,  // somebody set the interrupt flag
};

struct RunResult {
  Stop stop = Stop::StepLimit;
  std::uint64_t steps = 0;
  int exit_code = 0;             // when Exit
  Rejection rejection;           // when Fault
  Word fault_pc = 0;             // when Fault: the instruction that faulted
  std::string_view unsupported;  // when Unsupported: what is missing; when Unspecified: the open point
};

// What the host answers to a request (ACRC).
struct HostReply {
  bool exit = false;
  int exit_code = 0;
};

struct RunOptions {
  std::uint64_t max_steps = ~std::uint64_t{0};
  // Stops before the instruction at one of these addresses executes, the `stop_hits`-th time it is reached.
  std::vector<Word> stop_addresses;
  std::uint64_t stop_hits = 1;
  // Stops like these, at the first hit, but only while no block is open: where a program may end without
  // saying so.
  std::vector<Word> final_addresses;
  // Where code that cannot be written ends within a page: running into the fill behind it is a fetch that
  // faults, as if the page ended there.
  std::vector<Word> code_ends;
  // Where images end within a page: an instruction that begins before such an end and reaches beyond it is
  // cut off, whatever fills the page.
  std::vector<Word> fetch_ends;
  // Faults are delivered to the program's handler instead of ending the run.
  bool deliver_traps = false;
  // Serves ACRC in place of the ring above. Absent: ACRC traps as the architecture says.
  std::function<HostReply(state::Machine&)> host;
  // Looked at every few thousand steps.
  const std::atomic<bool>* interrupt = nullptr;
  // Told before and after every instruction (exec/observe.h).
  std::vector<Observer*> observers;
};

class Runner {
 public:
  Runner(state::Machine& machine, const Config& config) : context_{machine, config} {}

  RunResult run(const RunOptions& options);

  // One instruction at the PC, fetched with all its checks. The slow and complete path.
  StepResult step();

 private:
  static constexpr unsigned page_bits = state::Memory::page_bits;
  static constexpr std::size_t slots_per_page = state::Memory::page_bytes / 2;

  // What the fast path must know of an instruction beyond its operands.
  enum Trait : std::uint8_t {
    Fast = 1,  // decoded, with a function, legal operands and no stop
    Scalar = 2,
    Anywhere = 4,    // no check depends on the machine, but for what ACRC left pending
    MovesBlock = 8,  // may open or close a block or change what is pending
    Writes = 16,     // may write memory
  };
  static constexpr std::uint8_t plain = Fast | Scalar | Anywhere;
  // A slot is a power of two in size, so that finding the next one is a shift and an add.
  struct alignas(64) Slot {
    Instruction instruction;
    std::uint8_t traits = 0;
    std::uint8_t halfwords = 0;  // of the instruction
  };
  static_assert(sizeof(Slot) == 64);
  using Page = std::array<Slot, slots_per_page>;

  // What the fast path left for its caller to settle.
  struct Pause {
    std::uint64_t steps = 0;
    Next next = Next::Sequential;  // Rejected and the like: of the instruction that just ran
    Word pc = 0;
  };

  Page& page_of(Word pc) { return pc >> page_bits == page_index_ ? *page_ : find_page(pc >> page_bits); }
  Page& find_page(Word index);
  static std::uint8_t traits_of(const Instruction& instruction);
  void forget_written_pages();
  Pause run_fast(std::uint64_t limit);
  // At most `limit` instructions, fewer when something has to be settled. True: the run has ended.
  bool advance(std::uint64_t limit, const RunOptions& options, RunResult& result);
  RunResult run_observed(const RunOptions& options);
  static bool interrupted(const RunOptions& options);
  // One instruction the fast path does not take. True: the run has ended.
  bool run_one(const RunOptions& options, RunResult& result);
  bool call_host(const Instruction& instruction, const RunOptions& options, RunResult& result);
  bool settle_fault(Rejection why, Word pc, const RunOptions& options, RunResult& result);
  bool at_stop(Word pc, const RunOptions& options);
  // Whether a fetch at `pc` needs bytes behind the end of the program. A page goes on there, but not with the
  // rest of an instruction.
  static bool runs_out(Word pc, unsigned bytes, const RunOptions& options);
  static bool is_stop(Word pc, const RunOptions& options);

  // Reads and decodes the instruction at the PC; a fetch that faults is a rejection.
  struct Fetched {
    Word word = 0;
    unsigned bits = 0;
  };
  Check fetch(Fetched& fetched) const;

  Context context_;
  std::unordered_map<Word, std::unique_ptr<Page>> pages_;
  Page* page_ = nullptr;  // of page_index_
  Word page_index_ = ~Word{0};
  std::uint64_t stop_hits_left_ = 0;
};

}  // namespace pto::exec
