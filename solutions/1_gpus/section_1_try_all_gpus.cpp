// SPDX-License-Identifier: MIT
// A list of devices that is never empty spares every caller a question: the first device is always there, and a loop
// over the list computes at least once. So the CPU stands in where there is no GPU. It is not appended where there are
// some: a program that splits its work evenly over the list would wait for the slowest.
#include "exercise.h"

using namespace d2l;

std::vector<Device> all_gpus_or_cpu(int count) {
  std::vector<Device> devices;
  for (int i = 0; i < count; ++i) devices.push_back(gpu(i));  // naming a GPU touches no hardware
  if (devices.empty()) devices.push_back(cpu());
  return devices;
}
