// SPDX-License-Identifier: MIT
// How ranks find rank 0 where the network is not the usual one, and how soon they give up.
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <chrono>
#include <functional>

#include "d2l/start_ranks.h"
#include "distributed/processes.h"
#include "distributed/store/store_client.h"
#include "distributed/store/store_server.h"
#include "launch/addresses.h"
#include "launch/network.h"
#include "launch/own_process.h"
#include "launch/problem.h"
#include "messages.h"

namespace d2l::testing {
namespace {

using Clock = std::chrono::steady_clock;
using distributed::detail::StoreAddress;
using distributed::detail::StoreClient;
using distributed::detail::StoreServer;
using tests::contains;
using tests::not_possible;
using tests::own_process;

/// Expects that a rank gives up within 7 s, with this text.
void expect_gives_up(const StoreAddress& store, const std::string& text, std::chrono::milliseconds timeout = 300s) {
  const auto began = Clock::now();
  const auto said = tests::message_of<Error>([&] { return StoreClient(store, 1, 2, timeout).local_address(); });
  EXPECT_TRUE(contains(said, text));
  EXPECT_LT(Clock::now() - began, 7s);
}

TEST(Rendezvous, GivesUpSoonWhereNothingListens) {
  expect_gives_up({"127.0.0.1", free_port()}, "rank 0 does not answer within 5 s: nothing listens at 127.0.0.1:");
}

TEST(Rendezvous, GivesUpSoonAtAnotherProgram) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), length), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  expect_gives_up({"127.0.0.1", ntohs(address.sin_port)}, "does not answer)");
  ::close(listener);
}

TEST(Rendezvous, GivesUpSoonAtAnUnknownHost) {
  expect_gives_up({"no-such-host.invalid", 29500}, "the host no-such-host.invalid is not known");
}

TEST(Rendezvous, WaitsForARankThatALauncherWatchesAndSaysSo) {
  ::testing::internal::CaptureStderr();
  const auto began = Clock::now();
  const auto said = tests::message_of<DistributedError>([] {
    return StoreClient({"127.0.0.1", free_port(), /*is_watched=*/true}, 1, 2, 6s).local_address();
  });
  EXPECT_TRUE(contains(said, "within 6 s"));
  EXPECT_GE(Clock::now() - began, 6s);
  EXPECT_TRUE(
      contains(::testing::internal::GetCapturedStderr(), "rank 1 has waited 5 s: nothing listens at 127.0.0.1:"));
}

TEST(Rendezvous, DoesNotMeetItself) {
  const auto said = own_process([]() -> std::string {
    if (!tests::enter_own_network()) return not_possible + "a network of its own";
    // The system has one port to give, and the rank connects to just that.
    if (!tests::change_device("lo", true) ||
        !tests::write_file("/proc/sys/net/ipv4/ip_local_port_range", "40000 40000")) {
      return not_possible + "its ports";
    }
    return tests::message_of<DistributedError>([] {
      // A port that is left in TIME_WAIT can be used again after a second.
      return StoreClient({"127.0.0.1", 40000}, 1, 2, 500ms).local_address();
    });
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, "nothing listens at 127.0.0.1:40000"));
}

TEST(Rendezvous, SaysWhatDidNotArrive) {
  const StoreServer server(0, 1);
  StoreClient client({"127.0.0.1", server.port()}, 0, 1, 5s);
  client.set("key", "value");
  EXPECT_EQ(client.get("key", "this", 5s), "value");
  expect_error<DistributedError>([&] { return client.get("another key", "rank 1 did not give its address", 1s); },
                                 "[init_process_group] rank 1 did not give its address within 1 s");
  client.leave();
}

TEST(Rendezvous, TellsAClientForWhichThereIsNoDescriptor) {
  SKIP_WHERE_A_DESCRIPTOR_IS_NEEDED();
  const auto said = own_process([]() -> std::string {
    const StoreServer server(0, 3);
    const StoreClient first({"127.0.0.1", server.port()}, 0, 3, 5s);
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    // One descriptor is left, for the client's own socket.
    rlimit limits{};
    ::getrlimit(RLIMIT_NOFILE, &limits);
    limits.rlim_cur = static_cast<rlim_t>(next + 1);
    ::setrlimit(RLIMIT_NOFILE, &limits);
    ::close(next);
    return tests::message_of<ConfigurationError>([&] {
      return StoreClient({"127.0.0.1", server.port()}, 1, 3, 5s).local_address();
    });
  });
  EXPECT_TRUE(contains(said, "rank 0 cannot accept a rank: Too many open files (ulimit -n)"));
}

/// Three ranks of start_ranks() meet and compute in the network of this process. Returns in each of them; of rank 0,
/// what it has found.
std::string ranks_meet() {
  ::unsetenv("RANK");
  start_ranks(3);
  dist::init_process_group("gloo", {.timeout = 20s});
  const Tensor x = full({2}, dist::get_rank() + 1.0);
  dist::all_reduce(x).wait();
  std::string text;
  if (dist::get_rank() == 0) text = std::getenv("MASTER_ADDR") + (" " + std::to_string(x.sum().item<int>()));
  dist::destroy_process_group();
  return text;
}

/// Expects what ranks find in a network that `prepare` sets up.
void expect_in_network(const std::function<bool()>& prepare, const std::string& text) {
  const auto began = Clock::now();
  const auto said = own_process([&]() -> std::string {
    if (!tests::enter_own_network()) return not_possible + "a network of its own";
    if (!prepare()) return not_possible + "its devices";
    return ranks_meet();
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, text));
  EXPECT_LT(Clock::now() - began, 10s);
}

class Networks : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
};

TEST_F(Networks, WithALoopbackInterface) {
  expect_in_network([] { return tests::change_device("lo", true); }, "127.0.0.1 12");
}

TEST_F(Networks, OfVersion6Alone) {
  expect_in_network([] { return tests::set_up_version_6_loopback(); }, "::1 12");
}

TEST_F(Networks, WithoutAnyDevice) {
  expect_in_network([] { return true; }, "because the loopback interface is down; as root: ip link set lo up");
}

TEST(Rendezvous, GivesUpAtOnceWithoutARouteToThisMachine) {
  const auto said = own_process([]() -> std::string {
    if (!tests::enter_own_network()) return not_possible + "a network of its own";
    return tests::message_of<DistributedError>([] {
      return StoreClient({"127.0.0.1", 29500}, 1, 2, 300s).local_address();
    });
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, "within 1 s: 127.0.0.1:29500 cannot be reached: Network is unreachable"));
  EXPECT_TRUE(contains(said, "ip link set lo up"));
}

/// Adds a device with the address 10.1.2.3 to the network of this process.
bool add_device() {
  static launch::Network other;  // this process is in it now
  launch::Network own;
  const std::uint32_t address = 0x0a010203;
  return own.add_cable("d2l9", other, "d2l9") && tests::change_device("d2l9", true, &address);
}

TEST(Rendezvous, SaysThatItWaitsForAnotherMachine) {
  const auto said = own_process([]() -> std::string {
    if (!tests::enter_own_network()) return not_possible + "a network of its own";
    if (!add_device()) return not_possible + "its devices";
    ::testing::internal::CaptureStderr();
    const auto message = tests::message_of<DistributedError>([] {
      return StoreClient({"10.9.9.9", 29500}, 1, 2, 7s).local_address();
    });
    return message + ::testing::internal::GetCapturedStderr();
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_TRUE(contains(said, "rank 0 does not answer within 7 s: 10.9.9.9:29500 "));
  EXPECT_TRUE(contains(said, "rank 1 has waited 5 s: 10.9.9.9:29500 "));
}

TEST_F(Networks, WithoutALoopbackInterfaceBesideAnother) {
  expect_in_network([] { return add_device(); }, "because the loopback interface is down; as root: ip link set lo up");
}

TEST_F(Networks, WithTheAddressOfAnotherInterfaceAlone) {
  expect_in_network(
      [] {
        return add_device() && tests::set_up_version_6_loopback() &&
               tests::write_file("/proc/sys/net/ipv6/conf/lo/disable_ipv6", "1");
      },
      "10.1.2.3 12");
}

TEST(Addresses, AreOfThisMachineOrNot) {
  const auto is_local = [](std::uint32_t number) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(number);
    return launch::is_local(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  };
  EXPECT_TRUE(is_local(INADDR_LOOPBACK));
  EXPECT_TRUE(is_local(INADDR_LOOPBACK + 1));
  EXPECT_FALSE(is_local(0xc0000201));  // 192.0.2.1 is for documentation
  EXPECT_EQ(launch::with_port("::1", 7), "[::1]:7");
  EXPECT_EQ(launch::with_port("10.0.0.1", 7), "10.0.0.1:7");
}

TEST(FewDescriptors, AreAnErrorThatNamesTheLimit) {
  SKIP_WITHOUT_GLOO();
  const auto said = own_process([]() -> std::string {
    const auto used = static_cast<rlim_t>(tests::open_descriptors());
    const rlimit limits{used + 10, used + 10};
    ::setrlimit(RLIMIT_NOFILE, &limits);
    return tests::message_of<ConfigurationError>([] {
      dist::init_process_group("gloo", {.rank = 0, .world_size = 8, .master_port = free_port(), .timeout = 1s});
      return 0;
    });
  });
  EXPECT_TRUE(contains(said, "(8 ranks need "));
  EXPECT_TRUE(contains(said, "ulimit -n"));
}

}  // namespace
}  // namespace d2l::testing
