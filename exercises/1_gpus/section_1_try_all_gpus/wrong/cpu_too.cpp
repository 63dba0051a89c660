// SPDX-License-Identifier: MIT
// Adds the CPU to every list, as one more device to compute on.
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
