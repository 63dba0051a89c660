// SPDX-License-Identifier: MIT
// ./learn setup
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "build/build.h"
#include "build/choice.h"
#include "commands/subcommand.h"

namespace d2l::runner {
namespace {

int show_setup(const Options& options) {
  const Build build(choose(options.cuda).preset);
  const auto summary = build.folder() / "summary.txt";
  if (!std::filesystem::exists(summary)) {
    throw Stop(failed, "The build has no summary. Remove it with ./learn clean and run ./learn setup again.");
  }
  fmt::print("{}\n", read_file(summary));
  if (find_program("make").empty()) {
    fmt::print("make is missing, which cmake uses unless told otherwise: add -G Ninja to cmake -S . -B build.\n\n");
  }
  fmt::print("Ready: ./learn run\n");
  return 0;
}

}  // namespace

Subcommand setup_subcommand() {
  return {"setup",
          "install what is missing, and show what there is",
          show_setup,
          {{"--all", "also what contributors and CI need", &Options::all}, cuda_option()}};  // the script handles --all
}

}  // namespace d2l::runner
