// SPDX-License-Identifier: MIT
// Ranks on two machines, network namespaces here, of which the first is set up as Debian and Ubuntu do it: its own name
// is 127.0.1.1 in /etc/hosts.
#include <netinet/in.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "distributed/processes.h"
#include "distributed/store/store_client.h"
#include "launch/addresses.h"
#include "launch/network.h"
#include "launch/own_process.h"
#include "messages.h"
#include "temporary_folder.h"

namespace d2l::testing {
namespace {

using distributed::detail::StoreClient;
using tests::contains;
using tests::not_possible;
using tests::own_process;

/// Two machines that a cable joins, and their names in /etc/hosts.
class Machines {
 public:
  /// "10.1.2." has the addresses 10.1.2.1 and 10.1.2.2.
  explicit Machines(const std::string& network) : network_(network), length_(network.back() == ':' ? "/64" : "/24") {
    second_.add_cable("d2l0", first_, "d2l0");
    set_up(first_, "1");
    set_up(second_, "2");
  }
  /// What was refused; empty if nothing was.
  [[nodiscard]] std::string refused() const {
    for (const launch::Network* const machine : {&first_, &second_}) {
      if (machine->failure()) return machine->failure()->attempted;
    }
    return {};
  }
  /// Moves this process to a machine, on which the first one's name has the address that it has there.
  bool enter(int machine) {
    const int space = (machine == 0 ? first_ : second_).space().get();
    return ::setns(space, CLONE_NEWNET) == 0 && ::unshare(CLONE_NEWNS) == 0 &&
           ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           replace("/etc/hosts", "127.0.0.1 localhost\n" + (machine == 0 ? "127.0.1.1" : network_ + "1") + " d2lbox\n");
  }
  /// Puts another file in the place of one, for a process that has entered a machine.
  bool replace(const std::string& path, const std::string& text) {
    const std::string file = folder_.path() / (std::to_string(::getpid()) + path.substr(path.rfind('/') + 1));
    std::ofstream(file) << text;
    return ::mount(file.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) == 0;
  }

 private:
  void set_up(launch::Network& machine, const std::string& number) {
    ::setns(machine.space().get(), CLONE_NEWNET);
    machine.set_up("lo");
    machine.set_up("d2l0");
    machine.add_address("d2l0", network_ + number + length_);
  }

  std::string network_;
  std::string length_;
  launch::Network first_;
  launch::Network second_;
  tests::TemporaryFolder folder_;
};

/// Ranks 0 and 1 on the first machine and 2 and 3 on the second add a tensor; what happens to them.
std::string ranks_add(const std::string& network) {
  if (!tests::enter_own_network()) return not_possible + "a network of its own";
  Machines machines(network);
  if (const auto refused = machines.refused(); !refused.empty()) return not_possible + refused;
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < 4; ++rank) {
    const pid_t child = ::fork();
    if (child > 0) {
      ranks.push_back(child);
      continue;
    }
    ::alarm(40);
    if (!machines.enter(rank / 2)) ::_exit(77);
    try {
      dist::init_process_group(
          "gloo", {.rank = rank, .world_size = 4, .master_addr = "d2lbox", .master_port = 29500, .timeout = 20s});
      const Tensor x = full({2}, rank + 1.0);
      dist::all_reduce(x).wait();
      ::_exit(x.sum().item<int>());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    }
    ::_exit(1);
  }
  std::string said;
  for (const pid_t rank : ranks) {
    int status = 0;
    ::waitpid(rank, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) said = not_possible + "another /etc/hosts";
    if (!said.starts_with(not_possible)) said += std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + " ";
  }
  return said;
}

TEST(TwoMachines, MeetWhereTheOwnNameIsALoopbackAddress) {
  SKIP_WITHOUT_GLOO();
  for (const char* const network : {"10.1.2.", "192.168.9.", "fd00:d2::"}) {
    const auto said = own_process([network] { return ranks_add(network); });
    SKIP_IF_NOT_POSSIBLE(said);
    EXPECT_EQ(said, "20 20 20 20 ") << network;
  }
}

TEST(TwoMachines, RefuseAnAddressOfOneLink) {
  SKIP_WITHOUT_GLOO();
  const auto said = own_process([]() -> std::string {
    if (!tests::enter_own_network()) return not_possible + "a network of its own";
    Machines machines("fe80::d2:");
    if (const auto refused = machines.refused(); !refused.empty()) return not_possible + refused;
    if (!machines.enter(0)) return not_possible + "another /etc/hosts";
    return tests::message_of<DistributedError>([] {
      dist::init_process_group(
          "gloo", {.rank = 0, .world_size = 1, .master_addr = "fe80::d2:1%d2l0", .master_port = 29500, .timeout = 20s});
      return 0;
    });
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, "fe80::d2:1%d2l0 is valid on one network link only, so other ranks cannot use it"));
  EXPECT_TRUE(contains(said, "set MASTER_ADDR to an address of IPv4, or of IPv6 that does not begin with fe80"));
}

TEST(TwoMachines, SayThatAHostIsLookedUp) {
  const auto said = own_process([]() -> std::string {
    if (!tests::enter_own_network()) return not_possible + "a network of its own";
    Machines machines("10.1.2.");  // this process is on the second
    if (const auto refused = machines.refused(); !refused.empty()) return not_possible + refused;
    // A server of names that does not answer.
    const d2l::detail::Descriptor server(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(53);
    if (::bind(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || !machines.enter(0) ||
        !machines.replace("/etc/resolv.conf", "nameserver 10.1.2.2\noptions timeout:4 attempts:2\n")) {
      return not_possible + "another /etc/resolv.conf";
    }
    ::testing::internal::CaptureStderr();
    const auto message = tests::message_of<DistributedError>([] {
      return StoreClient({"d2lother", 29500}, 1, 2, 300s).local_address();
    });
    return message + ::testing::internal::GetCapturedStderr();
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, "the host d2lother is not known"));
  EXPECT_TRUE(contains(said, "rank 1 has waited 5 s: the host d2lother is looked up"));
}

TEST(TwoMachines, UseTheInterfaceThatAVariableNames) {
  SKIP_WITHOUT_GLOO();
  const auto said = own_process([]() -> std::string {
    if (!tests::enter_own_network()) return not_possible + "a network of its own";
    Machines machines("10.1.2.");
    if (const auto refused = machines.refused(); !refused.empty()) return not_possible + refused;
    if (!machines.enter(0)) return not_possible + "another /etc/hosts";
    ::setenv("GLOO_SOCKET_IFNAME", "nothing0", 1);
    return launch::address_of_interface("d2l0").value_or("none") + " " +
           launch::address_of_interface("lo").value_or("none") + " " + tests::message_of<ConfigurationError>([] {
             dist::init_process_group("gloo", {.rank = 0, .world_size = 1, .master_port = 29500});
             return 0;
           });
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, "10.1.2.1 127.0.0.1 "));
  EXPECT_TRUE(contains(said, "GLOO_SOCKET_IFNAME names \"nothing0\", which has no address"));
}

}  // namespace
}  // namespace d2l::testing
