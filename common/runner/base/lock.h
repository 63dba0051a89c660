// SPDX-License-Identifier: MIT
// Locks between processes.
#pragma once

#include <filesystem>
#include <functional>

namespace d2l::runner {

/// Holds the lock of a file while it lives. Holds none where the file cannot be written, or when `interrupted` says
/// true before the lock is free.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file, const std::function<bool()>& interrupted = {});
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace d2l::runner
