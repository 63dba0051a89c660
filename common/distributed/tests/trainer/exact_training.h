// SPDX-License-Identifier: MIT
// A training that gives the same bits on any number of devices and ranks.
#pragma once

#include "d2l/data.h"
#include "d2l/model.h"
#include "every_device.h"

namespace d2l::testing {

/// A network and data in double precision whose sums are exact: whole numbers, and a learning rate of 1/8.
struct Exact : Model {
  Exact() {
    net = register_module("net", nn::Linear(4, 2));
    net->to(kDouble);
    const NoGradGuard unrecorded;
    net->weight.copy_(arange(8, kDouble).remainder(3).sub(1).view({2, 4}));
    net->bias.zero_();
  }
  Tensor forward(const Tensor& x) override {
    devices.push_back(net->weight.device());
    rows.push_back(x.size(0));
    return net->forward(x);
  }
  Tensor loss(const Tensor& prediction, const Tensor& target) override { return (prediction - target).square().mean(); }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(), optim::SGDOptions(0.125).momentum(0.5));
  }
  std::shared_ptr<nn::LinearImpl> net;
  std::vector<Device> devices;
  std::vector<std::int64_t> rows;
};

struct ExactData : DataModule {
  explicit ExactData(std::int64_t batch_size) : size(batch_size) {}
  [[nodiscard]] DataLoader train_dataloader() const override {
    const Tensor x = arange(64, kDouble).remainder(5).sub(2).view({16, 4});
    const Tensor y = arange(32, kDouble).remainder(3).view({16, 2});
    return DataLoader(TensorDataset({x, y}), DataLoaderOptions(size));
  }
  std::int64_t size;
};

}  // namespace d2l::testing
