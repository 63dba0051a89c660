// SPDX-License-Identifier: MIT
// Looks at an element of each product, which waits for it.
// Fails: at_once: waits between the first order and the last
// May fail: earlier
// Needs: 1
#include <chrono>

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
  synchronize();
  TimedProducts result;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    result.products.push_back(a[i].mm(b[i]));
    if (result.products.back()[0][0].item<float>() > 1e30F) result.products.clear();
  }
  for (const Device device : devices) synchronize(device);
  const auto stop = std::chrono::steady_clock::now();
  result.seconds = std::chrono::duration<double>(stop - start).count();
  return result;
}
