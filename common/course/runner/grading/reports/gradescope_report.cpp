// SPDX-License-Identifier: MIT
#include "grading/reports/gradescope_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string gradescope_report(const Results& results, const StudentResult& student, const std::string& visibility) {
  const std::string printed = results.checks.empty() ? visibility : "hidden";
  Json tests = Json::array();
  for (const auto& exercise : student.exercises) {
    for (const auto& item : exercise.items) {
      tests.push_back({{"score", item.points},
                       {"max_score", item.possible},
                       {"status", item.verdict == "pass" ? "passed" : "failed"},
                       {"number", exercise.number},
                       {"name", fmt::format("{} {}: {}", exercise.number, exercise.title, item.what)},
                       {"output", printable(item.explanation())},
                       {"visibility", visibility}});
    }
    if (!exercise.output.empty()) {
      tests.push_back({{"name", fmt::format("{} {}: what it printed", exercise.number, exercise.title)},
                       {"number", exercise.number},
                       {"output", printable(exercise.output)},
                       {"visibility", printed}});
    }
  }
  tests.push_back({{"name", "How it was graded"},
                   {"output", fmt::format("{}, seed {}, virtual GPUs {}, {}", student.student, results.seed,
                                          results.virtual_gpus, results.sandbox)},
                   {"visibility", "hidden"}});
  std::string output = student.problem;
  for (const auto& note : student.notes) output += (output.empty() ? "" : "\n") + note;
  return json_text({{"score", student.points().got},
                    {"output", printable(output)},
                    {"visibility", "visible"},
                    {"stdout_visibility", "hidden"},
                    {"tests", tests}});
}

}  // namespace

void write_gradescope(const Results& results, const fs::path& path, const std::string& visibility) {
  if (results.students.size() == 1)
    return runner::write_file(path, gradescope_report(results, results.students.front(), visibility));
  fs::create_directories(path);
  for (const auto& student : results.students)
    runner::write_file(path / (student.file + ".json"), gradescope_report(results, student, visibility));
}

}  // namespace d2l::grading
