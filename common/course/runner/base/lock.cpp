// SPDX-License-Identifier: MIT
#include "base/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace d2l::runner {

FileLock::FileLock(const std::filesystem::path& file, const std::function<bool()>& interrupted)
    : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  while (file_ >= 0 && ::flock(file_, interrupted ? LOCK_EX | LOCK_NB : LOCK_EX) != 0) {
    if (interrupted && interrupted()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

FileLock::~FileLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace d2l::runner
