// SPDX-License-Identifier: MIT
// ./learn grade: builds the grading program and runs it.
#include <algorithm>

#include "base/error.h"
#include "base/process.h"
#include "build/build.h"
#include "build/choice.h"
#include "commands/subcommand.h"

namespace d2l::runner {
namespace {

int grade_submissions(const Options& options) {
  std::vector<std::string> arguments = options.rest;
  if (!std::filesystem::exists(root() / "common" / "runner" / "grading"))
    throw Stop(wrong_usage, "The tree for students cannot grade. To check your exercises: ./learn check");
  const auto cuda = std::remove(arguments.begin(), arguments.end(), "--cuda");
  const Build build(choose(cuda != arguments.end()).preset);
  arguments.erase(cuda, arguments.end());
  const bool help = std::any_of(arguments.begin(), arguments.end(),
                                [](const std::string& argument) { return argument == "-h" || argument == "--help"; });
  build.make({help ? "learn_grade" : "grading_kit"}, "Building the grading program");
  Command command{(build.folder() / "common" / "runner" / "learn_grade").string(), "--course", root().string(),
                  "--build", build.folder().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, std::filesystem::current_path());
}

}  // namespace

Subcommand grade_subcommand() {
  return {"grade",
          "for teachers: compile and check submissions in a sandbox",
          grade_submissions,
          {},
          Subcommand::Rest::all};
}

}  // namespace d2l::runner
