// SPDX-License-Identifier: MIT
#include "grading/reports/csv_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "base/text.h"
#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

/// Whether a spreadsheet would read `text` as a formula; some skip spaces, and know the wide signs = + - @.
bool is_formula(std::string_view text) {
  const auto skip = [&](std::string_view start) {
    const bool found = text.starts_with(start);
    if (found) text.remove_prefix(start.size());
    return found;
  };
  while (skip(" ") || skip("\t") || skip("\n") || skip("\u00a0") || skip("\u3000")) {
  }
  return skip("=") || skip("+") || skip("-") || skip("@") || skip("＝") || skip("＋") || skip("－") || skip("＠");
}

std::string field(const std::string& text) {
  std::string clean = printable(text);
  if (is_formula(clean)) clean.insert(0, "'");
  // Some spreadsheets also separate at semicolons and tabs.
  if (clean.find_first_of("\",;\t\r\n") == std::string::npos) return clean;
  return "\"" + runner::replaced(clean, "\"", "\"\"") + "\"";
}

}  // namespace

std::string csv_report(const Results& results) {
  std::string text = "student,exercise,title,item,kind,verdict,points,possible,explanation,notes\r\n";
  for (const auto& student : results.students) {
    std::string notes = fmt::format("{}", fmt::join(student.notes, "\n"));
    for (const auto& exercise : student.exercises) {
      for (const auto& item : exercise.items) {
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", field(student.student), field(exercise.exercise),
                            field(exercise.title), field(item.name), item.kind, item.verdict, item.points,
                            item.possible, field(item.explanation()), field(std::exchange(notes, "")));
      }
    }
  }
  return text;
}

}  // namespace d2l::grading
