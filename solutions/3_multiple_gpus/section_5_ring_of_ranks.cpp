// SPDX-License-Identifier: MIT
// Two rounds of size − 1 steps. In the first, a chunk collects the numbers of one rank
// after another; in the second, the finished chunks go around. A chunk is a view, so
// what is received or added is in the caller's tensor at once. The send begins first
// and is awaited last, because all ranks do the same at the same time: if each waited
// for its send first, none would receive.
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
    const auto sent = distributed::send(chunk_of(data, rank - step, size), next);
    distributed::recv(arrived, previous).wait();
    sent.wait();
    Tensor(own).add_(arrived);
  }
  for (int step = 0; step < size - 1; ++step) {
    const auto sent = distributed::send(chunk_of(data, rank + 1 - step, size), next);
    distributed::recv(chunk_of(data, rank - step, size), previous).wait();
    sent.wait();
  }
}
