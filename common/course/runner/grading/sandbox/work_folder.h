// SPDX-License-Identifier: MIT
// The working folder of a task in the sandbox.
#pragma once

#include <filesystem>
#include <string>

#include "grading/sandbox/sandbox.h"

namespace d2l::grading {

/// A working folder of a slot: empty when made, removed with the object.
class WorkFolder {
 public:
  /// Makes the folder `place`/SLOT/work.
  WorkFolder(const Sandbox& sandbox, const std::filesystem::path& place, int slot);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  /// Runs a command in the folder, whose contents then belong to the slot's user.
  [[nodiscard]] Ending run(const std::vector<std::string>& command, const std::vector<std::string>& readable,
                           const Limits& limits, const std::map<std::string, std::string>& environment = {}) const;

 private:
  const Sandbox& sandbox_;
  std::filesystem::path folder_;
  int slot_;
};

}  // namespace d2l::grading
