// SPDX-License-Identifier: MIT
// ./learn diff
#include <fmt/format.h>

#include "base/error.h"
#include "base/process.h"
#include "base/terminal.h"
#include "commands/subcommand.h"
#include "course/progress.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// Prints the differences of two files; false if there are none.
bool print_differences(const fs::path& from, const fs::path& to) {
  if (find_program("diff").empty())
    throw Stop(failed, "diff is not in PATH. On Debian and Ubuntu: sudo apt-get install diffutils");
  const auto label = [](const fs::path& file) { return "--label=" + fs::relative(file, root()).string(); };
  const int code = run({"diff", "-u", colours() ? "--color=always" : "--color=never", label(from), label(to),
                        from.string(), to.string()},
                       root());
  if (code > 1) throw Stop(failed, fmt::format("diff ended with exit code {}; its message is above.", code));
  return code == 1;
}

int show_differences(const Options& options) {
  const Exercise exercise = named_or_current(options.wanted.empty() ? read_records(root()).last : options.wanted);
  if (!fs::exists(exercise.source())) {
    throw Stop(failed, fmt::format("There is no answer yet: ./learn next {}", exercise.number));
  }
  const fs::path solution = root() / "solutions" / (exercise.key() + exercise.extension());
  const bool passed = read_records(root()).of(exercise.key()).passed;
  const bool with_solution = passed && !options.stub && fs::exists(solution);
  if (!print_differences(with_solution ? solution : exercise.stub(), exercise.source())) {
    fmt::print("{} is {}.\n", exercise.shown_source(), with_solution ? "the same as the solution" : "the stub");
  }
  return 0;
}

}  // namespace

Subcommand diff_subcommand() {
  return {"diff",
          "how an answer differs from the stub; after a pass, from the solution",
          show_differences,
          {exercise_argument("the one checked last if none"),
           {"--stub", "compare with the stub even after a pass", &Options::stub}}};
}

}  // namespace d2l::runner
