// SPDX-License-Identifier: MIT
// The folder that one task after another of a slot has to itself.
#pragma once

#include <filesystem>
#include <string>

#include "sandbox.h"

namespace d2l::grading {

/// A working folder of a slot, empty when it is made and gone with the object.
class Workplace {
 public:
  /// Makes the folder work below `place`/SLOT.
  Workplace(const Sandbox& sandbox, const std::filesystem::path& place, int slot);
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  /// Runs a command here; the folder, with all that was put into it, is the slot's user's from then on.
  [[nodiscard]] Ending run(const std::vector<std::string>& command, const std::vector<std::filesystem::path>& readable,
                           const Limits& limits, const std::map<std::string, std::string>& environment = {}) const;

 private:
  const Sandbox& sandbox_;
  std::filesystem::path folder_;
  int slot_;
};

/// The limits of compiling one submission, and of our own programs.
Limits compiling_limits();

}  // namespace d2l::grading
