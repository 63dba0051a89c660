// SPDX-License-Identifier: MIT
// Ordering a product takes a host some microseconds, computing it takes a GPU much longer. So one thread can keep many
// GPUs busy, as long as it does nothing but order: first all products, then all waits. `Timer` waits for every GPU when
// it is made, so that copies and earlier work are over, and again when it is asked for the seconds, so that all GPUs
// have finished.
//
// With both products on one GPU the same loop works, and takes the sum of their times: a queue does one thing after
// the other. With two GPUs it takes the longer of the two. The ratio falls short of 2 by what the host needs to order,
// and by whatever the two share, which for virtual GPUs is the memory of one computer.
#include "exercise.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  std::vector<Tensor> a;
  std::vector<Tensor> b;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    a.push_back(A[i].to(devices[i]));
    b.push_back(B[i].to(devices[i]));
  }
  TimedProducts result;
  const Timer timer;
  for (std::size_t i = 0; i < devices.size(); ++i) result.products.push_back(a[i].mm(b[i]));
  result.seconds = timer.seconds();
  return result;
}
