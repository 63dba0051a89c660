// SPDX-License-Identifier: MIT
// Computes everything on the first device and moves the results where they belong.
// Fails: places: one too many on cuda
// May fail: earlier
// Needs: 2
#include <chrono>

#include "exercise.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  std::vector<Tensor> a;
  std::vector<Tensor> b;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    a.push_back(A[i].to(devices[0]));
    b.push_back(B[i].to(devices[0]));
  }
  synchronize();
  TimedProducts result;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < devices.size(); ++i) result.products.push_back(a[i].mm(b[i]));
  for (const Device device : devices) synchronize(device);
  const auto stop = std::chrono::steady_clock::now();
  result.seconds = std::chrono::duration<double>(stop - start).count();
  for (std::size_t i = 0; i < devices.size(); ++i) result.products[i] = result.products[i].to(devices[i]);
  return result;
}
