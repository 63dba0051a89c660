// SPDX-License-Identifier: MIT
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/error.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

bool write_all(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return ::fsync(file) == 0;
}

/// In this scope, Ctrl-C and requests to end wait, so that no unfinished file remains.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t ends;
    ::sigemptyset(&ends);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&ends, signal);
    ::pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in || fs::is_directory(file)) throw Stop(failed, fmt::format("{} cannot be read", file.string()));
  return bytes;
}

void write_file(const fs::path& file, const std::string& bytes) {
  std::error_code problem;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), problem);
  const fs::path target = fs::is_symlink(file) ? fs::weakly_canonical(file) : file;
  const std::string partial = target.string() + "." + std::to_string(::getpid()) + ".partial";
  const WithoutSignals undisturbed;
  const auto fail = [&] {
    const int reason = errno;
    ::unlink(partial.c_str());
    throw Stop(failed, fmt::format("{} cannot be written: {}", file.string(), std::strerror(reason)));
  };
  const int out = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (out < 0) fail();
  if (!write_all(out, bytes)) {
    const int reason = errno;
    ::close(out);
    errno = reason;
    fail();
  }
  struct stat before {};
  if (::stat(target.c_str(), &before) == 0) static_cast<void>(::fchmod(out, before.st_mode & 07777));
  if (::close(out) != 0 || ::rename(partial.c_str(), target.c_str()) != 0) fail();
}

fs::path free_name(const fs::path& folder, const std::string& stem, const std::string& extension) {
  for (int number = 1;; ++number) {
    fs::path name = folder / fmt::format("{}-{}{}", stem, number, extension);
    if (!fs::exists(fs::symlink_status(name))) return name;
  }
}

}  // namespace d2l::runner
