// SPDX-License-Identifier: MIT
// Servers: made without a program, whole or not at all.
#include "launch/servers.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <thread>

#include "launch/own_process.h"
#include "launch/problem.h"
#include "launch/ranks.h"
#include "messages.h"
#include "temporary_folder.h"

namespace d2l::testing {
namespace {

using namespace std::chrono_literals;
using launch::Servers;
using tests::become_root_of_namespace;
using tests::contains;
using tests::not_possible;
using tests::own_process;
using tests::write_file;

/// The address of a network device; empty if there is none.
std::string address_of(const std::string& device) {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return {};
  std::string text;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET || device != entry->ifa_name) continue;
    text = ::inet_ntoa(reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr);
  }
  ::freeifaddrs(list);
  return text;
}

/// The namespaces that a process is in.
std::string namespaces() {
  return std::filesystem::read_symlink("/proc/self/ns/user").string() + " " +
         std::filesystem::read_symlink("/proc/self/ns/net").string();
}

/// Why there are no servers; empty if there are. Also says what they have left in this process.
std::string attempt(int count = 2) {
  const std::string before = namespaces();
  const int descriptors = tests::open_descriptors();
  std::string text;
  try {
    const Servers servers(count, 125e6);
  } catch (const launch::Problem& problem) {
    text = problem.what();
  }
  if (namespaces() != before) text += " [in another namespace]";
  if (tests::open_descriptors() != descriptors) text += " [a descriptor is left]";
  if (::waitpid(-1, nullptr, WNOHANG) >= 0) text += " [a process is left]";
  return text;
}

/// Becomes an ordinary user.
bool become_nobody() {
  return ::getuid() != 0 || (::setresgid(65534, 65534, 65534) == 0 && ::setresuid(65534, 65534, 65534) == 0);
}

/// Gives up the rights over networks, as root.
bool become_powerless() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  return ::syscall(SYS_capset, &header, data.data()) == 0;
}

/// Lets a system call fail with an error, if the lower half of an argument has one of these bits.
bool refuse_call(int number, unsigned argument, std::uint32_t bits, int error) {
  const auto jump = [](std::uint16_t code, std::uint32_t k, std::uint8_t yes, std::uint8_t no) {
    return sock_filter{code, yes, no, k};
  };
  std::array<sock_filter, 6> filter{
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 3),
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0,
                  static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t))},
      jump(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog program{filter.size(), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Whether the system lets this user have namespaces.
bool has_namespaces() {
  return own_process([] { return std::string(tests::enter_own_network() ? "yes" : "no"); }) == "yes";
}

/// What servers need and the system does not have: namespaces for this user, or a part of the kernel; empty if nothing.
std::string missing() {
  if (!has_namespaces()) return "namespaces";
  const auto problem = own_process([] { return attempt(); });
  return problem.starts_with("this kernel has no") ? problem : "";
}

/// Expects that an attempt, after a preparation in a process of its own, fails for a reason, and leaves nothing.
void expect_refused(const std::function<bool()>& prepare, const std::string& reason, int count = 2) {
  const auto said = own_process([&]() -> std::string {
    if (!prepare()) return not_possible + std::strerror(errno);
    return attempt(count);
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, reason));
  EXPECT_EQ(said.find('['), std::string::npos) << said;
}

/// Runs ranks on servers, each of which must see its own address; 0 if they do.
int run_on_servers(int count) {
  Servers servers(count, 12.5e6);
  return launch::run(
      {.ranks = count, .servers = count},
      [](int rank) {
        const bool right =
            address_of("d2l0") == "10.77.0." + std::to_string(rank + 1) && address_of("lo") == "127.0.0.1";
        return right ? 0 : 1;
      },
      [&servers](int server) { servers.enter(server); });
}

TEST(Servers, HaveNetworksOfTheirOwnAsRootAndAsAnOrdinaryUser) {
  for (const bool ordinary : {false, true}) {
    for (const int count : {2, 3}) {
      const auto said = own_process([&]() -> std::string {
        if (ordinary && !become_nobody()) return not_possible + "another user";
        if (const auto what = missing(); !what.empty()) return not_possible + what;
        // No program is needed.
        ::setenv("PATH", "/nonexistent", 1);
        return attempt(count) + "code " + std::to_string(run_on_servers(count));
      });
      SKIP_IF_NOT_POSSIBLE(said);
      EXPECT_EQ(said, "code 0") << count << " servers" << (ordinary ? ", ordinary user" : "");
    }
  }
}

TEST(Servers, KeepTheUserAndTheRights) {
  const auto said = own_process([]() -> std::string {
    if (!become_nobody()) return not_possible + "another user";
    if (const auto what = missing(); !what.empty()) return not_possible + what;
    const auto user = ::getuid();
    const auto group = ::getgid();
    Servers servers(2, 0);
    const int code = launch::run(
        {.ranks = 2, .servers = 2},
        [user, group](int /*rank*/) {
          const tests::TemporaryFolder folder;
          const auto file = folder.path() / "unreadable";
          std::ofstream(file) << "text";
          std::filesystem::permissions(file, std::filesystem::perms::none);
          const bool reads = std::ifstream(file).is_open();
          return ::getuid() == user && ::getgid() == group && !reads && tests::open_descriptors() < 40 ? 0 : 1;
        },
        [&servers](int server) { servers.enter(server); });
    return "code " + std::to_string(code);
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_EQ(said, "code 0");
}

TEST(Servers, EndWithTheLauncher) {
  const tests::TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const auto file = folder.path() / "rank";
  const pid_t launcher = ::fork();
  if (launcher == 0) {
    if (!become_nobody() || !missing().empty()) ::_exit(77);
    {
      Servers servers(2, 0);
      launch::run(
          {.ranks = 2, .servers = 2},
          [&file](int rank) {
            if (rank == 1) std::ofstream(file) << ::getpid() << std::endl;
            std::this_thread::sleep_for(60s);
            return 0;
          },
          [&servers](int server) { servers.enter(server); });
    }
    ::_exit(0);
  }
  pid_t rank = 0;
  int status = 0;
  for (int i = 0; i < 100 && rank == 0; ++i) {
    std::this_thread::sleep_for(50ms);
    std::ifstream(file) >> rank;
    if (::waitpid(launcher, &status, WNOHANG) == launcher) break;
  }
  if (rank == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "there are no servers here";
  ::kill(launcher, SIGKILL);
  ::waitpid(launcher, nullptr, 0);
  ASSERT_GT(rank, 0);
  bool ended = false;
  for (int i = 0; i < 100 && !ended; ++i) {
    ended = ::kill(rank, 0) != 0;
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_TRUE(ended);
}

TEST(NoServers, WithoutUserNamespaces) {
  expect_refused(
      [] {
        return become_root_of_namespace() && write_file("/proc/sys/user/max_user_namespaces", "0") &&
               become_powerless();
      },
      "user.max_user_namespaces is 0");
}

TEST(NoServers, WithTooFewNetworkNamespaces) {
  for (const char* const limit : {"0", "1"}) {
    expect_refused(
        [limit] { return become_root_of_namespace() && write_file("/proc/sys/user/max_net_namespaces", limit); },
        std::string("user.max_net_namespaces is ") + limit + " here, and 2 more are needed");
  }
  expect_refused([] { return become_root_of_namespace() && write_file("/proc/sys/user/max_net_namespaces", "3"); },
                 "user.max_net_namespaces is 3 here, and 5 more are needed", 4);
}

TEST(NoServers, InANamespaceWithoutAMap) {
  expect_refused([] { return ::unshare(CLONE_NEWUSER) == 0 && become_powerless(); }, "whose map lacks its own user");
}

TEST(NoServers, WhereTheMapIsRefused) {
  // AppArmor lets /proc/self/uid_map be opened by nobody. Nothing else is opened for writing by openat.
  expect_refused([] { return become_nobody() && has_namespaces() && refuse_call(SYS_openat, 2, O_WRONLY, EACCES); },
                 "the map of a user namespace is refused");
}

TEST(NoServers, InAContainerThatFiltersCalls) {
  expect_refused([] { return refuse_call(SYS_unshare, 0, CLONE_NEWUSER | CLONE_NEWNET, EPERM); },
                 "--cap-add SYS_ADMIN");
}

TEST(NoServers, WithoutRightsOverNetworks) {
  // Root without CAP_NET_ADMIN, and without user namespaces.
  expect_refused([] { return become_powerless() && refuse_call(SYS_unshare, 0, CLONE_NEWUSER, EPERM); },
                 "user namespaces are refused by a container");
}

TEST(NoServers, WhenDescriptorsRunOut) {
  SKIP_WHERE_A_DESCRIPTOR_IS_NEEDED();
  const auto said = own_process([]() -> std::string {
    if (const auto what = missing(); !what.empty()) return not_possible + what;
    const auto used = static_cast<rlim_t>(tests::open_descriptors());
    std::string all;
    for (rlim_t more = 0; more < 8; ++more) {
      const rlimit limits{used + more, 4096};
      ::setrlimit(RLIMIT_NOFILE, &limits);
      const auto problem = attempt();
      if (problem.empty()) return all;
      if (problem.find('[') != std::string::npos || problem.size() < 10) return "unexpected: " + problem;
      all = problem;
    }
    return "too many are needed: " + all;
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, "file")) << said;
}

}  // namespace
}  // namespace d2l::testing
