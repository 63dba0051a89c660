// SPDX-License-Identifier: MIT
// DistributedDataParallel: the gradients of all ranks are those of one process with the whole batch.
#include "d2l/parallel.h"
#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

using nn::parallel::DistributedDataParallel;

/// A network whose sums are exact in double precision: small whole numbers and powers of two.
nn::Sequential exact_network(int seed) {
  nn::Sequential net(nn::Linear(nn::LinearOptions(4, 3)), nn::ReLU(), nn::Linear(nn::LinearOptions(3, 1)));
  net->to(kDouble);
  const NoGradGuard unrecorded;
  for (Tensor parameter : net->parameters()) {
    parameter.copy_((arange(parameter.numel(), kDouble) + seed).remainder(5).sub(2).view(parameter.sizes()));
  }
  return net;
}

Tensor inputs() { return arange(8 * 4, kDouble).remainder(7).sub(3).view({8, 4}); }
Tensor targets() { return arange(8, kDouble).remainder(3).view({8, 1}); }

/// The parameters after two steps, which are exact, on rows `first` to `last` of the data.
template <class Net>
std::vector<Tensor> train(Net& net, const std::vector<Tensor>& parameters, std::int64_t first, std::int64_t count) {
  optim::SGD optimizer(parameters, optim::SGDOptions(0.125).momentum(0.5));
  for (int step = 0; step < 2; ++step) {
    const Tensor error = net.forward(inputs().narrow(0, first, count)) - targets().narrow(0, first, count);
    optimizer.zero_grad();
    (error * error).mean().backward();
    optimizer.step();
  }
  return parameters;
}

class Parallel : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
};

TEST_F(Parallel, TrainingEqualsThatOfOneProcessToTheBit) {
  auto alone = exact_network(0);
  const auto expected = train(*alone, alone->parameters(), 0, 8);
  for (const int size : {1, 2, 4}) {
    for (const double cap : {25.0, 1e-4}) {
      dist::run_ranks(size, [&](int rank) {
        auto net = exact_network(rank);  // rank 0's parameters count
        DistributedDataParallel parallel(net, {.bucket_cap_mb = cap});
        const auto found = train(parallel, net->parameters(), 8 / size * rank, 8 / size);
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].equal(expected[i])) << size << " ranks";
      });
    }
  }
}

TEST_F(Parallel, OnGpusToo) {
  if (num_gpus() < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
  auto alone = exact_network(0);
  const auto expected = train(*alone, alone->parameters(), 0, 8);
  dist::run_ranks(2, [&](int rank) {
    auto net = exact_network(rank);
    net->to(gpu(rank));
    DistributedDataParallel parallel(net);
    optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.125).momentum(0.5));
    for (int step = 0; step < 2; ++step) {
      const Tensor error =
          parallel(inputs().narrow(0, 4 * rank, 4).to(gpu(rank))) - targets().narrow(0, 4 * rank, 4).to(gpu(rank));
      optimizer.zero_grad();
      (error * error).mean().backward();
      optimizer.step();
    }
    const auto found = net->parameters();
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].cpu().equal(expected[i]));
  });
}

TEST_F(Parallel, BucketsHaveTheLastParametersFirst) {
  dist::run_ranks(1, [](int /*rank*/) {
    auto net = exact_network(0);  // 12 + 3 + 3 + 1 doubles
    EXPECT_EQ(DistributedDataParallel(net).bucket_sizes(), list(19 * 8));
    EXPECT_EQ(DistributedDataParallel(net, {.bucket_cap_mb = 40.0 / (1 << 20)}).bucket_sizes(),
              list(4 * 8, 3 * 8, 12 * 8));
  });
}

TEST_F(Parallel, NoSyncAccumulatesAndSendsNothing) {
  dist::run_ranks(2, [](int rank) {
    auto net = exact_network(0);
    DistributedDataParallel parallel(net);
    const auto backward = [&] { parallel(inputs() * (rank + 1)).sum().backward(); };
    {
      const DistributedDataParallel::NoSync paused(parallel);
      dist::barrier().wait();
      const TransferLedger ledger;
      backward();
      for (const auto& entry : ledger.entries()) {
        EXPECT_FALSE(entry.kind == LedgerEntry::Kind::send && entry.rank == rank);
      }
      dist::barrier().wait();
    }
    const Tensor before = net->parameters()[0].grad().clone();
    backward();
    const Tensor twice = before * 2;
    dist::all_reduce(twice, dist::ReduceOp::AVG).wait();
    EXPECT_TRUE(net->parameters()[0].grad().equal(twice));
  });
}

TEST_F(Parallel, AnotherWrapperOfTheModuleMayEnd) {
  dist::run_ranks(2, [](int rank) {
    auto net = exact_network(0);
    auto parallel = std::make_unique<DistributedDataParallel>(net);
    parallel = std::make_unique<DistributedDataParallel>(net);  // the first ends when the second has begun
    (*parallel)(inputs() * (rank + 1)).sum().backward();
    const Tensor own = net->parameters()[0].grad();
    const Tensor mean = own.clone();
    dist::all_reduce(mean, dist::ReduceOp::AVG).wait();
    EXPECT_TRUE(own.equal(mean));
  });
}

struct TwoHeads : nn::Module {
  TwoHeads() : nn::Module("TwoHeads") {
    first = register_module("first", nn::Linear(2, 1));
    second = register_module("second", nn::Linear(2, 1));
  }
  Tensor forward(const Tensor& x) override { return first->forward(x); }
  std::shared_ptr<nn::LinearImpl> first;
  std::shared_ptr<nn::LinearImpl> second;
};

TEST_F(Parallel, AnUnusedParameterIsAnErrorAtTheNextForward) {
  dist::run_ranks(2, [](int /*rank*/) {
    DistributedDataParallel parallel(std::make_shared<TwoHeads>());
    parallel(ones({3, 2})).sum().backward();
    expect_error<ValueError>([&] { parallel(ones({3, 2})); }, "Expected to have finished reduction");
  });
}

TEST_F(Parallel, OtherModulesOnOtherRanksAreAnError) {
  dist::run_ranks(2, [](int rank) {
    expect_error<DistributedError>([&] { DistributedDataParallel(nn::Linear(2 + rank, 1)); },
                                   "parameters or buffers differ");
  });
}

TEST_F(Parallel, RefusesAModuleWithoutParameters) {
  dist::run_ranks(1, [](int /*rank*/) {
    expect_error<ValueError>([] { DistributedDataParallel{nn::ReLU()}; }, "is not needed");
    expect_error<ValueError>([] { DistributedDataParallel(nn::Linear(1, 1), {.bucket_cap_mb = 0}); }, "bucket_cap_mb");
  });
}

}  // namespace
}  // namespace d2l::testing
