// SPDX-License-Identifier: MIT
// What came of a grading: every report says this and nothing else.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace d2l::grading {

/// One item of a check, and what it brought.
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
};

/// One exercise of one student.
struct ExerciseResult {
  std::string exercise;  ///< "1_gpus/3_frobenius_log"
  std::string number;    ///< "1.5.3"
  std::string title;
  std::string verdict;  ///< "pass", "fail", "not_verifiable", "not_handed_in", or "not_judged" when the check broke
  std::string reason;   ///< why nothing was judged: "does not compile: …"; empty when all items were
  std::string output;   ///< what the compiler or the program printed, the beginning
  double seconds = 0;
  std::vector<ItemResult> items;

  [[nodiscard]] int points() const;
  [[nodiscard]] int possible() const;
  /// Points of items that this hardware could not verify.
  [[nodiscard]] int unverified() const;
};

/// All of one student.
struct StudentResult {
  std::string student;
  std::string problem;             ///< why the submission could not be read; empty when it could
  std::vector<std::string> notes;  ///< files that belong to no exercise, a manifest that does not fit
  std::vector<ExerciseResult> exercises;

  [[nodiscard]] int points() const;
  [[nodiscard]] int possible() const;
  [[nodiscard]] int unverified() const;
};

/// All students.
struct Results {
  std::string version;
  std::uint64_t seed = 0;
  std::string virtual_gpus;
  std::string sandbox;
  std::string checks;  ///< the folder of the instructor's own; empty for the course's
  std::vector<StudentResult> students;
};

void to_json(nlohmann::ordered_json& json, const ItemResult& item);
void from_json(const nlohmann::ordered_json& json, ItemResult& item);
void to_json(nlohmann::ordered_json& json, const ExerciseResult& exercise);
void from_json(const nlohmann::ordered_json& json, ExerciseResult& exercise);
void to_json(nlohmann::ordered_json& json, const StudentResult& student);
void to_json(nlohmann::ordered_json& json, const Results& results);

}  // namespace d2l::grading
