// SPDX-License-Identifier: MIT
#include "build/exercise_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/run_limited.h"
#include "base/snapshot.h"
#include "base/terminal.h"
#include "build/choice.h"
#include "build/first_error.h"
#include "course/records.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// Removes the objects of a target: a source that was saved while it was compiled looks older than its object.
void remove_objects(const fs::path& folder) {
  std::error_code problem;
  for (const auto& entry : fs::recursive_directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".o") fs::remove(entry.path(), problem);
  }
}

Built build_exercise(const Exercise& exercise, const Build& build, const CheckOptions& options) {
  const std::string title = options.quiet ? "Building the exercises" : "Building " + exercise.number;
  for (int attempt = 1;; ++attempt) {
    const Snapshot before = snapshot(exercise.folder);
    const Built built = build.attempt({exercise.target()}, title, {false, options.interrupted});
    if (snapshot(exercise.folder) == before) return built;
    remove_objects(build.folder() / "exercises" / "CMakeFiles" / (exercise.target() + ".dir"));
    if (built == Built::interrupted || attempt == 3) return built;
  }
}

CheckResult does_not_compile(const Build& build, bool quiet) {
  if (!quiet) {
    fmt::print("{} The first error:\n\n{}\nThe whole log: {}\n", bold("It does not compile yet."),
               first_error(build.log(), root(), colours()), fs::relative(build.log(), root()).string());
  }
  return {"fail", 0, 0, "does not compile"};
}

/// The result of a check without a report; prints the reason and advice.
CheckResult without_report(const Ended& ended, const CheckOptions& options) {
  std::string remark;
  std::string advice;
  if (ended.why == Ended::Why::time_limit) {
    remark = fmt::format("did not end within {} s", options.limit.count());
    advice = "Look for an endless loop, or a wait for something that never happens.";
  } else if (const std::string how = signal_words(ended.code); !how.empty()) {
    remark = "was " + how;
    advice = "Its output, if any, is above.";
  } else {
    remark = fmt::format("ended early, with exit code {}", ended.code);
    advice = "The check has no verdict: does your code call exit()?";
  }
  if (!options.quiet) fmt::print("\n{} {}\n", bold(fmt::format("The program {}.", remark)), advice);
  return {"fail", 0, 0, remark};
}

CheckResult read_report(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  CheckResult result{json.at("verdict").get<std::string>(), json.at("points").get<int>(),
                     json.at("possible").get<int>(), ""};
  for (const auto& item : json.at("items")) {
    if (item.at("verdict") == "pass" || !result.remark.empty()) continue;
    const bool verifiable = item.at("verdict") == "fail";
    result.remark = verifiable ? item.at("what").get<std::string>() : "needs " + item.at("needs").get<std::string>();
  }
  return result;
}

CheckResult run_check(const Exercise& exercise, const Build& build, const CheckOptions& options) {
  const fs::path program = build.folder() / "exercises" / exercise.target();
  const fs::path report = program.string() + fmt::format(".{}.json", ::getpid());
  std::error_code ignored;
  fs::remove(report, ignored);
  Command command{program.string(), "--report", report.string()};
  if (options.seed) command.insert(command.end(), {"--seed", std::to_string(*options.seed)});
  std::function<void(const std::string&)> read;
  if (options.quiet) read = [](const std::string&) {};
  const Ended ended = run_limited(command, fs::current_path(), {options.limit, options.interrupted}, read);
  const std::string text = fs::exists(report) ? read_file(report) : "";
  fs::remove(report, ignored);
  if (ended.why == Ended::Why::interrupted) return {};
  try {
    CheckResult result = read_report(text);
    const int codes[] = {0, 1, 77};
    const char* const verdicts[] = {"pass", "fail", "not_verifiable"};
    for (std::size_t i = 0; i < std::size(codes); ++i) {
      if (ended.code == codes[i] && result.verdict == verdicts[i]) return result;
    }
  } catch (const nlohmann::json::exception&) {  // no report, or an incomplete one
  }
  return without_report(ended, options);
}

}  // namespace

CheckResult check_exercise(const Exercise& exercise, const Build& build, const CheckOptions& options) {
  ensure_source(exercise);
  const Built built = build_exercise(exercise, build, options);
  if (built == Built::interrupted) return {};
  CheckResult result =
      built == Built::whole ? run_check(exercise, build, options) : does_not_compile(build, options.quiet);
  if (result.verdict.empty()) return result;
  change_records(root(), [&](Records& records) {
    Record& record = records.exercises[exercise.key()];
    record.verdict = result.verdict;
    record.passed = record.passed || result.verdict == "pass";
    record.points = result.points;
    if (result.possible > 0) record.possible = result.possible;
    ++record.checks;
    records.last = exercise.key();
  });
  return result;
}

void require_demonstration(const Exercise& exercise) {
  if (exercise.demonstrates()) return;
  throw Stop(wrong_usage, fmt::format("{} {} has no demonstration.", exercise.number, exercise.title));
}

int demonstrate(const std::string& target, const std::string& title, bool cuda) {
  const Choice choice = choose(cuda);
  const Build build(choice.preset);
  build.make({target}, title);
  ensure_two_gpus(choice);
  const int code = run({(build.folder() / "exercises" / target).string(), "--demonstrate"}, fs::current_path());
  const std::string how = signal_words(code);
  if (!how.empty()) fmt::print(stderr, "\nThe program was {}.\n", how);
  return code;
}

}  // namespace d2l::runner
