// SPDX-License-Identifier: MIT
// Keeps the log in main memory: each norm that is written into it is copied to the host.
// Fails: at_end: 1000 copies from device to host
// Fails: waits: 1000 waits for the device
// Needs: 1
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  return read_at_end(left, right, cpu(), norm_of_product);
}
