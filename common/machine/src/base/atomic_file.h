// SPDX-License-Identifier: MIT
// AtomicFile: writes a temporary file beside the target and renames it, so that a file is never incomplete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/non_copyable.h"

namespace d2l::detail {

/// Creates or replaces a file. An existing file is unchanged until commit() returns, and keeps its permissions; a
/// symbolic link is kept and its target is replaced. Errors are ConfigurationErrors, after which the temporary file is
/// deleted.
class AtomicFile : NonCopyable {
 public:
  /// Creates the temporary file in the folder of `path`; errors name `operation`. It has no name before commit(), or,
  /// where the file system needs one, the name `.d2l-save-….part`. Deletes temporary files of killed writers from the
  /// folder.
  AtomicFile(const char* operation, std::string path);
  /// Deletes the temporary file, unless it was committed.
  ~AtomicFile();

  /// Appends bytes; long runs of zeros become holes, which take no disk space.
  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Flushes the file to the disk and renames it to the target.
  void commit();

 private:
  void find_target();
  void make_temporary();
  template <class Make>
  void name_temporary(const Make& make);
  void move_into_place();
  [[noreturn]] void fail_with(int reason);
  [[nodiscard]] std::string folder() const;

  const char* operation_;
  std::string path_;    // as the caller gave it
  std::string target_;  // with symbolic links resolved
  std::string temporary_;
  int file_ = -1;
  bool replaces_ = false;
  unsigned mode_ = 0;  // permissions of the replaced file
  unsigned owner_ = 0;
  unsigned group_ = 0;
  std::int64_t written_ = 0;
};

/// Writes `text` to a file atomically; ConfigurationError, with `operation`, path and reason, if that fails.
void write_file(const char* operation, const std::string& path, std::string_view text);

}  // namespace d2l::detail
