// SPDX-License-Identifier: MIT
// Grades students in parallel, each in its own slot, and keeps each result at once.
#include "grading/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <future>
#include <mutex>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/terminal.h"
#include "base/text.h"
#include "grading/grade_exercise.h"
#include "grading/gradebook.h"
#include "grading/judge.h"
#include "grading/own_checks.h"
#include "grading/reports/csv_report.h"
#include "grading/reports/gradescope_report.h"
#include "grading/reports/html_report.h"
#include "grading/reports/junit_report.h"
#include "grading/reports/printable.h"
#include "grading/sandbox/confine.h"
#include "grading/sandbox/temporary_folder.h"
#include "grading/submission.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using runner::Stop;

volatile std::sig_atomic_t interrupted = 0;

void stop_if_interrupted() {
  if (interrupted != 0) throw Stop(runner::failed, "Interrupted. Run the same command again to continue.");
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto relative = fs::weakly_canonical(path).lexically_relative(fs::weakly_canonical(folder));
  return !relative.empty() && *relative.begin() != "..";
}

/// Stops if `path` is in a folder that programs in the sandbox can read.
void require_hidden(const fs::path& path) {
  for (const auto& folder : system_folders()) {
    if (!path.empty() && fs::is_directory(folder) && is_below(path, folder)) {
      throw Stop(runner::wrong_usage,
                 fmt::format("{} is in {}, which every program in the sandbox can read. Move it elsewhere.",
                             path.string(), folder.string()));
    }
  }
}

/// A source without comments, as far as they begin with //, and without white space.
std::string code(const std::string& source) {
  std::string kept;
  for (const std::string& line : runner::lines_of(source)) kept += line.substr(0, line.find("//"));
  kept.erase(std::remove_if(kept.begin(), kept.end(), [](unsigned char one) { return std::isspace(one) != 0; }),
             kept.end());
  return kept;
}

/// Shows the progress of a grading.
class Display {
 public:
  explicit Display(std::size_t exercises) : exercises_(exercises), progress_("Grading") {}

  void exercise_done(bool is_new) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!is_new) ++known_;
    if (runner::on_terminal()) progress_.step(fmt::format("{}/{} {}", done_, exercises_, bar()));
  }
  void student_done(const StudentResult& student) {
    const std::lock_guard lock(mutex_);
    progress_.clear();
    fmt::print("{:<24} {:>4}/{} points\n", student.student, student.points().got, student.points().possible);
    if (student.points().got == 0) {
      for (const std::string& reason : student.reasons()) fmt::print("    {}\n", reason);
    }
    std::fflush(stdout);
  }
  void end() { progress_.clear(); }
  [[nodiscard]] std::size_t known() const { return known_; }

 private:
  [[nodiscard]] std::string bar() const {
    constexpr std::size_t width = 30;
    const std::size_t full = exercises_ == 0 ? width : width * done_ / exercises_;
    return "[" + std::string(full, '#') + std::string(width - full, ' ') + "]";
  }

  std::mutex mutex_;
  std::size_t exercises_;
  std::size_t done_ = 0;
  std::size_t known_ = 0;
  runner::Progress progress_;
};

class Grading {
 public:
  Grading(const Context& context, const Gradebook& book, std::uint64_t seed, std::vector<SubmissionPath> submissions)
      : context_(context),
        gradebook_(book),
        seed_(seed),
        submissions_(std::move(submissions)),
        results_(submissions_.size()),
        display_(submissions_.size() * context.kit.checks.size()) {}

  std::vector<StudentResult> all(int jobs) {
    std::vector<std::future<void>> workers;
    for (int slot = 0; slot < jobs; ++slot) {
      workers.push_back(std::async(std::launch::async, [this, slot] { work(slot); }));
    }
    for (auto& worker : workers) worker.wait();
    display_.end();
    for (auto& worker : workers) worker.get();
    return std::move(results_);
  }
  [[nodiscard]] std::size_t known() const { return display_.known(); }
  [[nodiscard]] int not_graded() const { return not_graded_; }

 private:
  void work(int slot) try {
    for (std::size_t at = 0; (at = next_++) < submissions_.size();) {
      results_[at] = student(submissions_[at], slot);
      display_.student_done(results_[at]);
    }
  } catch (...) {
    next_ = submissions_.size();
    throw;
  }

  /// Whatever goes wrong with one submission, the others are graded.
  StudentResult student(const SubmissionPath& given, int slot) try {
    const Submission submission = [&] {
      const WorkFolder work(context_.sandbox, context_.slots, slot);
      return read_submission(given, context_.kit.checks, work);
    }();
    StudentResult result{given.name.shown, given.name.file, submission.problem, submission.notes, {}};
    for (const Check& check : context_.kit.checks)
      result.exercises.push_back(exercise(given.name.shown, submission, check, slot));
    return result;
  } catch (const std::exception& problem) {
    stop_if_interrupted();
    ++not_graded_;
    const std::string reason = "not graded: " + first_line(problem.what());
    StudentResult result{given.name.shown, given.name.file, reason, {}, {}};
    for (const Check& check : context_.kit.checks)
      result.exercises.push_back(failed_exercise(check, "not_judged", reason));
    return result;
  }

  ExerciseResult exercise(const std::string& student, const Submission& submission, const Check& check, int slot) {
    const auto source = submission.sources.find(check.name);
    if (source == submission.sources.end()) {
      display_.exercise_done(true);
      const auto problem = submission.problems.find(check.name);
      if (!submission.problem.empty()) return failed_exercise(check, "fail", submission.problem);
      if (problem != submission.problems.end()) return failed_exercise(check, "fail", problem->second);
      return failed_exercise(check, "not_handed_in", "not handed in");
    }
    if (!check.stub.empty() && code(source->second.at(check.source)) == code(check.stub)) {
      display_.exercise_done(true);
      return failed_exercise(check, "not_handed_in",
                             fmt::format("not handed in: {} is the stub, unchanged", check.source));
    }
    const Limits& limits = context_.limits;
    std::string contents;
    for (const auto& [name, bytes] : source->second) contents += fmt::format("{} {}\n{}", name, bytes.size(), bytes);
    const std::string fingerprint = runner::sha256(fmt::format(
        "{}\n{}\n{}\n{}\n{}\n{} {} {}\n{}\n{}", student, check.name, check.fingerprint, seed_, context_.virtual_gpus,
        limits.seconds, limits.cpu_seconds, limits.memory, context_.sandbox.description(), contents));
    auto known = gradebook_.find(fingerprint);
    const bool is_new = !known;
    if (is_new) {
      stop_if_interrupted();
      known = grade_exercise(context_, check, source->second, slot);
      stop_if_interrupted();  // an interrupted run has no verdict
      gradebook_.keep(fingerprint, *known);
    }
    display_.exercise_done(is_new);
    return *known;
  }

  const Context& context_;
  const Gradebook& gradebook_;
  std::uint64_t seed_;
  std::vector<SubmissionPath> submissions_;
  std::vector<StudentResult> results_;
  Display display_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<int> not_graded_ = 0;
};

void write_reports(const Request& request, const Results& results) {
  runner::write_file(request.report, json_text(results));
  if (!request.junit.empty()) runner::write_file(request.junit, junit_report(results));
  if (!request.html.empty()) runner::write_file(request.html, html_report(results));
  if (!request.csv.empty()) runner::write_file(request.csv, csv_report(results));
  if (!request.gradescope.empty()) write_gradescope(results, request.gradescope, request.visibility);
}

}  // namespace

void grade(const Request& request) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    action.sa_handler = [](int) {
      interrupted = 1;
      Sandbox::end_all();
    };
    sigaction(number, &action, nullptr);
  }
  for (const auto& path : {request.course, request.submissions, request.checks, request.report}) require_hidden(path);
  const Sandbox sandbox(request.bubblewrap);
  const TemporaryFolder temporary;
  Kit kit(request.course, request.build, temporary.folder() / "kit");
  if (!request.checks.empty()) take_own_checks(kit, request.checks, sandbox);
  Class students = find_submissions(request.submissions, kit.checks);
  for (const std::string& entry : students.left_out) fmt::print("Left out: {}.\n", entry);
  Gradebook book(request.report.string() + ".partial");
  const std::uint64_t seed = book.seed(request.seed);
  prepare_judges(kit, sandbox, seed, request.virtual_gpus);

  PrecompiledHeaders precompiled(kit, sandbox, temporary.folder() / "slots");
  const Context context{kit, sandbox, precompiled, temporary.folder() / "slots", request.virtual_gpus, request.limits};
  Grading grading(context, book, seed, std::move(students.submissions));
  Results results{kit.version, seed, request.virtual_gpus, sandbox.description(), request.checks.string()};
  results.left_out = students.left_out;
  results.students = grading.all(request.jobs);
  write_reports(request, results);
  if (grading.not_graded() > 0) {
    throw Stop(
        runner::failed,
        fmt::format("{} of {} submissions could not be graded; the report says why. Run the same command again to "
                    "grade them. The other results are kept.",
                    grading.not_graded(), results.students.size()));
  }
  book.close();
  fmt::print("{} submissions, {} exercises each; {}.\n", results.students.size(), kit.checks.size(),
             sandbox.description());
  const std::size_t known = grading.known();
  if (known > 0)
    fmt::print("{} from the interrupted grading.\n", known == 1 ? "1 result is" : fmt::format("{} results are", known));
  fmt::print("The report is in {}\n", request.report.string());
}

}  // namespace d2l::grading
