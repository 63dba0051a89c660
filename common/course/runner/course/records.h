// SPDX-License-Identifier: MIT
// The student's progress, stored in .learn/progress.json of the checkout.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace d2l::runner {

/// The progress of one exercise.
struct Record {
  std::string verdict;  ///< of the last check: "pass", "fail", "not_verifiable"; empty before the first
  bool passed = false;  ///< whether any check was passed
  int points = 0;
  int possible = 0;
  int checks = 0;  ///< number of checks
  int hints = 0;   ///< number of hints read

  /// What counts: "pass" once a check was passed, also when a later one was not; else the verdict of the last check.
  [[nodiscard]] std::string standing() const { return passed ? "pass" : verdict; }
  /// True when there is nothing left to do on this machine.
  [[nodiscard]] bool done() const { return standing() == "pass" || standing() == "not_verifiable"; }
};

/// The progress of all exercises, by Exercise::key().
struct Records {
  std::string last;  ///< the exercise that was checked last
  std::map<std::string, Record> exercises;

  /// The record of an exercise; an empty one if there is none.
  [[nodiscard]] Record of(const std::string& key) const;
};

/// Reads the records. A malformed file is renamed, with a message on the standard error.
Records read_records(const std::filesystem::path& root);
/// Changes the records atomically under a lock, so that processes do not lose each other's changes. Prints a message on
/// the standard error when they cannot be written.
Records change_records(const std::filesystem::path& root, const std::function<void(Records&)>& change);

}  // namespace d2l::runner
