// SPDX-License-Identifier: MIT
// The options of run, list, devices, test, docs and setup.
#include <CLI/CLI.hpp>
#include <memory>

#include "command_line.h"
#include "commands.h"

namespace d2l::runner {
namespace {

std::shared_ptr<bool> cuda_flag(CLI::App* command) {
  auto cuda = std::make_shared<bool>(false);
  command->add_flag("--cuda", *cuda, "build with CUDA, although no GPU is visible");
  return cuda;
}

}  // namespace

void add_course_commands(CLI::App& app, Action& chosen) {
  CLI::App* run = app.add_subcommand("run", "build and run lessons");
  auto wanted = std::make_shared<std::string>();
  run->add_option("section", *wanted,
                  "a section or chapter, such as 1.2.2, 2_2_copying, 5.6.2.2 or 1_gpus; all if none");
  run->callback([&chosen, wanted, cuda = cuda_flag(run)] { chosen = [=] { return run_lessons(*wanted, *cuda); }; });

  CLI::App* list = app.add_subcommand("list", "the lessons, their numbers in the book, and the exercises");
  list->callback([&chosen] { chosen = list_course; });

  CLI::App* devices = app.add_subcommand("devices", "what this machine has");
  devices->callback([&chosen, cuda = cuda_flag(devices)] { chosen = [=] { return show_devices(*cuda); }; });

  CLI::App* test = app.add_subcommand("test", "build everything and run the tests; other arguments go to ctest");
  test->allow_extras();
  test->callback(
      [&chosen, test, cuda = cuda_flag(test)] { chosen = [=] { return run_tests(test->remaining(), *cuda); }; });

  CLI::App* docs = app.add_subcommand("docs", "make the course as a site, and open it where there is a browser");
  docs->callback([&chosen] { chosen = make_docs; });

  CLI::App* setup = app.add_subcommand("setup", "install what is missing, and show what there is");
  auto all = std::make_shared<bool>(false);  // which the script has seen to
  setup->add_flag("--all", *all, "also what contributors and CI need");
  setup->callback([&chosen, all, cuda = cuda_flag(setup)] { chosen = [=] { return show_setup(*cuda); }; });
}

}  // namespace d2l::runner
