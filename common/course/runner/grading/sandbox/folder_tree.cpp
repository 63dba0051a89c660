// SPDX-License-Identifier: MIT
#include "grading/sandbox/folder_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace d2l::grading {
namespace {

/// An open folder, whose owner may read and change it; not a link.
class Folder {
 public:
  Folder(int parent, const char* name) {
    const int place = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0) return;
    // The same inode, whatever its name leads to by now.
    const std::string same = "/proc/self/fd/" + std::to_string(place);
    struct stat status {};
    if (fstat(place, &status) == 0 && (status.st_mode & S_IRWXU) != S_IRWXU) chmod(same.c_str(), S_IRWXU);
    const int file = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(place);
    if (file >= 0) entries_ = fdopendir(file);
  }
  ~Folder() {
    if (entries_ != nullptr) closedir(entries_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(Folder&& other) noexcept {
    std::swap(entries_, other.entries_);
    return *this;
  }

  explicit operator bool() const { return entries_ != nullptr; }
  [[nodiscard]] int descriptor() const { return dirfd(entries_); }
  /// The next name in it; null at the end.
  const char* next() {
    while (const dirent* entry = readdir(entries_)) {
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) return entry->d_name;
    }
    return nullptr;
  }
  void rewind() { rewinddir(entries_); }

 private:
  DIR* entries_ = nullptr;
};

std::uint64_t size_below(int parent, const char* name, std::uint64_t enough, int depth) {
  Folder folder(parent, name);
  if (!folder) return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : enough + 1;
  if (depth > deepest_folder) return enough + 1;
  std::uint64_t bytes = 0;
  while (const char* entry = folder.next()) {
    struct stat status {};
    if (fstatat(folder.descriptor(), entry, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    bytes += static_cast<std::uint64_t>(status.st_blocks) * 512 + 4096;
    if (S_ISDIR(status.st_mode)) bytes += size_below(folder.descriptor(), entry, enough, depth + 1);
    if (bytes > enough) break;
  }
  return bytes;
}

bool removed(int parent, const char* name) {
  return unlinkat(parent, name, 0) == 0 || unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

}  // namespace

std::uint64_t size_of(const std::filesystem::path& folder, std::uint64_t enough) {
  return size_below(AT_FDCWD, folder.c_str(), enough, 0);
}

void remove_folder(const std::filesystem::path& folder) noexcept {
  Folder current(AT_FDCWD, folder.c_str());
  std::vector<std::string> names;  // of the folders between
  for (int failures = 0; current && failures < 100;) {
    const char* name = current.next();
    while (name != nullptr && removed(current.descriptor(), name)) name = current.next();
    if (name != nullptr) {
      names.emplace_back(name);
      current = Folder(current.descriptor(), name);
    } else if (!names.empty()) {
      current = Folder(current.descriptor(), "..");
      if (current && !removed(current.descriptor(), names.back().c_str())) ++failures;
      names.pop_back();
    } else {
      break;
    }
  }
  removed(AT_FDCWD, folder.c_str());
}

}  // namespace d2l::grading
