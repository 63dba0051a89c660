// SPDX-License-Identifier: MIT
// Ranks as processes: their variables, their output, and their end.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "gtest/gtest.h"
#include "launch/ranks.h"
#include "launch/servers.h"
#include "temporary_folder.h"

namespace d2l::testing {
namespace {

using namespace std::chrono_literals;

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

/// What a launch prints, and its exit code.
struct Launched {
  int code = 0;
  std::string out;
  std::string error;
};

Launched launched(launch::Options options, const std::function<int(int)>& child) {
  options.grace = 300ms;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Launched result;
  result.code = launch::run(options, child);
  result.out = ::testing::internal::GetCapturedStdout();
  result.error = ::testing::internal::GetCapturedStderr();
  return result;
}

TEST(Launch, GivesRanksTheVariablesOfTorchrun) {
  const auto result = launched({.ranks = 4, .servers = 2, .master_port = 1234}, [](int rank) {
    const bool right = variable("RANK") == std::to_string(rank) && variable("WORLD_SIZE") == "4" &&
                       variable("LOCAL_RANK") == std::to_string(rank % 2) && variable("LOCAL_WORLD_SIZE") == "2" &&
                       variable("GROUP_RANK") == std::to_string(rank / 2) && variable("MASTER_ADDR") == "127.0.0.1" &&
                       variable("MASTER_PORT") == "1234" && !variable("OMP_NUM_THREADS").empty();
    return right ? 0 : 1;
  });
  EXPECT_EQ(result.code, 0) << result.error;
}

TEST(Launch, PrefixesEachLineOfEachRank) {
  const auto result = launched({.ranks = 2}, [](int rank) {
    std::printf("one\ntwo of %d", rank);
    std::fprintf(stderr, "three\n");
    std::fflush(nullptr);
    return 0;
  });
  EXPECT_NE(result.out.find("[rank 0] one\n"), std::string::npos);
  EXPECT_NE(result.out.find("[rank 1] two of 1\n"), std::string::npos);
  EXPECT_NE(result.error.find("[rank 1] three\n"), std::string::npos);
}

TEST(Launch, ForwardsMuchOutput) {
  const auto result = launched({.ranks = 2}, [](int /*rank*/) {
    const std::string line(999, 'x');
    for (int i = 0; i < 5000; ++i) std::printf("%s\n", line.c_str());
    std::fflush(stdout);
    return 0;
  });
  EXPECT_EQ(result.out.size(), 2 * 5000 * (1000 + std::string("[rank 0] ").size()));
}

TEST(Launch, EndsTheOthersWhenOneFails) {
  const auto began = std::chrono::steady_clock::now();
  const auto result = launched({.ranks = 3}, [](int rank) {
    if (rank == 1) return 3;
    std::this_thread::sleep_for(60s);
    return 0;
  });
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.error.find("rank 1 ended with exit code 3"), std::string::npos) << result.error;
  EXPECT_LT(std::chrono::steady_clock::now() - began, 30s);
}

TEST(Launch, ReportsASignal) {
  const auto result = launched({.ranks = 2}, [](int rank) {
    if (rank == 0) ::raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(result.code, 128 + SIGKILL);
  EXPECT_NE(result.error.find("rank 0 was ended by signal 9 (Killed)"), std::string::npos) << result.error;
}

/// Whether a process ends within a few seconds.
bool ends(pid_t process) {
  for (int i = 0; i < 100; ++i) {
    if (::kill(process, 0) != 0) return true;
    std::this_thread::sleep_for(50ms);
  }
  return false;
}

TEST(Launch, LeavesNoProcessBehind) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "processes";
  launched({.ranks = 2}, [&file](int rank) {
    if (rank == 0) {
      if (const pid_t grandchild = ::fork(); grandchild == 0) {
        ::signal(SIGTERM, SIG_IGN);
        std::this_thread::sleep_for(60s);
        ::_exit(0);
      } else {
        std::ofstream(file) << grandchild;
      }
      std::this_thread::sleep_for(60s);
    }
    std::this_thread::sleep_for(300ms);
    return 1;
  });
  pid_t grandchild = 0;
  std::ifstream(file) >> grandchild;
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(ends(grandchild));
}

TEST(Launch, RanksEndWithTheLauncher) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "rank";
  const pid_t launcher = ::fork();
  if (launcher == 0) {
    launch::run({.ranks = 1}, [&file](int /*rank*/) {
      std::ofstream(file) << ::getpid() << std::endl;
      std::this_thread::sleep_for(60s);
      return 0;
    });
    ::_exit(0);
  }
  pid_t rank = 0;
  for (int i = 0; i < 100 && rank == 0; ++i) {
    std::this_thread::sleep_for(50ms);
    std::ifstream(file) >> rank;
  }
  ::kill(launcher, SIGKILL);
  ::waitpid(launcher, nullptr, 0);
  ASSERT_GT(rank, 0);
  EXPECT_TRUE(ends(rank));
}

TEST(Launch, ServersHaveNetworksOfTheirOwn) {
  const pid_t process = ::fork();  // which leaves its network
  if (process == 0) {
    const launch::Servers servers(2, "100Mbit");
    if (!servers.problem().empty()) {
      std::fprintf(stderr, "%s\n", servers.problem().c_str());
      ::_exit(77);
    }
    const int code = launch::run(
        {.ranks = 2, .servers = 2},
        [](int rank) {
          const std::string own = "ip addr show dev d2l0 | grep -q 10.77.0." + std::to_string(rank + 1);
          return std::system(own.c_str()) == 0 ? 0 : 1;
        },
        [&servers](int server) { servers.enter(server); });
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "this machine has no network namespaces, or no ip and tc";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Launch, RatesAreThoseOfTc) {
  for (const char* const rate : {"1Gbit", "100Mbit", "2.5Gbit", "500kbit"}) EXPECT_TRUE(launch::is_rate(rate)) << rate;
  for (const char* const rate : {"", "1", "fast", "0Gbit", "-1Gbit", "1GB", "1Gbit; true"}) {
    EXPECT_FALSE(launch::is_rate(rate)) << rate;
  }
}

TEST(Launch, RanksMustDivideOverServers) {
  EXPECT_EQ(launch::problem_of({.ranks = 4, .servers = 2}), "");
  EXPECT_NE(launch::problem_of({.ranks = 3, .servers = 2}), "");
  EXPECT_NE(launch::problem_of({.ranks = 0}), "");
  EXPECT_NE(launch::problem_of({.ranks = 65}), "");
}

}  // namespace
}  // namespace d2l::testing
