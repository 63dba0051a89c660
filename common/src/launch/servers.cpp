// SPDX-License-Identifier: MIT
#include "launch/servers.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <regex>

namespace d2l::launch {

namespace {

bool write_text(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return written;
}

/// This process becomes root of a user namespace of its own, unless it is root already, and gets an empty network.
bool leave_network() {
  const auto user = ::getuid();
  const auto group = ::getgid();
  if (user == 0 && ::unshare(CLONE_NEWNET) == 0) return true;
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  write_text("/proc/self/setgroups", "deny");
  return write_text("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") &&
         write_text("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
}

}  // namespace

bool is_rate(const std::string& text) {
  static const std::regex form("[1-9][0-9]{0,5}(\\.[0-9]+)?[kMG]bit");
  return std::regex_match(text, form);
}

Servers::Servers(int count, const std::string& rate) {
  if (!make(count, rate)) {
    if (problem_.empty()) problem_ = std::string("network namespaces are not allowed: ") + std::strerror(errno);
  }
}

Servers::~Servers() {
  for (const pid_t holder : holders_) ::kill(holder, SIGKILL);
  for (const pid_t holder : holders_) ::waitpid(holder, nullptr, 0);
}

bool Servers::make(int count, const std::string& rate) {
  if (!leave_network()) return false;
  for (int i = 0; i < count; ++i) {
    std::array<int, 2> ready{};
    if (::pipe2(ready.data(), O_CLOEXEC) != 0) return false;
    const pid_t holder = ::fork();
    if (holder == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const char answer = ::unshare(CLONE_NEWNET) == 0 ? 'y' : 'n';
      if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
      while (true) ::pause();
    }
    holders_.push_back(holder);
    char answer = 'n';
    const bool made = ::read(ready[0], &answer, 1) == 1 && answer == 'y';
    ::close(ready[0]);
    ::close(ready[1]);
    if (!made) return false;
  }
  // A bridge joins them; with two servers, a cable does.
  const bool bridge = count > 2;
  if (bridge && !(run({"ip", "link", "add", "d2lbr", "type", "bridge"}) && run({"ip", "link", "set", "d2lbr", "up"}))) {
    return false;
  }
  for (int i = 0; i < count; ++i) {
    const std::string process = std::to_string(holders_[static_cast<std::size_t>(i)]);
    const std::string outside = "d2lv" + std::to_string(i);
    if (bridge) {
      if (!run({"ip", "link", "add", outside, "type", "veth", "peer", "name", "d2l0", "netns", process}) ||
          !run({"ip", "link", "set", outside, "master", "d2lbr", "up"})) {
        return false;
      }
    } else if (i == 0 && !run({"ip", "link", "add", "d2l0", "netns", process, "type", "veth", "peer", "name", "d2l0",
                               "netns", std::to_string(holders_[1])})) {
      return false;
    }
  }
  for (int i = 0; i < count; ++i) {
    const std::vector<std::string> inside{"nsenter", "-t", std::to_string(holders_[static_cast<std::size_t>(i)]), "-n"};
    const auto within = [&](std::vector<std::string> command) {
      command.insert(command.begin(), inside.begin(), inside.end());
      return run(command);
    };
    if (!within({"ip", "addr", "add", "10.77.0." + std::to_string(i + 1) + "/24", "dev", "d2l0"}) ||
        !within({"ip", "link", "set", "d2l0", "up"}) || !within({"ip", "link", "set", "lo", "up"})) {
      return false;
    }
    if (!rate.empty() && !within({"tc", "qdisc", "add", "dev", "d2l0", "root", "tbf", "rate", rate, "burst", "128kb",
                                  "latency", "20ms"})) {
      return false;
    }
  }
  return true;
}

bool Servers::run(const std::vector<std::string>& command) {
  std::array<int, 2> error{};
  if (::pipe2(error.data(), O_CLOEXEC) != 0) return false;
  const pid_t process = ::fork();
  if (process == 0) {
    ::dup2(error[1], STDERR_FILENO);
    ::dup2(error[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "%s is not installed", arguments[0]);
    ::_exit(127);
  }
  ::close(error[1]);
  std::string said;
  std::array<char, 256> bytes{};
  for (ssize_t count = 0; (count = ::read(error[0], bytes.data(), bytes.size())) > 0;) {
    said.append(bytes.data(), static_cast<std::size_t>(count));
  }
  ::close(error[0]);
  int status = 0;
  ::waitpid(process, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  problem_ = command[command[0] == "nsenter" ? 4 : 0] + ": " + (said.empty() ? "failed" : said);
  return false;
}

void Servers::enter(int server) const {
  const std::string path = "/proc/" + std::to_string(holders_[static_cast<std::size_t>(server)]) + "/ns/net";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || ::setns(file, CLONE_NEWNET) != 0) {
    std::fprintf(stderr, "server %d cannot be entered: %s\n", server, std::strerror(errno));
    ::_exit(1);
  }
  ::close(file);
}

}  // namespace d2l::launch
