// SPDX-License-Identifier: MIT
// shift: even ranks send first, odd ones receive first. So every second rank receives
// at once, whatever the number of ranks. With an odd number, the last rank and rank 0
// both send first; but rank 1 receives from rank 0, which then receives from the last
// one.
//
// exchange_all: of two ranks, the lower one sends first. All ranks go through their
// partners in increasing order, so all pairs are in one order, that of their lower and
// then of their higher number. The first pair of this order that is not done can always
// continue, so there is no cycle of ranks that wait for each other.
#include "exercise.h"

using namespace d2l;

Tensor shift(Wires& wires, const Tensor& mine) {
  const int rank = wires.rank();
  const int size = wires.size();
  if (size == 1) return mine;
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  if (rank % 2 == 0) {
    wires.send(mine, next);
    return wires.receive(previous);
  }
  Tensor arrived = wires.receive(previous);
  wires.send(mine, next);
  return arrived;
}

std::vector<Tensor> exchange_all(Wires& wires, const std::vector<Tensor>& parts) {
  std::vector<Tensor> arrived;
  for (int other = 0; other < wires.size(); ++other) {
    const Tensor& part = parts[static_cast<std::size_t>(other)];
    if (other == wires.rank()) {
      arrived.push_back(part);
    } else if (other > wires.rank()) {
      wires.send(part, other);
      arrived.push_back(wires.receive(other));
    } else {
      arrived.push_back(wires.receive(other));
      wires.send(part, other);
    }
  }
  return arrived;
}
