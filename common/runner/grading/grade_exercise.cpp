// SPDX-License-Identifier: MIT
// Two of these processes run a submission's code; the processes that draw and judge do not.
#include "grading/grade_exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "grading/compiler_message.h"
#include "grading/reports/printable.h"
#include "grading/sandbox/untrusted_files.h"
#include "grading/sandbox/work_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

using Outcome = std::vector<std::pair<fs::path, std::string>>;

constexpr const char* source_name = "exercise.cpp";
constexpr const char* program_name = "exercise";

/// The file that a run writes last.
constexpr const char* last_file = "outcome.json";

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// The files that the program wrote into its outcome folder.
Outcome read_outcome(const fs::path& folder) {
  constexpr std::size_t most_files = 16;
  constexpr std::uint64_t largest = std::uint64_t{64} << 20;
  Outcome outcome;
  if (!fs::is_directory(fs::symlink_status(folder))) return outcome;
  for (const auto& file : regular_files(folder, most_files)) {
    if (file.has_parent_path()) continue;
    if (auto bytes = read_regular_file(folder / file, largest)) outcome.emplace_back(file, std::move(*bytes));
  }
  return outcome;
}

/// The last error that a program printed; empty when there is none.
std::string error_line(const std::string& output) {
  const std::size_t at = output.rfind("error: ");
  return at == std::string::npos ? "" : ": " + first_line(std::string_view(output).substr(at));
}

/// Why the outcome of a run cannot be judged; empty when it can.
std::string refusal(const Ending& ending, const Limits& limits, const Outcome& outcome) {
  const bool by_itself = ending.cause == Cause::ended && ending.signal == 0;
  if (!ending.succeeded()) return describe(ending, limits) + (by_itself ? error_line(ending.output) : "");
  const bool complete =
      std::any_of(outcome.begin(), outcome.end(), [](const auto& file) { return file.first == last_file; });
  return complete ? std::string() : "ended with exit code 0 before it had handed in its result";
}

ExerciseResult judged(const Context& context, const Check& check, const Outcome& outcome, int slot) {
  const WorkFolder work(context.sandbox, context.slots, slot);
  fs::create_directory(work.folder() / "outcome");
  for (const auto& [file, bytes] : outcome) write(work.folder() / "outcome" / file, bytes);
  const Limits limits;
  const Ending ending =
      work.run({check.judge.string(), "--judge", check.inputs.string(), "outcome", "--report", "report.json"},
               {check.judge.string(), check.inputs.string()}, limits, {{"D2L_VIRTUAL_GPUS", context.virtual_gpus}});
  const auto bytes = read_regular_file(work.folder() / "report.json", std::uint64_t{16} << 20);
  const auto json = nlohmann::ordered_json::parse(bytes.value_or(""), nullptr, false);
  if (json.is_discarded()) {
    return failed_exercise(check, "not_judged",
                           fmt::format("not evaluated: bug in the check: the judge {}: {}", describe(ending, limits),
                                       first_line(ending.output)));
  }
  ExerciseResult result = check.blank;
  json.at("verdict").get_to(result.verdict);
  json.at("items").get_to(result.items);
  return result;
}

}  // namespace

ExerciseResult failed_exercise(const Check& check, const std::string& verdict, const std::string& reason) {
  ExerciseResult result = check.blank;
  result.verdict = verdict;
  result.reason = reason;
  for (ItemResult& item : result.items) {
    item.verdict = "fail";
    item.points = 0;
    item.expected = item.what;
    item.found = reason;
  }
  return result;
}

ExerciseResult grade_exercise(const Context& context, const Check& check, const Sources& sources, int slot) {
  std::optional<WorkFolder> work(std::in_place, context.sandbox, context.slots, slot);
  for (const auto& [name, bytes] : sources) write(work->folder() / name, bytes);
  const Limits limits = compiling_limits();
  const Ending compiled =
      work->run(context.kit.compilation(check, source_name, program_name), context.kit.readable(check), limits);
  const auto with_output = [](ExerciseResult result, const Ending& ending) {
    result.output = printable(ending.output);
    result.seconds = ending.seconds;
    return result;
  };
  if (!compiled.succeeded()) {
    const bool refused = compiled.cause == Cause::ended && compiled.signal == 0;
    const std::string reason =
        refused ? compiler_message(compiled.output) : "compiling it: the compiler " + describe(compiled, limits);
    return with_output(failed_exercise(check, "fail", reason), compiled);
  }

  const fs::path program = work->folder() / program_name;
  fs::permissions(program, fs::perms::owner_all);
  fs::create_directory(work->folder() / "outcome");
  const Ending ran = work->run({program.string(), "--run", check.inputs.string(), "outcome"}, {check.inputs.string()},
                               context.limits, {{"D2L_VIRTUAL_GPUS", context.virtual_gpus}});
  const Outcome outcome = read_outcome(work->folder() / "outcome");
  work.reset();
  const std::string reason = refusal(ran, context.limits, outcome);
  if (!reason.empty()) return with_output(failed_exercise(check, "fail", reason), ran);
  return with_output(judged(context, check, outcome, slot), ran);
}

}  // namespace d2l::grading
