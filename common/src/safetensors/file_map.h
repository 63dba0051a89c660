// SPDX-License-Identifier: MIT
// A file as memory to copy from, which may lose its pages at any time without harm to the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace d2l::detail::safetensors {

/// A read-only map of a whole file; its pages are read from the disk when they are first copied from.
class FileMap {
 public:
  /// Maps `size` bytes of the open file, where the file system can do that.
  FileMap(int file, std::int64_t size) noexcept;
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;

  /// Copies bytes out of the map; false when there is none, when the file has become too short for that, or when its
  /// disk fails: reading such a page is a SIGBUS, which is caught, and of no use is the map from then on.
  [[nodiscard]] bool copy(std::int64_t offset, void* memory, std::int64_t bytes) noexcept;

  /// For the handler of SIGBUS: puts zeros from the page of `address` on; false when the map does not have it.
  bool give_up(const void* address) noexcept;

 private:
  char* bytes_ = nullptr;
  std::size_t size_;
  std::atomic<bool> lost_{false};
};

}  // namespace d2l::detail::safetensors
