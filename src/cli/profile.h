// `run --profile`: how often each instruction ran, counted per address while the program runs and summed up
// by kind, mnemonic, symbol and source line at the end.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/program_source.h"
#include "exec/observe.h"

namespace pto::cli {

class Profiler : public exec::Observer {
 public:
  void after(const state::Machine& machine, const exec::ObservedStep& step) override;

  struct Hot {
    Word address = 0;
    std::uint64_t count = 0;
  };
  // Addresses that ran, ascending.
  [[nodiscard]] std::vector<Hot> counts() const;

 private:
  using Page = std::array<std::uint64_t, state::Memory::page_bytes / 2>;
  std::unordered_map<Word, std::unique_ptr<Page>> pages_;
  Page* page_ = nullptr;
  Word page_index_ = ~Word{0};
};

// The report in columns, and all of it as JSON. Instructions are named by what memory holds at the end.
std::string describe_profile(const Profiler& profiler, const ProgramSource& program,
                             const state::Memory& memory, Release release);
std::string profile_json(const Profiler& profiler, const ProgramSource& program, const state::Memory& memory,
                         Release release);

}  // namespace pto::cli
