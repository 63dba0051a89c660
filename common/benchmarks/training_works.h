// SPDX-License-Identifier: MIT
// The compared work of training: steps and their parts. Included by works.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/// The prediction of a small linear model, recording gradients.
struct ForwardWork : Work {
  void run() override { y = net->forward(x); }
  double result() override { return net->forward(x).sum().template item<double>(); }
  library::nn::Sequential net = library::nn::Sequential(library::nn::Linear(3, 1));
  library::Tensor x = library::rand({2, 3}), y;
};

/// A step of stochastic gradient descent for a linear model with three inputs and 32 examples.
struct StepWork : Work {
  explicit StepWork(bool clips)
      : model(3, 1),
        optimizer(model->parameters(), library::optim::SGDOptions(1e-3)),
        x(library::rand({32, 3})),
        y(library::rand({32, 1})),
        clipped(clips) {}
  void run() override {
    optimizer.zero_grad();
    loss = criterion(model(x), y);
    loss.backward();
    if (clipped) library::nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    optimizer.step();
  }
  double result() override {
    run();
    return loss.template item<double>();
  }
  library::nn::Linear model;
  library::nn::MSELoss criterion;
  library::optim::SGD optimizer;
  library::Tensor x, y, loss;
  bool clipped;
};

/// A step for a perceptron with a hidden layer, 784 inputs, ten classes and 256 examples.
struct PerceptronStepWork : Work {
  static library::Tensor some_classes() {
    std::vector<std::int64_t> classes(256);
    for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<std::int64_t>(i % 10);
    return library::tensor(classes);
  }
  PerceptronStepWork()
      : net(library::nn::Linear(784, 256), library::nn::ReLU(), library::nn::Linear(256, 10)),
        optimizer(net->parameters(), library::optim::SGDOptions(1e-3)),
        x(library::rand({256, 784})),
        y(some_classes()) {}
  void run() override {
    optimizer.zero_grad();
    loss = criterion(net->forward(x), y);
    loss.backward();
    optimizer.step();
  }
  double result() override {
    run();
    return loss.template item<double>();
  }
  library::nn::Sequential net;
  library::nn::CrossEntropyLoss criterion;
  library::optim::SGD optimizer;
  library::Tensor x, y, loss;
};

}  // namespace
