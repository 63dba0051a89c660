// SPDX-License-Identifier: MIT
// The bug of the book's newer editions: without a GPU the list is empty.
// Fails: fallback: []
// May fail: usable
#include "exercise.h"

using namespace d2l;

std::vector<Device> all_gpus_or_cpu(int count) {
  std::vector<Device> devices;
  for (int i = 0; i < count; ++i) devices.push_back(gpu(i));
  return devices;
}
