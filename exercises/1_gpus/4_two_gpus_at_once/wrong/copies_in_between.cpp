// SPDX-License-Identifier: MIT
// Brings each pair to its device just before it is needed.
// Fails: at_once: copies between the first order and the last
// Fails: earlier: copies, made slow by the check, are in it
// Needs: 1
#include <chrono>

#include "exercise.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  std::vector<Tensor> a;
  std::vector<Tensor> b;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    a.push_back(A[i]);
    b.push_back(B[i]);
  }
  synchronize();
  TimedProducts result;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < devices.size(); ++i)
    result.products.push_back(a[i].to(devices[i]).mm(b[i].to(devices[i])));
  for (const Device device : devices) synchronize(device);
  const auto stop = std::chrono::steady_clock::now();
  result.seconds = std::chrono::duration<double>(stop - start).count();
  return result;
}
