// SPDX-License-Identifier: MIT
// Keeps results on the disk, so that an interrupted grading can continue.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "grading/reports/results.h"

namespace d2l::grading {

/// A folder with one file for each graded exercise. Thread-safe.
class Gradebook {
 public:
  explicit Gradebook(std::filesystem::path folder);

  /// `wanted`, or the seed of the interrupted grading, or a new one.
  std::uint64_t seed(std::optional<std::uint64_t> wanted);
  /// The result kept under the fingerprint of everything that it depends on.
  [[nodiscard]] std::optional<ExerciseResult> find(const std::string& fingerprint) const;
  void keep(const std::string& fingerprint, const ExerciseResult& result) const;
  /// Removes the folder, once the report has been written.
  void close() noexcept;

 private:
  std::filesystem::path folder_;
};

}  // namespace d2l::grading
