// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

std::vector<Device> all_gpus_or_cpu(int count) {
  std::vector<Device> devices;
  devices.reserve(static_cast<std::size_t>(count));
  // TODO: put the GPUs into the list; gpu(i) names one. What is missing when count is
  // 0?
  return devices;
}
