// SPDX-License-Identifier: MIT
// Counts the GPUs from 1: the first is missing, and the last does not exist.
// Fails: gpus: device(type='cuda', index=1)
// May fail: usable
#include "exercise.h"

using namespace d2l;

std::vector<Device> all_gpus_or_cpu(int count) {
  std::vector<Device> devices;
  for (int i = 1; i <= count; ++i) devices.push_back(gpu(i));
  if (devices.empty()) devices.push_back(cpu());
  return devices;
}
