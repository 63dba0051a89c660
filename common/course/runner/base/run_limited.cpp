// SPDX-License-Identifier: MIT
#include "base/run_limited.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace d2l::runner {
namespace {

using Clock = std::chrono::steady_clock;

/// Splits what comes from a pipe into lines.
class Lines {
 public:
  Lines(int end, const ReadLine& read) : end_(end), read_(read) {}
  ~Lines() {
    if (end_ >= 0) ::close(end_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// Reads what arrives within `wait` milliseconds; false when nothing does.
  bool take(int wait) {
    pollfd ready{end_, POLLIN, 0};  // poll() ignores the descriptor -1 of a closed end, and waits
    if (::poll(&ready, 1, wait) <= 0) return false;
    std::array<char, 16384> bytes{};
    const ssize_t count = ::read(end_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) {
      ::close(end_);
      end_ = -1;
      return false;
    }
    text_.append(bytes.data(), static_cast<std::size_t>(count));
    give_lines();
    return true;
  }
  [[nodiscard]] bool open() const { return end_ >= 0; }
  void finish() {
    if (!text_.empty()) read_(text_);
  }

 private:
  void give_lines() {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      std::size_t length = end - begin;
      while (length > 0 && text_[begin + length - 1] == '\r') --length;
      read_(text_.substr(begin, length));
    }
    text_.erase(0, begin);
    constexpr std::size_t longest = 1 << 20;
    if (text_.size() < longest) return;
    read_(text_);
    text_.clear();
  }

  int end_;
  const ReadLine& read_;
  std::string text_;
};

/// In the child: no input, output into the pipe if there is one, and a process group of its own if it may be stopped.
void prepare(int output, bool own_group) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  if (output >= 0) {
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
  }
  if (!own_group) return;
  ::setpgid(0, 0);
  ::signal(SIGTTOU, SIG_IGN);  // it may write to the terminal from the background
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

bool has_ended(int child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == child;
}

/// The resident memory of a process in bytes, with what it shares; 0 when it has ended.
std::int64_t resident_bytes(int process) {
  std::ifstream in(fmt::format("/proc/{}/statm", process));
  std::int64_t size = 0;
  std::int64_t resident = 0;
  return in >> size >> resident ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

/// Stops a group of processes with SIGTERM, and after two seconds with SIGKILL.
void end_group(int child) {
  ::kill(-child, SIGTERM);
  const auto patience = Clock::now() + std::chrono::seconds(2);
  while (!has_ended(child) && Clock::now() < patience) ::poll(nullptr, 0, 10);
  ::kill(-child, SIGKILL);
}

}  // namespace

Ended run_limited(const Command& command, const std::filesystem::path& folder, const Limits& limits,
                  const ReadLine& read) {
  const bool own_group = limits.time.count() > 0 || limits.interrupted;
  std::array<int, 2> ends{-1, -1};
  if (read && ::pipe2(ends.data(), O_CLOEXEC) != 0) throw Stop(failed, fmt::format("pipe: {}", std::strerror(errno)));
  Lines lines(ends[0], read);
  const auto begin = Clock::now();
  const int child = start(command, folder, [&] { prepare(ends[1], own_group); });
  if (own_group) ::setpgid(child, child);
  if (ends[1] >= 0) ::close(ends[1]);

  Ended ended;
  while (!has_ended(child)) {
    if (!lines.take(lines.open() ? 50 : 10) && !own_group && !lines.open()) break;
    if (limits.time.count() > 0 && Clock::now() - begin >= limits.time) ended.why = Ended::Why::time_limit;
    if (limits.memory > 0 && resident_bytes(child) > limits.memory) ended.why = Ended::Why::memory_limit;
    if (limits.interrupted && limits.interrupted()) ended.why = Ended::Why::interrupted;
    if (ended.why == Ended::Why::itself) continue;
    end_group(child);
    break;
  }
  if (own_group && has_ended(child)) ::kill(-child, SIGKILL);  // its remaining children
  while (lines.take(0)) {
  }
  lines.finish();
  ended.code = wait_for(child);
  return ended;
}

int run_reading(const Command& command, const std::filesystem::path& folder, const ReadLine& read) {
  return run_limited(command, folder, {}, read).code;
}

}  // namespace d2l::runner
