// SPDX-License-Identifier: MIT
#include "grading/reports/csv_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

std::string field(const std::string& text) {
  std::string clean = printable(text);
  if (!clean.empty() && std::string("=+-@\t\r\n").find(clean.front()) != std::string::npos) clean.insert(0, "'");
  if (clean.find_first_of("\",\r\n") == std::string::npos) return clean;
  return "\"" + runner::replaced(clean, "\"", "\"\"") + "\"";
}

}  // namespace

std::string csv_report(const Results& results) {
  std::string text = "student,exercise,title,item,kind,verdict,points,possible,explanation\r\n";
  for (const auto& student : results.students) {
    for (const auto& exercise : student.exercises) {
      for (const auto& item : exercise.items) {
        text += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", field(student.student), field(exercise.exercise),
                            field(exercise.title), field(item.name), item.kind, item.verdict, item.points,
                            item.possible, field(item.explanation()));
      }
    }
  }
  return text;
}

}  // namespace d2l::grading
