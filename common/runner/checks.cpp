// SPDX-License-Identifier: MIT
// test, devices and setup.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iostream>

#include "build.h"
#include "choice.h"
#include "commands.h"
#include "error.h"
#include "machine.h"
#include "process.h"
#include "test_report.h"

namespace d2l::runner {

int show_devices(bool cuda) {
  const Choice choice = choose(cuda);
  const Build build(choice.preset);
  build.make({"learn_devices"}, "Building");
  if (!choice.remark.empty()) fmt::print("{}\n", choice.remark);
  return run({(build.folder() / "common" / "runner" / "learn_devices").string()}, root());
}

int run_tests(const std::vector<std::string>& arguments, bool cuda) {
  const Build build(choose(cuda).preset);
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
  command.insert(command.end(), arguments.begin(), arguments.end());
  const int code = run(command, root());
  if (!std::filesystem::exists(report)) return code == 0 ? 0 : failed;
  fmt::print("\n{}", summary(read_report(report)));
  return code == 0 ? 0 : failed;
}

int show_setup(bool cuda) {
  const Build build(choose(cuda).preset);
  std::ifstream in(build.folder() / "summary.txt");
  if (!in) throw Stop(failed, "The build has no summary; ./learn clean, then ./learn setup makes it anew.");
  std::cout << in.rdbuf();
  fmt::print("\nReady: ./learn run\n");
  return 0;
}

}  // namespace d2l::runner
