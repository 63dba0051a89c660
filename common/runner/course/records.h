// SPDX-License-Identifier: MIT
// What a student has done, kept in .learn/progress.json of the checkout.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace d2l::runner {

/// What is known of one exercise.
struct Record {
  std::string verdict;  ///< of the last check: "pass", "fail", "not_verifiable"; empty before the first
  bool passed = false;  ///< whether any check was passed
  int points = 0;
  int possible = 0;
  int checks = 0;  ///< how often it was checked
  int hints = 0;   ///< how many hints were read

  /// There is nothing left to do here.
  [[nodiscard]] bool done() const { return verdict == "pass" || verdict == "not_verifiable"; }
};

/// What is known of all, by Exercise::key().
struct Records {
  std::string last;  ///< the exercise that was checked last
  std::map<std::string, Record> exercises;

  /// What is known of an exercise; an empty record when nothing is.
  [[nodiscard]] Record of(const std::string& key) const;
};

/// Reads what is known. A file that is not what it should be is set aside, with a message on the standard error.
Records read_records(const std::filesystem::path& root);
/// Changes what is known: under a lock, so that no change of another process is lost, and whole or not at all. Says on
/// the standard error when nothing can be kept.
Records change_records(const std::filesystem::path& root, const std::function<void(Records&)>& change);

}  // namespace d2l::runner
