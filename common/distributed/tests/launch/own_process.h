// SPDX-License-Identifier: MIT
// For tests of what the system allows: code in a process of its own, which may give up rights and networks.
#pragma once

#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include "gtest/gtest.h"

namespace d2l::tests {

/// The text by which own_process() says that the system does not allow what a test needs.
inline const std::string not_possible = "not possible here: ";

/// What `body` returns in a child process, which ends then; also the message of an exception, or of its signal.
inline std::string own_process(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const pid_t process = ::fork();
  if (process == 0) {
    ::alarm(60);
    ::close(ends[0]);
    std::string text;
    try {
      text = body();
    } catch (const std::exception& error) {
      text = error.what();
    }
    ::_exit(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  std::array<char, 512> bytes{};
  for (ssize_t count = 0; (count = ::read(ends[0], bytes.data(), bytes.size())) > 0;) {
    said.append(bytes.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(process, &status, 0);
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return said;
}

/// Becomes root of a user namespace.
inline bool become_root_of_namespace() {
  const auto user = std::to_string(::getuid());
  if (::unshare(CLONE_NEWUSER) != 0) return false;
  std::ofstream file("/proc/self/uid_map");
  file << "0 " << user << " 1" << std::flush;
  return file.good();
}

inline bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  return file.good();
}

/// Moves this process to where there are no servers.
inline bool refuse_network_namespaces() {
  return become_root_of_namespace() && write_file("/proc/sys/user/max_net_namespaces", "0");
}

/// Moves this process into user and network namespaces of its own; false where that is not allowed.
inline bool enter_own_network() {
  if (::getuid() == 0 && ::unshare(CLONE_NEWNET) == 0) return true;
  const auto user = std::to_string(::getuid());
  const auto group = std::to_string(::getgid());
  ::prctl(PR_SET_DUMPABLE, 1);  // a process that has changed its user may not write its own map otherwise
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny" << std::flush;
  std::ofstream users("/proc/self/uid_map");
  users << user << " " << user << " 1" << std::flush;
  std::ofstream("/proc/self/gid_map") << group << " " << group << " 1" << std::flush;
  return users.good();
}

/// Sets a network device up, or, with an address of IPv4 (0 for none), gives it that address.
inline bool change_device(const char* name, bool up, const std::uint32_t* address = nullptr) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  bool done = true;
  if (up) {
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    done = ::ioctl(socket, SIOCSIFFLAGS, &request) == 0;
  }
  if (address != nullptr) {
    auto& internet = reinterpret_cast<sockaddr_in&>(request.ifr_addr);
    internet.sin_family = AF_INET;
    internet.sin_port = 0;
    internet.sin_addr.s_addr = htonl(*address);
    done = ::ioctl(socket, SIOCSIFADDR, &request) == 0 && done;
  }
  ::close(socket);
  return done;
}

/// A loopback interface that has ::1 alone.
inline bool set_up_version_6_loopback() {
  const std::uint32_t none = 0;
  return change_device("lo", true) && change_device("lo", false, &none);
}

/// The number of open descriptors of this process.
inline int open_descriptors() {
  int count = 0;
  for (int i = 0; i < 1024; ++i) count += ::fcntl(i, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

}  // namespace d2l::tests

/// Skips the test if a text of own_process() says so.
#define SKIP_IF_NOT_POSSIBLE(text) \
  if ((text).rfind(d2l::tests::not_possible, 0) == 0) GTEST_SKIP() << (text)

/// Skips a test that leaves no descriptor. UBSan opens a pipe to read an object whose type it has not seen, and without
/// a pipe it reports an invalid pointer.
#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
#define SKIP_WHERE_A_DESCRIPTOR_IS_NEEDED() GTEST_SKIP() << "UBSan needs a descriptor to read the type of an object"
#endif
#endif
#ifndef SKIP_WHERE_A_DESCRIPTOR_IS_NEEDED
#define SKIP_WHERE_A_DESCRIPTOR_IS_NEEDED() static_cast<void>(0)
#endif
