// SPDX-License-Identifier: MIT
// Two of these processes run a submission's code; the processes that draw and judge do not.
#include "grading/grade_exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
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

constexpr const char* program_name = "exercise";

/// The file that a run writes last.
constexpr const char* last_file = "outcome.json";

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// The largest file of an outcome. A number in JSON takes eight times its text when it is read.
std::uint64_t largest(const fs::path& file) { return std::uint64_t{file.extension() == ".json" ? 8U : 64U} << 20; }

/// The files that the program wrote into its outcome folder; throws std::length_error when one is too large.
Outcome read_outcome(const fs::path& folder) {
  constexpr std::size_t max_files = 16;
  Outcome outcome;
  if (!fs::is_directory(fs::symlink_status(folder))) return outcome;
  for (const auto& file : regular_files(folder, max_files)) {
    if (file.has_parent_path()) continue;
    std::error_code ignored;
    if (auto bytes = read_regular_file(folder / file, largest(file)))
      outcome.emplace_back(file, std::move(*bytes));
    else if (fs::file_size(folder / file, ignored) > largest(file))
      throw std::length_error(fmt::format("wrote a result, {}, that is larger than {}", one_line(file.string()),
                                          format_size(largest(file))));
  }
  return outcome;
}

/// The last error that a program printed; empty when there is none.
std::string error_line(const std::string& output) {
  const std::size_t at = output.rfind("error: ");
  return at == std::string::npos ? "" : ": " + first_line(std::string_view(output).substr(at));
}

/// Why a run has no outcome that can be judged; empty when it has.
std::string refusal(const Ending& ending, const Limits& limits, const fs::path& folder, Outcome& outcome) try {
  const bool by_itself = ending.cause == Cause::ended && ending.signal == 0;
  if (!ending.succeeded()) return describe(ending, limits) + (by_itself ? error_line(ending.output) : "");
  outcome = read_outcome(folder);
  const bool complete =
      std::any_of(outcome.begin(), outcome.end(), [](const auto& file) { return file.first == last_file; });
  return complete ? std::string() : "ended with exit code 0 before it had handed in its result";
} catch (const std::length_error& error) {
  return error.what();
}

/// The judge's report on an outcome; no value, and the `failure`, when it writes none.
std::optional<ExerciseResult> report_on(const Outcome& outcome, const Context& context, const Check& check, int slot,
                                        std::string& failure) {
  const WorkFolder work(context.sandbox, context.slots, slot);
  fs::create_directory(work.folder() / "outcome");
  for (const auto& [file, bytes] : outcome) write(work.folder() / "outcome" / file, bytes);
  Limits limits;
  limits.memory = std::uint64_t{3} << 30;
  const Ending ending =
      work.run({check.judge.string(), "judge", check.inputs.string(), "outcome", "report.json"},
               {check.judge.string(), check.inputs.string()}, limits, {{"D2L_VIRTUAL_GPUS", context.virtual_gpus}});
  const auto bytes = read_regular_file(work.folder() / "report.json", std::uint64_t{16} << 20);
  const auto json = nlohmann::ordered_json::parse(bytes.value_or(""), nullptr, false);
  if (json.is_discarded()) {
    failure = fmt::format("the judge {}: {}", describe(ending, limits), first_line(ending.output));
    return std::nullopt;
  }
  ExerciseResult result = check.blank;
  json.at("verdict").get_to(result.verdict);
  json.at("items").get_to(result.items);
  return result;
}

ExerciseResult judged(const Context& context, const Check& check, const Outcome& outcome, int slot) {
  // Bytes of an outcome without anything in it, which a judge without a bug can judge.
  static const Outcome nothing{{"outcome.json", R"({"error":"","facts":{},"recordings":{}})"},
                               {"outcome.safetensors", std::string("\x08\0\0\0\0\0\0\0{}      ", 16)}};
  std::string failure;
  std::string ignored;
  if (auto result = report_on(outcome, context, check, slot, failure)) return *result;
  if (report_on(nothing, context, check, slot, ignored))
    return failed_exercise(check, "fail", "its result cannot be judged: " + failure);
  return failed_exercise(check, "not_judged", "not evaluated: bug in the check: " + failure);
}

/// The limits of a submission's program. The emulator takes long for a kernel: a right answer with many more threads
/// than the solution gets the time for it.
Limits limits_of(const Context& context, const Check& check) {
  constexpr int times_as_long = 3;
  Limits limits = context.limits;
  if (!check.source.ends_with(".cu")) return limits;
  limits.seconds *= times_as_long;
  limits.cpu_seconds *= times_as_long;
  return limits;
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
  const Words first = context.precompiled.options(check, slot);
  std::optional<WorkFolder> work(std::in_place, context.sandbox, context.slots, slot);
  for (const auto& [name, bytes] : sources) write(work->folder() / name, bytes);
  for (const auto& [name, bytes] : check.supplied) write(work->folder() / name, bytes);  // in place of the student's
  const Limits limits = compiling_limits();
  const auto run = [&](const Words& command) { return work->run(command, context.kit.readable(check), limits); };
  std::vector<Words> commands = context.kit.compilation(check, first);
  commands.push_back(context.kit.linking(check, program_name));
  Ending compiled;
  for (const Words& command : commands) {
    compiled = run(command);
    if (!compiled.succeeded()) break;
  }
  const auto with_output = [](ExerciseResult result, const Ending& ending) {
    result.output = printable(ending.output);
    result.seconds = ending.seconds;
    return result;
  };
  if (!compiled.succeeded()) {
    const auto renamed = [](const auto& source) { return renames_lines(source.second); };
    const bool refused = compiled.cause == Cause::ended && compiled.signal == 0;
    const std::string reason =
        refused ? compiler_message(compiled.output, std::none_of(sources.begin(), sources.end(), renamed))
                : "compiling it: the compiler " + describe(compiled, limits);
    return with_output(failed_exercise(check, "fail", reason), compiled);
  }

  const fs::path program = work->folder() / program_name;
  fs::permissions(program, fs::perms::owner_all);
  fs::create_directory(work->folder() / "outcome");
  const Limits its_limits = limits_of(context, check);
  const Ending ran = work->run({program.string(), "--run", check.inputs.string(), "outcome"}, {check.inputs.string()},
                               its_limits, {{"D2L_VIRTUAL_GPUS", context.virtual_gpus}});
  Outcome outcome;
  const std::string reason = refusal(ran, its_limits, work->folder() / "outcome", outcome);
  work.reset();
  if (!reason.empty()) return with_output(failed_exercise(check, "fail", reason), ran);
  return with_output(judged(context, check, outcome, slot), ran);
}

}  // namespace d2l::grading
