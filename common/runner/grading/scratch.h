// SPDX-License-Identifier: MIT
// A folder for the time of one object.
#pragma once

#include <filesystem>

namespace d2l::grading {

/// A new folder below the system's for temporary files, gone with the object. When root makes it, others may enter it
/// and not list it; else nobody may.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Lets everybody read a file or what is in a folder, and run what its owner may run.
void make_readable(const std::filesystem::path& folder);

/// Removes a folder and all below it, whatever its rights are.
void remove_folder(const std::filesystem::path& folder) noexcept;

}  // namespace d2l::grading
