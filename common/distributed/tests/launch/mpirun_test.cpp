// SPDX-License-Identifier: MIT
// What the ranks do that the test unit.mpirun starts.
#include <cstdlib>

#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? -1 : std::atoi(text);
}

TEST(StartedByMpirun, RanksMeet) {
  if (number_in("OMPI_COMM_WORLD_SIZE") < 0) GTEST_SKIP() << "mpirun has not started this process";
  dist::init_process_group("", {.timeout = std::chrono::seconds(30)});
  EXPECT_EQ(dist::get_rank(), number_in("OMPI_COMM_WORLD_RANK"));
  EXPECT_EQ(dist::get_world_size(), number_in("OMPI_COMM_WORLD_SIZE"));
  EXPECT_EQ(dist::get_local_rank(), number_in("OMPI_COMM_WORLD_LOCAL_RANK"));
  const Tensor rank = full({4}, dist::get_rank() + 1.0);
  dist::all_reduce(rank).wait();
  EXPECT_EQ(rank.sum().item<double>(), 2.0 * dist::get_world_size() * (dist::get_world_size() + 1));
  dist::destroy_process_group();
}

}  // namespace
}  // namespace d2l::testing
