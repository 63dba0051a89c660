// SPDX-License-Identifier: MIT
// A file that is read at any place, and never trusted to stay as it was.
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
  /// Bytes, when it was opened.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  /// Reads the bytes from `offset` on into memory; ConfigurationError when the file has become too short for that.
  void read(std::int64_t offset, void* memory, std::int64_t bytes) const;
  /// The same through a map of the file: for much at once.
  void read_mapped(std::int64_t offset, void* memory, std::int64_t bytes) const;
  /// ConfigurationError when someone has written to the file since it was opened.
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
  mutable std::optional<FileMap> map_;  // gives itself up when the file loses bytes
};

}  // namespace d2l::detail::safetensors
