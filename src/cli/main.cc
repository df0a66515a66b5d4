// ptosim: the program. Every command is a row here and a file beside this one.

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/usage.h"

int main(int argc, char** argv) {
  CLI::App app{"ptosim, the functional model of the PTO ISA", "ptosim"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "ptosim 0.1.0 (PTO ISA 0.58.3, 0.58.5)");
  app.failure_message(CLI::FailureMessage::help);

  pto::cli::Command chosen;
  pto::cli::add_run(app, chosen);
  pto::cli::add_asm(app, chosen);
  pto::cli::add_dis(app, chosen);
  pto::cli::add_explain(app, chosen);
  pto::cli::add_check(app, chosen);
  pto::cli::add_isa(app, chosen);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    pto::cli::print_error(pto::cli::usage_error(app, error, argc, argv));
    return static_cast<int>(pto::cli::Exit::BadInput);
  }
  return static_cast<int>(chosen());
}
