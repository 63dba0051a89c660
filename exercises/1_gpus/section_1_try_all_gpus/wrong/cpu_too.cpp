// SPDX-License-Identifier: MIT
// Puts the CPU into every list, as if it were one more place to compute.
// Fails: gpus: device(type='cpu')
// May fail: usable
#include "exercise.h"

using namespace d2l;

std::vector<Device> all_gpus_or_cpu(int count) {
  std::vector<Device> devices;
  for (int i = 0; i < count; ++i) devices.push_back(gpu(i));
  devices.push_back(cpu());
  return devices;
}
