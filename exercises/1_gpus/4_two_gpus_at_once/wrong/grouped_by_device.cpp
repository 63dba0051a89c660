// SPDX-License-Identifier: MIT
// Groups the pairs by their devices, and returns the products in the order of the groups.
// Fails: products: .
// May fail: places
// Needs: 2
#include <map>

#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  std::map<int, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < devices.size(); ++i) groups[devices[i].index()].push_back(i);
  std::vector<Tensor> a;
  std::vector<Tensor> b;
  std::vector<Device> places;
  for (const auto& [device, pairs] : groups) {
    for (const std::size_t i : pairs) {
      a.push_back(A[i]);
      b.push_back(B[i]);
      places.push_back(devices[i]);
    }
  }
  return multiply_in_steps(a, b, places);
}
