// SPDX-License-Identifier: MIT
// A trainer does not know what the parts of a batch mean, so it treats all of them the
// same: it copies each to the device of the parameters and keeps the dtype. If a part
// is already there, to() returns it unchanged, so the function costs nothing for a
// batch that was sent ahead. Without a GPU the batch is returned unchanged, with
// handles to the same tensors. With non_blocking the host continues while pinned memory
// is copied.
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  if (gpus.empty()) return batch;
  Batch prepared;
  for (const Tensor& part : batch)
    prepared.push_back(part.to(TensorOptions(gpus.front()), /*non_blocking=*/true));
  return prepared;
}
