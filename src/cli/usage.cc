#include "cli/usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "text/nearest.h"

namespace pto::cli {

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

Error unknown(std::string message, const std::string& wanted, const std::vector<std::string>& known,
              const std::string& otherwise) {
  text::Nearest nearest(wanted);
  for (const std::string& name : known) nearest.offer(name);
  const std::string hint = nearest.hint();
  return {.message = std::move(message), .place = {}, .hint = hint.empty() ? otherwise : hint, .excerpt = {}};
}

// "--state=x" names the option "--state".
std::string option_name(std::string_view argument) {
  return std::string(argument.substr(0, argument.find('=')));
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool is_option(const CLI::App& command, const std::string& name) {
  return command.get_option_no_throw(name) != nullptr;
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  if (argc < 2) {
    return {.message = "no command given",
            .place = {},
            .hint = "commands are " + listed(commands) + "; see 'ptosim --help'",
            .excerpt = {}};
  }
  const std::string first = argv[1];
  const CLI::App* command = nullptr;
  for (const CLI::App* candidate : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (candidate->get_name() == first) command = candidate;
  }
  if (command == nullptr) {
    if (first.starts_with('-'))
      return unknown(fmt::format("unknown option '{}'", first), first, options_of(app),
                     "see 'ptosim --help'");
    return unknown(fmt::format("unknown command '{}'", first), first, commands,
                   "commands are " + listed(commands) + "; see 'ptosim --help'");
  }
  std::string help = fmt::format("see 'ptosim {} --help'", first);
  const std::string own = help + "; what the program itself gets follows '--': ptosim run FILE -- -x";
  bool file_given = false;
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;
    if (argument.size() < 2 || argument[0] != '-') {
      file_given = true;
      continue;
    }
    if (argument[1] >= '0' && argument[1] <= '9') continue;  // a negative number
    const std::string name = option_name(argument);
    if (!is_option(*command, name) && first == "run" && file_given) help = own;
    if (!is_option(*command, name))
      return unknown(fmt::format("'{}' has no option '{}'", first, name), name, options_of(*command), help);
  }
  return {.message = fmt::format("{}: {}", first, error.what()), .place = {}, .hint = help, .excerpt = {}};
}

}  // namespace pto::cli
