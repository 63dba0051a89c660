// SPDX-License-Identifier: MIT
// The results that are already there, on the disk, so that an interrupted grading goes on where it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "results.h"

namespace d2l::grading {

/// A folder with a file for each exercise that has been graded. Several threads may use it at once.
class Gradebook {
 public:
  explicit Gradebook(std::filesystem::path folder);

  /// The seed that this grading began with, `wanted` or else a fresh one when it begins now.
  std::uint64_t seed(std::optional<std::uint64_t> wanted);
  /// The result that was kept under the fingerprint of everything it depends on.
  [[nodiscard]] std::optional<ExerciseResult> find(const std::string& fingerprint) const;
  void keep(const std::string& fingerprint, const ExerciseResult& result) const;
  /// Removes the folder: the report has been written.
  void close() noexcept;

 private:
  std::filesystem::path folder_;
};

}  // namespace d2l::grading
