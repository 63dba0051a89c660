// SPDX-License-Identifier: MIT
// start_ranks: a program that goes on as several processes.
#include "d2l/start_ranks.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "distributed/ranks.h"
#include "launch/own_process.h"

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
    int code = 1;
    try {
      code = program();
    } catch (const std::exception& error) {  // must not go on with the tests of the parent
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(code);
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

/// What a program that starts two ranks prints where these variables are set.
std::string printed_with(const std::vector<std::pair<std::string, std::string>>& variables) {
  return in_child([&variables] {
           for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
           start_ranks(2);
           std::printf("%s", std::getenv("WORLD_SIZE") == nullptr ? "one" : std::getenv("WORLD_SIZE"));
           std::fflush(stdout);
           return 0;
         })
      .out;
}

TEST(StartRanks, StartsThemWhereSlurmHasStartedOneProcess) {
  EXPECT_EQ(printed_with({{"RANK", ""}}), "2\n");
  // srun --pty bash
  EXPECT_EQ(printed_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}, {"SLURM_STEP_NUM_TASKS", "1"}}), "2\n");
  // the script of a job with four tasks
  EXPECT_EQ(printed_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), "2\n");
  // an interactive step of such a job
  EXPECT_EQ(printed_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_NUM_TASKS", "1"}}), "2\n");
  EXPECT_EQ(printed_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_NUM_TASKS", "4"}}), "one");
  EXPECT_EQ(printed_with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), "one");
}

TEST(StartRanks, SaysWhereTheRanksAre) {
  const auto ran = in_child([] {
    const auto started = start_ranks(2, {.servers = 2, .slow_link = "1Gbit"});
    std::printf("%d%s", started.on_servers ? 1 : 0, started.instead.c_str());
    std::fflush(stdout);
    return 0;
  });
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out == "1\n" ||
              ran.out.rfind("0one server, with a limit of 1Gbit in place of the link, because ", 0) == 0)
      << ran.out;
  const auto one = in_child([] {
    ::setenv("RANK", "0", 1);
    std::printf("%s", start_ranks(2, {.servers = 2}).instead.c_str());
    std::fflush(stdout);
    return 0;
  });
  EXPECT_EQ(one.out, "one server, because they were not started with --servers 2");
}

TEST(StartRanks, ShowsASlowLinkWithoutServers) {
  SKIP_WITHOUT_GLOO();
  const auto said = tests::own_process([]() -> std::string {
    ::unsetenv("RANK");
    if (!tests::refuse_network_namespaces()) return tests::not_possible + "a user namespace";
    const auto ran = in_child([] {
      const auto started = start_ranks(4, {.servers = 2, .slow_link = "10Mbit"});
      dist::init_process_group("gloo", {.timeout = std::chrono::seconds(30)});
      const Tensor x = ones({250'000});
      dist::barrier().wait();
      const auto began = std::chrono::steady_clock::now();
      dist::all_reduce(x).wait();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
      const bool right = x.eq(4.0).all().item<bool>();
      // Each half sends 1.5 MB at 1.25 MB/s.
      std::printf("%d%d%d %s", started.on_servers ? 1 : 0, right ? 1 : 0,
                  took.count() > 1.1 && took.count() < 8 ? 1 : 0, started.instead.c_str());
      std::fflush(stdout);
      dist::destroy_process_group();
      return 0;
    });
    return ran.out;
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_EQ(said.substr(0, 4), "011 ") << said;
  EXPECT_NE(said.find("user.max_net_namespaces is 0 here"), std::string::npos) << said;
}

TEST(StartRanks, EndsRanksThatWaitForOneThatHasEnded) {
  SKIP_WITHOUT_GLOO();
  for (const int ends : {0, 1}) {
    const auto began = std::chrono::steady_clock::now();
    ::testing::internal::CaptureStderr();
    const auto ran = in_child([ends] {
      ::setenv("D2L_VIRTUAL_GPUS", "0", 1);  // of which a rank would tell
      start_ranks(3);
      if (std::atoi(std::getenv("RANK")) == ends) return 0;
      dist::init_process_group("gloo");
      return 0;
    });
    const auto error = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(ran.code, 2);
    // A rank that is slow to end may add that it lost the others.
    EXPECT_TRUE(error.starts_with(
        "rank " + std::to_string(ends) +
        " ended with exit code 0 before it joined the process group, for which the other ranks wait\n"))
        << error;
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  }
}

TEST(StartRanks, RefusesWhatCannotBe) {
  expect_error<ConfigurationError>([] { start_ranks(0); }, "number of ranks");
  expect_error<ConfigurationError>([] { start_ranks(3, {.servers = 2}); }, "divide evenly");
  expect_error<ConfigurationError>([] { start_ranks(2, {.servers = 2, .slow_link = "fast"}); }, "is not a rate");
}

}  // namespace
}  // namespace d2l::testing
