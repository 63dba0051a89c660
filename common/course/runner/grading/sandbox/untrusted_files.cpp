// SPDX-License-Identifier: MIT
#include "grading/sandbox/untrusted_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace d2l::grading {

namespace fs = std::filesystem;

std::optional<std::string> read_regular_file(const fs::path& file, std::uint64_t most) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return std::nullopt;
  std::optional<std::string> bytes;
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<std::uint64_t>(status.st_size) <= most) {
    bytes = std::string(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t length = 0;
    for (ssize_t got = 0; length < bytes->size(); length += static_cast<std::size_t>(got)) {
      got = read(descriptor, bytes->data() + length, bytes->size() - length);
      if (got <= 0) break;
    }
    bytes->resize(length);
  }
  close(descriptor);
  return bytes;
}

std::vector<fs::path> regular_files(const fs::path& folder, std::size_t most) {
  std::vector<fs::path> files;
  std::error_code problem;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, problem), end;
       !problem && entry != end && ++seen <= most; entry.increment(problem)) {
    if (entry.depth() > 8) entry.disable_recursion_pending();
    std::error_code ignored;
    if (fs::is_regular_file(entry->symlink_status(ignored))) files.push_back(entry->path().lexically_relative(folder));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace d2l::grading
