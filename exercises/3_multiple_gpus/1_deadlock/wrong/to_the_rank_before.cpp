// SPDX-License-Identifier: MIT
// Sends in the other direction.
// Fails: shift: off by
// Fails: messages: message
#include "exercise.h"

using namespace d2l;

Tensor shift(Wires& wires, const Tensor& mine) {
  const int rank = wires.rank();
  const int size = wires.size();
  if (size == 1) return mine;
  const int next = (rank + size - 1) % size;
  const int previous = (rank + 1) % size;
  if (rank % 2 == 0) {
    wires.send(mine, next);
    return wires.receive(previous);
  }
  const Tensor arrived = wires.receive(previous);
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
