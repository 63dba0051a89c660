// SPDX-License-Identifier: MIT
// Returns the list of this computer, whatever the count is.
// Fails: gpus: device(type='
// May fail: fallback
#include "exercise.h"

using namespace d2l;

std::vector<Device> all_gpus_or_cpu(int count) {
  static_cast<void>(count);
  return try_all_gpus();
}
