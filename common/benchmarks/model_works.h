// SPDX-License-Identifier: MIT
// Steps of models, in the names that d2l and LibTorch share; works.h includes this file, after the alias `library`.
#pragma once

#include <cstdint>
#include <vector>

#include "work.h"

namespace {

/// The LeNet of common/examples, which is written for d2l alone.
struct LeNet : library::nn::Module {
  LeNet() {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("pool", pool);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
    register_module("fc3", fc3);
  }
  library::Tensor scores(const library::Tensor& images) {
    library::Tensor x = pool(library::sigmoid(conv1(images)));
    x = pool(library::sigmoid(conv2(x)));
    x = library::sigmoid(fc1(x.flatten(1)));
    return fc3(library::sigmoid(fc2(x)));
  }
  library::nn::Conv2d conv1{library::nn::Conv2dOptions(1, 6, 5).padding(2)};
  library::nn::Conv2d conv2{library::nn::Conv2dOptions(6, 16, 5)};
  library::nn::AvgPool2d pool{library::nn::AvgPool2dOptions(2).stride(2)};
  library::nn::Linear fc1{400, 120};
  library::nn::Linear fc2{120, 84};
  library::nn::Linear fc3{84, 10};
};

/// A step of stochastic gradient descent for LeNet and n images.
struct LeNetStepWork : Work {
  static library::Tensor some_digits(std::int64_t n) {
    std::vector<std::int64_t> digits;
    for (std::int64_t i = 0; i < n; ++i) digits.push_back(i % 10);
    return library::tensor(digits);
  }
  explicit LeNetStepWork(std::int64_t n)
      : optimizer(model.parameters(), library::optim::SGDOptions(1e-3)),
        images(library::rand({n, 1, 28, 28})),
        digits(some_digits(n)) {}
  void run() override {
    optimizer.zero_grad();
    loss = criterion(model.scores(images), digits);
    loss.backward();
    optimizer.step();
  }
  LeNet model;
  library::nn::CrossEntropyLoss criterion;
  library::optim::SGD optimizer;
  library::Tensor images, digits, loss;
};

}  // namespace
