// The host behind a program: what ACRC asks for in the user-mode convention.
//
// The request number is in a7, arguments in a0 to a2, the answer comes back in a0; a negative answer is an
// error number. Served: 63 read, 64 write, 93 exit, 94 exit_group, 113 clock_gettime (the machine's cycle
// counter taken as nanoseconds, so that runs repeat), 222 mmap (memory at an address the program names or at
// a free one the host picks) and ptosim's own 1024, which frees the tiles whose bits a0 sets. Every other
// request is refused with -38 (not implemented).
//
// The host keeps nothing that an answer depends on: a run that goes on from a state file gets the answers the
// first run would have got.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "exec/runner.h"

namespace pto::cli {

class Host {
 public:
  struct Streams {
    // Each returns how many bytes it took or gave, or a negative error number; -EINTR: nothing, because the
    // run is asked to end.
    std::function<std::int64_t(std::span<std::uint8_t>)> read;                        // file 0
    std::function<std::int64_t(unsigned file, std::span<const std::uint8_t>)> write;  // files 1 and 2
  };
  explicit Host(Streams streams);

  exec::HostReply serve(state::Machine& machine);

  // Requests refused so far.
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

 private:
  std::int64_t answer(state::Machine& machine, Word request);
  std::int64_t map_memory(state::Machine& machine);
  Streams streams_;
  std::uint64_t refused_ = 0;
  // What follows from the machine's memory alone, so that it need not be looked through for each request.
  struct Mapped {
    Word bytes = 0;
    Word end = 0;  // behind the last page above `map_area`
  };
  void count_pages(const state::Machine& machine);
  // Where `length` bytes may be mapped anew; 0: nowhere.
  [[nodiscard]] Word free_place(const state::Machine& machine, Word length) const;
  std::optional<Mapped> mapped_;
};

// Standard input, output and error of this process.
Host::Streams process_streams(int output);

}  // namespace pto::cli
