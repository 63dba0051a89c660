// SPDX-License-Identifier: MIT
#include "grading/sandbox/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "grading/sandbox/confine.h"
#include "grading/sandbox/control_group.h"
#include "grading/sandbox/descendants.h"
#include "grading/sandbox/folder_tree.h"
#include "grading/sandbox/system_calls.h"

namespace d2l::grading {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t grader_ended = 0;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe(int flags) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | flags) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  return {ends[0], ends[1]};
}

/// Whether the file system of a task's folder, which has the size of its limit, is full.
bool is_full(const std::string& folder, std::uint64_t limit) {
  struct statvfs disk {};
  if (statvfs(folder.c_str(), &disk) != 0) return false;
  return disk.f_ffree == 0 || (disk.f_blocks - disk.f_bfree) * disk.f_frsize > limit;
}

/// The descriptor that execute_confined() sends; -1 when it failed before.
int receive(int channel) {
  char byte = 0;
  iovec data{&byte, 1};
  int descriptor = -1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = 0;
  while ((got = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (got > 0 && header != nullptr) std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

class Watch {
 public:
  Watch(const Task& task, Isolation isolation, User user, pid_t program, int output, int mappings,
        const ControlGroup& group)
      : task_(task),
        isolation_(isolation),
        user_(user),
        program_(program),
        output_(output),
        mappings_(mappings),
        group_(group) {}

  Ending until_end() {
    while (!over()) {
      pollfd ready[] = {{output_open_ ? output_ : -1, POLLIN, 0}, {mappings_, POLLIN, 0}};
      poll(ready, 2, pause_milliseconds_);
      pause_milliseconds_ = std::min(pause_milliseconds_ + 1, 20);
      if ((ready[1].revents & POLLIN) != 0) answer_mapping(mappings_, shared_left_);
      if ((ready[1].revents & (POLLHUP | POLLERR)) != 0) mappings_ = -1;
      read_output();
      reap();
    }
    end_all(user_);
    read_output();
    if (group_.exceeded()) ending_.cause = Cause::memory;
    if (ending_.cause == Cause::ended && too_many_files({})) ending_.cause = Cause::files;
    ending_.seconds = seconds_since(start_);
    return ending_;
  }

 private:
  bool over() {
    if (ended_ || grader_ended != 0) return true;
    const Limits& limits = task_.limits;
    const auto exceeded = [&](Cause cause) {
      ending_.cause = cause;
      return true;
    };
    if (printed_ > limits.output) return exceeded(Cause::output);
    if (Clock::now() - looked_ < std::chrono::milliseconds(10)) return false;
    const double since_last_look = seconds_since(looked_);
    looked_ = Clock::now();
    const auto processes = processes_below(user_);
    Activity activity = activity_of(processes);
    // Between two looks, which are far apart where the processor is busy, it may have done otherwise than at this one.
    // The longest of its threads counts: many that wait beside each other must not hide that all of them sleep.
    double scheduled = 0;
    for (const auto& [thread, seconds] : activity.scheduled)
      scheduled = std::max(scheduled, seconds - scheduled_[thread]);
    scheduled_ = std::move(activity.scheduled);
    if (!activity.computes) idle_seconds_ += std::max(0.0, since_last_look - scheduled);
    if (idle_seconds_ + activity.seconds + seconds_of_ended() > limits.seconds) return exceeded(Cause::seconds);
    if (processes.size() > static_cast<std::size_t>(limits.processes)) return exceeded(Cause::processes);
    const std::uint64_t memory = memory_of(processes);
    ending_.memory = std::max(ending_.memory, memory);
    if (memory > limits.memory) return exceeded(Cause::memory);
    if (group_.exceeded()) return exceeded(Cause::memory);
    if (++looks_ % 5 == 0 && too_many_files(processes)) return exceeded(Cause::files);
    return false;
  }

  [[nodiscard]] bool too_many_files(const std::vector<pid_t>& processes) const {
    const std::uint64_t limit = task_.limits.files;
    const std::uint64_t named = size_of(task_.folder, limit);
    if (task_.own_disk) return named > limit || is_full(task_.folder, limit);
    return named > limit || named + unlinked_files(processes, user_, task_.folder, limit / 2) > limit;
  }

  void read_output() {
    constexpr std::size_t kept = 16384;
    char buffer[65536];
    for (ssize_t got = 0; output_open_ && printed_ <= task_.limits.output;) {
      got = read(output_, buffer, sizeof buffer);
      if (got == 0) output_open_ = false;
      if (got <= 0) break;
      printed_ += static_cast<std::uint64_t>(got);
      ending_.output.append(buffer, std::min(static_cast<std::size_t>(got), kept - ending_.output.size()));
    }
  }

  void reap() {
    int status = 0;
    for (pid_t process = 0; (process = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (process != program_) continue;
      ended_ = true;
      ending_.cause = Cause::ended;
      if (WIFEXITED(status)) ending_.exit_code = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) ending_.signal = WTERMSIG(status);
    }
    if (!ended_) return;
    // bubblewrap reports a signal as the exit code 128 plus its number.
    if (isolation_ == Isolation::bubblewrap && ending_.exit_code > 128 && ending_.exit_code <= 128 + SIGSYS)
      ending_.signal = ending_.exit_code - 128;
    const bool computed = seconds_of_ended() + 1 > task_.limits.cpu_seconds;
    if (ending_.signal == SIGXCPU || (ending_.signal == SIGKILL && computed)) ending_.cause = Cause::cpu_seconds;
    if (ending_.signal == SIGXFSZ) ending_.cause = Cause::files;
  }

  /// The seconds that processes computed which have ended.
  static double seconds_of_ended() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  }

  const Task& task_;
  Isolation isolation_;
  User user_;
  pid_t program_;
  int output_;
  int mappings_;
  const ControlGroup& group_;
  std::uint64_t shared_left_ = task_.limits.shared;
  bool output_open_ = true;
  bool ended_ = false;
  int pause_milliseconds_ = 1;
  int looks_ = 0;
  std::uint64_t printed_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point looked_ = start_;
  std::map<pid_t, double> scheduled_;  ///< of each thread at the last look
  double idle_seconds_ = 0;            ///< in which no process computed or waited for a processor
  Ending ending_;
};

void catch_signal(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(number, &action, nullptr);
}

}  // namespace

Ending supervise(const Task& task, Isolation isolation, User user) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  catch_signal(SIGTERM, [](int) { grader_ended = 1; });
  catch_signal(SIGCHLD, [](int) {});  // so that the end of a process interrupts poll()
  catch_signal(SIGINT, [](int) { grader_ended = 1; });
  const Pipe output = make_pipe(O_NONBLOCK);
  const Pipe problem = make_pipe(0);
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  const std::uint64_t memory = task.limits.memory + (task.own_disk ? task.limits.files : 0);
  const ControlGroup group(task.groups, memory);
  const pid_t program = fork();
  if (program < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (program == 0) {
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    try {
      dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
      dup2(output.write, STDOUT_FILENO);
      dup2(output.write, STDERR_FILENO);
      fcntl(STDOUT_FILENO, F_SETFL, O_WRONLY);
      group.enter();
      execute_confined(task, isolation, user, channel[1]);
    } catch (const std::exception& refused) {
      const std::string words = refused.what();
      [[maybe_unused]] const auto written = write(problem.write, words.data(), words.size());
      _exit(127);
    }
  }
  close(output.write);
  close(problem.write);
  close(channel[1]);
  const int mappings = receive(channel[0]);
  close(channel[0]);
  char words[512];
  ssize_t length = 0;
  while ((length = read(problem.read, words, sizeof words)) < 0 && errno == EINTR) {
  }
  Watch watch(task, isolation, user, program, output.read, mappings, group);
  Ending ending = watch.until_end();
  if (length > 0) {
    ending.cause = Cause::not_started;
    ending.problem.assign(words, static_cast<std::size_t>(length));
  }
  close(output.read);
  close(problem.read);
  if (mappings >= 0) close(mappings);
  return ending;
}

int supervise_and_print(const std::string& text) {
  prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
  const auto json = nlohmann::json::parse(text);
  const auto isolation = json.at("bubblewrap").get<bool>() ? Isolation::bubblewrap : Isolation::landlock;
  const Ending ending = supervise(json.at("task").get<Task>(), isolation, json.at("user").get<User>());
  std::cout << nlohmann::json(ending).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << std::flush;
  return 0;
}

}  // namespace d2l::grading
