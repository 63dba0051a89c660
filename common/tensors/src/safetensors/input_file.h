// SPDX-License-Identifier: MIT
// A file read at any offset; other programs may change it meanwhile.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "safetensors/file_map.h"

namespace d2l::detail::safetensors {

/// An open file.
class InputFile {
 public:
  /// ConfigurationError when it cannot be opened; errors name `operation`.
  InputFile(const std::string& path, const char* operation);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const char* operation() const noexcept { return operation_; }
  /// The size in bytes when the file was opened.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  /// Reads the bytes from `offset` on into memory; ConfigurationError when the file has become too short.
  void read(std::int64_t offset, void* memory, std::int64_t bytes) const;
  /// The same through a memory map, for large reads.
  void read_mapped(std::int64_t offset, void* memory, std::int64_t bytes) const;
  /// ConfigurationError when another program has written to the file since it was opened.
  void check_unchanged() const;
  /// ConfigurationError: the file is malformed.
  [[noreturn]] void refuse(std::string_view what, std::string_view fix = "fetch it again, or save it anew") const;

 private:
  [[noreturn]] void fail_to_open(int reason) const;
  [[noreturn]] void fail_changed(std::string_view what) const;

  std::string path_;
  const char* operation_;
  int file_ = -1;
  std::int64_t size_ = 0;
  std::timespec written_{};
  mutable std::optional<FileMap> map_;  // fails for good once the file has lost bytes
};

}  // namespace d2l::detail::safetensors
