// SPDX-License-Identifier: MIT
#include "grading/reports/junit_report.h"

#include <fmt/format.h>

#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

std::string case_of(const std::string& class_name, const ExerciseResult& exercise, const ItemResult& item) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">\n", escape_xml(class_name),
                                 escape_xml(item.name));
  text += fmt::format(
      "      <properties>\n        <property name=\"points\" value=\"{}\"/>\n"
      "        <property name=\"possible\" value=\"{}\"/>\n      </properties>\n",
      item.points, item.possible);
  if (exercise.verdict == "not_handed_in")
    text += fmt::format("      <skipped message=\"not submitted: {}\"/>\n", escape_xml(exercise.reason));
  else if (item.verdict == "not_verifiable")
    text += fmt::format("      <skipped message=\"{}\"/>\n", escape_xml(item.explanation()));
  else if (exercise.verdict == "not_judged")
    text += fmt::format("      <error message=\"{}\"/>\n", escape_xml(exercise.reason));
  else if (item.verdict != "pass")
    text += fmt::format("      <failure message=\"{}\">{}</failure>\n", escape_xml(item.what),
                        escape_xml(item.explanation()));
  return text + "    </testcase>\n";
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(const ExerciseResult& exercise) {
    for (const auto& item : exercise.items) {
      ++tests;
      if (item.verdict == "pass") continue;
      const bool skips = item.verdict == "not_verifiable" || exercise.verdict == "not_handed_in";
      ++(skips ? skipped : exercise.verdict == "not_judged" ? errors : failures);
    }
  }
  [[nodiscard]] std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests, failures, errors, skipped);
  }
};

}  // namespace

std::string junit_report(const Results& results) {
  Counts all;
  std::string suites;
  for (const auto& student : results.students) {
    std::string notes;
    for (const auto& note : student.notes)
      notes += fmt::format("      <property name=\"note\" value=\"{}\"/>\n", escape_xml(note));
    if (!notes.empty()) notes = "    <properties>\n" + notes + "    </properties>\n";
    for (const auto& exercise : student.exercises) {
      const std::string name = student.student + "." + exercise.exercise;
      Counts counts;
      counts.add(exercise);
      all.add(exercise);
      suites += fmt::format("  <testsuite name=\"{}\" {} time=\"{:.3f}\">\n", escape_xml(name), counts.attributes(),
                            exercise.seconds);
      suites += notes;
      for (const auto& item : exercise.items) suites += case_of(name, exercise, item);
      if (!exercise.output.empty())
        suites += fmt::format("    <system-out>{}</system-out>\n", escape_xml(exercise.output));
      suites += "  </testsuite>\n";
    }
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"d2l\" {}>\n{}</testsuites>\n",
                     all.attributes(), suites);
}

}  // namespace d2l::grading
