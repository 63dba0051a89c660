// SPDX-License-Identifier: MIT
// Sends each number of a chunk in a message of its own.
// Fails: messages: messages
#include "exercise.h"

using namespace d2l;

namespace {

Tensor chunk_of(const Tensor& data, int c, int size) {
  const auto n = data.numel();
  const std::int64_t place = ((c % size) + size) % size;
  const auto begin = n * place / size;
  return data.narrow(0, begin, n * (place + 1) / size - begin);
}

}  // namespace

void ring_all_reduce(Tensor& data, int rank, int size) {
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  for (int step = 0; step < size - 1; ++step) {
    const Tensor own = chunk_of(data, rank - 1 - step, size);
    const Tensor arrived = empty_like(own);

    for (std::int64_t i = 0; i < chunk_of(data, rank - step, size).numel() || i < own.numel(); ++i) {
      const Tensor out = chunk_of(data, rank - step, size);
      distributed::Work sent;
      if (i < out.numel()) sent = distributed::send(out.narrow(0, i, 1), next);
      if (i < own.numel()) distributed::recv(arrived.narrow(0, i, 1), previous).wait();
      sent.wait();
    }

    Tensor(own).add_(arrived);
  }
  for (int step = 0; step < size - 1; ++step) {
    const auto sent = distributed::send(chunk_of(data, rank + 1 - step, size), next);
    distributed::recv(chunk_of(data, rank - step, size), previous).wait();
    sent.wait();
  }
}
