// SPDX-License-Identifier: MIT
// grade: builds what grading needs, and hands over to it.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "build.h"
#include "choice.h"
#include "command_line.h"
#include "error.h"
#include "process.h"

namespace d2l::runner {
namespace {

int grade_submissions(std::vector<std::string> arguments) {
  if (!std::filesystem::exists(root() / "common" / "runner" / "grading"))
    throw Stop(wrong_usage,
               "This is the tree for students, which does not grade: ./learn check checks your exercises.");
  const auto cuda = std::remove(arguments.begin(), arguments.end(), "--cuda");
  const Build build(choose(cuda != arguments.end()).preset);
  arguments.erase(cuda, arguments.end());
  const bool help = std::any_of(arguments.begin(), arguments.end(),
                                [](const std::string& argument) { return argument == "-h" || argument == "--help"; });
  build.make({help ? "learn_grade" : "grading_kit"}, "Building what grading needs");
  Command command{(build.folder() / "common" / "runner" / "learn_grade").string(), "--course", root().string(),
                  "--build", build.folder().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, std::filesystem::current_path());
}

}  // namespace

void add_grade_command(CLI::App& app, Action& chosen) {
  CLI::App* grade = app.add_subcommand("grade", "for teachers: compile and check submissions in a sandbox");
  grade->set_help_flag();
  grade->prefix_command();
  grade->callback([&chosen, grade] { chosen = [=] { return grade_submissions(grade->remaining()); }; });
}

}  // namespace d2l::runner
