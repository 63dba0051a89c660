// SPDX-License-Identifier: MIT
// Rank, world size and master from the variables of torchrun, Open MPI and Slurm.
#include "distributed/store/environment.h"

#include <cstdlib>

#include "every_device.h"

namespace d2l::testing {
namespace {

using distributed::detail::find_rank_environment;
using distributed::detail::first_host;

/// Sets variables, and none of the others that are read, until the scope ends.
class Variables {
 public:
  explicit Variables(const std::vector<std::pair<std::string, std::string>>& set) {
    for (const char* const name :
         {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_RANK",
          "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_PROCID",
          "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_TASKS_PER_NODE", "SLURM_STEP_TASKS_PER_NODE",
          "SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"}) {
      ::unsetenv(name);
    }
    for (const auto& [name, value] : set) {
      ::setenv(name.c_str(), value.c_str(), 1);
      names_.push_back(name);
    }
  }
  ~Variables() {
    for (const auto& name : names_) ::unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::vector<std::string> names_;
};

TEST(Environment, WithoutVariablesIsOneProcess) {
  const Variables none({});
  const auto environment = find_rank_environment({});
  EXPECT_EQ(environment.rank, 0);
  EXPECT_EQ(environment.world_size, 1);
  EXPECT_EQ(environment.master_addr, "127.0.0.1");
}

TEST(Environment, OfTorchrun) {
  const Variables variables({{"RANK", "5"},
                             {"WORLD_SIZE", "8"},
                             {"LOCAL_RANK", "1"},
                             {"LOCAL_WORLD_SIZE", "4"},
                             {"MASTER_ADDR", "node1"},
                             {"MASTER_PORT", "1234"}});
  const auto environment = find_rank_environment({});
  EXPECT_EQ(environment.rank, 5);
  EXPECT_EQ(environment.world_size, 8);
  EXPECT_EQ(environment.local_rank, 1);
  EXPECT_EQ(environment.local_world_size, 4);
  EXPECT_EQ(environment.master_addr, "node1");
  EXPECT_EQ(environment.master_port, 1234);
}

TEST(Environment, OfOpenMpiOnOneMachine) {
  const Variables variables({{"OMPI_COMM_WORLD_RANK", "2"},
                             {"OMPI_COMM_WORLD_SIZE", "3"},
                             {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}});
  const auto environment = find_rank_environment({});
  EXPECT_EQ(environment.rank, 2);
  EXPECT_EQ(environment.world_size, 3);
  EXPECT_EQ(environment.local_rank, 2);
  EXPECT_EQ(environment.master_addr, "127.0.0.1");
}

TEST(Environment, OfSlurmOnTwoNodes) {
  const Variables variables({{"SLURM_PROCID", "3"},
                             {"SLURM_NTASKS", "8"},
                             {"SLURM_STEP_NUM_TASKS", "4"},
                             {"SLURM_LOCALID", "1"},
                             {"SLURM_TASKS_PER_NODE", "4(x2)"},
                             {"SLURM_STEP_TASKS_PER_NODE", "2(x2)"},
                             {"SLURM_STEP_NODELIST", "gpu[07-08]"}});
  const auto environment = find_rank_environment({});
  EXPECT_EQ(environment.rank, 3);
  EXPECT_EQ(environment.local_rank, 1);
  EXPECT_EQ(environment.local_world_size, 2);
  EXPECT_EQ(environment.master_addr, "gpu07");
}

TEST(Environment, OfSlurmInTheScriptOfAJobWithSeveralTasks) {
  const Variables variables({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_TASKS_PER_NODE", "4"}});
  EXPECT_EQ(find_rank_environment({}).world_size, 1);
}

TEST(Environment, OptionsComeFirst) {
  const Variables variables({{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"MASTER_PORT", "1"}});
  const auto environment =
      find_rank_environment({.rank = 1, .world_size = 2, .master_addr = "here", .master_port = 99});
  EXPECT_EQ(environment.rank, 1);
  EXPECT_EQ(environment.world_size, 2);
  EXPECT_EQ(environment.master_addr, "here");
  EXPECT_EQ(environment.master_port, 99);
}

TEST(Environment, WhatIsMalformedOrMissingIsNamed) {
  const auto expect = [](const std::vector<std::pair<std::string, std::string>>& set, const std::string& part) {
    const Variables variables(set);
    expect_error<ConfigurationError>([] { find_rank_environment({}); }, part);
  };
  expect({{"RANK", "first"}, {"WORLD_SIZE", "2"}}, "RANK is \"first\"");
  expect({{"RANK", "1"}}, "the world size is not");
  expect({{"WORLD_SIZE", "2"}}, "the rank is not");
  expect({{"RANK", "2"}, {"WORLD_SIZE", "2"}}, "the rank is 2");
  expect({{"RANK", "0"}, {"WORLD_SIZE", "0"}}, "the world size is 0");
  expect({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "70000"}}, "MASTER_PORT is 70000");
  expect({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}, {"LOCAL_WORLD_SIZE", "2"}},
         "MASTER_ADDR is not set");
  expect({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "3"}, {"LOCAL_WORLD_SIZE", "2"}}, "the local rank is 3");
}

TEST(Environment, FirstHostOfSlurmsList) {
  EXPECT_EQ(first_host("node[03-05,9],x7"), "node03");
  EXPECT_EQ(first_host("a,b[1-2]"), "a");
  EXPECT_EQ(first_host("single"), "single");
  EXPECT_EQ(first_host("n[4,7]"), "n4");
}

}  // namespace
}  // namespace d2l::testing
