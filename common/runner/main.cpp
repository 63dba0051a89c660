// SPDX-License-Identifier: MIT
// learn_runner: what ./learn hands over to.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "commands.h"
#include "error.h"

namespace {

using namespace d2l::runner;

int refuse_command(const CLI::App& app, int count, char** words) {
  fmt::print(stderr, "learn: {}. There are:\n",
             count > 1 ? fmt::format("there is no command \"{}\"", words[1]) : "a command is missing");
  for (const CLI::App* command : app.get_subcommands({})) {
    fmt::print(stderr, "  {:<9}{}\n", command->get_name(), command->get_description());
  }
  fmt::print(stderr, "  {:<9}{}\n", "clean", "remove what was built");
  return wrong_usage;
}

int obey(int count, char** words) {
  CLI::App app("Reads, builds and runs the lessons.", "learn");
  app.require_subcommand(1);
  bool cuda = false;
  const auto cuda_flag = [&](CLI::App* command) {
    command->add_flag("--cuda", cuda, "build with CUDA, although no GPU is visible");
  };
  std::string wanted;
  CLI::App* run = app.add_subcommand("run", "build and run lessons");
  run->add_option("section", wanted,
                  "a section or chapter, such as 1.2.2, 2_2_copying, 5.6.2.2 or 1_gpus; all if none");
  cuda_flag(run);
  CLI::App* list = app.add_subcommand("list", "the lessons, and their numbers in the book");
  CLI::App* devices = app.add_subcommand("devices", "what this machine has");
  cuda_flag(devices);
  CLI::App* test = app.add_subcommand("test", "build everything and run the tests; other arguments go to ctest");
  cuda_flag(test);
  test->allow_extras();
  CLI::App* setup = app.add_subcommand("setup", "install what is missing, and show what there is");
  bool all = false;
  setup->add_flag("--all", all, "also what contributors and CI need");
  cuda_flag(setup);

  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0 && app.get_subcommands().empty()) return refuse_command(app, count, words);
    return app.exit(problem) == 0 ? 0 : wrong_usage;
  }
  if (*run) return run_lessons(wanted, cuda);
  if (*list) return list_lessons();
  if (*devices) return show_devices(cuda);
  if (*test) return run_tests(test->remaining(), cuda);
  return show_setup(cuda);
}

}  // namespace

int main(int count, char** words) {
  try {
    return obey(count, words);
  } catch (const Stop& stop) {
    fmt::print(stderr, "{}\n", stop.what());
    return stop.code();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "learn: {}\n", problem.what());
    return failed;
  }
}
