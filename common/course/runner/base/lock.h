// SPDX-License-Identifier: MIT
// Locks between processes.
#pragma once

#include <filesystem>
#include <functional>

namespace d2l::runner {

/// Locks a file for the lifetime of the object. Does nothing when the file cannot be written, or when `interrupted`
/// returns true before the lock is free.
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
