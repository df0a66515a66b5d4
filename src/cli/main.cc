// ptosim: the program. Every command is a row here and a file beside this one.

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#include "cli/commands.h"
#include "cli/usage.h"

namespace {

// What a command printed must have arrived.
pto::cli::Exit finish(pto::cli::Exit exit) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit;
  pto::cli::print_error({.message = fmt::format("cannot write: {}", std::strerror(errno)),
                         .place = {.file = "<stdout>"},
                         .hint = {},
                         .excerpt = {}});
  return pto::cli::Exit::BadInput;
}

}  // namespace

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
  try {
    return static_cast<int>(finish(chosen()));
  } catch (const std::bad_alloc&) {
    pto::cli::print_error({.message = "out of memory", .place = {}, .hint = {}, .excerpt = {}});
  } catch (const std::system_error& error) {
    pto::cli::print_error({.message = error.what(), .place = {}, .hint = {}, .excerpt = {}});
  }
  return static_cast<int>(pto::cli::Exit::BadInput);
}
