// ptosim: the program. Every command is a row here and a file beside this one.

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
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

// An empty value is a mistake, an unset variable of a shell most likely; it must not pass for an absent
// option.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator not_empty(
      [](const std::string& value) {
        return value.empty() ? std::string("the value is empty") : std::string();
      },
      "");
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() > 0) option->check(not_empty);
    }
  }
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

  refuse_empty_values(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app.exit(error);
      std::cout.flush();
      return static_cast<int>(finish(std::cout ? pto::cli::Exit::Completed : pto::cli::Exit::BadInput));
    }
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
