// SPDX-License-Identifier: MIT
// Converts everything to float32, because the network needs that. Labels above 16 million are rounded.
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
