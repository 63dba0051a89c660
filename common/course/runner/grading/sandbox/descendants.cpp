// SPDX-License-Identifier: MIT
#include "grading/sandbox/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace d2l::grading {
namespace {

/// The contents of a small file; empty when it cannot be read. A stream would throw when the process of a file in /proc
/// ends meanwhile.
std::string text_of(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(file);
  return text;
}

void each_entry(const std::string& folder, const std::function<void(const char*)>& use) {
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    if (entry->d_name[0] != '.') use(entry->d_name);
  }
  closedir(entries);
}

std::vector<pid_t> numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<pid_t> found;
  for (pid_t number = 0; in >> number;) found.push_back(number);
  return found;
}

/// All processes by their parent, for a kernel that keeps no list of children.
std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  each_entry("/proc", [&](const char* name) {
    const std::string status = text_of(fmt::format("/proc/{}/stat", name));
    const std::size_t after = status.rfind(") ");
    if (after == std::string::npos || after + 4 > status.size()) return;
    const auto parent = numbers(status.substr(after + 4));
    if (!parent.empty()) children.emplace(parent.front(), numbers(name).front());
  });
  return children;
}

void add_children_of(pid_t process, std::vector<pid_t>& found) {
  const std::string threads = fmt::format("/proc/{}/task", process);
  each_entry(threads, [&](const char* thread) {
    for (const pid_t child : numbers(text_of(fmt::format("{}/{}/children", threads, thread)))) found.push_back(child);
  });
}

/// The bytes of a field of /proc/PID/status, which counts kibibytes.
std::uint64_t status_bytes(const std::string& status, const std::string& field) {
  const std::size_t at = status.find(field);
  return at == std::string::npos ? 0 : std::strtoull(status.c_str() + at + field.size(), nullptr, 10) << 10;
}

using Files = std::map<std::pair<dev_t, ino_t>, std::uint64_t>;

/// Adds the unlinked files that `thread` holds open, each once. Threads can have files of their own.
void add_open(const std::string& thread, Files& unlinked) {
  const std::string folder = thread + "/fd/";
  each_entry(folder, [&](const char* name) {
    struct stat status {};
    if (stat((folder + name).c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
      unlinked[{status.st_dev, status.st_ino}] = static_cast<std::uint64_t>(status.st_blocks) * 512;
  });
}

/// Adds the unlinked files on the disk of `folder` that `thread` has mapped, each with `unknown` bytes.
void add_mapped(const std::string& thread, const std::string& folder, std::uint64_t unknown, Files& unlinked) {
  struct stat disk {};
  stat(folder.c_str(), &disk);
  std::istringstream lines(text_of(thread + "/maps"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.ends_with(" (deleted)")) continue;
    std::istringstream words(line);
    std::string skipped;
    unsigned major = 0;
    unsigned minor = 0;
    ino_t number = 0;
    char colon = 0;
    words >> skipped >> skipped >> skipped >> std::hex >> major >> colon >> minor >> std::dec >> number;
    const dev_t device = makedev(major, minor);
    // A path inside of bubblewrap's mounts is another one outside; a disk of several layers has other numbers.
    if (device == disk.st_dev || line.find(" " + folder + "/") != std::string::npos)
      unlinked.try_emplace({device, number}, unknown);
  }
}

/// Reads /proc as `user`: without the privilege to trace, root may not read there what is of another user.
class Reader {
 public:
  explicit Reader(unsigned user) : user_(user) {
    if (user_ == 0) return;
    static_cast<void>(setegid(user_));
    static_cast<void>(seteuid(user_));
  }
  ~Reader() {
    if (user_ == 0) return;
    if (seteuid(0) != 0 || setegid(0) != 0) std::abort();
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

 private:
  unsigned user_;
};

/// The status of a process, or of one of its other threads if the first has ended, whose memory is then not shown.
std::string status_of(pid_t process) {
  std::string status = text_of(fmt::format("/proc/{}/status", process));
  if (status.find("VmRSS:") != std::string::npos) return status;
  const std::string threads = fmt::format("/proc/{}/task/", process);
  each_entry(threads, [&](const char* thread) {
    if (status.find("VmRSS:") == std::string::npos) status = text_of(threads + thread + "/status");
  });
  return status;
}

void reap() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

/// From a process of `user`, so that the kernel ends all of them at once, and no others.
void end_processes_of(unsigned user) {
  const pid_t helper = fork();
  if (helper == 0) {
    if (setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0) kill(-1, SIGKILL);
    _exit(0);
  }
  if (helper > 0) waitpid(helper, nullptr, 0);
}

}  // namespace

std::vector<pid_t> descendants() {
  static const bool listed = access(fmt::format("/proc/{}/task/{}/children", getpid(), getpid()).c_str(), R_OK) == 0;
  const auto by_parent = listed ? std::multimap<pid_t, pid_t>() : children_by_parent();
  std::vector<pid_t> found;
  const auto add = [&](pid_t process) {
    if (listed) return add_children_of(process, found);
    const auto [first, last] = by_parent.equal_range(process);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  };
  add(getpid());
  for (std::size_t at = 0; at < found.size() && found.size() < 100000; ++at) add(found[at]);
  return found;
}

std::vector<pid_t> processes_below(unsigned user) {
  if (user == 0) return descendants();
  std::vector<pid_t> found;
  each_entry("/proc", [&](const char* name) {
    struct stat status {};
    if (*name < '0' || *name > '9' || stat(fmt::format("/proc/{}", name).c_str(), &status) != 0) return;
    if (status.st_uid == user) found.push_back(numbers(name).front());
  });
  return found;
}

std::uint64_t memory_of(const std::vector<pid_t>& processes) {
  std::uint64_t bytes = 0;
  for (const pid_t process : processes) {
    const std::string status = status_of(process);
    for (const char* field : {"RssAnon:", "RssShmem:", "VmPTE:", "VmSwap:", "HugetlbPages:"})
      bytes += status_bytes(status, field);
  }
  return bytes;
}

Activity activity_of(const std::vector<pid_t>& processes) {
  // In /proc/PID/stat, after the name in brackets: the state, 10 numbers, and 4 times in ticks.
  constexpr std::size_t times_after_state = 11;
  Activity activity;
  for (const pid_t process : processes) {
    const std::string threads = fmt::format("/proc/{}/task/", process);
    each_entry(threads, [&](const char* thread) {
      const std::string status = text_of(threads + thread + "/stat");
      const std::size_t after = status.rfind(") ");
      // Not D, a wait that no signal ends: a process is in it as long as its child of vfork() likes.
      if (after != std::string::npos && status[after + 2] == 'R') activity.computes = true;
      std::istringstream nanoseconds(text_of(threads + thread + "/schedstat"));
      double ran = 0;
      double waited = 0;
      if (nanoseconds >> ran >> waited) activity.scheduled[numbers(thread).front()] = (ran + waited) / 1e9;
    });
    std::string status = text_of(fmt::format("/proc/{}/stat", process));
    std::istringstream words(status.substr(std::min(status.size(), status.rfind(") ") + 2)));
    std::string skipped;
    for (std::size_t i = 0; i < times_after_state; ++i) words >> skipped;
    double ticks = 0;
    for (double time = 0, i = 0; i < 4 && words >> time; ++i) ticks += time;
    activity.seconds += ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return activity;
}

std::uint64_t unlinked_files(const std::vector<pid_t>& processes, unsigned user, const std::string& folder,
                             std::uint64_t unknown) {
  const Reader reader(user);
  Files unlinked;
  for (const pid_t process : processes) {
    std::string any;
    const std::string threads = fmt::format("/proc/{}/task/", process);
    each_entry(threads, [&](const char* thread) { add_open(any = threads + thread, unlinked); });
    add_mapped(any, folder, unknown, unlinked);
  }
  std::uint64_t bytes = 0;
  for (const auto& [number, size] : unlinked) bytes += size;
  return bytes;
}

void end_all(unsigned user) {
  for (bool left = true; left;) {
    if (user != 0) end_processes_of(user);
    // A stopped process does not fork, so the loop ends once it finds no new process.
    std::set<pid_t> stopped;
    for (std::size_t before = 1; before != stopped.size();) {
      before = stopped.size();
      for (const pid_t process : descendants()) {
        if (stopped.insert(process).second) kill(process, SIGSTOP);
      }
    }
    for (const pid_t process : descendants()) kill(process, SIGKILL);
    reap();
    left = !descendants().empty();
    if (left) usleep(500);
  }
}

}  // namespace d2l::grading
