// SPDX-License-Identifier: MIT
#include "examples/training.h"

#include <fmt/format.h>

#include <cstdio>

namespace d2l::examples {
namespace {

/// Adds up losses and right answers on the device of the batches.
class Sums {
 public:
  /// `loss` is the mean over the targets.
  void add(const Tensor& loss, const Tensor& scores, const Tensor& targets) {
    const NoGradGuard unrecorded;
    const Tensor right = scores.argmax(-1).eq(targets).sum().to(kDouble);
    const Tensor sums = stack({loss.detach().to(kDouble) * targets.numel(), right});
    sums_ = sums_.defined() ? sums_ + sums : sums;
    count_ += targets.numel();
  }
  [[nodiscard]] Measured means() const {
    if (count_ == 0) return {};
    const auto sums = sums_.to_vector<double>();
    return {sums[0] / static_cast<double>(count_), sums[1] / static_cast<double>(count_)};
  }

 private:
  Tensor sums_;
  std::int64_t count_ = 0;
};

}  // namespace

Tensor loss_of(const Tensor& scores, const Tensor& targets) {
  return nn::functional::cross_entropy(scores.flatten(0, -2), targets.flatten());
}

Measured train_epoch(nn::Module& model, DataLoader& loader, optim::Optimizer& optimizer) {
  model.train();
  Sums sums;
  for (const Batch& batch : loader) {
    optimizer.zero_grad();
    const Tensor scores = model.forward(batch[0]);
    const Tensor loss = loss_of(scores, batch[1]);
    loss.backward();
    optimizer.step();
    sums.add(loss, scores, batch[1]);
  }
  return sums.means();
}

Measured evaluate(nn::Module& model, DataLoader& loader) {
  const NoGradGuard unrecorded;
  model.eval();
  Sums sums;
  for (const Batch& batch : loader) {
    const Tensor scores = model.forward(batch[0]);
    sums.add(loss_of(scores, batch[1]), scores, batch[1]);
  }
  return sums.means();
}

Measured fit(nn::Module& model, DataLoader& seen, DataLoader& unseen, optim::Optimizer& optimizer, int epochs) {
  Measured measured;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    const Measured trained = train_epoch(model, seen, optimizer);
    measured = evaluate(model, unseen);
    fmt::print("epoch {}/{}  loss {:.4f}, accuracy {:.3f}; unseen: loss {:.4f}, accuracy {:.3f}\n", epoch, epochs,
               trained.loss, trained.accuracy, measured.loss, measured.accuracy);
    std::fflush(stdout);
  }
  return measured;
}

}  // namespace d2l::examples
