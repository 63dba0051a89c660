// SPDX-License-Identifier: MIT
// # A deadlock
//
// A deadlock is a cycle of ranks that wait for each other. It is easy to write one: all
// ranks send first. If a send waits until the other rank receives, no rank ever reaches
// its receive. With small tensors such a program may work for years, because the
// network buffers them, until a tensor is larger than the buffer.
//
// The wires of this exercise have no buffer. `send` returns when the other rank has
// received the tensor, and `receive` when one has arrived. A rank cannot send to
// itself. Write two operations that work with them, on any number of ranks.
//
// What must hold for `shift`:
//
// - Each rank's tensor goes to the next rank; the last one's goes to rank 0. The result
//   is the tensor that arrived.
// - Each rank sends one tensor. With one rank, nothing is sent, and the result is its
//   own tensor.
//
// What must hold for `exchange_all`:
//
// - parts[i] of each rank goes to rank i. The result has the tensor from rank i at
//   place i; on rank r, place r has its own parts[r].
// - Each rank sends one tensor to every other rank, and none to itself.
//
// A rank may send and receive in several threads. The check runs 1 to 8 ranks as
// threads, with tensors of 2 to 67,000 numbers. When all ranks wait for each other, it
// reports this after about a second, and says what each rank waits for.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The wires from one rank to the others.
class Wires {
 public:
  virtual ~Wires() = default;
  /// The number of this rank, from 0.
  [[nodiscard]] virtual int rank() const = 0;
  /// The number of ranks.
  [[nodiscard]] virtual int size() const = 0;
  /// Returns when rank `to` has received the tensor.
  virtual void send(const d2l::Tensor& tensor, int to) = 0;
  /// Returns the tensor that rank `from` sends.
  virtual d2l::Tensor receive(int from) = 0;
};

/// Sends a tensor to the next rank, and returns that of the rank before.
d2l::Tensor shift(Wires& wires, const d2l::Tensor& mine);
/// Sends parts[i] to rank i, and returns what came from each rank.
std::vector<d2l::Tensor> exchange_all(Wires& wires,
                                      const std::vector<d2l::Tensor>& parts);
