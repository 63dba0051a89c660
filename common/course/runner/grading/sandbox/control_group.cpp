// SPDX-License-Identifier: MIT
#include "grading/sandbox/control_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

/// Writes into a file of the kernel, which exists.
void write_text(const fs::path& file, const std::string& text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  const bool written = descriptor >= 0 && ::write(descriptor, text.data(), text.size()) >= 0;
  const int problem = errno;
  if (descriptor >= 0) close(descriptor);
  if (!written) throw std::system_error(problem, std::generic_category(), file.string());
}

bool has_word(const fs::path& file, const std::string& wanted) {
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

/// The folder of the memory groups: of version 2, or else of version 1; empty for none.
fs::path mounted(bool second) {
  std::ifstream mounts("/proc/self/mounts");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string device, folder, type, options;
    words >> device >> folder >> type >> options;
    if (second ? type == "cgroup2" : type == "cgroup" && ("," + options + ",").find(",memory,") != std::string::npos)
      return folder;
  }
  return {};
}

/// The group of the calling process: "/user.slice/..."
std::string own_group(bool second) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t path = line.find(":/");
    if (path == std::string::npos) continue;
    const std::string controllers = line.substr(0, path) + ",";
    if (second ? line.starts_with("0::") : controllers.find(":memory,") != std::string::npos)
      return line.substr(path + 1);
  }
  return "/";
}

bool usable(const fs::path& place) {
  try {
    const ControlGroup trial(place.string(), std::uint64_t{64} << 20);
    const pid_t child = fork();
    if (child == 0) {
      try {
        trial.enter();
      } catch (const std::system_error&) {
        _exit(1);
      }
      _exit(0);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

std::string ControlGroup::find_place() {
  for (const bool second : {true, false}) {
    const fs::path top = mounted(second);
    if (top.empty()) continue;
    fs::path place = top / fs::path(own_group(second)).relative_path();
    if (!fs::exists(place)) place = top;  // the names are of another namespace
    // A group of version 2 has either processes or groups with controllers, so it may be a parent's.
    for (;; place = place.parent_path()) {
      if ((!second || has_word(place / "cgroup.subtree_control", "memory")) && usable(place)) return place.string();
      if (place == top || !place.has_relative_path()) break;
    }
  }
  return {};
}

ControlGroup::ControlGroup(const std::string& place, std::uint64_t bytes) {
  if (place.empty()) return;
  const fs::path folder = fs::path(place) / fmt::format("d2l-grading-{}", getpid());
  if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST)
    throw std::system_error(errno, std::generic_category(), folder.string());
  folder_ = folder.string();
  const bool second = fs::exists(folder / "memory.max");
  try {
    write_text(folder / (second ? "memory.max" : "memory.limit_in_bytes"), std::to_string(bytes));
    const fs::path swap = folder / (second ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
    if (fs::exists(swap)) write_text(swap, second ? "0" : std::to_string(bytes));
  } catch (const std::system_error&) {
    rmdir(folder_.c_str());
    throw;
  }
}

ControlGroup::~ControlGroup() {
  if (folder_.empty()) return;
  // A process that has just ended is still in it for a moment.
  for (int attempt = 0; attempt < 1000 && rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++attempt) usleep(1000);
}

void ControlGroup::enter() const {
  if (!folder_.empty()) write_text(fs::path(folder_) / "cgroup.procs", "0");
}

bool ControlGroup::exceeded() const {
  if (folder_.empty()) return false;
  for (const char* file : {"memory.events", "memory.oom_control"}) {
    std::ifstream in(fs::path(folder_) / file);
    std::string name;
    for (std::uint64_t count = 0; in >> name >> count;) {
      if (name == "oom_kill" && count > 0) return true;
    }
  }
  return false;
}

}  // namespace d2l::grading
