// SPDX-License-Identifier: MIT
// The results of a grading, the content of every report.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace d2l::grading {

/// One item of a check and its points.
struct ItemResult {
  std::string name;
  std::string kind;  ///< "result", "placement", "cost" or "timing"
  std::string what;
  std::string verdict;  ///< "pass", "fail" or "not_verifiable"
  int points = 0;
  int possible = 0;
  std::string expected;
  std::string found;
  std::string where;
  std::string needs;
  int hint = 0;

  /// Why the item has no points: what was expected, found and where, or what hardware it needs; empty for a pass.
  [[nodiscard]] std::string explanation() const;
};

/// Sums over items.
struct Points {
  int got = 0;
  int possible = 0;
  int unverified = 0;  ///< possible points of items that this hardware cannot verify
};

/// One exercise of one student.
struct ExerciseResult {
  std::string exercise;  ///< "1_gpus/3_frobenius_log"
  std::string number;    ///< "1.5.3"
  std::string title;
  std::string verdict;  ///< "pass", "fail", "not_verifiable", "not_handed_in", or "not_judged": a bug in the check
  std::string reason;   ///< why it was not judged: "does not compile: …"; empty otherwise
  std::string output;   ///< the beginning of what the compiler or the program printed
  double seconds = 0;
  std::vector<ItemResult> items;

  [[nodiscard]] Points points() const;
};

/// The results of one student.
struct StudentResult {
  std::string student;
  std::string file;                ///< the name of the student's own file in a report with several
  std::string problem;             ///< why the submission cannot be read; empty otherwise
  std::vector<std::string> notes;  ///< files that belong to no exercise, a manifest that does not match
  std::vector<ExerciseResult> exercises;

  [[nodiscard]] Points points() const;
  /// Why the student has no points: the problem, or each reason with the numbers of its exercises; at most six lines.
  [[nodiscard]] std::vector<std::string> reasons() const;
};

/// The results of all students.
struct Results {
  std::string version;
  std::uint64_t seed = 0;
  std::string virtual_gpus;
  std::string sandbox;
  std::string checks;                   ///< the folder of the instructor's own checks; empty for the course's
  std::vector<std::string> left_out{};  ///< entries of the class's folder that are no submissions
  std::vector<StudentResult> students{};
};

/// A verdict in words: "pass", "not verifiable".
std::string verdict_text(std::string verdict);
/// A JSON file; bytes that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json);

void to_json(nlohmann::ordered_json& json, const ItemResult& item);
void from_json(const nlohmann::ordered_json& json, ItemResult& item);
void to_json(nlohmann::ordered_json& json, const ExerciseResult& exercise);
void from_json(const nlohmann::ordered_json& json, ExerciseResult& exercise);
void to_json(nlohmann::ordered_json& json, const StudentResult& student);
void to_json(nlohmann::ordered_json& json, const Results& results);

}  // namespace d2l::grading
