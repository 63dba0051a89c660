// SPDX-License-Identifier: MIT
// Processes that find each other over TCP, compute together, and die.
#include "distributed/processes.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>
#include <tuple>

#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST_F(Processes, ComputeTogetherOverTcp) {
  for (const int size : {2, 3}) {
    start(size, [size](int rank) {
      const Tensor x = tensor_of(elements_of(rank, 100'000, kFloat), kFloat, cpu());
      dist::all_reduce(x).wait();
      expect_values(x, joined_elements(dist::ReduceOp::SUM, size, 100'000, kFloat));
      const auto group = dist::new_group({size - 1, 0});
      if (dist::get_rank(group) >= 0) {
        const Tensor y = full({3}, rank);
        dist::broadcast(y, 0, group).wait();
        expect_tensor(y, {3}, std::vector<double>(3, size - 1));
      }
    });
    EXPECT_EQ(finish(), std::vector<int>(static_cast<std::size_t>(size), 0));
  }
}

TEST_F(Processes, NameTheRankThatWasKilled) {
  for (const std::size_t killed : {std::size_t{2}, std::size_t{0}}) {
    start(
        3,
        [](int /*rank*/) {
          const Tensor x = ones({200'000});
          while (true) dist::all_reduce(x, dist::ReduceOp::MAX).wait();
        },
        "rank " + std::to_string(killed) + " has ended");
    std::this_thread::sleep_for(700ms);
    ::kill(children_[killed], SIGKILL);
    std::vector<int> expected(3, 2);
    expected[killed] = -SIGKILL;
    EXPECT_EQ(finish(), expected) << "killed rank " << killed;
  }
}

TEST_F(Processes, NameARankThatHangs) {
  const auto began = Clock::now();
  start(
      3,
      [](int rank) {
        if (rank == 1) std::this_thread::sleep_for(4s);
        dist::all_reduce(ones({10})).wait();
      },
      "rank 1 did not call all_reduce within 1 s", 1s);
  const auto codes = finish();
  EXPECT_EQ(codes[0], 2);
  EXPECT_EQ(codes[2], 2);
  EXPECT_LT(Clock::now() - began, 30s);
}

TEST_F(Processes, NameARankThatIsStopped) {
  for (const std::size_t stopped : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    start(
        4,
        [](int /*rank*/) {
          const Tensor x = ones({100'000});
          while (true) dist::all_reduce(x, dist::ReduceOp::MAX).wait();
        },
        "rank " + std::to_string(stopped) + " did not ", 2s);
    std::this_thread::sleep_for(1s);
    ::kill(children_[stopped], SIGSTOP);
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (i == stopped) continue;
      int status = 0;
      ::waitpid(children_[i], &status, 0);
      EXPECT_EQ(WEXITSTATUS(status), 2) << "rank " << i << ", when rank " << stopped << " was stopped";
    }
    ::kill(children_[stopped], SIGKILL);
    ::waitpid(children_[stopped], nullptr, 0);
    children_.clear();
  }
}

TEST_F(Processes, DoNotBlameARankThatHasLeft) {
  for (const bool in_group : {false, true}) {
    start(
        3,
        [in_group](int rank) {
          const auto group = dist::new_group({0, 1});
          if (rank == 2) return;
          if (rank == 1) {
            std::this_thread::sleep_for(5s);
            throw DistributedError("rank 1 did not call");
          }
          std::this_thread::sleep_for(200ms);
          if (in_group) dist::barrier(group).wait();
          if (!in_group) dist::recv(ones({3}), 1).wait();
        },
        "rank 1 did not call", 2s);
    EXPECT_EQ(finish(), (std::vector<int>{2, 2, 0}));
  }
}

TEST_F(Processes, NameTheRankThatReceivesNothing) {
  start(
      3,
      [](int rank) {
        if (rank == 0) return dist::send(ones({3}), 2).wait();
        std::this_thread::sleep_for(3s);
        throw DistributedError("rank 2 did not call recv");
      },
      "rank 2 did not call recv", 1s);
  EXPECT_EQ(finish(), (std::vector<int>{2, 2, 2}));
}

TEST_F(Processes, GetTheLastMessageOfARankThatLeaves) {
  for (int round = 0; round < 10; ++round) {
    start(2, [](int rank) {
      const Tensor x = full({1'000'000}, static_cast<float>(rank));
      // The system's buffers grow, so that the last message leaves rank 0 before rank 1 has read it.
      for (int i = 0; i < 5; ++i) dist::broadcast(x, 0).wait();
      if (rank == 1) expect_tensor(x, {1'000'000}, std::vector<double>(1'000'000));
    });
    int status = 0;
    while (::waitpid(children_[0], &status, WNOHANG) == 0) {  // rank 1 reads slowly
      ::kill(children_[1], SIGSTOP);
      std::this_thread::sleep_for(30ms);
      ::kill(children_[1], SIGCONT);
      std::this_thread::sleep_for(1ms);
    }
    EXPECT_EQ(status, 0);
    children_.erase(children_.begin());
    ASSERT_EQ(finish(), std::vector<int>{0}) << "round " << round;
  }
}

TEST_F(Processes, LearnThatARankHasDiedWithinAMessage) {
  for (const int root : {0, 1}) {
    const auto began = Clock::now();
    start(
        2,
        [root](int rank) {
          std::thread killer;
          if (rank == 1) {
            killer = std::thread([] {
              std::this_thread::sleep_for(700ms);
              ::raise(SIGKILL);
            });
          }
          const Tensor x = ones({8'000'000});
          while (true) dist::broadcast(x, root).wait();
        },
        "rank 1 has ended", 50s);
    EXPECT_EQ(finish(), (std::vector<int>{2, -SIGKILL})) << "from rank " << root;
    EXPECT_LT(Clock::now() - began, 15s) << "from rank " << root;
  }
}

TEST_F(Processes, LearnThatARankHasDiedWhichIsNotInTheirGroup) {
  start(
      3,
      [](int rank) {
        const auto group = dist::new_group({0, 1});
        if (rank == 1) return std::this_thread::sleep_for(5s);
        if (rank == 2) {
          std::this_thread::sleep_for(500ms);  // the others have made the group, too
          ::raise(SIGKILL);
        }
        const auto began = Clock::now();
        try {
          dist::barrier(group).wait();
        } catch (const DistributedError&) {
          EXPECT_LT(Clock::now() - began, 4s);  // before rank 1 leaves
          if (!HasFailure()) throw;
        }
      },
      "rank 2 has ended");
  EXPECT_EQ(finish(), (std::vector<int>{2, 0, -SIGKILL}));
}

TEST_F(Processes, LeaveWhileACollectiveWaits) {
  const auto began = Clock::now();
  start(2, [](int rank) {
    const auto group = dist::new_group({0, 1});
    if (rank == 1) return std::this_thread::sleep_for(3s);
    std::ignore = dist::all_reduce(ones({3}), dist::ReduceOp::SUM, group);
    std::this_thread::sleep_for(100ms);  // it waits for rank 1
  });
  int status = 0;
  ::waitpid(children_[0], &status, 0);
  EXPECT_LT(Clock::now() - began, 2s);
  children_.erase(children_.begin());
  EXPECT_EQ(finish(), std::vector<int>{0});
}

TEST_F(Processes, AreToldOfARankThatIsThereTwice) {
  const int port = free_port();
  const auto began = Clock::now();
  for (const int rank : {0, 2, 2}) {
    join_in_child(rank, 4, port, "rank 2 has joined already: two processes have one rank, or two programs one port");
    std::this_thread::sleep_for(300ms);
  }
  EXPECT_EQ(finish(), (std::vector<int>{4, 4, 3}));
  EXPECT_LT(Clock::now() - began, 10s);
}

TEST_F(Processes, AreToldOfAWrongWorldSizeAndOfAPortInUse) {
  const int port = free_port();
  const auto began = Clock::now();
  for (const auto& [rank, size] : {std::pair{0, 3}, std::pair{2, 3}, std::pair{1, 4}}) {
    join_in_child(rank, size, port, "rank 1 was started with world size 4, rank 0 with 3");
  }
  EXPECT_EQ(finish(), (std::vector<int>{4, 4, 3}));
  EXPECT_LT(Clock::now() - began, 10s);
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(descriptor, 1), 0);
  expect_error<ConfigurationError>(
      [port] { dist::init_process_group("gloo", {.rank = 0, .world_size = 2, .master_port = port, .timeout = 1s}); },
      "is in use");
  ::close(descriptor);
  expect_error<DistributedError>(
      [port] { dist::init_process_group("gloo", {.rank = 1, .world_size = 2, .master_port = port, .timeout = 200ms}); },
      "rank 0 does not answer within 0.2 s: nothing listens at 127.0.0.1");
}

}  // namespace
}  // namespace d2l::testing
