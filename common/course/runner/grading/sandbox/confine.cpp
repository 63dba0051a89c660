// SPDX-License-Identifier: MIT
#include "grading/sandbox/confine.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <system_error>

#include "grading/sandbox/landlock.h"
#include "grading/sandbox/system_calls.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

void limit(int resource, std::uint64_t most, std::uint64_t soft) {
  const rlimit limits{static_cast<rlim_t>(soft), static_cast<rlim_t>(most)};
  if (setrlimit(static_cast<__rlimit_resource_t>(resource), &limits) != 0) fail("limits");
}
void limit(int resource, std::uint64_t most) { limit(resource, most, most); }

/// All threads on the machine that /proc shows, which bounds those of the calling user from above.
std::uint64_t running_threads() {
  std::uint64_t count = 0;
  std::error_code ignored;
  for (const auto& process : fs::directory_iterator("/proc", ignored)) {
    if (process.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    for ([[maybe_unused]] const auto& thread : fs::directory_iterator(process.path() / "task", ignored)) ++count;
  }
  return count;
}

void set_limits(const Limits& limits, User user) {
  const auto seconds = static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds));
  limit(RLIMIT_CPU, seconds + 1, seconds);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.files);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_STACK, std::uint64_t{64} << 20, std::uint64_t{8} << 20);
  // The supervisor watches the memory in use; this limit stops a process that allocates everything at once. It counts
  // buffers that libraries reserve and never touch.
  limit(RLIMIT_DATA, 2 * limits.memory + (std::uint64_t{1} << 30));
  const auto threads = static_cast<std::uint64_t>(limits.threads);
  limit(RLIMIT_NPROC, user != 0 ? threads : running_threads() + threads);
}

void become_user(User user) {
  if (user == 0) {
    if (geteuid() != 0) return;
    errno = EPERM;
    fail("a program of a submission never runs as root");
  }
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    fail("changing the user");
}

void close_all_but(int kept) {
  for (int file = 3; file < 1024; ++file) {
    if (file != kept) fcntl(file, F_SETFD, FD_CLOEXEC);
  }
}

std::vector<fs::path> devices(bool gpus) {
  std::vector<fs::path> found{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  std::error_code ignored;
  if (!gpus) return found;
  for (const auto& entry : fs::directory_iterator("/dev", ignored)) {
    if (entry.path().filename().string().starts_with("nvidia")) found.push_back(entry.path());
  }
  return found;
}

std::vector<fs::path> readable_files(const Task& task) {
  std::vector<fs::path> paths(task.readable.begin(), task.readable.end());
  for (const char* path :
       {"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm", "/sys/devices/system"})
    paths.emplace_back(path);
  if (task.devices) paths.insert(paths.end(), {"/proc/driver/nvidia", "/proc/devices", "/sys/bus/pci", "/sys/devices"});
  return paths;
}

/// Sends a descriptor to the process at the other end of `channel`.
void send(int channel, int descriptor) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  if (sendmsg(channel, &message, 0) != 1) fail("sending a descriptor");
}

Words in_bubblewrap(const Task& task, int filter) {
  Words words{"bwrap", "--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"};
  const auto bind = [&](const char* how, const fs::path& path) {
    words.insert(words.end(), {how, path.string(), path.string()});
  };
  for (const auto& path : system_folders()) bind("--ro-bind-try", path);
  for (const auto& path : task.readable) bind("--ro-bind-try", path);
  bind("--ro-bind-try", "/sys/devices/system");
  if (task.devices) {
    bind("--ro-bind-try", "/sys/devices");
    bind("--ro-bind-try", "/sys/bus/pci");
    for (const auto& path : devices(true)) {
      if (path.filename().string().starts_with("nvidia")) bind("--dev-bind-try", path);
    }
  }
  bind("--bind", task.folder);
  words.insert(words.end(), {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", task.folder, "--seccomp",
                             std::to_string(filter), "--"});
  words.insert(words.end(), task.command.begin(), task.command.end());
  return words;
}

[[noreturn]] void execute(const Words& words, const std::map<std::string, std::string>& environment) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Words settings;
  for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
  std::vector<char*> variables;
  for (const auto& setting : settings) variables.push_back(const_cast<char*>(setting.c_str()));
  variables.push_back(nullptr);
  execvpe(arguments[0], arguments.data(), variables.data());
  fail(words.front());
}

}  // namespace

std::vector<fs::path> system_folders() {
  return {"/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"};
}

void execute_confined(const Task& task, Isolation isolation, User user, int channel) {
  setsid();
  umask(077);
  set_limits(task.limits, user);
  become_user(user);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) fail("prctl");
  if (chdir(task.folder.c_str()) != 0) fail(task.folder);
  send(channel, announce_shared_mappings(!task.devices));
  if (isolation == Isolation::bubblewrap) {
    const int filter = system_call_filter_pipe(task.devices);
    close_all_but(filter);
    execute(in_bubblewrap(task, filter), task.environment);
  }
  auto readable = system_folders();
  const auto more = readable_files(task);
  readable.emplace_back(task.command.front());
  readable.insert(readable.end(), more.begin(), more.end());
  close_all_but(-1);
  restrict_files(readable, devices(task.devices), task.folder);
  restrict_system_calls(landlock_version() >= 6 ? 0 : getpid(), task.devices);
  execute(task.command, task.environment);
}

}  // namespace d2l::grading
