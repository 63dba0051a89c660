// SPDX-License-Identifier: MIT
// A trainer does not know what the parts of a batch mean, so it treats all of them alike: each goes to the device on
// which the parameters are, and its dtype is the concern of the loss. to() gives a tensor that is in its place as it
// is, which makes the function free for data that was sent ahead. Without a GPU nothing is done at all: the batch is
// handed on, handles to the same tensors. non_blocking lets the host go on while pinned memory crosses.
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  if (gpus.empty()) return batch;
  Batch prepared;
  for (const Tensor& part : batch) prepared.push_back(part.to(TensorOptions(gpus.front()), /*non_blocking=*/true));
  return prepared;
}
