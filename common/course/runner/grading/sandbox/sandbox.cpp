// SPDX-License-Identifier: MIT
#include "grading/sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/process.h"
#include "grading/sandbox/control_group.h"
#include "grading/sandbox/landlock.h"
#include "grading/sandbox/temporary_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using runner::Stop;

[[noreturn]] void fail_with_errno(const std::string& what) {
  throw Stop(runner::failed, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// The running supervisors by slot, for the signal handler.
std::array<std::atomic<pid_t>, Sandbox::max_slots> supervisors{};

/// Runs this program as the supervisor of a task and returns what it prints.
std::string ask_supervisor(const std::string& task, int slot) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail_with_errno("pipe");
  auto& running = supervisors[static_cast<std::size_t>(slot)];
  const pid_t supervisor =
      runner::start({"/proc/self/exe", "supervise", task}, "/", [&] { dup2(ends[1], STDOUT_FILENO); });
  running = supervisor;
  close(ends[1]);
  std::string output;
  char buffer[8192];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR);) {
    if (got > 0) output.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  running = 0;
  runner::wait_for(supervisor);
  return output;
}

/// A socket with the abstract name `name`; -1 when another process has that name.
int reserve_name(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const int taken = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (taken >= 0 && bind(taken, reinterpret_cast<const sockaddr*>(&address), size) == 0) return taken;
  if (taken >= 0) close(taken);
  return -1;
}

void write_all(const char* file, const std::string& text) {
  const int descriptor = open(file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  [[maybe_unused]] const auto written = write(descriptor, text.data(), text.size());
  close(descriptor);
}

/// Moves the process into mounts of its own, for which an ordinary user needs a namespace of users, too.
bool enter_own_mounts() {
  const auto user = geteuid();
  const auto group = getegid();
  if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  if (user != 0) {
    write_all("/proc/self/setgroups", "deny");
    write_all("/proc/self/uid_map", fmt::format("{0} {0} 1", user));
    write_all("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
  }
  return mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0;
}

/// Whether the process is in mounts of its own and may mount there; tries it in another process first.
bool has_own_mounts() {
  static const bool entered = [] {
    const pid_t trial = fork();
    if (trial == 0) _exit(enter_own_mounts() && mount("d2l-grading", "/tmp", "tmpfs", 0, "size=1m") == 0 ? 0 : 1);
    int status = 1;
    return trial > 0 && waitpid(trial, &status, 0) == trial && status == 0 && enter_own_mounts();
  }();
  return entered;
}

bool known(User user) { return getpwuid(user) != nullptr; }

Ending run_as(const Task& task, Isolation isolation, User user, int slot) {
  const nlohmann::json question{{"task", task}, {"bubblewrap", isolation == Isolation::bubblewrap}, {"user", user}};
  const std::string answer = ask_supervisor(question.dump(), slot);
  if (answer.empty()) throw Stop(runner::failed, "the sandbox's supervisor ended without a result");
  return nlohmann::json::parse(answer).get<Ending>();
}

}  // namespace

Sandbox::Sandbox(bool more) {
  if (geteuid() == 0) reserve_users();
  own_disks_ = more && has_own_mounts();
  if (more) groups_ = ControlGroup::find_place();
  const bool installed = more && !runner::find_program("bwrap").empty();
  if (installed && try_out(Isolation::bubblewrap).succeeded()) {
    isolation_ = Isolation::bubblewrap;
    return;
  }
  std::string problem = "this kernel has no Landlock (Linux 5.13 and newer have it, unless it was left out)";
  if (landlock_version() > 0) {
    const Ending ending = try_out(Isolation::landlock);
    if (ending.succeeded()) return;
    problem = "a program under Landlock " + describe(ending, Limits());
  }
  throw Stop(runner::failed,
             fmt::format("This machine cannot isolate submissions, so nothing is graded: "
                         "{}, and bubblewrap {}.",
                         problem, installed ? "does not work" : "is not installed (Debian's package bubblewrap)"));
}

Sandbox::~Sandbox() {
  if (reserved_ >= 0) close(reserved_);
}

void Sandbox::reserve_users() {
  constexpr User first = 60000;
  constexpr User step = max_slots;
  for (User candidate = first; candidate + step < 65000; candidate += step) {
    bool free = true;
    for (User each = candidate; each < candidate + step; ++each) free = free && !known(each);
    if (!free) continue;
    reserved_ = reserve_name(fmt::format("d2l-grading-{}", candidate));
    if (reserved_ < 0) continue;
    first_user_ = candidate;
    return;
  }
  throw Stop(runner::failed, "Submissions never run as root, and no user between 60000 and 65000 is free for them.");
}

Ending Sandbox::try_out(Isolation isolation) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.folder() / "trial";
  fs::create_directory(folder);
  change_owner(folder, 0);
  Task task{{"/bin/sh", "-c", "echo > written && test ! -e /root/.profile -o ! -r /root/.profile"},
            folder,
            {},
            base_environment(folder, 1),
            Limits(),
            false};
  task.groups = groups_;
  return run_as(task, isolation, user(0), 0);
}

void Sandbox::end_all() noexcept {
  for (const auto& supervisor : supervisors) {
    if (supervisor != 0) kill(supervisor, SIGTERM);
  }
}

Ending Sandbox::run(const Task& task, int slot) const {
  Task grouped = task;
  grouped.groups = groups_;
  return run_as(grouped, isolation_, user(slot), slot);
}

void Sandbox::change_owner(const fs::path& path, int slot) const {
  if (first_user_ == 0) return;
  const auto change = [&](const fs::path& place) {
    if (lchown(place.c_str(), user(slot), user(slot)) != 0) fail_with_errno(place.string());
  };
  change(path);
  if (!fs::is_directory(fs::symlink_status(path))) return;
  for (const auto& entry : fs::recursive_directory_iterator(path)) change(entry.path());
}

std::string Sandbox::description() const {
  const std::string user = first_user_ != 0 ? "under separate users" : "under the grading user";
  const std::string how = isolation_ == Isolation::bubblewrap
                              ? "bubblewrap (own files, processes and network)"
                              : fmt::format("Landlock version {} (files{})", landlock_version(),
                                            landlock_version() >= 6 ? ", signals" : "");
  return fmt::format("{}, seccomp and resource limits, {}; memory limited by {}, disk by {}", how, user,
                     groups_.empty() ? "counting" : "control groups", own_disks_ ? "file systems" : "counting");
}

std::map<std::string, std::string> base_environment(const fs::path& folder, int threads) {
  return {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
          {"HOME", folder.string()},
          {"TMPDIR", folder.string()},
          {"LANG", "C.UTF-8"},
          {"OMP_NUM_THREADS", std::to_string(threads)}};
}

}  // namespace d2l::grading
