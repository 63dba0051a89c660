// SPDX-License-Identifier: MIT
// # A ring of ranks
//
// In section 3.5 one program moves the chunks of all GPUs. Now each GPU has a program
// of its own. It gets its number `rank`, from 0, and the number of ranks, `size`. It
// can send a tensor to another rank, and receive one:
//
//     distributed::Work work = distributed::send(tensor, to);
//     distributed::recv(tensor, from).wait();
//     work.wait();
//
// Both calls only start the transfer; `wait()` returns when it is done. The receiver
// must have a tensor with as many elements as the sender sends.
//
// Write the ring all-reduce as the program of one rank. `data` has one dimension, any
// length and any dtype, both the same on all ranks. What must hold:
//
// - Afterwards `data` has the sum over all ranks, on every rank, in the memory that it
//   had.
// - Each rank sends only to its neighbour, rank + 1; the last one sends to rank 0.
// - Each rank sends at most 2(size − 1) messages, of at most ⌈n/size⌉ numbers each. For
//   long tensors that is 2(size − 1)/size · n in all.
// - Lengths that `size` does not divide, that are less than `size`, or that are 0 work
//   too.
//
// The check runs 1 to 8 ranks as threads, with 0 to 71,000 numbers, float32, float64
// and int64. It compares the sums, and counts what each rank sends to which.
#pragma once

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// Leaves the sum over all ranks in `data`, on this rank.
void ring_all_reduce(d2l::Tensor& data, int rank, int size);
