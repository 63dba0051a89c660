// SPDX-License-Identifier: MIT
// AtomicFile: writes a temporary file, flushes it, and renames it.
#include "base/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/message.h"

namespace d2l::detail {
namespace {

constexpr std::string_view temporary_begin = ".d2l-save-";
constexpr std::string_view temporary_end = ".part";
/// Zeros become holes in blocks of this size.
constexpr std::size_t block_bytes = std::size_t{1} << 20;
/// The system writes at most 2 GiB in one call.
constexpr std::size_t max_at_once = std::size_t{1} << 30;

/// In this scope, exceeding the file size limit of the process is an error of write() instead of a fatal signal.
class WithoutSizeSignal : NonCopyable {
 public:
  WithoutSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~WithoutSizeSignal() {
    if (sigismember(&before_, SIGXFSZ) == 0) {
      const timespec at_once{};
      while (sigtimedwait(&signal_, nullptr, &at_once) > 0) static_cast<void>(0);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

/// Returns 0 if all bytes are written, or else the errno.
int write_all(int file, const char* bytes, std::size_t count) {
  while (count > 0) {
    const auto written = ::write(file, bytes, std::min(count, max_at_once));
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) {
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }
  return 0;
}

int leave_hole(int file, std::size_t count) {
  return ::lseek(file, static_cast<off_t>(count), SEEK_CUR) == off_t{-1} ? errno : 0;
}

bool all_zero(const char* bytes, std::size_t count) {
  return bytes[0] == 0 && std::memcmp(bytes, bytes + 1, count - 1) == 0;
}

/// The length of the first run of blocks, which all are zeros or all are not; `zeros` says which.
std::size_t run(const char* bytes, std::size_t count, bool& zeros) {
  zeros = count >= block_bytes && all_zero(bytes, block_bytes);
  std::size_t length = std::min(count, block_bytes);
  while (length + block_bytes <= count && all_zero(bytes + length, block_bytes) == zeros) length += block_bytes;
  return !zeros && length + block_bytes > count ? count : length;
}

/// Resolves symbolic links to the path of the file, which need not exist. Returns 0 or an errno.
int follow_links(std::string& path) {
  for (int links = 0; links < 40; ++links) {
    std::string text(PATH_MAX, '\0');
    const auto length = ::readlink(path.c_str(), text.data(), text.size());
    if (length < 0) return 0;  // not a link; any other problem shows when it is opened
    text.resize(static_cast<std::size_t>(length));
    const auto slash = path.rfind('/');
    if (text.starts_with('/') || slash == std::string::npos) {
      path = text;
    } else {
      path.resize(slash + 1);
      path += text;
    }
  }
  return ELOOP;
}

/// Deletes temporary files in a folder whose writers have ended: a running writer holds a lock on its file.
void remove_leftovers(const std::string& folder) {
  DIR* entries = ::opendir(folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(temporary_begin) || !name.ends_with(temporary_end)) continue;
    const int file = ::openat(::dirfd(entries), entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlinkat(::dirfd(entries), entry->d_name, 0);
    ::close(file);
  }
  ::closedir(entries);
}

/// Makes the rename durable, if the file system supports that. Returns 0 or an errno.
int flush_folder(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return 0;
  const int reason = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return reason == EINVAL || reason == ENOTSUP || reason == EROFS ? 0 : reason;
}

std::string fix_for(int reason, const std::string& folder) {
  switch (reason) {
    case ENOSPC:
    case EDQUOT: {
      struct statvfs disk {};
      if (::statvfs(folder.c_str(), &disk) != 0) return "free some disk space, or give a path on another disk";
      const auto free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
      return fmt::format(
          "free some space on the disk of \"{}\", which has {} bytes free, or give a path on another disk", folder,
          free);
    }
    case EFBIG: {
      struct rlimit limit {};
      if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return "the file system does not support larger files; give a path on another one";
      }
      return fmt::format("this process may write files of up to {} bytes; raise the limit with ulimit -f",
                         static_cast<std::uint64_t>(limit.rlim_cur));
    }
    case ENOENT:
      return fmt::format("create the folder \"{}\" first", folder);
    default:
      return "give a path in an existing folder with write permission";
  }
}

}  // namespace

AtomicFile::AtomicFile(const char* operation, std::string path) : operation_(operation), path_(std::move(path)) {
  find_target();
  remove_leftovers(folder());
  make_temporary();
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (file_ >= 0) ::close(file_);
}

std::string AtomicFile::folder() const {
  const auto slash = target_.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : target_.substr(0, slash);
}

void AtomicFile::find_target() {
  target_ = path_;
  if (const int reason = follow_links(target_); reason != 0) fail_with(reason);
  struct stat found {};
  if (::stat(target_.c_str(), &found) != 0) {
    if (errno != ENOENT) fail_with(errno);
    if (target_.empty() || target_.back() == '/') fail_with(target_.empty() ? ENOENT : EISDIR);
    return;
  }
  if (!S_ISREG(found.st_mode)) {
    fail<ConfigurationError>(
        operation_,
        fmt::format("cannot write \"{}\": it exists and is {}", path_,
                    S_ISDIR(found.st_mode) ? "a folder, not a regular file" : "not a regular file"),
        {}, "give the path of a file to create or replace");
  }
  replaces_ = true;
  mode_ = found.st_mode & 07777U;
  owner_ = found.st_uid;
  group_ = found.st_gid;
  // Only the folder's permissions decide whether a rename works; but a read-only file must not be replaced.
  if (::access(target_.c_str(), W_OK) != 0) fail_with(errno);
}

void AtomicFile::make_temporary() {
  const unsigned mode = replaces_ ? 0600 : 0666;
  // Without a name, nothing is left of a writer that is killed. Not every file system has that.
  if (::access("/proc/self/fd", X_OK) == 0) file_ = ::open(folder().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
  if (file_ >= 0) {
    ::flock(file_, LOCK_EX | LOCK_NB);  // before it has a name that another writer could delete
  } else {
    name_temporary([&](const char* name) {
      if (file_ >= 0) ::close(file_);  // of an attempt before
      file_ = ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      return file_ >= 0;
    });
  }
  if (!replaces_) return;
  // Only the superuser can change the owner; otherwise the caller owns the file, with the old permissions.
  static_cast<void>(::fchown(file_, owner_, group_) == 0);
  if (::fchmod(file_, mode_) != 0) fail_with(errno);
}

template <class Make>
void AtomicFile::name_temporary(const Make& make) {
  static std::atomic<unsigned> next{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const auto name =
        fmt::format("{}/{}{}-{}{}", folder(), temporary_begin, ::getpid(), next.fetch_add(1), temporary_end);
    if (!make(name.c_str())) {
      if (errno == EEXIST) continue;
      fail_with(errno);
    }
    // Another writer may delete leftovers between these two calls: then the file has no name, or the lock is taken.
    const bool locked = ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    struct stat made {};
    if (!locked || ::fstat(file_, &made) != 0 || made.st_nlink == 0) continue;
    temporary_ = name;
    return;
  }
  fail_with(EEXIST);
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  const WithoutSizeSignal guard;
  const auto* next = static_cast<const char*>(bytes);
  while (count > 0) {
    bool zeros = false;
    const auto length = run(next, count, zeros);
    const int reason = zeros ? leave_hole(file_, length) : write_all(file_, next, length);
    if (reason != 0) fail_with(reason);
    next += length;
    count -= length;
    written_ += static_cast<std::int64_t>(length);
  }
}

void AtomicFile::commit() {
  const WithoutSizeSignal guard;
  // If the file ends in a hole, only this call gives it its length.
  if (::ftruncate(file_, written_) != 0) fail_with(errno);
  if (::fsync(file_) != 0) fail_with(errno);
  move_into_place();
}

void AtomicFile::move_into_place() {
  if (temporary_.empty()) {
    name_temporary([source = fmt::format("/proc/self/fd/{}", file_)](const char* name) {
      return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    });
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_with(errno);
  temporary_.clear();
  const int reason = flush_folder(folder());
  if (reason == 0) return;
  fail<ConfigurationError>(operation_,
                           fmt::format("\"{}\" is written, but its folder could not be flushed to the disk: {}", path_,
                                       std::strerror(reason)),
                           {}, "it may be lost if the power fails; check the disk");
}

void AtomicFile::fail_with(int reason) {
  const auto place = folder();
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  fail<ConfigurationError>(operation_, fmt::format("cannot write \"{}\": {}", path_, std::strerror(reason)),
                           replaces_ ? "(the existing file is unchanged)" : "", fix_for(reason, place));
}

void write_file(const char* operation, const std::string& path, std::string_view text) {
  AtomicFile file(operation, path);
  file.write(text);
  file.commit();
}

}  // namespace d2l::detail
