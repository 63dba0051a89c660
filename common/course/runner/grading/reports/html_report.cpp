// SPDX-License-Identifier: MIT
#include "grading/reports/html_report.h"

#include <fmt/format.h>

#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5c6168; --ground: #fff; --line: #d9dce0; --head: #f3f4f6;
  --pass: #17693a; --fail: #a3231f; --open: #7a5200; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --soft: #a4abb3; --ground: #16181b; --line: #363b41;
  --head: #202429; --pass: #6fd08c; --fail: #ff9a94; --open: #e8bd5b; } }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--ground); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1.05rem; margin: 1.5rem 0 .3rem; }
.soft { color: var(--soft); } .wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
thead th { background: var(--head); } td.points, th.points { text-align: right; white-space: nowrap; }
.pass { color: var(--pass); } .fail, .not_handed_in, .not_judged { color: var(--fail); } .not_verifiable { color: var(--open); }
td { overflow-wrap: anywhere; } a { color: inherit; }
pre { background: var(--head); padding: .7rem; overflow-x: auto; white-space: pre-wrap; font-size: .85rem; }
.why { white-space: pre-line; }
)";

std::string points_text(int got, int possible) { return fmt::format("{} / {}", got, possible); }
std::string points_text(const Points& points) { return points_text(points.got, points.possible); }

std::string class_table(const Results& results) {
  std::string text =
      "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Student</th><th scope=\"col\" "
      "class=\"points\">Points</th>";
  if (!results.students.empty()) {
    for (const auto& exercise : results.students.front().exercises)
      text += fmt::format("<th scope=\"col\" class=\"points\" title=\"{}\">{}</th>", escape_xml(exercise.title),
                          escape_xml(exercise.number));
  }
  text += "</tr></thead>\n<tbody>\n";
  std::size_t number = 0;
  for (const auto& student : results.students) {
    text += fmt::format("<tr><th scope=\"row\"><a href=\"#student{}\">{}</a></th><td class=\"points\">{}</td>",
                        ++number, escape_xml(student.student), points_text(student.points()));
    for (const auto& exercise : student.exercises)
      text +=
          fmt::format("<td class=\"points {}\">{}</td>", escape_xml(exercise.verdict), points_text(exercise.points()));
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string exercise_part(const ExerciseResult& exercise) {
  std::string text = fmt::format("<h3>{} {} <span class=\"{}\">{}, {} points</span></h3>\n",
                                 escape_xml(exercise.number), escape_xml(exercise.title), escape_xml(exercise.verdict),
                                 escape_xml(verdict_text(exercise.verdict)), points_text(exercise.points()));
  if (!exercise.reason.empty()) text += fmt::format("<p class=\"why fail\">{}</p>\n", escape_xml(exercise.reason));
  if (exercise.reason.empty()) {
    text +=
        "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">What must hold</th><th scope=\"col\">Verdict</th>"
        "<th scope=\"col\" class=\"points\">Points</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n";
    for (const auto& item : exercise.items) {
      text += fmt::format(
          "<tr><td>{} <span class=\"soft\">({}, {})</span></td><td class=\"{}\">{}</td>"
          "<td class=\"points\">{}</td><td class=\"why\">{}</td></tr>\n",
          escape_xml(item.what), escape_xml(item.name), escape_xml(item.kind), escape_xml(item.verdict),
          escape_xml(verdict_text(item.verdict)), points_text(item.points, item.possible),
          escape_xml(item.explanation()));
    }
    text += "</tbody></table></div>\n";
  }
  if (!exercise.output.empty())
    text += fmt::format("<details><summary>What it printed</summary><pre>{}</pre></details>\n",
                        escape_xml(exercise.output));
  return text;
}

std::string student_part(const StudentResult& student, std::size_t number) {
  std::string text = fmt::format("<section>\n<h2 id=\"student{}\">{} <span class=\"soft\">{} points</span></h2>\n",
                                 number, escape_xml(student.student), points_text(student.points()));
  if (student.points().unverified > 0)
    text += fmt::format("<p class=\"not_verifiable\">{} of these points cannot be verified on this hardware.</p>\n",
                        student.points().unverified);
  if (!student.problem.empty()) text += fmt::format("<p class=\"fail\">{}</p>\n", escape_xml(student.problem));
  for (const auto& note : student.notes) text += fmt::format("<p class=\"soft\">{}</p>\n", escape_xml(note));
  for (const auto& exercise : student.exercises) text += exercise_part(exercise);
  return text + "</section>\n";
}

}  // namespace

std::string html_report(const Results& results) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>Grades</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>Grades</h1>\n"
      "<p class=\"soft\">Course {}, seed {}, virtual GPUs {}, {} checks.<br>Isolation: {}.</p>\n",
      style, escape_xml(results.version), results.seed, escape_xml(results.virtual_gpus),
      results.checks.empty() ? "the course's" : escape_xml(results.checks), escape_xml(results.sandbox));
  for (const auto& entry : results.left_out)
    text += fmt::format("<p class=\"soft\">Left out: {}.</p>\n", escape_xml(entry));
  text += class_table(results);
  std::size_t number = 0;
  for (const auto& student : results.students) text += student_part(student, ++number);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace d2l::grading
