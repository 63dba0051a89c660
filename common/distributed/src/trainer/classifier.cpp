// SPDX-License-Identifier: MIT
#include "d2l/classifier.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/layer_ops.h"

namespace d2l {

namespace {

/// Scores (rows, classes); ShapeError unless there is one for each class in y.
Tensor rows_of(const Tensor& prediction, const Tensor& y, const char* operation) {
  const auto& scores = detail::impl_of(prediction, operation);
  const auto& classes = detail::impl_of(y, operation);
  auto outer = prediction.sizes().vec();
  if (!outer.empty()) outer.pop_back();
  if (scores.sizes.count == 0 || !(y.sizes() == IntArrayRef(outer))) {
    detail::fail<ShapeError>(operation,
                             fmt::format("scores of shape {} do not fit classes of shape {}",
                                         detail::text(prediction.sizes()), detail::text(y.sizes())),
                             detail::operands({{"prediction", &scores}, {"y", &classes}}),
                             "give scores the shape of y, and a last dimension of the classes");
  }
  return prediction.reshape({classes.numel, prediction.size(-1)});
}

}  // namespace

Tensor Classifier::loss(const Tensor& prediction, const Tensor& y, bool averaged) const {
  return cross_entropy_loss(rows_of(prediction, y, "loss"), y.reshape({-1}), {},
                            averaged ? Reduction::Mean : Reduction::None);
}

Tensor Classifier::accuracy(const Tensor& prediction, const Tensor& y, bool averaged) const {
  const NoGradGuard unrecorded;
  const Tensor correct = rows_of(prediction, y, "accuracy").argmax(1).eq(y.reshape({-1})).to(kFloat);
  return averaged ? correct.mean() : correct;
}

void Classifier::validation_step(const Batch& batch) {
  const NoGradGuard unrecorded;
  if (batch.size() != 2) {
    detail::fail<ValueError>("validation_step",
                             fmt::format("the batch has {} tensors, not inputs and targets", batch.size()), {},
                             "use a dataset of two tensors, or override the step");
  }
  const Tensor prediction = forward(batch[0]);
  plot("loss", loss(prediction, batch[1], true), false);
  plot("acc", accuracy(prediction, batch[1]), false);
}

std::unique_ptr<optim::Optimizer> Classifier::configure_optimizers() {
  return std::make_unique<optim::SGD>(parameters(), optim::SGDOptions(lr));
}

}  // namespace d2l
