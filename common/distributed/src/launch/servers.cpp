// SPDX-License-Identifier: MIT
#include "launch/servers.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "launch/network.h"
#include "launch/passed_descriptors.h"
#include "launch/problem.h"

namespace d2l::launch {

namespace {

using d2l::detail::Descriptor;

/// How long the process that makes the servers may take.
constexpr std::chrono::milliseconds patience = std::chrono::seconds(10);

using Capabilities = std::array<__user_cap_data_struct, 2>;

bool change_capabilities(long call, Capabilities& data) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  return ::syscall(call, &header, data.data()) == 0;
}

/// Whether this process may make network namespaces and set them up without a user namespace.
bool may_make_networks() {
  Capabilities own{};
  if (!change_capabilities(SYS_capget, own)) return false;
  const std::uint32_t needed = 1U << CAP_SYS_ADMIN | 1U << CAP_NET_ADMIN;
  return (own[0].effective & needed) == needed;
}

void write_text(const char* path, const std::string& text, const std::string& attempted,
                std::optional<Failure>& failure) {
  if (failure) return;
  const Descriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  if (file.get() >= 0 && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) return;
  failure = Failure{Step::user_map, errno, attempted};
}

/// Moves this process into a user namespace in which its user has all rights over networks. The map keeps the user's
/// own number: the ranks are the same user as before, in what they print, in the files that they make, and for programs
/// that refuse to run as root.
std::optional<Failure> enter_user_namespace() {
  const auto user = std::to_string(::geteuid());
  const auto group = std::to_string(::getegid());
  ::prctl(PR_SET_DUMPABLE, 1);  // a process that has changed its user may not write its own map otherwise
  if (::unshare(CLONE_NEWUSER) != 0) return Failure{Step::user_namespace, errno, "a user namespace"};
  std::optional<Failure> failure;
  write_text("/proc/self/setgroups", "deny", "writing /proc/self/setgroups", failure);
  write_text("/proc/self/uid_map", user + " " + user + " 1", "writing /proc/self/uid_map", failure);
  write_text("/proc/self/gid_map", group + " " + group + " 1", "writing /proc/self/gid_map", failure);
  return failure;
}

/// The process that makes the servers: sends what holds them, or why there are none.
[[noreturn]] void make_servers(int count, double bytes_per_second, pid_t parent, const Descriptor& answer) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  const Settings settings = read_settings();
  std::optional<Failure> failure;
  std::vector<Network> made;
  Descriptor user;
  if (!may_make_networks()) {
    failure = enter_user_namespace();
    if (!failure) user = Descriptor(::open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC));
    if (!failure && user.get() < 0) failure = Failure{Step::process, errno, "opening /proc/self/ns/user"};
  }
  if (!failure) failure = join_servers(count, bytes_per_second, made);
  bool sent = false;
  if (failure) {
    sent = send_descriptors(answer.get(), {},
                            why_refused(failure->step, failure->error, failure->attempted, count, settings));
  } else {
    std::vector<int> spaces;
    for (Network& network : made) spaces.push_back(network.space().get());
    if (user.get() >= 0) spaces.push_back(user.get());
    sent = send_descriptors(answer.get(), spaces, user.get() >= 0 ? "user" : "networks");
  }
  ::_exit(sent ? 0 : 1);
}

std::string problem_of_errno(const std::string& attempted) { return attempted + " failed: " + std::strerror(errno); }

}  // namespace

Servers::Servers(int count, double bytes_per_second) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    throw Problem(problem_of_errno("a socket for the process that makes the servers"));
  }
  const Descriptor own(pair[0]);
  Descriptor of_maker(pair[1]);
  const pid_t parent = ::getpid();
  const pid_t maker = ::fork();
  if (maker < 0) throw Problem(problem_of_errno("the process that makes the servers"));
  if (maker == 0) make_servers(count, bytes_per_second, parent, of_maker);
  of_maker.close();
  auto [said, received] = receive_descriptors(own.get(), patience);
  ::kill(maker, SIGKILL);  // it has nothing left to do
  while (::waitpid(maker, nullptr, 0) < 0 && errno == EINTR) continue;
  if (received.empty()) {
    throw Problem(said.empty() ? "the process that makes the servers has ended, or did not answer within 10 s" : said);
  }
  const int spaces = count > 2 ? count + 1 : count;
  has_user_ = said == "user";
  if (static_cast<int>(received.size()) != spaces + (has_user_ ? 1 : 0)) {
    throw Problem("this process has too few file descriptors for the servers; raise its limit (ulimit -n)");
  }
  spaces_ = std::move(received);
}

void Servers::enter(int server) {
  const bool entered = (!has_user_ || ::setns(spaces_.back().get(), CLONE_NEWUSER) == 0) &&
                       ::setns(spaces_[static_cast<std::size_t>(server)].get(), CLONE_NEWNET) == 0;
  if (!entered) {
    std::fprintf(stderr, "server %d cannot be entered: %s\n", server, std::strerror(errno));
    std::fflush(stderr);
    ::_exit(2);
  }
  if (has_user_) {
    // The rank needs no right that the namespace gives, and can be traced and killed as before.
    Capabilities none{};
    change_capabilities(SYS_capset, none);
    ::prctl(PR_SET_DUMPABLE, 1);
  }
  spaces_.clear();
}

}  // namespace d2l::launch
