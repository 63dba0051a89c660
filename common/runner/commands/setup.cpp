// SPDX-License-Identifier: MIT
// ./learn setup
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
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
  fmt::print("{}\nReady: ./learn run\n", read_file(summary));
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
