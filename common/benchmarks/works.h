// SPDX-License-Identifier: MIT
// The compared work, written once in the names that d2l and LibTorch share.
//
// The including file defines the namespace alias `library` and text(tensor), which prints a tensor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model_works.h"
#include "work.h"
#if __cplusplus >= 202002L
#include "transformer_works.h"
#else  // PyTorch 1.13, which has no such attention, and is compiled as C++17
namespace {
std::unique_ptr<Work> make_transformer_work(std::string_view, std::int64_t) { return nullptr; }
}  // namespace
#endif

namespace {

/// c = a + b for n numbers, or for a 2×3 tensor when n is 6; c is new each time.
struct AddWork : Work {
  AddWork(std::int64_t n, library::ScalarType dtype)
      : a((n == 6 ? library::rand({2, 3}) : library::rand({n})).to(dtype)),
        b((n == 6 ? library::rand({2, 3}) : library::rand({n})).to(dtype)) {}
  void run() override { c = a + b; }
  library::Tensor a, b, c;
};

/// Each result is released before the next is created.
struct OnesWork : Work {
  void run() override { x = library::ones({2, 3}); }
  library::Tensor x;
};

/// to() its own device and dtype: the same tensor.
struct IdentityToWork : Work {
  void run() override { y = x.to(library::Device("cpu")); }
  library::Tensor x = library::ones({2, 3}), y;
};

struct SumWork : Work {
  SumWork(std::int64_t n, library::ScalarType dtype) : x(library::rand({n}).to(dtype)) {}
  void run() override { s = x.sum(); }
  library::Tensor x, s;
};

struct ProductWork : Work {
  explicit ProductWork(std::int64_t n) : a(library::rand({n, n})), b(library::rand({n, n})) {}
  void run() override { c = library::mm(a, b); }
  library::Tensor a, b, c;
};

/// The softmax of each row of an n×n matrix.
struct SoftmaxWork : Work {
  SoftmaxWork(std::int64_t n, library::ScalarType dtype) : x(library::randn({n, n}).to(dtype)) {}
  void run() override { y = library::softmax(x, 1); }
  library::Tensor x, y;
};

/// The sort of n floats, with their indices.
struct SortWork : Work {
  explicit SortWork(std::int64_t n) : x(library::randn({n})) {}
  void run() override { sorted = library::sort(x, 0); }
  library::Tensor x;
  std::tuple<library::Tensor, library::Tensor> sorted;
};

/// Layer normalisation of n rows of 256 numbers, and the gradients of the input, the weight and the bias.
struct LayerNormWork : Work {
  explicit LayerNormWork(std::int64_t n) : x(library::randn({n, 256})), grad(library::randn({n, 256})) {
    x.set_requires_grad(true);
  }
  void run() override {
    for (library::Tensor* leaf : {&x, &layer->weight, &layer->bias}) leaf->mutable_grad() = library::Tensor();
    layer(x).backward(grad);
  }
  library::nn::LayerNorm layer = library::nn::LayerNorm(library::nn::LayerNormOptions({256}));
  library::Tensor x, grad;
};

struct PrintWork : Work {
  void run() override { printed = text(x); }
  library::Tensor x = library::ones({2, 3});
  std::string printed;
};

/// The prediction of a small linear model, recording gradients.
struct ForwardWork : Work {
  void run() override { y = net->forward(x); }
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
  library::nn::Sequential net;
  library::nn::CrossEntropyLoss criterion;
  library::optim::SGD optimizer;
  library::Tensor x, y, loss;
};

/// A step of Adam for n parameters in one tensor.
struct AdamWork : Work {
  explicit AdamWork(std::int64_t n)
      : parameter(library::rand({n})),
        optimizer(std::vector<library::Tensor>{parameter}, library::optim::AdamOptions(1e-3)) {
    parameter.mutable_grad() = library::rand({n});
  }
  void run() override { optimizer.step(); }
  library::Tensor parameter;
  library::optim::Adam optimizer;
};

/// The largest elements of n×n windows that are 2 apart, of 8 images of 32×64×64, and the gradient.
struct MaxPoolWork : Work {
  explicit MaxPoolWork(std::int64_t n) : window(n) { x.set_requires_grad(true); }
  void run() override {
    y = library::max_pool2d(x, window, 2);
    if (!grad.defined()) grad = library::rand(y.sizes());
    y.backward(grad);
    x.mutable_grad() = library::Tensor();
  }
  std::int64_t window;
  library::Tensor x = library::randn({8, 32, 64, 64}), y, grad;
};

/// A convolution of n images of 64×64 by 32 kernels of 3×3, and its gradients.
struct ConvolutionWork : Work {
  explicit ConvolutionWork(std::int64_t n)
      : layer(library::nn::Conv2dOptions(3, 32, 3)),
        x(library::rand({n, 3, 64, 64})),
        grad(library::rand({n, 32, 62, 62})) {
    x.set_requires_grad(true);
  }
  void run() override {
    layer->zero_grad();
    x.mutable_grad() = library::Tensor();
    y = layer(x);
    y.backward(grad);
  }
  library::nn::Conv2d layer;
  library::Tensor x, grad, y;
};

/// "add_half": the work "add" with numbers of float16; without such an end, of float32.
std::unique_ptr<Work> make_work(std::string_view name, std::int64_t n) {
  const std::string_view end = name.substr(std::min(name.rfind('_'), name.size()));
  const auto dtype = end == "_half" ? library::kHalf : end == "_bfloat16" ? library::kBFloat16 : library::kFloat;
  if (dtype != library::kFloat) name.remove_suffix(end.size());
  if (name == "add") return std::make_unique<AddWork>(n, dtype);
  if (name == "ones") return std::make_unique<OnesWork>();
  if (name == "identity_to") return std::make_unique<IdentityToWork>();
  if (name == "sum") return std::make_unique<SumWork>(n, dtype);
  if (name == "mm") return std::make_unique<ProductWork>(n);
  if (name == "softmax") return std::make_unique<SoftmaxWork>(n, dtype);
  if (name == "sort") return std::make_unique<SortWork>(n);
  if (name == "layer_norm") return std::make_unique<LayerNormWork>(n);
  if (name == "print") return std::make_unique<PrintWork>();
  if (name == "forward") return std::make_unique<ForwardWork>();
  if (name == "step" || name == "step_clipped") return std::make_unique<StepWork>(name == "step_clipped");
  if (name == "perceptron_step") return std::make_unique<PerceptronStepWork>();
  if (name == "conv2d") return std::make_unique<ConvolutionWork>(n);
  if (name == "lenet_step") return std::make_unique<LeNetStepWork>(n);
  if (name == "adam") return std::make_unique<AdamWork>(n);
  if (name == "max_pool2d") return std::make_unique<MaxPoolWork>(n);
  return make_transformer_work(name, n);
}

void* prepare(const char* name, std::int64_t n) { return make_work(name, n).release(); }
void run(void* work) { static_cast<Work*>(work)->run(); }
void finish(void* work) { delete static_cast<Work*>(work); }

}  // namespace
