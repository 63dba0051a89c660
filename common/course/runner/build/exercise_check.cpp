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
#include "base/terminal_text.h"
#include "base/text.h"
#include "build/choice.h"
#include "build/first_error.h"
#include "course/originals.h"
#include "course/records.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t memory_limit = std::int64_t{1} << 30;  // as in grading
constexpr std::size_t max_output = 1 << 20;
constexpr std::size_t max_verdict_lines = 200;

/// Removes the objects of a target: a source that was saved while it was compiled looks older than its object.
void remove_objects(const fs::path& folder) {
  std::error_code problem;
  for (const auto& entry : fs::recursive_directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".o") fs::remove(entry.path(), problem);
  }
}

fs::path objects_of(const Exercise& exercise, const Build& build) {
  return build.folder() / "exercises" / "CMakeFiles" / (exercise.target() + ".dir");
}

Built build_exercise(const Exercise& exercise, const Build& build, const CheckOptions& options) {
  const std::string title = options.quiet ? "Building the exercises" : "Building " + exercise.number;
  for (int attempt = 1;; ++attempt) {
    const Snapshot before = snapshot(exercise.folder);
    const Built built = build.attempt({exercise.target()}, title, {false, options.interrupted});
    if (snapshot(exercise.folder) == before) return built;
    remove_objects(objects_of(exercise, build));
    if (built == Built::interrupted || attempt == 3) return built;
  }
}

/// Shows the compiler's warnings about the student's files. The next check compiles them again, to show them again.
void show_warnings(const Exercise& exercise, const Build& build) {
  const std::string text = warnings(build.log(), root(), "exercises/" + exercise.key(), colours());
  if (text.empty()) return;
  fmt::print("{}\n\n{}\n", bold("The compiler warns:"), text);
  remove_objects(objects_of(exercise, build));
}

/// The functions that exercise.h declares, without comments.
std::string declarations(const Exercise& exercise) {
  std::string text;
  bool inside = false;
  for (const std::string& line : lines_of(read_file(exercise.folder / "exercise.h"))) {
    const bool comment =
        line.find_first_not_of(' ') == std::string::npos || line.find("//") == line.find_first_not_of(' ');
    if (comment || line.front() == '#' || line.front() == '}') continue;
    inside = inside || line.find('(') != std::string::npos;
    if (inside) text += "  " + line + "\n";
    inside = inside && line.find(';') == std::string::npos;
  }
  return text;
}

CheckResult not_checked(const std::string& reason, bool quiet) {
  if (!quiet) {
    fmt::print("\n{} {}.\nThis is not a mistake of yours, and your progress stays as it was.\n", bold("Not checked:"),
               reason);
  }
  return {"not_checked", 0, 0, "not checked: " + reason};
}

/// What to know about a function that the check does not find as exercise.h declares it.
std::string about_declaration(const Exercise& exercise, const std::string& error) {
  if (is_edited(root(), exercise.folder / "exercise.h")) {
    return fmt::format(
        "exercise.h is changed. ./learn reset {} restores it, and keeps what you wrote in .learn/kept.\n",
        exercise.number);
  }
  for (const char* sign : {"undefined reference to", "undefined symbol", "ambiguating new declaration",
                           "differ only in their return type", "conflicting"}) {
    if (error.find(sign) == std::string::npos) continue;
    return exercise.source().filename().string() + " must define exactly what exercise.h declares:\n\n" +
           declarations(exercise) + "\nThe name, the parameters and the type of the result must be the same.\n";
  }
  return "";
}

CheckResult does_not_compile(const Exercise& exercise, const Build& build, bool quiet) {
  const std::string error = first_error(build.log(), root(), colours());
  const std::string about = about_declaration(exercise, error);
  const std::string cause = outside_cause(build.log(), exercise.target());
  const std::string log = fs::relative(build.log(), root()).string();
  if (!cause.empty() && about.empty()) {
    if (!quiet) fmt::print("\n{}\nThe whole log: {}\n", error, log);
    return not_checked(cause, quiet);
  }
  if (!quiet) {
    fmt::print("{} The first error:\n\n{}\n{}The whole log: {}\n", bold("It does not compile yet."), error,
               about.empty() ? "" : about + "\n", log);
  }
  return {"fail", 0, 0, "does not compile"};
}

/// What the program says about itself in its output.
struct Said {
  std::string last;                 ///< its last line
  std::string call;                 ///< the call that crashed
  std::vector<std::string> frames;  ///< addresses, from the innermost

  /// Whether a line is for the runner, which keeps it then.
  bool keep(const std::string& line) {
    last = line;
    const std::string frame = "crash at: +";
    if (line.starts_with(frame)) frames.push_back(line.substr(frame.size()));
    if (line.starts_with("crash: ")) call = line.substr(7);
    return line.starts_with("crash: ") || line.starts_with(frame);
  }
};

/// The frames of a crash that are in the student's files, "exercise.cpp:12  in average(int)".
std::string frames_of(const Said& said, const Exercise& exercise, const Build& build) {
  if (said.frames.empty() || find_program("addr2line").empty()) return "";
  Command command{"addr2line", "-f", "-C", "-e", (build.folder() / "exercises" / exercise.target()).string()};
  command.insert(command.end(), said.frames.begin(), said.frames.end());
  std::string text;
  std::string function;
  run_reading(command, root(), [&](const std::string& line) {
    const fs::path file = fs::path(line.substr(0, line.find(':'))).lexically_normal();
    const std::string name = file.filename().string();
    const bool own = line.find("exercises/" + exercise.key() + "/") != std::string::npos && name != "check.cpp" &&
                     name != "demonstration.cpp";
    const std::string place = line.substr(line.rfind('/') + 1, line.find(" (") - line.rfind('/') - 1);
    if (own) text += fmt::format("  {}  in {}\n", place, function);
    function = line;
  });
  return text;
}

/// The result of a check without a report; prints the reason and advice.
CheckResult without_report(const Exercise& exercise, const Ended& ended, const Said& said, const std::string& frames,
                           const CheckOptions& options) {
  const std::string& error = said.last;
  constexpr int no_check = 2;
  if (ended.code == no_check && error.starts_with("error: "))  // which was shown, as all output
    return not_checked(options.quiet ? error.substr(7) : "for the reason above", options.quiet);
  std::string remark;
  std::string advice;
  if (ended.why == Ended::Why::memory_limit) {
    remark = fmt::format("used more than {} MiB of memory", memory_limit >> 20);
    advice = "Look for a list that grows without end, or an endless recursion.";
  } else if (ended.why == Ended::Why::time_limit) {
    remark = fmt::format("did not end within {} s", options.limit.count());
    advice = exercise.is_cuda()
                 ? "Look for an endless loop, in a kernel too, or a wait for something that never happens."
                 : "Look for an endless loop, or a wait for something that never happens.";
  } else if (const std::string how = signal_words(ended.code); !how.empty()) {
    remark = "was " + how;
    advice = said.call.empty() ? "Its output, if any, is above." : "It crashed in the call " + said.call + ".";
    if (!frames.empty()) advice += " In your file:\n" + frames;
  } else {
    remark = fmt::format("ended early, with exit code {}", ended.code);
    advice = "The check has no verdict: does your code call exit()?";
  }
  if (!options.quiet) say(fmt::format("\n{} {}", bold(fmt::format("The program {}.", remark)), advice));
  return {"fail", 0, 0, remark};
}

/// A line of the check's output, wrapped, with the colours of its marks.
void print_line_of_check(std::string line, bool keys) {
  const std::size_t command = line.find("./learn hint ");
  if (keys && line.starts_with("      hint") && command != std::string::npos)
    line.replace(command, std::string::npos, "press h");
  std::string shown = on_terminal() ? detail::wrapped(line, detail::terminal_width()) : line;
  for (const auto& [mark, colour] : {std::pair("✓", "32"), std::pair("✗", "31"), std::pair("?", "33")}) {
    const std::string begin = fmt::format("  {} ", mark);
    if (shown.starts_with(begin)) shown.replace(2, begin.size() - 3, in_colour(colour, mark));
  }
  fmt::print("{}\n", shown);
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
  Said said;
  std::size_t bytes = 0;
  std::vector<std::string> last;  // of much output, the lines that may be the verdict
  Progress progress("Checking " + exercise.number);
  const auto read = [&](const std::string& line) {
    if (said.keep(line) || options.quiet) return;
    if (bytes > max_output) {
      if (line.starts_with(exercise.number + " ") || last.size() > max_verdict_lines) last.clear();
      last.push_back(line);
      return;
    }
    bytes += line.size() + 1;
    progress.clear();
    print_line_of_check(line, options.keys);
    if (bytes > max_output) fmt::print("… more than {} MiB of output: the rest is not shown.\n", max_output >> 20);
    std::fflush(stdout);
  };
  const auto begin = std::chrono::steady_clock::now();
  const auto interrupted = [&] {
    const auto passed = std::chrono::steady_clock::now() - begin;
    // A terminal removes the line, and a file keeps it: there it stands before the verdict, not in it.
    if (!options.quiet && passed > std::chrono::seconds(2) && (bytes == 0 || escape_codes())) {
      progress.step(fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(passed).count()));
    }
    return options.interrupted && options.interrupted();
  };
  const Ended ended = run_limited(command, fs::current_path(), {options.limit, interrupted, memory_limit}, read);
  progress.clear();
  if (!last.empty() && last.front().starts_with(exercise.number + " ")) {
    for (const std::string& line : last) print_line_of_check(line, options.keys);
  }
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
  return without_report(exercise, ended, said, frames_of(said, exercise, build), options);
}

}  // namespace

CheckResult check_exercise(const Exercise& exercise, const Build& build, const CheckOptions& options) {
  if (!fs::exists(exercise.source()) && !options.quiet) {
    fmt::print("{} is missing: it begins anew from the stub, as after ./learn reset {}.\n", exercise.shown_source(),
               exercise.number);
  }
  ensure_source(exercise);
  const Built built = build_exercise(exercise, build, options);
  if (built == Built::interrupted) return {};
  if (built == Built::whole && !options.quiet) show_warnings(exercise, build);
  CheckResult result =
      built == Built::whole ? run_check(exercise, build, options) : does_not_compile(exercise, build, options.quiet);
  if (result.verdict.empty() || result.verdict == "not_checked") return result;
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

int demonstrate(const Exercise& exercise, const std::string& target, const std::string& title, bool cuda) {
  const Choice choice = choose(cuda);
  const Build build(exercise.is_cuda() ? preset_of_kernels(choice) : choice.preset);
  build.make({target}, title);
  ensure_two_gpus(choice);
  const int code = run({(build.folder() / "exercises" / target).string(), "--demonstrate"}, fs::current_path());
  const std::string how = signal_words(code);
  if (!how.empty()) fmt::print(stderr, "\nThe program was {}.\n", how);
  return code;
}

}  // namespace d2l::runner
