// SPDX-License-Identifier: MIT
// A file that appears whole or not at all, however the program ends: written beside its place, then moved into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace d2l::detail {

/// Replaces a file, or makes a new one. Until commit() returns, the file that was there is untouched; errors are
/// ConfigurationErrors, after which the temporary file is gone. The permissions of the old file are kept; a symbolic
/// link stays, and what it points to is replaced.
class AtomicFile {
 public:
  /// Makes the temporary file `.d2l-save-….part` in the folder of `path`; errors name `operation`. Temporary files of
  /// writers that were killed are removed from the folder.
  AtomicFile(const char* operation, std::string path);
  /// Removes the temporary file, unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends bytes; long runs of zeros become holes, which take no room on the disk.
  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Flushes it to the disk and moves it into its place.
  void commit();

 private:
  void find_target();
  void make_temporary();
  void move_into_place();
  [[noreturn]] void fail_with(int reason);
  [[nodiscard]] std::string folder() const;

  const char* operation_;
  std::string path_;    // as the user wrote it
  std::string target_;  // behind symbolic links
  std::string temporary_;
  int file_ = -1;
  bool replaces_ = false;
  unsigned mode_ = 0;  // of the file that it replaces, and its owner
  unsigned owner_ = 0;
  unsigned group_ = 0;
  std::int64_t written_ = 0;
};

/// Writes `text` to a file atomically; ConfigurationError, with `operation`, path and reason, if that fails.
void write_file(const char* operation, const std::string& path, std::string_view text);

}  // namespace d2l::detail
