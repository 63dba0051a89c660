// SPDX-License-Identifier: MIT
// A host needs some microseconds to issue a product, and a GPU needs much longer to
// compute it. So one thread can keep many GPUs busy if it only issues work: first all
// products, then all waits. `Timer` waits for every GPU when it is made, so copies and
// earlier work are finished. It waits again when you ask for the seconds, so all GPUs
// have finished.
//
// With both products on one GPU the same loop works. It takes the sum of their times,
// because a queue runs one product after the other. With two GPUs it takes the longer
// of the two times. The speed-up is a little below 2, because the host needs time to
// issue the work, and because the two GPUs share something. For virtual GPUs that is
// the memory of one computer.
#include "exercise.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A,
                               const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  std::vector<Tensor> a;
  std::vector<Tensor> b;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    a.push_back(A[i].to(devices[i]));
    b.push_back(B[i].to(devices[i]));
  }
  TimedProducts result;
  const Timer timer;
  for (std::size_t i = 0; i < devices.size(); ++i)
    result.products.push_back(a[i].mm(b[i]));
  result.seconds = timer.seconds();
  return result;
}
