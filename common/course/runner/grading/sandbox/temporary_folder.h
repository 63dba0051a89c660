// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace d2l::grading {

/// A new temporary folder, removed with the object. Other users may enter but not list it if root made it; otherwise
/// they have no access.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Lets all users read a file, or a folder and its contents, and execute what the owner may execute.
void make_readable(const std::filesystem::path& folder);

}  // namespace d2l::grading
