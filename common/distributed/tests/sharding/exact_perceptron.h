// SPDX-License-Identifier: MIT
// For tests of sharded training: a perceptron whose gradients have exact sums, so that any division of the batch gives
// the same parameters to the bit.
#pragma once

#include <memory>
#include <vector>

#include "distributed/ranks.h"

namespace d2l::testing {

enum class Kind { sgd, momentum, adam };

/// A gradient is rounded to multiples of one over this. It is as much larger as the part of the batch is smaller.
inline thread_local double gradient_steps = 1;

/// Rounds to multiples of 2⁻¹⁰, and passes gradients through rounded: sums of these are exact.
struct Rounded : autograd::Function<Rounded> {
  static Tensor forward(autograd::AutogradContext* /*ctx*/, const Tensor& x) { return round_to(x, 1024); }
  static autograd::variable_list backward(autograd::AutogradContext* /*ctx*/, autograd::variable_list grads) {
    return {round_to(grads[0], gradient_steps)};
  }
  static Tensor round_to(const Tensor& x, double steps) { return x.mul(steps).add(0.5).floor().div(steps); }
};

/// A module of Rounded.
class RoundImpl : public nn::Module {
 public:
  Tensor forward(const Tensor& x) override { return Rounded::apply(x); }
};
D2L_MODULE(Round);

/// Makes the parameters double-precision quarters of small whole numbers.
inline void fill(const nn::Sequential& net) {
  net->to(kDouble);
  const NoGradGuard unrecorded;
  double seed = 0;
  for (Tensor parameter : net->parameters()) {
    seed += 3;
    parameter.copy_((arange(parameter.numel(), kDouble) + seed).remainder(5).sub(2).div(4).view(parameter.sizes()));
  }
}

/// Two layers in double precision. Its weights need not be exact: each result of a layer is rounded.
inline nn::Sequential exact_perceptron(Device device = kCPU) {
  nn::Sequential net(nn::Linear(4, 7), Round(), nn::ReLU(), nn::Linear(7, 3), Round());
  net->to(device);
  fill(net);
  return net;
}

inline std::unique_ptr<optim::Optimizer> make_optimizer(Kind kind, std::vector<Tensor> parameters) {
  switch (kind) {
    case Kind::sgd:
      return std::make_unique<optim::SGD>(std::move(parameters), optim::SGDOptions(0.0625));
    case Kind::momentum:
      return std::make_unique<optim::SGD>(std::move(parameters), optim::SGDOptions(0.0625).momentum(0.5));
    case Kind::adam:
      break;
  }
  return std::make_unique<optim::Adam>(std::move(parameters), optim::AdamOptions(0.015625));
}

/// Steps on rows `first` to `first + count` of eight examples.
template <class Net>
void train(const Net& net, optim::Optimizer& optimizer, std::int64_t first, std::int64_t count, int steps = 20) {
  const Device device = net->parameters()[0].device();
  const Tensor x = arange(8 * 4, kDouble).remainder(7).sub(3).view({8, 4}).narrow(0, first, count).to(device);
  const Tensor y = arange(8 * 3, kDouble).remainder(3).view({8, 3}).narrow(0, first, count).to(device);
  gradient_steps = 1048576.0 * static_cast<double>(count) / 8;
  for (int step = 0; step < steps; ++step) {
    const Tensor error = net(x) - y;
    optimizer.zero_grad();
    (error * error).mul(0.5).sum().div(static_cast<double>(count)).backward();
    optimizer.step();
  }
}

}  // namespace d2l::testing
