// SPDX-License-Identifier: MIT
// fully_shard: training equals that of one process, memory and sent bytes equal theory, states fit any number of ranks.
#include "d2l/sharding.h"
#include "sharding/exact_perceptron.h"

namespace d2l::testing {
namespace {

using dist::fully_shard;

class FullyShard : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
};

void shard(const nn::Sequential& net, std::optional<bool> reshard_after_forward) {
  for (const auto& child : net->children()) {
    if (!child->parameters().empty()) fully_shard(*child, {.reshard_after_forward = reshard_after_forward});
  }
  fully_shard(net, {.reshard_after_forward = reshard_after_forward});
}

/// Twenty steps by so many ranks, and by one process.
void expect_equal_training(Kind kind, int size, std::optional<bool> reshards, bool on_gpus = false) {
  const auto alone = exact_perceptron();
  const auto optimizer = make_optimizer(kind, alone->parameters());
  train(alone, *optimizer, 0, 8);
  const StateDict expected = alone->state_dict();
  dist::run_ranks(size, [&](int rank) {
    const auto net = exact_perceptron(on_gpus ? gpu(rank) : cpu());
    shard(net, reshards);
    const auto own = make_optimizer(kind, net->parameters());
    train(net, *own, 8 / size * rank, 8 / size);
    const StateDict found = dist::get_model_state_dict(*net, {.full_state_dict = true});
    ASSERT_EQ(found.keys(), expected.keys());
    for (const auto& item : expected) {
      EXPECT_TRUE(found[item.key()].cpu().equal(item.value())) << item.key() << ", " << size << " ranks";
    }
  });
}

TEST_F(FullyShard, TrainingEqualsThatOfOneProcessToTheBit) {
  expect_equal_training(Kind::sgd, 4, std::nullopt);
  expect_equal_training(Kind::momentum, 2, true);
  for (const int size : {1, 2, 4, 8}) expect_equal_training(Kind::adam, size, std::nullopt);
  expect_equal_training(Kind::adam, 4, false);
}

TEST_F(FullyShard, TrainingOnTheGpusOfOneProcessToo) {
  if (num_gpus() < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
  for (const int size : {2, 4}) {
    if (size <= num_gpus()) expect_equal_training(Kind::adam, size, std::nullopt, /*on_gpus=*/true);
  }
}

TEST_F(FullyShard, TheLastRanksMayHaveFewerRowsOrNone) {
  dist::run_ranks(4, [](int rank) {
    nn::Linear layer(3, 5);  // 5 rows: 2, 2, 1, 0
    const Tensor weight = layer->weight.detach().clone();
    dist::broadcast(weight, 0).wait();
    fully_shard(layer);
    EXPECT_TRUE(dist::is_fully_sharded(*layer));
    const std::vector<std::int64_t> rows{2, 2, 1, 0};
    const auto own = rows[static_cast<std::size_t>(rank)];
    EXPECT_EQ(layer->weight.sizes().vec(), list(own, 3));
    EXPECT_TRUE(layer->weight.detach().equal(weight.narrow(0, std::min(2 * rank, 5), own)));
    layer(ones({2, 3})).sum().backward();
    EXPECT_EQ(layer->weight.sizes().vec(), list(own, 3));
    EXPECT_EQ(layer->weight.grad().sizes().vec(), list(own, 3));
    EXPECT_TRUE(layer->weight.grad().equal(full({own, 3}, 2.0)));
    layer(ones({2, 3})).sum().backward();
    EXPECT_TRUE(layer->weight.grad().equal(full({own, 3}, 4.0)));  // accumulated
  });
}

TEST_F(FullyShard, AFrozenOrUnusedParameterIsShardedAfterBackwardToo) {
  dist::run_ranks(2, [](int /*rank*/) {
    nn::Sequential net(nn::Linear(2, 4), nn::Linear(4, 2));
    net->parameters()[0].set_requires_grad(false);
    shard(net, false);
    net(ones({1, 2})).sum().backward();
    EXPECT_EQ(net->parameters()[1].sizes().vec(), list(2));
    EXPECT_EQ(net->parameters()[2].sizes().vec(), list(1, 4));
    EXPECT_EQ(net->parameters()[2].grad().sizes().vec(), list(1, 4));
    EXPECT_EQ(net->parameters()[0].sizes().vec(), list(2, 2));
    EXPECT_FALSE(net->parameters()[0].grad().defined());
  });
}

TEST_F(FullyShard, WithoutGradientsTheParametersAreReleasedAfterForward) {
  dist::run_ranks(2, [](int /*rank*/) {
    nn::Linear layer(2, 4);
    fully_shard(layer);
    const NoGradGuard unrecorded;
    EXPECT_EQ(layer(ones({1, 2})).size(1), 4);
    EXPECT_EQ(layer->weight.size(0), 2);
  });
}

TEST_F(FullyShard, AnErrorInForwardOrBackwardLeavesItUsable) {
  dist::run_ranks(2, [](int /*rank*/) {
    nn::Sequential net(nn::Linear(2, 4), nn::Linear(4, 2));
    shard(net, std::nullopt);
    expect_error<ShapeError>([&] { net(ones({1, 3})); }, "");
    net(ones({1, 2})).sum().backward();
    EXPECT_EQ(net->parameters()[0].size(0), 2);
    EXPECT_EQ(net->parameters()[0].grad().size(0), 2);
  });
}

TEST_F(FullyShard, RefusesWhatItCannotShard) {
  dist::run_ranks(2, [](int rank) {
    nn::Linear layer(2, 2);
    fully_shard(layer);
    expect_error<ValueError>([&] { fully_shard(layer); }, "was called for this module before");
    layer->to(kDouble);
    expect_error<ValueError>([&] { layer(ones({1, 2}, kDouble)); }, "was moved, converted or replaced");
    nn::Module scalar("Scalar");
    scalar.register_parameter("scale", full({}, 1.0));
    expect_error<ValueError>(
        [&] { fully_shard(scalar); },
        "FSDP doesn't support scalar parameters. Change scale to a 1D tensor with numel equal to 1.");
    expect_error<ValueError>([] { fully_shard(nn::LazyLinear(2)); }, "has no shape yet");
    expect_error<DistributedError>([&] { fully_shard(nn::Linear(2 + rank, 1)); }, "parameters or buffers differ");
  });
}

TEST_F(FullyShard, StateOfFourRanksIsLoadedByTwo) {
  StateDict model_state;
  StateDict optimizer_state;
  dist::run_ranks(4, [&](int rank) {
    const auto net = exact_perceptron();
    shard(net, std::nullopt);
    const auto optimizer = make_optimizer(Kind::adam, net->parameters());
    train(net, *optimizer, 2 * rank, 2, 10);
    const dist::StateDictOptions options{.full_state_dict = true, .cpu_offload = true};
    const auto model = dist::get_model_state_dict(*net, options);
    const auto state = dist::get_optimizer_state_dict(*net, *optimizer, options);
    if (rank == 0) {
      model_state = model;
      optimizer_state = state;
    } else {
      EXPECT_EQ(model.size() + state.size(), 0U);
    }
  });
  const auto alone = exact_perceptron();
  const auto of_alone = make_optimizer(Kind::adam, alone->parameters());
  train(alone, *of_alone, 0, 8, 20);
  dist::run_ranks(2, [&](int rank) {
    const auto net = exact_perceptron();
    shard(net, std::nullopt);
    const auto optimizer = make_optimizer(Kind::adam, net->parameters());
    dist::set_model_state_dict(*net, model_state, {.full_state_dict = true});
    dist::set_optimizer_state_dict(*net, *optimizer, optimizer_state, {.full_state_dict = true});
    train(net, *optimizer, 4 * rank, 4, 10);
    const auto found = dist::get_model_state_dict(*net, {.full_state_dict = true});
    for (const auto& item : alone->state_dict()) EXPECT_TRUE(found[item.key()].equal(item.value())) << item.key();
    StateDict wrong;
    wrong.insert("0.weight.exp_avg", zeros({1}));
    expect_error<ShapeError>(
        [&] { dist::set_optimizer_state_dict(*net, *optimizer, wrong, {.full_state_dict = true}); }, "another shape");
  });
}

}  // namespace
}  // namespace d2l::testing
