// SPDX-License-Identifier: MIT
#include <vector>

#include "d2l/nvtx.h"
#include "exercise.h"

using namespace d2l;
using cuda::nvtx::range;

/// Copies a batch to the GPU.
Examples load(const Examples& examples, std::int64_t first, std::int64_t count,
              Device device) {
  const range part("load");
  std::vector<Tensor> inputs;
  std::vector<Tensor> labels;
  for (std::int64_t i = first; i < first + count; ++i) {
    inputs.push_back(examples.inputs[i].to(device));
    labels.push_back(examples.labels[i].to(device));
  }
  return {stack(inputs), stack(labels)};
}

/// The batch in units of the deviation of all examples.
Tensor standardise(const Tensor& batch, const Examples& examples) {
  const range part("standardise");
  const Tensor all = examples.inputs.to(batch.device());
  const Tensor mean = all.mean(0);
  const Tensor deviation = (all - mean).square().mean(0).sqrt();
  return (batch - mean) / deviation;
}

Report train_epoch(nn::Sequential& net, optim::SGD& optimizer, const Examples& examples,
                   std::int64_t batch_size) {
  // TODO: remove what the profile shows, and return the accuracy.
  const Device device = net->parameters()[0].device();
  const std::int64_t n = examples.inputs.size(0);
  Report report;
  for (std::int64_t first = 0; first < n; first += batch_size) {
    const Examples batch = load(examples, first, batch_size, device);
    const Tensor inputs = standardise(batch.inputs, examples);
    Tensor loss;
    {
      const range part("step");
      optimizer.zero_grad(/*set_to_none=*/true);
      loss = cross_entropy_loss(net(inputs), batch.labels);
      loss.backward();
      optimizer.step();
    }
    const range part("log");
    report.loss +=
        loss.item<double>() * static_cast<double>(batch_size) / static_cast<double>(n);
  }
  return report;
}
