// SPDX-License-Identifier: MIT
// The program of an exercise: draws a case, runs the function and judges the outcome, or does one of the three for
// grading.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <random>

#include "check/crash.h"
#include "check/description.h"
#include "check/files.h"
#include "check/report.h"

namespace d2l::check {
namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;
constexpr int not_verified = 77;

int exit_code(Verdict verdict) {
  if (verdict == Verdict::pass) return 0;
  return verdict == Verdict::fail ? failed : not_verified;
}

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

Judgement judged(const Inputs& inputs, const Outcome& outcome, const std::string& error) {
  Judgement judgement(items());
  if (error.empty() || outcome.has_failed_attempt()) {
    judge(inputs, outcome, judgement);
  } else {
    judgement.fail_all("the function threw: " + error);
  }
  return judgement;
}

int report(const Judgement& judgement, std::uint64_t seed, const std::string& path) {
  if (!path.empty()) write_report(judgement, seed, path);
  print_report(judgement, seed);
  return exit_code(judgement.verdict());
}

int check_all(std::uint64_t seed, const std::string& path) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // into a pipe too: a crash loses no line
  report_crashes();
  const Inputs drawn = inputs(seed);
  Outcome outcome;
  const std::string error = run_and_catch(drawn, outcome);
  return report(judged(drawn, outcome, error), seed, path);
}

int judge_files(const std::vector<std::string>& folders, const std::string& path) {
  const Inputs drawn = Files::read_inputs(folders[0]);
  Judgement judgement(items());
  try {
    const auto [outcome, error] = Files::read_outcome(folders[1]);
    judgement = judged(drawn, outcome, error);
  } catch (const std::exception& error) {
    judgement.fail_all(fmt::format("the outcome cannot be read: {}", error.what()));
  }
  return report(judgement, drawn.seed(), path);
}

int list_items(const std::string& path) {
  Judgement judgement(items());
  judgement.fail_all("");
  write_report(judgement, 0, path);
  return 0;
}

std::uint64_t fresh_seed() {
  std::random_device source;
  return source() % 1'000'000;  // short enough to type
}

int obey(int count, char** words) {
  CLI::App app(fmt::format("Checks the exercise {}, {}.", description.number, description.title));
  std::optional<std::uint64_t> seed;
  std::string report_path;
  std::string items_path;
  std::vector<std::string> draw_into;
  std::vector<std::string> run_between;
  std::vector<std::string> judge_between;
  bool demonstrate = false;
  app.add_option("--seed", seed, "draw the values from this seed, as an earlier check did")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--report", report_path, "also write the report to a JSON file");
  auto* const draw = app.add_option("--draw", draw_into, "only draw: SEED FOLDER")->expected(2);
  auto* const only_run = app.add_option("--run", run_between, "only run: INPUTS OUTCOME, two folders")->expected(2);
  auto* const only_judge = app.add_option("--judge", judge_between, "only judge: INPUTS OUTCOME")->expected(2);
  auto* const only_items = app.add_option("--items", items_path, "only write the items to a JSON file");
  auto* const demo = app.add_flag("--demonstrate", demonstrate, "show what the function does, with measured times");
  for (auto* const option : {draw, only_run, only_judge, only_items, demo}) {
    for (auto* const other : {draw, only_run, only_judge, only_items, demo}) {
      if (option != other) option->excludes(other);
    }
  }
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : wrong_usage;
  }

  if (!draw_into.empty()) {
    std::uint64_t drawn = 0;
    if (!CLI::detail::lexical_cast(draw_into[0], drawn)) {
      throw ConfigurationError(fmt::format("--draw takes a seed and a folder, and '{}' is not a seed", draw_into[0]));
    }
    Files::write(inputs(drawn), draw_into[1]);
    return 0;
  }
  if (!run_between.empty()) {
    const Inputs drawn = Files::read_inputs(run_between[0]);
    Outcome outcome;
    const std::string error = run_and_catch(drawn, outcome);
    Files::write(outcome, error, run_between[1]);
    return 0;
  }
  if (!judge_between.empty()) return judge_files(judge_between, report_path);
  if (!items_path.empty()) return list_items(items_path);
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
    return d2l::check::obey(count, words);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
