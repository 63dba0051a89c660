// SPDX-License-Identifier: MIT
// The program of an exercise: draws a case, runs the function and judges the outcome, or, for grading, runs it alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <random>

#include "check/crash.h"
#include "check/description.h"
#include "check/files.h"
#include "check/verdict.h"

namespace d2l::check {
namespace {

constexpr int wrong_usage = 2;

/// Calls the student's function; what it throws is returned as text.
std::string run_and_catch(const Inputs& inputs, Outcome& outcome) {
  try {
    run(inputs, outcome);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

int check_all(std::uint64_t seed, const std::string& path) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // into a pipe too: a crash loses no line
  report_crashes();
  const Inputs drawn = inputs(seed);
  Outcome outcome;
  const std::string error = run_and_catch(drawn, outcome);
  return report(judged(drawn, outcome, error), seed, path);
}

std::uint64_t fresh_seed() {
  std::random_device source;
  return source() % 1'000'000;  // short enough to type
}

int run_command(int count, char** words) {
  CLI::App app(fmt::format("Checks the exercise {}, {}.", description.number, description.title));
  std::optional<std::uint64_t> seed;
  std::string report_path;
  std::string items_path;
  std::vector<std::string> run_between;
  bool demonstrate = false;
  app.add_option("--seed", seed, "draw the values from this seed, as an earlier check did")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--report", report_path, "also write the report to a JSON file");
  auto* const only_run = app.add_option("--run", run_between, "only run: INPUTS OUTCOME, two folders")->expected(2);
  auto* const only_items = app.add_option("--items", items_path, "only write the items to a JSON file, for the book");
  auto* const demo = app.add_flag("--demonstrate", demonstrate, "show what the function does, with measured times");
  demo->excludes(only_run, only_items);
  only_items->excludes(only_run);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : wrong_usage;
  }

  if (!run_between.empty()) {
    const Inputs drawn = Files::read_inputs(run_between[0]);
    Outcome outcome;
    const std::string error = run_and_catch(drawn, outcome);
    Files::write(outcome, error, run_between[1]);
    return 0;
  }
  if (!items_path.empty()) {
    write_items(items_path);
    return 0;
  }
  if (demonstrate) {
    if (demonstration == nullptr) throw ConfigurationError(fmt::format("{} has no demonstration", description.number));
    demonstration();
    return 0;
  }
  return check_all(seed ? *seed : fresh_seed(), report_path);
}

}  // namespace
}  // namespace d2l::check

int main(int count, char** words) {
  try {
    return d2l::check::run_command(count, words);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
