// SPDX-License-Identifier: MIT
// Polls an event until each product is finished: a wait by another name.
// Fails: at_once: one was finished before another was issued
// Needs: 1
#include <thread>

#include "clock.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  const auto a = copied_to(devices, A);
  const auto b = copied_to(devices, B);
  synchronize();
  TimedProducts result;
  const Clock clock;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    result.products.push_back(a[i].mm(b[i]));
    Event done;
    done.record(devices[i]);
    while (!done.query()) std::this_thread::yield();
  }
  for (const Device device : devices) synchronize(device);
  result.seconds = clock.seconds();
  return result;
}
