// SPDX-License-Identifier: MIT
// Handles every part, but takes the first GPU of a list that may be empty.
// Fails: parts: the function threw
// Fails: without: the function threw
// Fails: batch: the function threw
// Fails: copies: the function threw
#include "exercise.h"

using namespace d2l;

Batch prepare_batch(const Batch& batch, const std::vector<Device>& gpus) {
  Batch prepared;
  for (const Tensor& part : batch) prepared.push_back(part.to(gpus.at(0)));
  return prepared;
}
