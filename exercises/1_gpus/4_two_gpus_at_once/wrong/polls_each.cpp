// SPDX-License-Identifier: MIT
// Polls an event until each product is finished: a wait by another name.
// Fails: at_once: one was finished before another was issued
// Needs: 1
#include <thread>

#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  return multiply_in_steps(A, B, devices, {.multiply = [](const Tensor& a, const Tensor& b, Device device) {
                             Tensor product = a.mm(b);
                             Event done;
                             done.record(device);
                             while (!done.query()) std::this_thread::yield();
                             return product;
                           }});
}
