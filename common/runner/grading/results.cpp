// SPDX-License-Identifier: MIT
// Sums, and the results as JSON.
#include "results.h"

#include <nlohmann/json.hpp>

namespace d2l::grading {
namespace {

using Json = nlohmann::ordered_json;

template <class Parts, class Count>
int sum(const Parts& parts, const Count& count) {
  int total = 0;
  for (const auto& part : parts) total += count(part);
  return total;
}

}  // namespace

int ExerciseResult::points() const {
  return sum(items, [](const ItemResult& item) { return item.points; });
}
int ExerciseResult::possible() const {
  return sum(items, [](const ItemResult& item) { return item.possible; });
}
int ExerciseResult::unverified() const {
  return sum(items, [](const ItemResult& item) { return item.verdict == "not_verifiable" ? item.possible : 0; });
}
int StudentResult::points() const {
  return sum(exercises, [](const ExerciseResult& exercise) { return exercise.points(); });
}
int StudentResult::possible() const {
  return sum(exercises, [](const ExerciseResult& exercise) { return exercise.possible(); });
}
int StudentResult::unverified() const {
  return sum(exercises, [](const ExerciseResult& exercise) { return exercise.unverified(); });
}

void to_json(Json& json, const ItemResult& item) {
  json = {{"name", item.name},     {"kind", item.kind},         {"what", item.what},         {"verdict", item.verdict},
          {"points", item.points}, {"possible", item.possible}, {"expected", item.expected}, {"found", item.found},
          {"where", item.where},   {"needs", item.needs},       {"hint", item.hint}};
}

void from_json(const Json& json, ItemResult& item) {
  json.at("name").get_to(item.name);
  json.at("kind").get_to(item.kind);
  json.at("what").get_to(item.what);
  json.at("verdict").get_to(item.verdict);
  json.at("points").get_to(item.points);
  json.at("possible").get_to(item.possible);
  json.at("expected").get_to(item.expected);
  json.at("found").get_to(item.found);
  json.at("where").get_to(item.where);
  json.at("needs").get_to(item.needs);
  json.at("hint").get_to(item.hint);
}

void to_json(Json& json, const ExerciseResult& exercise) {
  json = {{"exercise", exercise.exercise},
          {"number", exercise.number},
          {"title", exercise.title},
          {"verdict", exercise.verdict},
          {"points", exercise.points()},
          {"possible", exercise.possible()},
          {"not_verifiable", exercise.unverified()},
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
  json = {{"student", student.student},     {"points", student.points()},
          {"possible", student.possible()}, {"not_verifiable", student.unverified()},
          {"problem", student.problem},     {"notes", student.notes},
          {"exercises", student.exercises}};
}

void to_json(Json& json, const Results& results) {
  json = {{"format", 1},
          {"course", results.version},
          {"seed", results.seed},
          {"virtual_gpus", results.virtual_gpus},
          {"checks", results.checks.empty() ? "the course's" : results.checks},
          {"sandbox", results.sandbox},
          {"students", results.students}};
}

}  // namespace d2l::grading
