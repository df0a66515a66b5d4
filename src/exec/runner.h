// Running a program: fetch, decode, execute, until something ends it.
//
// Decoded instructions are kept by page and address, so a loop decodes once. A write to a page whose
// instructions were decoded, by whomever, makes the runner forget that page before it looks for the next
// instruction: what executes is always what memory holds. Cache maintenance makes it forget everything, and
// so do more pages than it keeps.
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
  // Asked to end while it waited, the host has done nothing: the request is to be made again.
  bool interrupted = false;
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
  // Looked at every few thousand steps, and within instructions that take long.
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

  // The decoded instructions of a page in the order of their addresses. Behind them lie as many that leave
  // the chain as the last instruction may reach over.
  static constexpr std::size_t slots_behind = 3;
  // A page of instructions takes 128 KiB; a program that wanders through memory must not take all of it.
  static constexpr std::size_t most_pages = 512;
  using Page = std::array<Instruction, slots_per_page + slots_behind>;

  // What the fast path left for its caller to settle.
  struct Pause {
    std::uint64_t steps = 0;
    Next next = Next::Sequential;  // Rejected and the like: of the instruction that just ran
    Word pc = 0;
  };

  Instruction& slot_of(Word pc) {
    const Word index = pc >> page_bits;
    Recent& recent = recent_[index % recent_.size()];
    if (recent.index != index) [[unlikely]]
      recent = {.index = index, .page = &find_page(index)};
    return (*recent.page)[(pc & (state::Memory::page_bytes - 1)) / 2];
  }
  Page& find_page(Word index);
  static std::uint8_t traits_of(const Instruction& instruction);
  void forget_written_pages();
  void forget_everything();
  Pause run_fast(std::uint64_t limit);
  // At most `limit` instructions, fewer when something has to be settled. True: the run has ended.
  bool advance(std::uint64_t limit, const RunOptions& options, RunResult& result);
  RunResult run_observed(const RunOptions& options);
  // One instruction the fast path does not take. True: the run has ended.
  bool run_one(const RunOptions& options, RunResult& result);
  bool call_host(const Instruction& instruction, const RunOptions& options, RunResult& result);
  // The instruction that just ran was interrupted in the middle: it has not been attempted yet.
  bool give_back_attempt(RunResult& result);
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
  struct Recent {
    Word index = ~Word{0};
    Page* page = nullptr;
  };
  std::array<Recent, 64> recent_{};  // pages control was in, by the low bits of their index
  std::uint64_t stop_hits_left_ = 0;
};

}  // namespace pto::exec
