// SPDX-License-Identifier: MIT
#include "grading/reports/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

using Json = nlohmann::ordered_json;

template <class Item, class Use>
void each_field(Item& item, const Use& use) {
  use("name", item.name);
  use("kind", item.kind);
  use("what", item.what);
  use("verdict", item.verdict);
  use("points", item.points);
  use("possible", item.possible);
  use("expected", item.expected);
  use("found", item.found);
  use("where", item.where);
  use("needs", item.needs);
  use("hint", item.hint);
}

}  // namespace

Points ExerciseResult::points() const {
  Points sum;
  for (const ItemResult& item : items) {
    sum.got += item.points;
    sum.possible += item.possible;
    if (item.verdict == "not_verifiable") sum.unverified += item.possible;
  }
  return sum;
}

Points StudentResult::points() const {
  Points sum;
  for (const ExerciseResult& exercise : exercises) {
    const auto [got, possible, unverified] = exercise.points();
    sum = {sum.got + got, sum.possible + possible, sum.unverified + unverified};
  }
  return sum;
}

std::vector<std::string> StudentResult::reasons() const {
  constexpr std::size_t most = 6;
  if (!problem.empty()) return {problem};
  std::vector<std::pair<std::string, std::string>> found;  // reasons and numbers
  for (const ExerciseResult& exercise : exercises) {
    const auto failed = std::find_if(exercise.items.begin(), exercise.items.end(),
                                     [](const ItemResult& item) { return item.verdict != "pass"; });
    if (failed == exercise.items.end()) continue;
    const std::string reason =
        one_line(runner::replaced(exercise.reason.empty() ? failed->explanation() : exercise.reason, "\n", "; "), 300);
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.first == reason; });
    if (same != found.end())
      same->second += ", " + exercise.number;
    else
      found.emplace_back(reason, exercise.number);
  }
  std::vector<std::string> lines = notes;
  for (const auto& [reason, numbers] : found) lines.push_back(numbers + ": " + reason);
  if (lines.size() > most) {
    const std::size_t more = lines.size() - most + 1;
    lines.resize(most - 1);
    lines.push_back(fmt::format("and {} more reasons, in the report", more));
  }
  return lines;
}

std::string verdict_text(std::string verdict) {
  std::replace(verdict.begin(), verdict.end(), '_', ' ');
  return verdict;
}

std::string ItemResult::explanation() const {
  if (verdict == "pass") return {};
  if (verdict == "not_verifiable") return "not verifiable on this hardware; it needs " + needs;
  std::string text = (expected.empty() ? "" : "expected: " + expected + "\n") + "found: " + found;
  if (!where.empty()) text += "\nwhere: " + where;
  return text;
}

std::string json_text(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

void to_json(Json& json, const ItemResult& item) {
  each_field(item, [&](const char* name, const auto& value) { json[name] = value; });
}

void from_json(const Json& json, ItemResult& item) {
  each_field(item, [&](const char* name, auto& value) { json.at(name).get_to(value); });
}

void to_json(Json& json, const ExerciseResult& exercise) {
  json = {{"exercise", exercise.exercise},
          {"number", exercise.number},
          {"title", exercise.title},
          {"verdict", exercise.verdict},
          {"points", exercise.points().got},
          {"possible", exercise.points().possible},
          {"not_verifiable", exercise.points().unverified},
          {"reason", exercise.reason},
          {"seconds", exercise.seconds},
          {"items", exercise.items},
          {"output", exercise.output}};
}

void from_json(const Json& json, ExerciseResult& exercise) {
  json.at("exercise").get_to(exercise.exercise);
  json.at("number").get_to(exercise.number);
  json.at("title").get_to(exercise.title);
  json.at("verdict").get_to(exercise.verdict);
  json.at("reason").get_to(exercise.reason);
  json.at("seconds").get_to(exercise.seconds);
  json.at("items").get_to(exercise.items);
  json.at("output").get_to(exercise.output);
}

void to_json(Json& json, const StudentResult& student) {
  json = {{"student", student.student},
          {"file", student.file},
          {"points", student.points().got},
          {"possible", student.points().possible},
          {"not_verifiable", student.points().unverified},
          {"problem", student.problem},
          {"notes", student.notes},
          {"exercises", student.exercises}};
}

void to_json(Json& json, const Results& results) {
  json = {{"format", 1},
          {"course", results.version},
          {"seed", results.seed},
          {"virtual_gpus", results.virtual_gpus},
          {"checks", results.checks.empty() ? "the course's" : results.checks},
          {"sandbox", results.sandbox},
          {"left_out", results.left_out},
          {"students", results.students}};
}

}  // namespace d2l::grading
