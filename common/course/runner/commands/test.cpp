// SPDX-License-Identifier: MIT
// ./learn test
#include <fmt/format.h>

#include "base/error.h"
#include "base/machine.h"
#include "base/process.h"
#include "build/build.h"
#include "build/choice.h"
#include "build/test_report.h"
#include "commands/subcommand.h"
#include "launch/addresses.h"

namespace d2l::runner {
namespace {

int run_tests(const Options& options) {
  if (find_program("ctest").empty()) {
    throw Stop(wrong_usage,
               "ctest, which runs the tests, is missing. It belongs to CMake: install the package cmake again.");
  }
  if (!launch::usable_address())
    throw Stop(wrong_usage, fmt::format("The tests start several processes; {}.", launch::no_usable_address));
  const Build build(choose(options.cuda).preset);
  build.make({}, "Building everything");
  const std::filesystem::path report = build.folder() / "tests.xml";
  std::filesystem::remove(report);
  Command command{"ctest",
                  "--test-dir",
                  build.folder().string(),
                  "--parallel",
                  std::to_string(parallel_jobs()),
                  "--output-on-failure",
                  "--no-tests=error",
                  "--output-junit",
                  report.string()};
  if (options.rest.empty()) {
    command.insert(command.end(), {"--label-exclude", "^thorough$"});
  } else {
    command.insert(command.end(), options.rest.begin(), options.rest.end());
  }
  const int code = run(command, root());
  if (!std::filesystem::exists(report)) return code == 0 ? 0 : failed;
  fmt::print("\n{}", summary(read_report(report)));
  return code == 0 ? 0 : failed;
}

}  // namespace

Subcommand test_subcommand() {
  return {"test",
          "build everything and run the tests but the thorough ones; arguments go to ctest, and choose among all",
          run_tests,
          {cuda_option()},
          Subcommand::Rest::unknown};
}

}  // namespace d2l::runner
