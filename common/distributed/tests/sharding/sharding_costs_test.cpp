// SPDX-License-Identifier: MIT
// The memory of each device and the bytes that each rank sends in a step, with DistributedDataParallel and ZeRO 1,
// 2, 3.
#include <atomic>

#include "d2l/memory.h"
#include "d2l/parallel.h"
#include "d2l/sharding.h"
#include "sharding/exact_perceptron.h"

namespace d2l::testing {
namespace {

enum class Level { replicated, zero1, zero2, zero3 };
constexpr std::int64_t layers = 4;
constexpr std::int64_t width = 256;
constexpr std::int64_t batch_rows = 2;  // of the batch of each rank

struct Costs {
  std::int64_t between_steps = 0;  ///< bytes of the device's tensors, without the batch
  std::int64_t peak = 0;
  std::int64_t sent = 0;
};

/// The bytes of a block of so many float32 numbers.
std::int64_t block(std::int64_t elements) { return (elements * 4 + 511) / 512 * 512; }

/// Of the parameters, the gradients and Adam's two averages.
constexpr std::int64_t states = 4;

Costs theory(Level level, int ranks, std::int64_t own_state) {
  const std::int64_t layer = block(width * width) + block(width);
  const std::int64_t rows_of_layer = block(width * width / ranks) + block(width / ranks);
  const std::int64_t flat = layers * (width * width + width) * 4;
  const std::int64_t ring = (ranks - 1) * flat / ranks;
  // At the peak: the gradients of the last layer beside those that are kept, the results of all layers, the gradient of
  // the last result, and two scalars: the loss and its gradient.
  const std::int64_t temporary = layer + (layers + 1) * block(batch_rows * width) + 2 * block(1);
  Costs costs;
  switch (level) {
    case Level::replicated:  // and a bucket with all gradients
      costs.between_steps = states * layers * layer + block(flat / 4);
      costs.peak = costs.between_steps + temporary;
      costs.sent = 2 * ring;
      break;
    case Level::zero1:
      costs.between_steps = 2 * layers * layer + 2 * own_state + block(flat / 4);
      costs.peak = costs.between_steps + temporary;
      costs.sent = 2 * ring;  // and the parameters, by a tree: see below
      break;
    case Level::zero2:  // all parameters are there at the end of forward()
      costs.between_steps = states * layers * rows_of_layer;
      costs.peak = costs.between_steps + layers * layer + temporary;
      costs.sent = 2 * ring;
      break;
    case Level::zero3:  // those of one layer are
      costs.between_steps = states * layers * rows_of_layer;
      costs.peak = costs.between_steps + layer + temporary;
      costs.sent = 3 * ring;
  }
  return costs;
}

std::int64_t sent_by(const TransferLedger& ledger, int rank) {
  std::int64_t bytes = 0;
  for (const auto& entry : ledger.entries()) {
    if (entry.kind == LedgerEntry::Kind::send && entry.rank == rank) bytes += entry.bytes;
  }
  return bytes;
}

nn::Sequential deep_net() {
  nn::Sequential net;
  for (std::int64_t i = 0; i < layers; ++i) net->push_back(nn::Linear(width, width));
  return net;
}

template <class Net>
Costs step_costs(const Net& net, optim::Optimizer& optimizer, int rank) {
  const Device device = gpu(rank);
  const auto before = cuda::memory_allocated(device);
  const Tensor x = ones({batch_rows, width}, device);
  const auto batch = cuda::memory_allocated(device) - before;
  const auto step = [&] {
    optimizer.zero_grad();
    net(x).sum().backward();
    optimizer.step();
  };
  for (int i = 0; i < 2; ++i) step();
  dist::barrier().wait();
  cuda::reset_peak_memory_stats(device);
  const TransferLedger ledger;
  step();
  Costs costs;
  costs.sent = sent_by(ledger, rank);
  const auto peak = ledger.memory_peak(device);
  EXPECT_EQ(peak.bytes, cuda::max_memory_allocated(device));
  costs.peak = peak.bytes - batch;
  costs.between_steps = cuda::memory_allocated(device) - batch;
  dist::barrier().wait();
  return costs;
}

Costs costs_of(Level level, int rank, std::int64_t& own_state) {
  auto net = deep_net();
  net->to(gpu(rank));
  if (level == Level::replicated || level == Level::zero1) {
    const auto parallel = std::make_shared<nn::parallel::DistributedDataParallel>(net);
    const auto call = [&](const Tensor& x) { return (*parallel)(x); };
    if (level == Level::replicated) {
      optim::Adam optimizer(net->parameters());
      return step_costs(call, optimizer, rank);
    }
    dist::ZeroRedundancyOptimizer<optim::Adam> optimizer(net->parameters(), optim::AdamOptions());
    for (const Tensor& own : optimizer.param_groups()[0].params()) own_state += block(own.numel());
    return step_costs(call, optimizer, rank);
  }
  const dist::FullyShardOptions options{.reshard_after_forward = level == Level::zero3};
  for (const auto& layer : net->children()) dist::fully_shard(*layer, options);
  dist::fully_shard(net, options);
  optim::Adam optimizer(net->parameters());
  return step_costs([&](const Tensor& x) { return net(x); }, optimizer, rank);
}

TEST(ShardingCosts, EqualTheory) {
  SKIP_WITHOUT_GLOO();
  if (num_gpus() < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
  for (const int size : {2, 4, 8}) {
    if (num_gpus() < size) continue;
    for (const Level level : {Level::replicated, Level::zero1, Level::zero2, Level::zero3}) {
      std::atomic<std::int64_t> sent_parameters{0};  // by all ranks, with ZeRO 1
      dist::run_ranks(size, [&](int rank) {
        std::int64_t own_state = 0;
        const Costs found = costs_of(level, rank, own_state);
        const Costs expected = theory(level, size, own_state);
        const auto trace = ::testing::Message() << size << " ranks, level " << static_cast<int>(level) << ", " << rank;
        EXPECT_EQ(found.between_steps, expected.between_steps) << trace;
        EXPECT_EQ(found.peak, expected.peak) << trace;
        if (level == Level::zero1) {
          sent_parameters += found.sent - expected.sent;
        } else {
          EXPECT_EQ(found.sent, expected.sent) << trace;
        }
      });
      if (level == Level::zero1) {
        EXPECT_EQ(sent_parameters.load(), (size - 1) * layers * (width * width + width) * 4) << size << " ranks";
      }
    }
  }
}

}  // namespace
}  // namespace d2l::testing
