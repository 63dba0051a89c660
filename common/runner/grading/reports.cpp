// SPDX-License-Identifier: MIT
// JSON, CSV and Gradescope's file, and what they share with the pages.
#include "reports.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "plain_files.h"
#include "text.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string field(const std::string& text) {
  std::string clean = shown(text);
  if (!clean.empty() && std::string("=+-@\t\r\n").find(clean.front()) != std::string::npos) clean.insert(0, "'");
  if (clean.find_first_of("\",\r\n") == std::string::npos) return clean;
  std::string quoted = "\"";
  for (const char character : clean) quoted += character == '"' ? "\"\"" : std::string(1, character);
  return quoted + "\"";
}

/// A file's name of a student's: letters, digits and a few marks, and nothing that leads elsewhere.
std::string file_name(const std::string& student, std::size_t number) {
  std::string name;
  for (const char character : student) {
    const bool plain = (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
                       (character >= 'A' && character <= 'Z') || character == '-' || character == '_';
    name += plain ? character : '_';
  }
  return name == student ? name : fmt::format("{}_{}", name.substr(0, 100), number);
}

}  // namespace

std::string verdict_words(const std::string& verdict) {
  std::string words = verdict;
  for (char& character : words) {
    if (character == '_') character = ' ';
  }
  return words;
}

std::string explanation(const ItemResult& item) {
  if (item.verdict == "pass") return {};
  if (item.verdict == "not_verifiable") return "not verifiable on this hardware; it needs " + item.needs;
  std::string text = fmt::format("expected: {}\nfound: {}", item.expected, item.found);
  if (!item.where.empty()) text += "\nwhere: " + item.where;
  return text;
}

std::string json_report(const Results& results) { return dumped(results); }

std::string csv_report(const Results& results) {
  std::string text = "student,exercise,title,item,kind,verdict,points,possible,explanation\r\n";
  for (const auto& student : results.students) {
    for (const auto& exercise : student.exercises) {
      for (const auto& item : exercise.items) {
        text += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", field(student.student), field(exercise.exercise),
                            field(exercise.title), field(item.name), item.kind, item.verdict, item.points,
                            item.possible, field(explanation(item)));
      }
    }
  }
  return text;
}

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
                       {"output", shown(explanation(item))},
                       {"visibility", visibility}});
    }
    if (!exercise.output.empty()) {
      tests.push_back({{"name", fmt::format("{} {}: what it printed", exercise.number, exercise.title)},
                       {"number", exercise.number},
                       {"output", shown(exercise.output)},
                       {"visibility", printed}});
    }
  }
  tests.push_back(
      {{"name", "How it was graded"},
       {"output", fmt::format("seed {}, virtual GPUs {}, {}", results.seed, results.virtual_gpus, results.sandbox)},
       {"visibility", "hidden"}});
  std::string output = student.problem;
  for (const auto& note : student.notes) output += (output.empty() ? "" : "\n") + note;
  return dumped({{"score", student.points()},
                 {"output", shown(output)},
                 {"visibility", "visible"},
                 {"stdout_visibility", "hidden"},
                 {"tests", tests}});
}

void write_gradescope(const Results& results, const fs::path& path, const std::string& visibility) {
  if (results.students.size() == 1)
    return runner::write_file(path, gradescope_report(results, results.students.front(), visibility));
  fs::create_directories(path);
  std::size_t number = 0;
  for (const auto& student : results.students)
    runner::write_file(path / (file_name(student.student, ++number) + ".json"),
                       gradescope_report(results, student, visibility));
}

}  // namespace d2l::grading
