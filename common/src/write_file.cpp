// SPDX-License-Identifier: MIT
// Files that appear whole or not at all: written beside their place, then moved into it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "d2l/error.h"
#include "transfers_report.h"

namespace d2l::detail {
namespace {

/// The number of the system error that stopped it; 0 when all of `text` is on the disk.
int write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const auto written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

int write_beside_and_move(const std::string& path, const std::string& text) {
  static std::atomic<unsigned> next{0};
  const auto temporary = fmt::format("{}.{}.{}.part", path, ::getpid(), next.fetch_add(1));
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int reason = write_all(file, text);
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) ::unlink(temporary.c_str());
  return reason;
}

}  // namespace

void write_file(const std::string& operation, const std::string& path, const std::string& text) {
  struct stat found {};
  const bool exists = ::stat(path.c_str(), &found) == 0;
  if (exists && !S_ISREG(found.st_mode)) {
    throw ConfigurationError(
        fmt::format("[{}] cannot write \"{}\": it exists and is not a regular file. Give the path "
                    "of a file to make or to replace.",
                    operation, path));
  }
  if (const int reason = write_beside_and_move(path, text); reason != 0) {
    throw ConfigurationError(
        fmt::format("[{}] cannot write \"{}\": {}. Give a path in a folder that exists and may be "
                    "written to.",
                    operation, path, std::strerror(reason)));
  }
}

}  // namespace d2l::detail
