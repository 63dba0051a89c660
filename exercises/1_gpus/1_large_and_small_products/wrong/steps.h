// SPDX-License-Identifier: MIT
// A correct seconds_of_product in steps. Wrong solutions replace some of them.
#pragma once

#include <chrono>
#include <functional>

#include "exercise.h"

namespace d2l {

inline void multiply(const Tensor& a, const Tensor& b) { static_cast<void>(a.mm(b)); }
inline void multiply_ten_times(const Tensor& a, const Tensor& b) {
  for (int i = 0; i < 10; ++i) multiply(a, b);
}
inline void wait_for(Device device) { synchronize(device); }
inline void do_not_wait(Device /*device*/) {}

struct Steps {
  std::function<void(const Tensor&, const Tensor&)> warm_up = multiply;
  std::function<void(Device)> wait_before = wait_for;
  std::function<void(const Tensor&, const Tensor&)> timed = multiply;
  std::function<void(Device)> wait_after = wait_for;
};

inline double seconds_in_steps(const Tensor& A, const Tensor& B, Device device, const Steps& steps) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  steps.warm_up(a, b);
  steps.wait_before(device);
  const auto start = std::chrono::steady_clock::now();
  steps.timed(a, b);
  steps.wait_after(device);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace d2l
