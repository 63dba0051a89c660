// SPDX-License-Identifier: MIT
#include "commands/subcommand.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/terminal.h"
#include "course/course.h"
#include "course/originals.h"

namespace d2l::runner {
namespace {

/// Refuses what is not a seed; CLI11 would wrap a negative number around, and cut a large one.
std::string refuse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole ? "" : fmt::format("{} is not a seed: give a whole number from 0 to {}", text, UINT64_MAX);
}
const CLI::Validator is_seed(refuse_seed, "");

void add_option(CLI::App& command, const Option& option, Options& options) {
  const auto add = [&](auto member) {
    using Value = std::decay_t<decltype(options.*member)>;
    if constexpr (std::is_same_v<Value, bool>) {
      command.add_flag(option.name, options.*member, option.description);
    } else {
      CLI::Option* added = command.add_option(option.name, options.*member, option.description);
      added->required(option.required);
      if constexpr (std::is_same_v<Value, std::int64_t>) {
        added->check(CLI::Range(std::int64_t{1}, option.most))->capture_default_str();
      }
      if constexpr (std::is_same_v<Value, std::optional<std::uint64_t>>) added->check(is_seed);
    }
  };
  std::visit(add, option.value);
}

void add_subcommand(CLI::App& app, const Subcommand& subcommand, Options& options, std::function<int()>& chosen) {
  CLI::App* command = app.add_subcommand(subcommand.name, subcommand.description);
  for (const Option& option : subcommand.options) add_option(*command, option, options);
  if (subcommand.rest == Subcommand::Rest::unknown) command->allow_extras();
  if (subcommand.rest == Subcommand::Rest::program) command->prefix_command();
  if (subcommand.rest == Subcommand::Rest::all) {
    command->set_help_flag();
    command->prefix_command();
  }
  command->callback([&options, &chosen, command, act = subcommand.act] {
    options.rest = command->remaining();
    chosen = [&options, act] { return act(options); };
  });
}

/// Prints the help, or what is wrong with the arguments; the exit code.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& problem) {
  std::ostringstream out;
  std::ostringstream error;
  const int code = app.exit(problem, out, error);
  print_wrapped(stdout, out.str());
  print_wrapped(stderr, error.str());
  return code == 0 ? 0 : wrong_usage;
}

int refuse_command(const CLI::App& app, int count, char** arguments) {
  std::vector<std::string> names{"clean"};
  std::string listed;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    listed += fmt::format("  {:<9}{}\n", command->get_name(), command->get_description());
  }
  const std::string near = count > 1 ? nearest(names, arguments[1]) : "";
  print_wrapped(
      stderr, fmt::format("learn: {}.{} There are:\n{}  {:<9}{}\n",
                          count > 1 ? fmt::format("there is no command \"{}\"", arguments[1]) : "a command is missing",
                          near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near), listed, "clean",
                          "remove what was built"));
  return wrong_usage;
}

/// The words after `./learn`, without the first -- of a command that starts a program: CLI11 would read what follows it
/// as arguments of ./learn itself.
std::vector<std::string> words_of(int count, char** arguments, const std::vector<Subcommand>& subcommands) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  const auto starts_program = [&](const Subcommand& one) {
    return one.rest == Subcommand::Rest::program && one.name == words.front();
  };
  if (words.empty() || std::none_of(subcommands.begin(), subcommands.end(), starts_program)) return words;
  const auto mark = std::find(words.begin(), words.end(), "--");
  if (mark != words.end()) words.erase(mark);
  return words;
}

}  // namespace

Option cuda_option() { return {"--cuda", "build with CUDA even if no GPU is visible", &Options::cuda}; }

Option exercise_argument(const std::string& without) {
  return {"exercise", "an exercise: its number (1.5.3), its folder or a part of that; " + without, &Options::wanted};
}

std::vector<Option> check_options() {
  return {{"--seed", "draw the values from this seed, as an earlier check did", &Options::seed},
          {"--limit", "seconds after which the check is stopped", &Options::limit},
          cuda_option()};
}

int run_command_line(int count, char** arguments) {
  CLI::App app("Reads, builds and runs the lessons, and checks exercises.", "learn");
  app.require_subcommand(1);
  Options options;
  std::function<int()> chosen;
  const std::vector<Subcommand> subcommands{
      run_subcommand(),   cuda_subcommand(),    launch_subcommand(), list_subcommand(), devices_subcommand(),
      test_subcommand(),  docs_subcommand(),    setup_subcommand(),  next_subcommand(), check_subcommand(),
      watch_subcommand(), hint_subcommand(),    reset_subcommand(),  diff_subcommand(), solution_subcommand(),
      pack_subcommand(),  release_subcommand(), grade_subcommand(),  new_subcommand()};
  for (const auto& subcommand : subcommands) add_subcommand(app, subcommand, options, chosen);
  try {
    auto words = words_of(count, arguments, subcommands);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(words);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0 && app.get_subcommands().empty()) return refuse_command(app, count, arguments);
    return end_of_parsing(app, problem);
  }
  keep_originals(root());
  return chosen();
}

}  // namespace d2l::runner
