// SPDX-License-Identifier: MIT
// Makes float32 of everything, because the network wants it: labels beyond 16 million become their neighbours.
// Fails: parts: torch.float32
// Fails: without: torch.float32
// May fail: copies
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  Batch prepared;
  for (const Tensor& part : batch) prepared.push_back(part.to(gpus.empty() ? part.device() : gpus.front(), kFloat));
  return prepared;
}
