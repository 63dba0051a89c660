// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

void ring_all_reduce(Tensor& data, int rank, int size) {
  // TODO: reduce-scatter, then all-gather, in chunks.
  static_cast<void>(data);
  static_cast<void>(rank);
  static_cast<void>(size);
}
