// SPDX-License-Identifier: MIT
// ZeroRedundancyOptimizer: the parameters are those of one process, and each rank keeps the state of its own.
#include "d2l/parallel.h"
#include "d2l/sharding.h"
#include "sharding/exact_perceptron.h"

namespace d2l::testing {
namespace {

class ZeroRedundancy : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
};

TEST_F(ZeroRedundancy, TrainingEqualsThatOfOneProcessToTheBit) {
  const auto alone = exact_perceptron();
  const auto optimizer = make_optimizer(Kind::adam, alone->parameters());
  train(alone, *optimizer, 0, 8);
  for (const int size : {1, 2, 4, 8}) {  // eight ranks share four parameters
    dist::run_ranks(size, [&](int rank) {
      struct Called {
        nn::Sequential net;
        std::shared_ptr<nn::parallel::DistributedDataParallel> parallel;
        Tensor operator()(const Tensor& x) const { return (*parallel)(x); }
        nn::SequentialImpl* operator->() const { return net.get(); }
      };
      const auto net = exact_perceptron();
      const Called called{net, std::make_shared<nn::parallel::DistributedDataParallel>(net)};
      dist::ZeroRedundancyOptimizer<optim::Adam> own(net->parameters(), optim::AdamOptions(0.015625));
      train(called, own, 8 / size * rank, 8 / size);
      for (const auto& item : alone->state_dict()) {
        EXPECT_TRUE(net->state_dict()[item.key()].equal(item.value())) << item.key() << ", " << size << " ranks";
      }
      std::size_t parameters = 0;
      for (const auto& part : own.partition()) parameters += part.size();
      EXPECT_EQ(parameters, 4U);
    });
  }
}

TEST_F(ZeroRedundancy, DividesTheLargestParametersFirst) {
  dist::run_ranks(2, [](int rank) {
    const std::vector<Tensor> params{zeros({2}), zeros({10}), zeros({7}), zeros({4})};
    dist::ZeroRedundancyOptimizer<optim::SGD> optimizer(params, optim::SGDOptions(0.5).momentum(0.5));
    const auto& parts = optimizer.partition();
    ASSERT_EQ(parts[0].size(), 2U);
    EXPECT_TRUE(parts[0][0].is_same(params[1]));
    EXPECT_TRUE(parts[0][1].is_same(params[0]));
    EXPECT_TRUE(parts[1][0].is_same(params[2]));
    EXPECT_TRUE(parts[1][1].is_same(params[3]));
    EXPECT_EQ(optimizer.param_groups()[0].params().size(), 2U);
    expect_error<ValueError>([&] { static_cast<void>(optimizer.state(params[rank == 0 ? 2 : 1])); },
                             "not a parameter of this optimizer");
  });
}

TEST_F(ZeroRedundancy, RefusesAnEmptyList) {
  dist::run_ranks(1, [](int /*rank*/) {
    expect_error<ValueError>(
        [] { const dist::ZeroRedundancyOptimizer<optim::Adam> optimizer(std::vector<Tensor>{}, optim::AdamOptions()); },
        "optimizer got an empty parameter list");
  });
}

}  // namespace
}  // namespace d2l::testing
