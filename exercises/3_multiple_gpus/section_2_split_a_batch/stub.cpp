// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

std::vector<Tensor> split_batch(const Tensor& batch,
                                const std::vector<Device>& devices) {
  // TODO: some rows for each device. This gives all of them to the last one.
  return {batch.copy_to(devices.back())};
}
