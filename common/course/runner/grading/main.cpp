// SPDX-License-Identifier: MIT
// learn_grade: the program of `./learn grade`, which also starts itself as the supervisor of each program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

#include "base/error.h"
#include "grading/grade.h"
#include "grading/sandbox/sandbox.h"
#include "grading/sandbox/supervisor.h"

namespace {

using namespace d2l;

int run(int count, char** words) {
  grading::Request request;
  request.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  CLI::App app("Compiles and checks each submission in a sandbox, and writes reports.", "learn grade");
  app.add_option("submissions", request.submissions,
                 "the folder that has a folder or a packed archive for each student")
      ->required()
      ->check(CLI::ExistingPath);
  app.add_option("--report", request.report, "the report, as JSON")->required();
  app.add_option("--junit", request.junit, "also as JUnit's XML");
  app.add_option("--html", request.html, "also as a page");
  app.add_option("--csv", request.csv, "also for a spreadsheet");
  app.add_option("--gradescope", request.gradescope,
                 "also as Gradescope's results.json; a folder for several students");
  app.add_option("--gradescope-visibility", request.visibility, "of its tests")
      ->check(CLI::IsMember({"visible", "hidden", "after_due_date", "after_published"}))
      ->capture_default_str();
  app.add_option("--checks", request.checks, "your own checks: CHAPTER/NAME/check.cpp")->check(CLI::ExistingDirectory);
  app.add_option("--jobs", request.jobs, "submissions at once")->check(CLI::Range(1, grading::Sandbox::max_slots));
  app.add_option("--seed", request.seed, "the seed of the values");
  app.add_option("--virtual-gpus", request.virtual_gpus, "COUNT[:MEMORY][:cores=N][@host][,delay=SEED][,name=NAME]")
      ->capture_default_str();
  app.add_option("--seconds", request.limits.cpu_seconds,
                 "CPU seconds for each exercise; three times as many where it has kernels; five times as many seconds "
                 "with waits")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  std::uint64_t mebibytes = request.limits.memory >> 20;
  app.add_option("--memory", mebibytes, "MiB for each exercise")
      ->check(CLI::Range(std::uint64_t{64}, std::uint64_t{1} << 20))
      ->capture_default_str();
  app.add_flag("!--no-bubblewrap", request.bubblewrap,
               "only Landlock, seccomp and counted limits: no bubblewrap, control groups and mounts");
  app.add_option("--course", request.course)->required()->group("");
  app.add_option("--build", request.build)->required()->group("");
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : runner::wrong_usage;
  }
  request.limits.seconds = 5 * request.limits.cpu_seconds;
  request.limits.memory = mebibytes << 20;
  grading::grade(request);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count == 3 && std::string(words[1]) == "supervise") return grading::supervise_and_print(words[2]);
    return run(count, words);
  } catch (const runner::Stop& stop) {
    std::fflush(stdout);
    fmt::print(stderr, "{}\n", stop.what());
    return stop.code();
  } catch (const std::exception& problem) {
    std::fflush(stdout);
    fmt::print(stderr, "learn grade: {}\n", problem.what());
    return runner::failed;
  }
}
