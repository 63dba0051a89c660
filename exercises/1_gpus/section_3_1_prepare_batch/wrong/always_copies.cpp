// SPDX-License-Identifier: MIT
// Copies parts that are on the right device already: data that lives on the GPU is copied again in every batch.
// Fails: without: another tensor
// Fails: copies: another tensor
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  Batch prepared;
  for (const Tensor& part : batch) prepared.push_back(part.copy_to(gpus.empty() ? part.device() : gpus.front()));
  return prepared;
}
