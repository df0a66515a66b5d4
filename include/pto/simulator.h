// ptosim as a library: load a program, run it, look at what it left.
//
//     pto::Simulator simulator;
//     for (const std::string& error : simulator.load_source(text, "kernel.s")) std::cerr << error << '\n';
//     simulator.set_register(2, 0x1000);                      // a0
//     const pto::RunReport report = simulator.run();
//     if (report.outcome == pto::Outcome::Faulted) std::cerr << report.fault->message << '\n';
//
// The library never throws across this door, never prints and never exits. A Simulator is one machine;
// several may be used at once, each by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pto {

// How a run ended.
enum class Outcome : std::uint8_t {
  Completed,    // the program exited, returned, or reached the end of its section
  Faulted,      // a rule was broken; RunReport::fault says which
  Unfinished,   // it used up its steps; run() may be called again
  Unsupported,  // it needs a behaviour ptosim does not have
  Unspecified,  // it asks for what the specification leaves open
};

// Why the architecture refused something (PTO ISA, "Faults and traps").
struct FaultReport {
  std::string fault{};    // the architecture's name: "TileLegality"
  std::string rule{};     // ptosim's name of the broken rule, for `ptosim explain`; may be empty
  std::string clause{};   // the clause of the specification that states it; may be empty
  std::string message{};  // the values that broke it
  std::uint64_t pc = 0;
};

struct RunReport {
  Outcome outcome = Outcome::Completed;
  std::uint64_t steps = 0;  // instructions executed by this run
  std::uint64_t pc = 0;     // where it stands now
  int exit_code = 0;        // what the program gave to the exit request
  std::optional<FaultReport> fault{};
  std::string unsupported{};  // what is missing, when Unsupported; the open point, when Unspecified
};

struct SimulatorOptions {
  std::string isa = "0.58.5";  // or "0.58.3"; anything else is refused when a program is loaded
  bool errata = true;          // follow the intent where the text contradicts it (docs/USER_GUIDE.md)
  std::uint64_t text_address = 0x10000;    // where the text of a source begins
  std::uint64_t stack_bytes = 1ull << 20;  // 0: no stack
};

class Simulator {
 public:
  explicit Simulator(SimulatorOptions options = {});
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  ~Simulator();

  // Each begins with a fresh machine and answers with what is wrong, one error an entry: "kernel.s:3:1:
  // unknown mnemonic 'ad'". Empty: the program is in place.
  [[nodiscard]] std::vector<std::string> load_source(std::string_view source, const std::string& name);
  [[nodiscard]] std::vector<std::string> load_elf(std::span<const std::uint8_t> bytes,
                                                  const std::string& name);

  // The address of a symbol of the loaded program.
  [[nodiscard]] std::optional<std::uint64_t> symbol(std::string_view name) const;

  // General register 0 to 23 of the current PE: 0 is zero, 1 sp, 2 to 9 a0 to a7, 10 ra, 11 to 19 s0 to s8,
  // 20 to 23 x0 to x3. Other numbers read 0 and write nothing.
  [[nodiscard]] std::uint64_t read_register(unsigned number) const;
  void set_register(unsigned number, std::uint64_t value);

  // Memory: mapping makes zeroed, readable and writable bytes. Each answers whether all bytes could be had.
  [[nodiscard]] bool map(std::uint64_t address, std::uint64_t size);
  [[nodiscard]] bool write(std::uint64_t address, std::span<const std::uint8_t> bytes);
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const;

  // Runs until the program ends or `max_steps` instructions have executed. Exit requests (93, 94) end it;
  // every other request of the program is answered with -38, not implemented.
  RunReport run(std::uint64_t max_steps = ~std::uint64_t{0});

  // The whole visible state as JSON (tests/vectors/SCHEMA.md, section 5).
  [[nodiscard]] std::string state() const;

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

// The text of one instruction word of 16, 32, 48 or 64 bits; a data directive where it is none, empty for a
// release ptosim does not follow.
std::string disassemble(std::uint64_t word, unsigned bits, const std::string& isa = "0.58.5");

}  // namespace pto
