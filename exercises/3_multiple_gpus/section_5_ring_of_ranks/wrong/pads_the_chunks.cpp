// SPDX-License-Identifier: MIT
// Makes all chunks one number longer than needed, so that no number is left out: too many bytes.
// Fails: bytes: bytes sent
#include "exercise.h"

using namespace d2l;

void ring_all_reduce(Tensor& data, int rank, int size) {
  const auto chunk = data.numel() / size + 2;
  const Tensor padded = cat({data, zeros({chunk * size - data.numel()}, data.options())});
  const auto at = [&](int c) { return padded.narrow(0, ((c % size) + size) % size * chunk, chunk); };
  for (int step = 0; step < size - 1; ++step) {
    const Tensor arrived = zeros({chunk}, data.options());
    const auto sent = distributed::send(at(rank - step), (rank + 1) % size);
    distributed::recv(arrived, (rank + size - 1) % size).wait();
    sent.wait();
    at(rank - 1 - step).add_(arrived);
  }
  for (int step = 0; step < size - 1; ++step) {
    const auto sent = distributed::send(at(rank + 1 - step), (rank + 1) % size);
    distributed::recv(at(rank - step), (rank + size - 1) % size).wait();
    sent.wait();
  }
  data.copy_(padded.narrow(0, 0, data.numel()));
}
