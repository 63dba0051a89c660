// SPDX-License-Identifier: MIT
// A sum over the devices of a process, at most two.
#pragma once

#include <nccl.h>

#include "programs.h"

struct AllReduce {
  explicit AllReduce(int devices = 2) : size(devices) {
    REQUIRE(ncclCommInitAll(communicators, size, nullptr) == ncclSuccess);
    for (int rank = 0; rank < size; ++rank) {
      cudaSetDevice(rank);
      streams[rank] = stream();
      x[rank] = device_memory();
    }
  }
  /// Issues the calls of the first `ranks` ranks.
  ncclResult_t issue(int ranks) const {
    ncclGroupStart();
    for (int rank = 0; rank < ranks; ++rank) {
      ncclAllReduce(x[rank], x[rank], n, ncclInt, ncclSum, communicators[rank], streams[rank]);
    }
    return ncclGroupEnd();
  }
  void run(int ranks) const { REQUIRE(issue(ranks) == ncclSuccess); }
  void wait() const {
    for (int rank = 0; rank < size; ++rank) {
      cudaSetDevice(rank);
      cudaDeviceSynchronize();
    }
  }
  int size;
  ncclComm_t communicators[2];
  cudaStream_t streams[2];
  int* x[2];
};
