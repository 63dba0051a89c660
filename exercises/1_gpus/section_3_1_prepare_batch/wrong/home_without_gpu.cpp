// SPDX-License-Identifier: MIT
// Without a GPU it copies everything to the CPU. You see no difference as long as everything is there.
// Fails: without: another tensor
// Fails: copies: another tensor
// Needs: 1
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  Batch prepared;
  for (const Tensor& part : batch) prepared.push_back(part.to(gpus.empty() ? cpu() : gpus.front()));
  return prepared;
}
