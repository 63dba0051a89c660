// SPDX-License-Identifier: MIT
// The library has the list already; but it is the one of this computer, whatever count was given.
// Fails: gpus: device(type='
// May fail: fallback
#include "exercise.h"

using namespace d2l;

std::vector<Device> all_gpus_or_cpu(int count) {
  static_cast<void>(count);
  return try_all_gpus();
}
