// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

// The examples fit on the GPU, so they are copied once, and standardised once. A batch
// is then a view. The sums stay on the GPU until the end.
Report train_epoch(nn::Sequential& net, optim::SGD& optimizer, const Examples& examples,
                   std::int64_t batch_size) {
  const Device device = net->parameters()[0].device();
  const Tensor inputs = examples.inputs.to(device);
  const Tensor labels = examples.labels.to(device);
  const Tensor centred = inputs - inputs.mean(0);
  const Tensor standard = centred / centred.square().mean(0).sqrt();
  const std::int64_t n = inputs.size(0);
  Tensor losses = zeros({}, device);
  Tensor right = zeros({}, device);
  for (std::int64_t first = 0; first < n; first += batch_size) {
    const Tensor answers = labels.narrow(0, first, batch_size);
    optimizer.zero_grad(/*set_to_none=*/true);
    const Tensor scores = net(standard.narrow(0, first, batch_size));
    const Tensor loss = cross_entropy_loss(scores, answers);
    loss.backward();
    optimizer.step();
    losses += loss.detach();
    right += (scores.argmax(1) == answers).sum();
  }
  const double steps = static_cast<double>(n) / static_cast<double>(batch_size);
  return {losses.item<double>() / steps, right.item<double>() / static_cast<double>(n)};
}
