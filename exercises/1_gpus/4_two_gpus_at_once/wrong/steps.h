// SPDX-License-Identifier: MIT
// A correct multiply_at_once in steps. Most wrong solutions replace one of them.
#pragma once

#include <chrono>
#include <functional>

#include "exercise.h"

namespace d2l {

/// A clock that starts when it is made. Unlike Timer, it waits for no device.
class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline void synchronize_all(const std::vector<Device>& devices) {
  for (const Device device : devices) synchronize(device);
}

struct Steps {
  std::function<void()> before_the_clock = [] { synchronize(); };
  std::function<Tensor(const Tensor&, const Tensor&, Device)> multiply = [](const Tensor& a, const Tensor& b,
                                                                            Device /*device*/) { return a.mm(b); };
  std::function<void(std::vector<Tensor>&, const std::vector<Device>&)> wait =
      [](std::vector<Tensor>& /*products*/, const std::vector<Device>& devices) { synchronize_all(devices); };
};

inline TimedProducts multiply_in_steps(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                                       const std::vector<Device>& devices, const Steps& steps = {}) {
  std::vector<Tensor> a;
  std::vector<Tensor> b;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    a.push_back(A[i].to(devices[i]));
    b.push_back(B[i].to(devices[i]));
  }
  steps.before_the_clock();
  TimedProducts result;
  const Clock clock;
  for (std::size_t i = 0; i < devices.size(); ++i) result.products.push_back(steps.multiply(a[i], b[i], devices[i]));
  steps.wait(result.products, devices);
  result.seconds = clock.seconds();
  return result;
}

}  // namespace d2l
