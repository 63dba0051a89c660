// SPDX-License-Identifier: MIT
// start_ranks: a program that goes on as several processes.
#include "d2l/start_ranks.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

/// What a child process prints on its standard output, and its exit code.
struct Ran {
  int code = 0;
  std::string out;
};

Ran in_child(const std::function<int()>& program) {
  ::testing::internal::CaptureStdout();
  const pid_t process = ::fork();
  if (process == 0) {
    ::unsetenv("RANK");
    ::_exit(program());
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), ::testing::internal::GetCapturedStdout()};
}

TEST(StartRanks, ContinuesAsSeveralProcessesOfWhichTheFirstPrints) {
  SKIP_WITHOUT_GLOO();
  const auto ran = in_child([] {
    start_ranks(3);
    dist::init_process_group("gloo", {.timeout = std::chrono::seconds(20)});
    const Tensor x = full({2}, dist::get_rank() + 1.0);
    dist::all_reduce(x).wait();
    std::printf("rank %d: %g\n", dist::get_rank(), x.sum().item<double>());
    std::fflush(stdout);
    dist::destroy_process_group();
    return 0;
  });
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "rank 0: 12\n");
}

TEST(StartRanks, ExitsWithTheCodeOfTheRankThatFailed) {
  const auto ran = in_child([] {
    start_ranks(2);
    return std::atoi(std::getenv("RANK")) == 1 ? 3 : 0;
  });
  EXPECT_EQ(ran.code, 3);
}

TEST(StartRanks, DoesNothingInARank) {
  const auto ran = in_child([] {
    ::setenv("RANK", "0", 1);
    start_ranks(4);
    std::printf("once");
    std::fflush(stdout);
    return 0;
  });
  EXPECT_EQ(ran.out, "once");
}

TEST(StartRanks, RefusesWhatCannotBe) {
  expect_error<ConfigurationError>([] { start_ranks(0); }, "number of ranks");
  expect_error<ConfigurationError>([] { start_ranks(3, {.servers = 2}); }, "divide evenly");
  expect_error<ConfigurationError>([] { start_ranks(2, {.servers = 2, .slow_link = "fast"}); }, "is no rate");
}

}  // namespace
}  // namespace d2l::testing
