// SPDX-License-Identifier: MIT
// fully_shard gives the rows and the parameters of PyTorch's FSDP2 on Gloo, where PyTorch is installed.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "d2l/sharding.h"
#include "distributed/processes.h"
#include "sharding/exact_perceptron.h"
#include "temporary_folder.h"
#include "test_python.h"

namespace d2l::testing {
namespace {

class TorchSharding : public Processes {};

/// torch_fsdp.py has this program in Python. Here rounding differs: sums of matrix products have other orders.
void expect_same(int rank, int size, const std::string& expected) {
  nn::Sequential net(nn::Linear(4, 7), nn::ReLU(), nn::Linear(7, 3));
  fill(net);
  dist::fully_shard(*net[0]);
  dist::fully_shard(*net[2]);
  dist::fully_shard(net);
  const auto parameters = net->parameters();
  const auto optimizer = make_optimizer(Kind::adam, parameters);
  train(net, *optimizer, 8 / size * rank, 8 / size);
  const StateDict full = dist::get_model_state_dict(*net, {.full_state_dict = true});
  std::istringstream lines(expected);
  std::size_t i = 0;
  for (const auto& item : full) {
    std::string line;
    std::string word;
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream rows(line);
    rows >> word;
    for (const std::int64_t own : parameters[i++].sizes()) {
      std::int64_t theirs = -1;
      rows >> theirs;
      EXPECT_EQ(own, theirs) << item.key() << " of rank " << rank;
    }
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream values(line);
    values >> word;
    for (const double own : item.value().reshape({-1}).to_vector<double>()) {
      double theirs = 0;
      values >> theirs;
      EXPECT_NEAR(own, theirs, 1e-12) << item.key();
    }
  }
}

TEST_F(TorchSharding, GivesTheSameParameters) {
  for (const int size : {2, 4}) {
    const tests::TemporaryFolder folder;
    const auto command = fmt::format("'{}' '{}/common/distributed/tests/sharding/torch_fsdp.py' {} {} '{}'",
                                     D2L_TEST_PYTHON, D2L_ROOT, size, free_port(), folder.path().string());
    const int status = std::system(command.c_str());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "Python has no PyTorch with FSDP2 on gloo";
    ASSERT_EQ(status, 0);
    start(size,
          [&](int rank) { expect_same(rank, size, tests::contents(folder / ("torch " + std::to_string(rank)))); });
    EXPECT_EQ(finish(), std::vector<int>(static_cast<std::size_t>(size)));
  }
}

}  // namespace
}  // namespace d2l::testing
