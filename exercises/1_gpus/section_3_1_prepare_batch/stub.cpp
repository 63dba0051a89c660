// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  // TODO: a batch may have one part or many, and a trainer may have no GPU.
  return {batch.at(0).to(gpus.at(0), kFloat), batch.at(1).to(gpus.at(0), kFloat)};
}
