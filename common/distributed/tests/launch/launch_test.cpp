// SPDX-License-Identifier: MIT
// Ranks as processes: their variables, their output, and their end.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <thread>

#include "gtest/gtest.h"
#include "launch/board.h"
#include "launch/problem.h"
#include "launch/ranks.h"
#include "launch/rate.h"
#include "pseudo_terminal.h"
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

TEST(Launch, EndsWhatRanksHaveStartedWhenTheTerminalIsClosed) {
  for (const int signal : {SIGHUP, SIGQUIT}) {
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "processes";
    const pid_t launcher = ::fork();
    if (launcher == 0) {
      ::_exit(launch::run({.ranks = 1}, [&file](int /*rank*/) {
        const pid_t grandchild = ::fork();
        if (grandchild != 0) std::ofstream(file) << grandchild << std::endl;
        std::this_thread::sleep_for(60s);
        return 0;
      }));
    }
    pid_t grandchild = 0;
    for (int i = 0; i < 100 && grandchild == 0; ++i) {
      std::this_thread::sleep_for(50ms);
      std::ifstream(file) >> grandchild;
    }
    ASSERT_GT(grandchild, 0);
    ::kill(launcher, signal);
    int status = 0;
    ::waitpid(launcher, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 128 + signal) << status;
    EXPECT_TRUE(ends(grandchild));
  }
}

/// What a launch of one rank prints on a terminal until `part` is there; nothing where no terminal can be made.
std::optional<std::string> shown_on_a_terminal(const std::function<int()>& rank, const std::string& part) {
  tests::PseudoTerminal terminal(
      [&rank] { return launch::run({.ranks = 1}, [&rank](int /*rank*/) { return rank(); }); });
  if (!terminal.is_there()) return std::nullopt;
  return terminal.read_until(part);
}

TEST(Launch, ShowsALineThatIsNotEndedOnATerminal) {
  const auto prompt = [] {
    std::fputs("Name? ", stdout);
    std::fflush(stdout);
    std::this_thread::sleep_for(60s);
    return 0;
  };
  const auto text = shown_on_a_terminal(prompt, "Name? ");
  if (!text) GTEST_SKIP() << "there is no pseudo-terminal here";
  EXPECT_EQ(*text, "[rank 0] Name? ");
}

TEST(Launch, ARankThatReadsTheTerminalReadsNothing) {
  const auto reads = [] {
    std::printf("read %d\n", std::getchar());
    std::fflush(stdout);
    return 0;
  };
  const auto text = shown_on_a_terminal(reads, "read -1\r\n");
  if (!text) GTEST_SKIP() << "there is no pseudo-terminal here";
  EXPECT_EQ(*text, "[rank 0] read -1\r\n");
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

TEST(Launch, EndsRanksThatWaitForOneThatHasEnded) {
  for (const int code : {0, 3}) {
    const auto began = std::chrono::steady_clock::now();
    launch::Options options{.ranks = 3};
    const auto result = launched(options, [code](int rank) {
      if (rank == 1) return code;
      const char* const port = std::getenv("MASTER_PORT");
      const launch::Meeting meeting(rank, 3, std::atoi(port));
      std::this_thread::sleep_for(60s);
      return 1;
    });
    EXPECT_EQ(result.code, code == 0 ? 2 : 3);
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    EXPECT_NE(result.error.find("rank 1 ended with exit code " + std::to_string(code)), std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
  }
}

TEST(Launch, LeavesRanksAloneThatHaveMet) {
  const auto result = launched({.ranks = 2}, [](int rank) {
    {
      launch::Meeting meeting(rank, 2, std::atoi(std::getenv("MASTER_PORT")));
      std::this_thread::sleep_for(rank == 0 ? 300ms : 0ms);
      meeting.set_joined();
    }
    return 0;
  });
  EXPECT_EQ(result.code, 0) << result.error;
}

/// What the launcher of ranks says, as a Problem, in a process that is limited.
std::string problem_under(int limit, rlim_t value, int ranks) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const pid_t process = ::fork();
  if (process == 0) {
    if (limit == RLIMIT_NPROC && ::getuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(77);
    const rlimit limits{value, value};
    ::setrlimit(static_cast<__rlimit_resource>(limit), &limits);
    std::string text;
    try {
      launch::run({.ranks = ranks}, [](int /*rank*/) {
        std::this_thread::sleep_for(60s);
        return 0;
      });
    } catch (const launch::Problem& problem) {
      text = problem.what();
    }
    if (::waitpid(-1, nullptr, WNOHANG) >= 0) text += " and a rank is left";
    ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string said(500, '\0');
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], said.data(), said.size()), 0)));
  ::close(ends[0]);
  ::waitpid(process, nullptr, 0);
  return said;
}

TEST(Launch, SaysThatThereAreTooFewDescriptorsOrProcesses) {
  EXPECT_EQ(
      problem_under(RLIMIT_NOFILE, 20, 40),
      "a pipe for the output of a rank cannot be made: Too many open files; a process may have 20 (ulimit -n), and "
      "a launcher needs 2 for each rank");
  EXPECT_NE(problem_under(RLIMIT_NPROC, 1, 40)
                .find("cannot be started: Resource temporarily unavailable; the user may have 1 "
                      "processes (ulimit -u)"),
            std::string::npos);
}

/// The seconds that a message takes on a board.
double seconds_of(launch::Board& board, int from, int to, std::size_t bytes) {
  const auto began = std::chrono::steady_clock::now();
  board.carry(from, to, bytes);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

TEST(Board, CarriesMessagesBetweenServersAtItsRate) {
  launch::Board board(4, 2, 1e6);  // ranks 0 and 1, 2 and 3; 1 MB/s
  EXPECT_GE(seconds_of(board, 0, 2, 300'000), 0.3);
  EXPECT_LT(seconds_of(board, 0, 1, 60'000'000), 30);
  // The ranks of a server share its cable.
  const auto began = std::chrono::steady_clock::now();
  std::thread other([&board] { board.carry(0, 2, 300'000); });
  board.carry(1, 3, 300'000);
  other.join();
  EXPECT_GE(std::chrono::steady_clock::now() - began, 600ms);
}

TEST(Launch, RatesAreThoseOfTc) {
  EXPECT_EQ(launch::bytes_per_second("1Gbit"), 125e6);
  EXPECT_EQ(launch::bytes_per_second("2.5Gbit"), 312.5e6);
  EXPECT_EQ(launch::bytes_per_second("100Mbit"), 12.5e6);
  EXPECT_EQ(launch::bytes_per_second("500kbit"), 62.5e3);
  for (const char* const rate : {"", "1", "fast", "0Gbit", "01Gbit", "-1Gbit", "+1Gbit", "infGbit", "1.Gbit", ".5Gbit",
                                 "1e3kbit", "1000000Gbit", "1GB", "1 Gbit", "1Gbit; true"}) {
    EXPECT_FALSE(launch::bytes_per_second(rate)) << rate;
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
