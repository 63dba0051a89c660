// SPDX-License-Identifier: MIT
// A memory-mapped file to copy from; the process survives when another process truncates the file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace d2l::detail::safetensors {

/// A read-only map of a whole file; a page is read from disk when it is first copied.
class FileMap {
 public:
  /// Maps `size` bytes of the open file where the file system supports it.
  FileMap(int file, std::int64_t size) noexcept;
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;

  /// Copies bytes out of the map. False when there is no map, when the file has become too short, or when the disk
  /// fails: the SIGBUS of such a page is caught, and every later copy returns false.
  [[nodiscard]] bool copy(std::int64_t offset, void* memory, std::int64_t bytes) noexcept;

  /// For the SIGBUS handler: maps zeros from the page of `address` to the end; false when `address` is not in the map.
  bool map_zeros(const void* address) noexcept;

 private:
  char* bytes_ = nullptr;
  std::size_t size_;
  std::atomic<bool> lost_{false};
};

}  // namespace d2l::detail::safetensors
