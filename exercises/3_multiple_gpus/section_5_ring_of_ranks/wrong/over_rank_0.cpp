// SPDX-License-Identifier: MIT
// A star: rank 0 collects and sends back.
// Fails: neighbour: bytes to other ranks
// Fails: bytes: bytes sent
// May fail: messages
#include "exercise.h"

using namespace d2l;

void ring_all_reduce(Tensor& data, int rank, int size) {
  if (rank > 0) {
    distributed::send(data, 0).wait();
    distributed::recv(data, 0).wait();
    return;
  }
  const Tensor arrived = empty_like(data);
  for (int other = 1; other < size; ++other) {
    distributed::recv(arrived, other).wait();
    data.add_(arrived);
  }
  for (int other = 1; other < size; ++other) distributed::send(data, other).wait();
}
