// SPDX-License-Identifier: MIT
// Copies what batches usually have: inputs and labels. It leaves a mask, or the weights of the examples, behind.
// Fails: placed: in the memory of
// Fails: copies: between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  Batch prepared = batch;
  for (std::size_t part = 0; part < 2 && part < batch.size() && !gpus.empty(); ++part) {
    prepared[part] = batch[part].to(gpus.front());
  }
  return prepared;
}
